//! A random walk between a base and a multiple of the wait before.

use std::time::Duration;

use super::Growth;
use crate::form::{Form, Shape, default, required, table};
use crate::rng::Stream;
use crate::time::{from_secs, nanos};

/// Waits U(base, factor × previous) before a retry, previous = base at first ("decorrelated
/// jitter" of the AWS Architecture Blog, 2015, with factor 3).
///
/// A cap belongs after the draw, and the capped wait is the next one's previous.
#[derive(Clone, Debug, PartialEq)]
pub struct Decorrelated {
    /// The shortest wait (> 0).
    pub base: Duration,
    /// How far above the previous wait the next may go (≥ 1).
    pub factor: f64,
}

/// Its words in the scenario language.
pub(super) const FORM: Form<Growth> = Form {
    name: "decorrelated",
    doc: "Anything from the base to a multiple of the wait before.",
    shape: Some(Shape::Table(&table(
        "a decorrelated backoff",
        &[
            required("base", Shape::Positive, "The shortest wait, a duration above zero."),
            default(
                "factor",
                "3",
                Shape::AtLeast(1.0),
                "How far above the wait before the next may go, as a multiple of it, 1 or more.",
            ),
        ],
    ))),
    build: |given| {
        let (base, factor) = (given.duration("base"), given.number("factor"));
        Growth::Decorrelated(Decorrelated { base, factor })
    },
};

impl Decorrelated {
    /// A wait drawn after the previous one.
    pub fn wait(&self, previous: Option<Duration>, rng: &mut Stream) -> Duration {
        let low = nanos(self.base);
        let high = nanos(self.above(previous.unwrap_or(self.base)));
        Duration::from_nanos(low + rng.below((high - low).saturating_add(1)))
    }

    /// The longest wait that retry `number` can have.
    pub fn ceiling(&self, number: u32) -> Duration {
        let growth = super::Exponential { base: self.base, factor: self.factor };
        growth.wait(number.saturating_add(1))
    }

    /// `factor` times `wait`, never below the base.
    fn above(&self, wait: Duration) -> Duration {
        from_secs(wait.as_secs_f64() * self.factor).max(self.base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, Seed};

    #[test]
    fn every_wait_lies_between_the_base_and_three_times_the_last() {
        let growth = Decorrelated { base: Duration::from_millis(50), factor: 3.0 };
        for client in 0..200 {
            let mut previous = None;
            for retry in 1..6 {
                let mut rng = Seed::new(1).stream(Purpose::Jitter, client, retry);
                let wait = growth.wait(previous, &mut rng);
                let high = previous.unwrap_or(growth.base) * 3;
                assert!(wait >= growth.base && wait <= high, "{wait:?} after {previous:?}");
                previous = Some(wait);
            }
        }
    }

    #[test]
    fn the_first_wait_is_on_average_twice_the_base() {
        let growth = Decorrelated { base: Duration::from_millis(50), factor: 3.0 };
        let sum: f64 = (0..100_000)
            .map(|client| {
                let mut rng = Seed::new(1).stream(Purpose::Jitter, client, 1);
                growth.wait(None, &mut rng).as_secs_f64()
            })
            .sum();
        assert!((sum / 100_000.0 - 0.1).abs() < 0.001, "{}", sum / 100_000.0);
    }
}
