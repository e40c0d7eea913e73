//! How is a wait spread?

mod equal;
mod full;
mod memoryless;
mod none;
mod proportional;

use std::time::Duration;

pub use equal::Equal;
pub use full::Full;
pub use memoryless::Memoryless;
pub use none::None;
pub use proportional::Proportional;

use crate::form::Form;
use crate::rng::Stream;

/// What the scenario language can say.
pub const FORMS: &[Form<Jitter>] =
    &[none::FORM, full::FORM, equal::FORM, proportional::FORM, memoryless::FORM];

/// What stands there when nothing is said, as TOML.
pub const DEFAULT: &str = "\"none\"";

/// How a wait is spread; the variant is the key of the scenario language.
#[derive(Clone, Debug, PartialEq)]
pub enum Jitter {
    /// Not at all.
    None(None),
    /// Anything from zero to the wait.
    Full(Full),
    /// Half of the wait, and anything up to the other half.
    Equal(Equal),
    /// The wait, give or take a share of it.
    Proportional(Proportional),
    /// Exponentially distributed.
    Memoryless(Memoryless),
}

impl Jitter {
    /// No spread at all.
    pub fn none() -> Jitter {
        Jitter::None(None {})
    }

    /// The wait with its spread.
    pub fn spread(&self, wait: Duration, rng: &mut Stream) -> Duration {
        match self {
            Jitter::None(jitter) => jitter.spread(wait),
            Jitter::Full(jitter) => jitter.spread(wait, rng),
            Jitter::Equal(jitter) => jitter.spread(wait, rng),
            Jitter::Proportional(jitter) => jitter.spread(wait, rng),
            Jitter::Memoryless(jitter) => jitter.spread(wait, rng),
        }
    }

    /// The longest that a wait can become.
    pub fn ceiling(&self, wait: Duration) -> Duration {
        match self {
            Jitter::None(_) | Jitter::Full(_) | Jitter::Equal(_) => wait,
            Jitter::Proportional(jitter) => jitter.ceiling(wait),
            Jitter::Memoryless(jitter) => jitter.ceiling(wait),
        }
    }
}

/// A whole number of nanoseconds, uniform between `low` and `high`, both included.
fn uniform(low: Duration, high: Duration, rng: &mut Stream) -> Duration {
    let (low, high) = (crate::time::nanos(low), crate::time::nanos(high));
    Duration::from_nanos(low + rng.below((high - low).saturating_add(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, Seed};

    /// Least, mean and largest of 50,000 spreads of one second, in seconds.
    fn extremes(jitter: &Jitter) -> [f64; 3] {
        let waits: Vec<f64> = (0..50_000)
            .map(|client| {
                let mut rng = Seed::new(5).stream(Purpose::Jitter, client, 1);
                jitter.spread(Duration::from_secs(1), &mut rng).as_secs_f64()
            })
            .collect();
        let mean = waits.iter().sum::<f64>() / waits.len() as f64;
        let least = waits.iter().copied().fold(f64::MAX, f64::min);
        [least, mean, waits.iter().copied().fold(0.0, f64::max)]
    }

    #[test]
    fn each_kind_fills_its_range_and_no_more() {
        let cases = [
            (Jitter::None(None {}), [1.0, 1.0, 1.0]),
            (Jitter::Full(Full {}), [0.0, 0.5, 1.0]),
            (Jitter::Equal(Equal {}), [0.5, 0.75, 1.0]),
            (Jitter::Proportional(Proportional { share: 0.2 }), [0.8, 1.0, 1.2]),
        ];
        for (jitter, expected) in cases {
            for (seen, wanted) in extremes(&jitter).into_iter().zip(expected) {
                assert!((seen - wanted).abs() < 0.005, "{jitter:?}: {seen} not {wanted}");
            }
            assert!(extremes(&jitter)[2] <= expected[2], "{jitter:?} exceeds its ceiling");
        }
    }

    #[test]
    fn two_clients_do_not_wait_alike() {
        for jitter in [Jitter::Full(Full {}), Jitter::Equal(Equal {})] {
            let wait = |client| {
                let mut rng = Seed::new(5).stream(Purpose::Jitter, client, 1);
                jitter.spread(Duration::from_secs(1), &mut rng)
            };
            assert_ne!(wait(0), wait(1), "{jitter:?}");
        }
    }

    #[test]
    fn a_wait_of_zero_and_the_longest_wait_are_spread_without_overflow() {
        let mut rng = Seed::new(5).stream(Purpose::Jitter, 0, 1);
        let longest = Duration::from_nanos(u64::MAX);
        for jitter in [Jitter::Full(Full {}), Jitter::Equal(Equal {})] {
            assert_eq!(jitter.spread(Duration::ZERO, &mut rng), Duration::ZERO);
            assert!(jitter.spread(longest, &mut rng) <= longest);
        }
        let half_more = Jitter::Proportional(Proportional { share: 0.5 });
        assert!(half_more.spread(longest, &mut rng) <= longest);
    }
}
