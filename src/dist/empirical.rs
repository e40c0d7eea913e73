//! Values that somebody measured.

use std::sync::Arc;
use std::time::Duration;

use rand::Rng;

use super::below;

/// Measured durations, each as likely as the next (the bootstrap of the sample).
///
/// Simplifies: values between two measured ones never occur, nor any beyond the largest.
#[derive(Clone, Debug, PartialEq)]
pub struct Empirical {
    /// The file the values came from, as the scenario names it.
    pub file: String,
    values: Arc<[Duration]>,
}

impl Empirical {
    /// The distribution of these values; `None` when there are none.
    pub fn new(file: String, values: Vec<Duration>) -> Option<Empirical> {
        (!values.is_empty()).then(|| Empirical { file, values: values.into() })
    }

    /// The mean in seconds.
    pub fn mean_s(&self) -> f64 {
        let sum: f64 = self.values.iter().map(Duration::as_secs_f64).sum();
        sum / self.values.len() as f64
    }

    /// The measured values.
    pub fn values(&self) -> &[Duration] {
        &self.values
    }

    /// One of the values.
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Duration {
        self.values[below(rng, self.values.len() as u128) as usize]
    }
}
