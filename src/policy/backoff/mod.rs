//! How long does a caller wait before it tries again?
//!
//! Three parts, each a choice of its own: a [`growth`] gives the wait from retry to retry, a
//! [`jitter`] spreads it, a [`Cap`] limits it. Whether the cap acts before or after the jitter
//! decides whether a herd stays spread: after it, more and more clients wait exactly the cap.

pub mod growth;
pub mod jitter;

use std::time::Duration;

pub use growth::Growth;
pub use jitter::Jitter;

use crate::rng::Stream;

/// Which retry this is, and what came before it: the state of one call in one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// The number of the retry (≥ 1); 1 is the first retry.
    pub number: u32,
    /// The wait before the previous retry; `None` before the first.
    pub previous: Option<Duration>,
}

/// Where the cap acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapPosition {
    /// The wait is capped, then spread: the herd stays spread for ever (AWS, gRPC, Google).
    BeforeJitter,
    /// The wait is spread, then capped: the share of clients that wait exactly the cap grows from
    /// retry to retry (Kafka, resilience4j, Spring Retry, urllib3, Polly).
    AfterJitter,
}

/// The longest wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cap {
    /// The longest wait (> 0).
    pub longest: Duration,
    /// Before or after the jitter.
    pub position: CapPosition,
}

/// How long a caller waits before a retry. Parameters only: one value serves a million clients.
#[derive(Clone, Debug, PartialEq)]
pub struct Backoff {
    /// The wait from retry to retry, without spread.
    pub growth: Growth,
    /// The spread.
    pub jitter: Jitter,
    /// The longest wait; `None` for no limit.
    pub cap: Option<Cap>,
}

impl Backoff {
    /// The wait before this retry.
    pub fn delay(&self, retry: Retry, rng: &mut Stream) -> Duration {
        let wait = self.growth.wait(retry, rng);
        match self.cap {
            None => self.jitter.spread(wait, rng),
            Some(Cap { longest, position: CapPosition::BeforeJitter }) => {
                self.jitter.spread(wait.min(longest), rng)
            }
            Some(Cap { longest, position: CapPosition::AfterJitter }) => {
                self.jitter.spread(wait, rng).min(longest)
            }
        }
    }

    /// The longest wait that this retry can have (≥ 0).
    pub fn ceiling(&self, number: u32) -> Duration {
        let wait = self.growth.ceiling(number);
        match self.cap {
            None => self.jitter.ceiling(wait),
            Some(Cap { longest, position: CapPosition::BeforeJitter }) => {
                self.jitter.ceiling(wait.min(longest))
            }
            Some(Cap { longest, position: CapPosition::AfterJitter }) => {
                self.jitter.ceiling(wait).min(longest)
            }
        }
    }
}
