//! A heavy tail.

use std::time::Duration;

use rand::Rng;

use super::positive_unit;
use crate::time::from_secs;

/// Pareto of the first kind: P(T > t) = (scale / t)^shape for t ≥ scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Pareto {
    /// Smallest value (> 0).
    pub scale: Duration,
    /// Tail index (> 0): the smaller, the heavier; no mean at 1 and below.
    pub shape: f64,
}

impl Pareto {
    /// The mean in seconds: scale × shape / (shape − 1); infinite for shape ≤ 1.
    pub fn mean_s(&self) -> f64 {
        if self.shape <= 1.0 {
            return f64::INFINITY;
        }
        self.scale.as_secs_f64() * self.shape / (self.shape - 1.0)
    }

    /// By inversion: scale × u^(−1/shape).
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Duration {
        let stretch = libm::pow(positive_unit(rng), -1.0 / self.shape);
        from_secs(self.scale.as_secs_f64() * stretch)
    }
}
