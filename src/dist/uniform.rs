//! Anything between two bounds, alike.

use std::time::Duration;

use rand::Rng;

use super::below;
use crate::time::nanos;

/// Uniform over whole nanoseconds, both bounds included.
#[derive(Clone, Debug, PartialEq)]
pub struct Uniform {
    /// Smallest value (≥ 0).
    pub low: Duration,
    /// Largest value (≥ low).
    pub high: Duration,
}

impl Uniform {
    /// The mean in seconds.
    pub fn mean_s(&self) -> f64 {
        (self.low.as_secs_f64() + self.high.as_secs_f64()) / 2.0
    }

    /// A whole number of nanoseconds.
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Duration {
        let low = nanos(self.low);
        let width = nanos(self.high).saturating_sub(low);
        // Below width + 1, in 128 bits: the widest range has 2^64 values.
        Duration::from_nanos(low + below(rng, u128::from(width) + 1))
    }
}
