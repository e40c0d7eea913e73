//! The jittered exponential backoff of Polly.

use std::time::Duration;

use super::Growth;
use crate::form::{Form, Shape, required, table};
use crate::policy::backoff::{Law, Piece};
use crate::rng::Stream;
use crate::time::{from_secs, secs};

/// Waits base × (f(t) − f(t′)) ÷ 1.4 with f(t) = 2^t × tanh √(4t), t = n − 1 + U(0, 1) and t′ that
/// of the retry before (`DecorrelatedJitterBackoffV2` in App-vNext/Polly,
/// src/Polly.Core/Retry/RetryHelper.cs; also .NET's standard handler and cockatiel).
///
/// Simplifies: t′ is drawn anew. Every wait has Polly's law, but in Polly a long wait makes the
/// next one shorter.
#[derive(Clone, Debug, PartialEq)]
pub struct PollyV2 {
    /// The scale: about the median of the first wait (> 0).
    pub base: Duration,
}

/// Its words in the scenario language.
pub(super) const FORM: Form<Growth> = Form {
    name: "polly-v2",
    doc: "The jittered exponential backoff of Polly, which draws its own spread.",
    shape: Some(Shape::Table(&table(
        "a Polly backoff",
        &[required(
            "base",
            Shape::Positive,
            "The delay of its options, about the median of the first wait.",
        )],
    ))),
    build: |given| Growth::PollyV2(PollyV2 { base: given.duration("base") }),
};

/// Draws of each of the two random numbers that the law is made of.
const DRAWS: u32 = 512;
/// Bins of the law.
const BINS: usize = 2048;

impl PollyV2 {
    /// A wait before retry `number`.
    pub fn wait(&self, number: u32, rng: &mut Stream) -> Duration {
        let (now, before) = (rng.unit(), rng.unit());
        from_secs(secs(self.base) * between(number, now, before))
    }

    /// The longest wait that retry `number` can have.
    pub fn ceiling(&self, number: u32) -> Duration {
        from_secs(secs(self.base) * between(number, 1.0, 0.0))
    }

    /// The law of the wait before retry `number`: its range and its mean, and between them the
    /// histogram of evenly spaced random numbers.
    pub fn law(&self, number: u32) -> Law {
        let base = secs(self.base);
        let (low, high) = (base * between(number, 0.0, 1.0), base * between(number, 1.0, 0.0));
        let draw = |n: u32| (f64::from(n) + 0.5) / f64::from(DRAWS);
        // None is empty, so that the ends of the range stay its ends.
        let mut mass = vec![f64::MIN_POSITIVE; BINS];
        for now in 0..DRAWS {
            for before in 0..DRAWS {
                let wait = base * between(number, draw(now), draw(before));
                let bin = (wait - low) / (high - low) * BINS as f64;
                mass[(bin as usize).min(BINS - 1)] += 1.0 / f64::from(DRAWS * DRAWS);
            }
        }
        let edge = |bin: usize| low + (high - low) * bin as f64 / BINS as f64;
        let piece = |(bin, mass)| Piece { low: edge(bin), high: edge(bin + 1), step: 0.0, mass };
        Law::mixture(mass.into_iter().enumerate().map(piece).collect())
    }
}

/// The wait before retry `number` in units of the base, from its random number and that of the
/// retry before.
fn between(number: u32, now: f64, before: f64) -> f64 {
    // Beyond this 2^t is longer than every clock.
    let retry = f64::from(number.clamp(1, 1_000));
    let previous = if number <= 1 { 0.0 } else { f(retry - 2.0 + before) };
    ((f(retry - 1.0 + now) - previous) / 1.4).max(0.0)
}

fn f(t: f64) -> f64 {
    libm::exp2(t) * libm::tanh(libm::sqrt(4.0 * t))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_random_numbers_give_the_waits_of_the_library() {
        // cockatiel 3.2.1 with the same random number at every attempt (ms, base 1000 ms).
        let half = [897.404936, 1093.003547, 2035.747963, 4045.979423, 8083.63161];
        let none = [0.0, 1377.182257, 1460.067301, 2865.849862, 5717.806862];
        for (u, waits) in [(0.5, half), (0.0, none)] {
            for (number, wait) in (1..).zip(waits) {
                let found = 1e3 * between(number, u, u);
                assert!((found - wait).abs() < 1e-6, "retry {number}: {found}, not {wait}");
            }
        }
    }

    #[test]
    fn the_law_has_the_range_and_the_mean_of_the_formula() {
        let growth = PollyV2 { base: Duration::from_secs(1) };
        // Integrated by others to six digits.
        for (number, high, mean) in
            [(1, 1.377182, 0.871116), (2, 2.83725, 1.158146), (5, 17.148079, 8.246449)]
        {
            let law = growth.law(number);
            assert!(law.low().abs() < 1e-9 && (law.high() - high).abs() < 1e-5, "{number}");
            assert!((law.mean() / mean - 1.0).abs() < 1e-3, "{number}: {}", law.mean());
        }
    }
}
