//! The memoryless distribution.

use std::time::Duration;

use rand::Rng;

use super::{minus_ln, positive_unit};
use crate::time::scaled_nanos;

/// Exponential: density e^(−t/mean) / mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Exponential {
    /// Mean (> 0).
    pub mean: Duration,
}

impl Exponential {
    /// The mean in seconds.
    pub fn mean_s(&self) -> f64 {
        self.mean.as_secs_f64()
    }

    /// By inversion: −mean × ln(u).
    #[inline]
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Duration {
        Duration::from_nanos(self.sample_nanos(rng))
    }

    /// The same in nanoseconds.
    #[inline]
    pub fn sample_nanos<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        scaled_nanos(self.mean, minus_ln(positive_unit(rng)))
    }
}
