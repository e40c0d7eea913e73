//! How is a wait spread?

mod added;
mod bands;
mod doubling;
mod equal;
mod full;
mod longer;
mod memoryless;
mod multiples;
mod none;
mod percents;
mod proportional;
mod shorter;

use std::time::Duration;

pub use added::Added;
pub use bands::Bands;
pub use doubling::Doubling;
pub use equal::Equal;
pub use full::Full;
pub use longer::Longer;
pub use memoryless::Memoryless;
pub use multiples::Multiples;
pub use none::None;
pub use percents::Percents;
pub use proportional::Proportional;
pub use shorter::Shorter;

use super::Law;
use crate::form::Form;
use crate::rng::Stream;

/// What the scenario language can say.
pub const FORMS: &[Form<Jitter>] = &[
    none::FORM,
    full::FORM,
    equal::FORM,
    proportional::FORM,
    longer::FORM,
    shorter::FORM,
    added::FORM,
    multiples::FORM,
    doubling::FORM,
    bands::FORM,
    percents::FORM,
    memoryless::FORM,
];

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
    /// The wait, and up to a multiple of it more.
    Longer(Longer),
    /// The wait, or up to a share of it less.
    Shorter(Shorter),
    /// The wait, and something more that does not depend on it.
    Added(Added),
    /// Any whole number of a unit up to the wait.
    Multiples(Multiples),
    /// A window that doubles until it reaches its end.
    Doubling(Doubling),
    /// Ten bands with gaps between them.
    Bands(Bands),
    /// Whole percents.
    Percents(Percents),
    /// Exponentially distributed.
    Memoryless(Memoryless),
}

impl Jitter {
    /// No spread at all.
    pub fn none() -> Jitter {
        Jitter::None(None {})
    }

    /// The wait before retry `number` with its spread.
    pub fn spread(&self, wait: Duration, number: u32, rng: &mut Stream) -> Duration {
        match self {
            Jitter::None(jitter) => jitter.spread(wait),
            Jitter::Full(jitter) => jitter.spread(wait, rng),
            Jitter::Equal(jitter) => jitter.spread(wait, rng),
            Jitter::Proportional(jitter) => jitter.spread(wait, rng),
            Jitter::Longer(jitter) => jitter.spread(wait, rng),
            Jitter::Shorter(jitter) => jitter.spread(wait, rng),
            Jitter::Added(jitter) => jitter.spread(wait, number, rng),
            Jitter::Multiples(jitter) => jitter.spread(wait, rng),
            Jitter::Doubling(jitter) => jitter.spread(wait, rng),
            Jitter::Bands(jitter) => jitter.spread(wait, rng),
            Jitter::Percents(jitter) => jitter.spread(wait, rng),
            Jitter::Memoryless(jitter) => jitter.spread(wait, rng),
        }
    }

    /// The longest that the wait before retry `number` can become; by default no longer.
    pub fn ceiling(&self, wait: Duration, number: u32) -> Duration {
        match self {
            Jitter::Proportional(jitter) => jitter.ceiling(wait),
            Jitter::Longer(jitter) => jitter.ceiling(wait),
            Jitter::Added(jitter) => jitter.ceiling(wait, number),
            Jitter::Multiples(jitter) => jitter.ceiling(wait),
            Jitter::Doubling(jitter) => jitter.ceiling(wait),
            Jitter::Bands(jitter) => jitter.ceiling(wait),
            Jitter::Percents(jitter) => jitter.ceiling(wait),
            Jitter::Memoryless(jitter) => jitter.ceiling(wait),
            _ => wait,
        }
    }

    /// The law of the spread of a wait (s) before retry `number`.
    pub fn law(&self, wait: f64, number: u32) -> Law {
        match self {
            Jitter::None(_) => Law::point(wait),
            Jitter::Full(jitter) => jitter.law(wait),
            Jitter::Equal(jitter) => jitter.law(wait),
            Jitter::Proportional(jitter) => jitter.law(wait),
            Jitter::Longer(jitter) => jitter.law(wait),
            Jitter::Shorter(jitter) => jitter.law(wait),
            Jitter::Added(jitter) => jitter.law(wait, number),
            Jitter::Multiples(jitter) => jitter.law(wait),
            Jitter::Doubling(jitter) => jitter.law(wait),
            Jitter::Bands(jitter) => jitter.law(wait),
            Jitter::Percents(jitter) => jitter.law(wait),
            Jitter::Memoryless(jitter) => jitter.law(wait),
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
                jitter.spread(Duration::from_secs(1), 1, &mut rng).as_secs_f64()
            })
            .collect();
        let mean = waits.iter().sum::<f64>() / waits.len() as f64;
        let least = waits.iter().copied().fold(f64::MAX, f64::min);
        [least, mean, waits.iter().copied().fold(0.0, f64::max)]
    }

    #[test]
    fn each_kind_fills_its_range_and_no_more() {
        let second = Duration::from_secs(1);
        let whole = Multiples { unit: Duration::from_millis(250) };
        let added = Added { most: second, step: second };
        let cases = [
            (Jitter::None(None {}), [1.0, 1.0, 1.0]),
            (Jitter::Full(Full {}), [0.0, 0.5, 1.0]),
            (Jitter::Equal(Equal {}), [0.5, 0.75, 1.0]),
            (Jitter::Proportional(Proportional { share: 0.2 }), [0.8, 1.0, 1.2]),
            (Jitter::Longer(Longer { part: 1.2 }), [1.0, 1.6, 2.2]),
            (Jitter::Shorter(Shorter { share: 0.25 }), [0.75, 0.875, 1.0]),
            (Jitter::Added(added), [1.0, 1.5, 2.0]),
            (Jitter::Multiples(whole), [0.0, 0.5, 1.0]),
            (Jitter::Doubling(Doubling { longest: second * 3 / 2 }), [1.0, 1.25, 1.5]),
            (Jitter::Bands(Bands { share: 0.5 }), [0.55, 1.025, 1.5]),
            (Jitter::Percents(Percents { percent: 30 }), [0.71, 1.0375, 1.29]),
        ];
        for (jitter, expected) in cases {
            for (seen, wanted) in extremes(&jitter).into_iter().zip(expected) {
                assert!((seen - wanted).abs() < 0.005, "{jitter:?}: {seen} not {wanted}");
            }
            assert!(extremes(&jitter)[2] <= expected[2], "{jitter:?} exceeds its ceiling");
            let law = jitter.law(1.0, 1);
            for (said, wanted) in [law.low(), law.mean(), law.high()].into_iter().zip(expected) {
                assert!((said - wanted).abs() < 1e-3, "law of {jitter:?}: {said} not {wanted}");
            }
            let ceiling = jitter.ceiling(second, 1).as_secs_f64();
            assert!((ceiling - expected[2]).abs() < 1e-9, "{jitter:?}: {ceiling}");
        }
    }

    #[test]
    fn an_added_spread_grows_with_the_retries() {
        let added = Added { most: Duration::from_secs(10), step: Duration::from_secs(10) };
        let ceiling = Jitter::Added(added).ceiling(Duration::from_secs(96), 4);
        assert_eq!(ceiling, Duration::from_secs(136));
    }

    #[test]
    fn two_clients_do_not_wait_alike() {
        for jitter in [Jitter::Full(Full {}), Jitter::Equal(Equal {})] {
            let wait = |client| {
                let mut rng = Seed::new(5).stream(Purpose::Jitter, client, 1);
                jitter.spread(Duration::from_secs(1), 1, &mut rng)
            };
            assert_ne!(wait(0), wait(1), "{jitter:?}");
        }
    }

    #[test]
    fn a_wait_of_zero_and_the_longest_wait_are_spread_without_overflow() {
        let mut rng = Seed::new(5).stream(Purpose::Jitter, 0, 1);
        let longest = Duration::from_nanos(u64::MAX);
        for jitter in [Jitter::Full(Full {}), Jitter::Equal(Equal {})] {
            assert_eq!(jitter.spread(Duration::ZERO, 1, &mut rng), Duration::ZERO);
            assert!(jitter.spread(longest, 1, &mut rng) <= longest);
        }
        let half_more = Jitter::Proportional(Proportional { share: 0.5 });
        assert!(half_more.spread(longest, 1, &mut rng) <= longest);
    }
}
