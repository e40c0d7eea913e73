//! Anything between two bounds, alike.

use std::time::Duration;

use rand::{Rng, RngExt};

use crate::time::nanos;

/// Uniform over whole nanoseconds, both bounds included.
#[derive(Clone, Debug, PartialEq)]
pub struct Uniform {
    /// Smallest value [≥ 0].
    pub low: Duration,
    /// Largest value [≥ low].
    pub high: Duration,
}

impl Uniform {
    /// The mean in seconds.
    pub fn mean_s(&self) -> f64 {
        (self.low.as_secs_f64() + self.high.as_secs_f64()) / 2.0
    }

    /// A whole number of nanoseconds.
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Duration {
        Duration::from_nanos(rng.random_range(nanos(self.low)..=nanos(self.high)))
    }
}
