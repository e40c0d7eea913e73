//! What does a caller do when an attempt fails?
//!
//! Three lifetimes, three kinds of types: *parameters* ([`Layer`], [`backoff::Backoff`],
//! [`budget::Budget`]) are shared by all callers and never change within a run; *budget state*
//! ([`budget::Level`]) belongs to a call, a client, a process or the fleet; *call state*
//! ([`backoff::Retry`]) belongs to one call in one layer.

pub mod backoff;
pub mod budget;

use std::time::Duration;

use crate::failure::FailureSet;
use crate::units::Share;

/// One layer of retries around an attempt (or around the layer inside it).
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Attempts in all, the first included (≥ 1); `None` for no limit.
    pub max_attempts: Option<u32>,
    /// No retry is begun that would start later than this after the call began; `None` for no
    /// limit.
    pub max_elapsed: Option<Duration>,
    /// How long it waits before a retry.
    pub backoff: backoff::Backoff,
    /// Whether it may retry at all.
    pub budget: Option<budget::Shared>,
    /// The failures that it retries; any other ends the layer at once.
    pub retry_on: FailureSet,
    /// The share of failed attempts that it could retry and gives up instead.
    pub give_up: Share,
}
