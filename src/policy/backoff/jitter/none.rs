//! No spread at all: everybody who failed together comes back together.

use std::time::Duration;

/// Leaves the wait as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct None {}

impl None {
    /// The wait itself.
    pub fn spread(&self, wait: Duration) -> Duration {
        wait
    }
}
