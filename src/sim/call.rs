//! The state of a call and of the work that its attempts are.

use std::time::Duration;

use super::event::Attempt;
use super::table::Id;
use crate::failure::FailureClass;
use crate::metrics::Who;
use crate::time::SimTime;

/// An open call.
#[derive(Clone, Debug)]
pub struct Call {
    /// Names the call in every stream of random numbers.
    pub key: u64,
    /// Who makes it.
    pub who: Who,
    /// The source of load it came from; of a call by a service, the source of the client's call.
    pub source: u32,
    /// The member of the source and the number of its call.
    pub member: u32,
    /// The number of the call in its source.
    pub number: u32,
    /// The place of its client among those of one instant.
    pub tie: u32,
    /// When it began.
    pub began: SimTime,
    /// When the client's call behind it began; [`SimTime::FOREVER`] where that ended before the
    /// run began, or never was.
    pub born: SimTime,
    /// When it runs out of time.
    pub deadline: SimTime,
    /// The work that makes this call, when a service makes it.
    pub parent: Option<Id>,
    /// Attempts sent. *Not* the attempt awaited: a call between two attempts awaits none.
    pub sent: u32,
    /// The attempt whose reply is awaited; 0 for none.
    pub awaited: u32,
    /// The attempt awaited, in flight.
    pub job: Option<Id>,
    /// Whether services are told the deadline.
    pub propagates: bool,
    /// Since when it waits for its next attempt, if it does.
    pub backing_off: Option<SimTime>,
    /// Whether it belongs to a burst.
    pub burst: bool,
}

/// What one layer of retries knows of one call.
#[derive(Clone, Copy, Debug)]
pub struct LayerState {
    /// Attempts of this layer, the current one included (≥ 1).
    pub attempts: u32,
    /// What its last retry cost, if it took one.
    pub last_cost: Option<u32>,
    /// Its last wait, if it took one.
    pub previous: Option<Duration>,
    /// When its first attempt began.
    pub since: SimTime,
}

impl LayerState {
    /// The state at a first attempt.
    pub fn fresh(now: SimTime) -> LayerState {
        LayerState { attempts: 1, last_cost: None, previous: None, since: now }
    }
}

/// An attempt in flight: under way, at the service, or on the way back.
#[derive(Clone, Debug)]
pub struct Job {
    /// The attempt that it serves.
    pub attempt: Attempt,
    /// The key of its call, which may end before the attempt does.
    pub key: u64,
    /// Who sent it.
    pub who: Who,
    /// The service.
    pub service: u16,
    /// The source of load behind it, the begin and the place of the client's call behind it.
    pub source: u32,
    /// See `source`.
    pub born: SimTime,
    /// See `source`.
    pub tie: u32,
    /// When it was sent.
    pub sent: SimTime,
    /// When it reached the service.
    pub arrived: SimTime,
    /// When it stops to matter, where services are told; [`SimTime::FOREVER`] otherwise.
    pub expires: SimTime,
    /// Where it is.
    pub phase: Phase,
    /// The version that it has read, if the service asks for one.
    pub version: Option<u64>,
    /// The call downstream that it waits for.
    pub inner: Option<Id>,
}

/// Where an attempt is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The read before its write is under way, there or back; the write has not been sent.
    Reading,
    /// On its way to the service.
    Outbound,
    /// Waiting for a worker.
    Queued,
    /// Being worked on.
    Running,
    /// Its own work is done; the service's call number so and so downstream is under way.
    Downstream(u16),
    /// Decided; the answer is on its way back.
    Returning(Reply),
}

/// The answer to an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It was served.
    Success,
    /// It failed.
    Failure(FailureClass),
}

impl Reply {
    /// The failure, if it is one.
    pub fn failure(self) -> Option<FailureClass> {
        match self {
            Reply::Success => None,
            Reply::Failure(class) => Some(class),
        }
    }
}
