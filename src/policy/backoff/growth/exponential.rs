//! A multiple every time.

use std::time::Duration;

use super::Growth;
use crate::form::{Form, Shape, default, optional, required, table};
use crate::time::from_secs;

/// Waits base × factor^(n − 1) before retry n.
#[derive(Clone, Debug, PartialEq)]
pub struct Exponential {
    /// Wait before the first retry (> 0).
    pub base: Duration,
    /// What every further retry multiplies it by (≥ 1).
    pub factor: f64,
    /// What every wait is cut down to a whole number of before the next grows out of it, as in
    /// resilience4j and Spring Retry, which count in whole milliseconds (> 0); `None` for no cut.
    pub whole: Option<Duration>,
}

/// Its words in the scenario language.
pub(super) const FORM: Form<Growth> = Form {
    name: "exponential",
    doc: "A multiple every time.",
    shape: Some(Shape::Table(&table(
        "an exponential backoff",
        &[
            required(
                "base",
                Shape::Positive,
                "Wait before the first retry, a duration above zero.",
            ),
            default(
                "factor",
                "2",
                Shape::AtLeast(1.0),
                "What every further retry multiplies the wait by, 1 or more.",
            ),
            optional(
                "whole",
                Shape::Positive,
                "What every wait is cut down to a whole number of before the next grows out of it.",
            ),
        ],
    ))),
    build: |given| {
        let (base, factor) = (given.duration("base"), given.number("factor"));
        let whole = given.has("whole").then(|| given.duration("whole"));
        Growth::Exponential(Exponential { base, factor, whole })
    },
};

impl Exponential {
    /// The wait before retry `number`; the longest duration when that overflows.
    ///
    /// Multiplies step by step, as the platforms' `pow` do not agree in the last bit. A thousand
    /// steps pass every float beyond all use, so that the loop is bounded.
    pub fn wait(&self, number: u32) -> Duration {
        let steps = number.saturating_sub(1).min(1_100);
        let mut wait = self.base.as_secs_f64();
        for _ in 0..steps {
            wait *= self.factor;
            if self.factor == 1.0 || wait > 1e12 {
                break;
            }
            wait = self.whole.map_or(wait, |unit| cut(wait, unit));
        }
        from_secs(wait)
    }
}

/// The wait (s) as a whole number of the unit below it.
fn cut(wait: f64, unit: Duration) -> f64 {
    // A float misses most whole numbers by a hair, on one side or the other.
    let units = wait * (1.0 + 4e-15) / unit.as_secs_f64();
    units.floor() * unit.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits_ms(base: u64, factor: f64, retries: u32) -> Vec<f64> {
        let growth = Exponential { base: Duration::from_millis(base), factor, whole: None };
        (1..=retries).map(|n| growth.wait(n).as_secs_f64() * 1e3).collect()
    }

    #[test]
    fn the_webhook_ladder_doubles() {
        assert_eq!(waits_ms(1000, 2.0, 6), [1e3, 2e3, 4e3, 8e3, 16e3, 32e3]);
    }

    #[test]
    fn half_more_every_time_gives_googles_ladder() {
        assert_eq!(waits_ms(500, 1.5, 5), [500.0, 750.0, 1125.0, 1687.5, 2531.25]);
    }

    #[test]
    fn the_last_retry_of_all_is_long_but_finite() {
        let growth = Exponential { base: Duration::from_millis(50), factor: 2.0, whole: None };
        assert!(growth.wait(u32::MAX) > Duration::from_secs(1_000_000));
        let flat = Exponential { base: Duration::from_millis(50), factor: 1.0, whole: None };
        assert_eq!(flat.wait(u32::MAX), Duration::from_millis(50));
    }

    #[test]
    fn whole_milliseconds_fall_behind() {
        // resilience4j, ofExponentialBackoff(500, 1.5): run by others.
        let (base, whole) = (Duration::from_millis(500), Some(Duration::from_millis(1)));
        let growth = Exponential { base, factor: 1.5, whole };
        let waits: Vec<u128> = (1..=14).map(|n| growth.wait(n).as_millis()).collect();
        let wanted = [
            500, 750, 1125, 1687, 2530, 3795, 5692, 8538, 12807, 19210, 28815, 43222, 64833, 97249,
        ];
        assert_eq!(waits, wanted);
    }
}
