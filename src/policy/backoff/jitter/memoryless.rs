//! Exponentially distributed: what queueing theory calls a retrial.

use std::time::Duration;

use super::Jitter;
use crate::dist::minus_ln;
use crate::form::Form;
use crate::policy::backoff::{Law, Piece};
use crate::rng::Stream;
use crate::time::scaled;

/// Exponential with the wait as its mean. No library ships it: it is the delay for which retry
/// storms have exact answers (retrial queues; Falin and Templeton 1997).
#[derive(Clone, Debug, PartialEq)]
pub struct Memoryless {}

/// Its words in the scenario language.
pub(super) const FORM: Form<Jitter> = Form {
    name: "memoryless",
    doc: "Exponentially distributed with the wait as its mean.",
    shape: None,
    build: |_| Jitter::Memoryless(Memoryless {}),
};

impl Memoryless {
    /// By inversion: −wait × ln(1 − u).
    pub fn spread(&self, wait: Duration, rng: &mut Stream) -> Duration {
        scaled(wait, minus_ln(1.0 - rng.unit()))
    }

    /// The longest that a wait can become: with 53 random bits, 37 times its mean.
    pub fn ceiling(&self, wait: Duration) -> Duration {
        wait.saturating_mul(37)
    }

    /// The law of its spread, in steps of a hundredth of the mean.
    pub fn law(&self, wait: f64) -> Law {
        let least = |step: u32| f64::from(step) / 100.0;
        let piece = |step: u32| {
            let (low, high) = (least(step), least(step + 1));
            // What lies beyond the last step belongs to it.
            let beyond = if step == 3_699 { 0.0 } else { libm::exp(-high) };
            let mass = libm::exp(-low) - beyond;
            Piece { low: wait * low, high: wait * high, step: 0.0, mass }
        };
        Law::mixture((0..3_700).map(piece).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, Seed};

    #[test]
    fn waits_have_the_mean_and_the_spread_of_an_exponential() {
        let n = 100_000;
        let waits: Vec<f64> = (0..n)
            .map(|client| {
                let mut rng = Seed::new(5).stream(Purpose::Jitter, client, 1);
                Memoryless {}.spread(Duration::from_secs(1), &mut rng).as_secs_f64()
            })
            .collect();
        let mean = waits.iter().sum::<f64>() / n as f64;
        let square = waits.iter().map(|wait| wait * wait).sum::<f64>() / n as f64;
        assert!((mean - 1.0).abs() < 0.02, "{mean}");
        assert!((square - 2.0).abs() < 0.1, "{square}");
        assert!(waits.iter().all(|wait| *wait <= 37.0));
    }
}
