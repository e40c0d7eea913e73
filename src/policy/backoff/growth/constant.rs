//! The same wait every time.

use std::time::Duration;

/// Waits `wait` before every retry.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// The wait (≥ 0).
    pub wait: Duration,
}
