//! Always the same duration.

use std::time::Duration;

use rand::Rng;

use crate::time::secs;

/// Always `value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// The duration (≥ 0).
    pub value: Duration,
}

impl Constant {
    /// The value in seconds.
    pub fn mean_s(&self) -> f64 {
        secs(self.value)
    }

    /// The value; draws nothing.
    pub fn sample<R: Rng + ?Sized>(&self, _rng: &mut R) -> Duration {
        self.value
    }
}
