//! What does a service do with an attempt?

mod limiter;
mod station;
mod watch;

use std::time::Duration;

pub use limiter::Limiter;
pub use station::{FULL_SPEED, Station};
pub use watch::Watch;

use crate::dist::Dist;
use crate::time::secs;

/// The parameters of a service.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Attempts that are worked on at a time (≥ 1).
    pub workers: u32,
    /// Work of one attempt.
    pub service_time: Dist,
    /// One way between caller and service.
    pub network: Dist,
    /// Who is served next.
    pub discipline: Discipline,
    /// Whether a write must have seen the writes before it.
    pub writes: Writes,
    /// Places to wait; `None` for no bound.
    pub queue_capacity: Option<u32>,
    /// What an attempt gets that finds no place.
    pub on_full: Refusal,
    /// Attempts admitted per window of time, before any queue.
    pub limit: Option<Limit>,
    /// What happens to work whose caller has gone.
    pub stale_work: StaleWork,
    /// Whether overload fells the service.
    pub crash: Option<Crash>,
}

impl Spec {
    /// Attempts per second that the service can work off: workers over mean service time, or the
    /// limit on admissions where that is lower; `None` when nothing bounds it.
    ///
    /// Simplifies: time in which a worker waits for an answer from downstream is not counted.
    pub fn capacity_per_s(&self) -> Option<f64> {
        let work = self.service_time.mean_s();
        let by_work = (work > 0.0).then(|| f64::from(self.workers) / work);
        let by_limit = self.limit.as_ref().map(|limit| f64::from(limit.count) / secs(limit.per));
        match (by_work, by_limit) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

/// Who is served next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// In the order of arrival, one attempt per worker.
    Fifo,
    /// All at once: the workers are shared evenly, no attempt gets more than one.
    ProcessorSharing,
}

/// Whether a service takes a write that has not seen the writes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    /// An attempt is one request, taken as it is.
    Plain,
    /// Optimistic concurrency control: an attempt reads the version over one round trip, then
    /// writes. If somebody else has written since it read, the write is a conflict: an error of
    /// the class `transient`.
    ///
    /// Simplifies: all writes are to one item; a read takes no worker and no time at the service.
    Versioned,
}

/// What a caller sees of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A 503 answer: a transient failure.
    Unavailable,
    /// A 429 answer: throttling.
    TooManyRequests,
    /// Nothing: it waits for its timeout.
    Drop,
}

/// What happens to work whose caller has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaleWork {
    /// It is done all the same, for nobody.
    Served,
    /// It is thrown away at once, also in the middle; its place and its worker are free.
    ///
    /// Simplifies: the service notices without delay.
    Dropped,
    /// It is thrown away at once while it waits; what is worked on is finished for nobody.
    ///
    /// Simplifies: the service notices without delay.
    DroppedQueued,
}

/// A limit on admissions.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// Admissions per window (≥ 1).
    pub count: u32,
    /// Length of the window (> 0).
    pub per: Duration,
    /// How the window moves.
    pub window: Window,
    /// What an attempt gets that exceeds the limit.
    pub on_excess: Refusal,
}

/// How the window of a limit moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// Windows lie side by side, the first begins with the run.
    Fixed,
    /// Never more than `count` admissions in any window of this length.
    Sliding,
    /// A token bucket: `count` tokens at most, refilled evenly over `per`.
    Bucket,
}

/// When overload fells the service, and how long it is down then.
#[derive(Clone, Debug, PartialEq)]
pub struct Crash {
    /// What fells it.
    pub when: Overload,
    /// From the crash until it answers again (> 0).
    pub restart: Duration,
}

/// What fells a service.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Overload {
    /// More than so many attempts wait.
    Queue(u32),
    /// More than so many attempts arrived within the last second.
    Load(u32),
}
