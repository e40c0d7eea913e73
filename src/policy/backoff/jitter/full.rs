//! Anything from zero to the wait.

use std::time::Duration;

use super::uniform;
use crate::rng::Stream;

/// U(0, wait) ("full jitter" of the AWS Architecture Blog, 2015).
#[derive(Clone, Debug, PartialEq)]
pub struct Full {}

impl Full {
    /// A wait between zero and `wait`.
    pub fn spread(&self, wait: Duration, rng: &mut Stream) -> Duration {
        uniform(Duration::ZERO, wait, rng)
    }
}
