//! A random walk between a base and a multiple of the wait before.

use std::time::Duration;

use super::Growth;
use crate::form::{Form, Shape, default, required, table};
use crate::policy::backoff::{Law, Piece};
use crate::rng::Stream;
use crate::time::{from_secs, nanos, secs};

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

/// Bins of the law.
const BINS: usize = 2048;

impl Decorrelated {
    /// A wait drawn after the previous one.
    pub fn wait(&self, previous: Option<Duration>, rng: &mut Stream) -> Duration {
        let low = nanos(self.base);
        let high = nanos(self.above(previous.unwrap_or(self.base)));
        Duration::from_nanos(low + rng.below((high - low).saturating_add(1)))
    }

    /// The longest wait that retry `number` can have.
    pub fn ceiling(&self, number: u32) -> Duration {
        let growth = super::Exponential { base: self.base, factor: self.factor, whole: None };
        growth.wait(number.saturating_add(1))
    }

    /// The law of a wait after one of this law: a histogram, as its density has no short formula.
    pub fn law(&self, previous: Option<&Law>) -> Law {
        let base = secs(self.base);
        let above = |wait: f64| (wait * self.factor).max(base);
        let first = Law::point(base);
        let previous = previous.unwrap_or(&first);
        let high = above(previous.high());
        let bin = (high - base) / BINS as f64;
        if bin <= 0.0 {
            return Law::point(base);
        }
        // U(base, high) fills all bins below its last one, and a part of that.
        let (mut below, mut last) = (vec![0.0; BINS + 1], vec![0.0; BINS]);
        let (mut at_base, width) = (0.0, (previous.high() - previous.low()).max(f64::MIN_POSITIVE));
        for piece in previous.pieces() {
            let parts = ((piece.high - piece.low) / width * BINS as f64).ceil().max(1.0);
            for part in 0..parts as usize {
                let place = (part as f64 + 0.5) / parts;
                let reach = above(piece.low + (piece.high - piece.low) * place) - base;
                let mass = piece.mass / parts;
                if reach <= 0.0 {
                    at_base += mass;
                    continue;
                }
                let end = ((reach / bin) as usize).min(BINS - 1);
                below[end] += mass * bin / reach;
                last[end] += mass * (reach - end as f64 * bin) / reach;
            }
        }
        let mut pieces = vec![Piece { low: base, high: base, step: 0.0, mass: at_base }];
        let mut full = 0.0;
        for end in (0..BINS).rev() {
            full += below[end + 1];
            let (low, high) = (base + bin * end as f64, base + bin * (end + 1) as f64);
            pieces.push(Piece { low, high, step: 0.0, mass: full + last[end] });
        }
        Law::mixture(pieces)
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

    #[test]
    fn the_law_is_that_of_the_library() {
        // redis-py 8.1.0, run by others: mean and share at the cap, after a first wait of the base.
        let growth = Decorrelated { base: Duration::from_secs(1), factor: 3.0 };
        let mut law = Law::point(1.0);
        for (mean, atom) in [(1.9941, 0.0), (3.5027, 0.0), (5.1894, 0.1491), (6.2263, 0.3032)] {
            law = growth.law(Some(&law)).at_most(10.0);
            assert!((law.mean() / mean - 1.0).abs() < 0.01, "{}, not {mean}", law.mean());
            assert!((law.atom() - atom).abs() < 0.01, "{}, not {atom}", law.atom());
        }
        // Where it settles: the integral equation, solved by others to six digits.
        for _ in 0..60 {
            law = growth.law(Some(&law)).at_most(20.0);
        }
        assert!((law.mean() - 13.174298).abs() < 0.002, "{}", law.mean());
        assert!((law.atom() - 0.412765).abs() < 0.0002, "{}", law.atom());
    }
}
