//! The state of a call and of the work that its attempts are.

use std::time::Duration;

use super::event::Attempt;
use super::table::Id;
use crate::failure::FailureClass;
use crate::metrics::Who;
use crate::time::{SimTime, nanos};

/// An open call: what every call has, in 56 bytes, as a storm has one per client.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Names the call in every stream of random numbers.
    pub key: u64,
    /// When it began.
    pub began: SimTime,
    /// Since when it waits for its next attempt; [`SimTime::FOREVER`] while it does not.
    backs_off_since: SimTime,
    client: u32,
    number: u32,
    /// The source of load it came from; of a call by a service, nothing.
    pub source: u32,
    /// The place of its client among those of one instant.
    pub tie: u32,
    /// Attempts sent. *Not* the attempt awaited: a call between two attempts awaits none.
    pub sent: u32,
    /// Tells the attempt sent last from every other that this place of the table has known: no
    /// event is pending for as long as it takes to send 2^32 attempts.
    pub mark: u32,
    /// The place of the attempt awaited, in flight; `NOWHERE` for none.
    job: u32,
    caller: u16,
    /// Whether it waits for the reply to the attempt sent last.
    pub awaits: bool,
    /// Whether it belongs to a burst.
    pub burst: bool,
}

/// No place in a table.
const NOWHERE: u32 = u32::MAX;

impl Call {
    /// A call that has sent nothing yet.
    pub fn new(key: u64, who: Who, tie: u32, now: SimTime) -> Call {
        Call {
            key,
            began: now,
            backs_off_since: SimTime::FOREVER,
            client: who.client,
            number: who.call,
            source: 0,
            tie,
            sent: 0,
            mark: 0,
            job: NOWHERE,
            caller: who.caller,
            awaits: false,
            burst: false,
        }
    }

    /// Who makes it.
    #[inline]
    pub fn who(&self) -> Who {
        Who { caller: self.caller, client: self.client, call: self.number }
    }

    /// Gives it its number.
    #[inline]
    pub fn count(&mut self, number: u32) {
        self.number = number;
    }

    /// The attempt whose reply is awaited; 0 for none.
    #[inline]
    pub fn awaited(&self) -> u32 {
        if self.awaits { self.sent } else { 0 }
    }

    /// The place of the attempt awaited, if one is in flight or has been.
    #[inline]
    pub fn job(&self) -> Option<u32> {
        (self.job != NOWHERE).then_some(self.job)
    }

    /// It sends an attempt, which will be in this place, and awaits the reply.
    #[inline]
    pub fn sends(&mut self, mark: u32, job: u32) {
        self.sent += 1;
        self.awaits = true;
        self.mark = mark;
        self.job = job;
    }

    /// It no longer awaits the reply to what it sent last; gives the place of that.
    #[inline]
    pub fn stop_waiting(&mut self) -> Option<u32> {
        self.awaits = false;
        let job = self.job();
        self.job = NOWHERE;
        job
    }

    /// Since when it waits for its next attempt, if it does.
    #[inline]
    pub fn backing_off(&self) -> Option<SimTime> {
        (self.backs_off_since < SimTime::FOREVER).then_some(self.backs_off_since)
    }

    /// It begins to wait.
    #[inline]
    pub fn back_off(&mut self, now: SimTime) {
        self.backs_off_since = now;
    }

    /// It waits no longer, if it did: since when it has.
    #[inline]
    pub fn stop_backing_off(&mut self) -> Option<SimTime> {
        let since = self.backing_off();
        self.backs_off_since = SimTime::FOREVER;
        since
    }
}

/// What only some systems' calls have: those in which services call services, or calls have a
/// deadline.
#[derive(Clone, Copy, Debug)]
pub struct CallMore {
    /// When the client's call behind it began; [`SimTime::FOREVER`] where that ended before the
    /// run began, or never was.
    pub born: SimTime,
    /// When it runs out of time.
    pub deadline: SimTime,
    /// Whether services are told the deadline.
    pub propagates: bool,
    /// The work that makes this call, when a service makes it.
    pub parent: Option<Id>,
}

/// What one layer of retries knows of one call.
#[derive(Clone, Copy, Debug)]
pub struct LayerState {
    /// When its first attempt began.
    pub since: SimTime,
    /// Its last wait in nanoseconds; `u64::MAX` for none, which no wait is as long as.
    previous: u64,
    /// Attempts of this layer, the current one included (≥ 1).
    pub attempts: u32,
    /// What its last retry cost; `u32::MAX` for nothing, which no budget has.
    last_cost: u32,
}

impl LayerState {
    /// The state at a first attempt.
    #[inline]
    pub fn fresh(now: SimTime) -> LayerState {
        LayerState { since: now, previous: u64::MAX, attempts: 1, last_cost: u32::MAX }
    }

    /// Its last wait, if it took one.
    #[inline]
    pub fn previous(&self) -> Option<Duration> {
        (self.previous < u64::MAX).then(|| Duration::from_nanos(self.previous))
    }

    /// What its last retry cost, if it took one.
    #[inline]
    pub fn last_cost(&self) -> Option<u32> {
        (self.last_cost < u32::MAX).then_some(self.last_cost)
    }

    /// It retries after this wait, for which it has paid so much.
    #[inline]
    pub fn retries(&mut self, wait: Duration, cost: Option<u32>) {
        self.attempts = self.attempts.saturating_add(1);
        self.previous = nanos(wait).min(u64::MAX - 1);
        self.last_cost = cost.unwrap_or(self.last_cost);
    }
}

/// An attempt in flight: under way, at the service, or on the way back; in 56 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// The key of its call, which may end before the attempt does.
    pub key: u64,
    /// When it was sent.
    pub sent: SimTime,
    /// When it reached the service.
    pub arrived: SimTime,
    /// The attempt that it serves.
    pub attempt: Attempt,
    client: u32,
    call: u32,
    /// The place of the client's call behind it among those of one instant.
    pub tie: u32,
    /// Where it is.
    pub phase: Phase,
    caller: u16,
    /// The service.
    pub service: u16,
}

impl Job {
    /// An attempt that sets out now.
    pub fn new(key: u64, attempt: Attempt, who: Who, tie: u32, service: u16, now: SimTime) -> Job {
        Job {
            key,
            sent: now,
            arrived: now,
            attempt,
            client: who.client,
            call: who.call,
            tie,
            phase: Phase::Outbound,
            caller: who.caller,
            service,
        }
    }

    /// Who sent it.
    #[inline]
    pub fn who(&self) -> Who {
        Who { caller: self.caller, client: self.client, call: self.call }
    }

    /// Its caller has ended its call before the run began.
    pub fn disown(&mut self) {
        Who { caller: self.caller, client: self.client, call: self.call } = Who::NOBODY;
    }
}

/// What only some systems' attempts have: those in which services call services, calls have a
/// deadline, or writes have versions.
#[derive(Clone, Copy, Debug)]
pub struct JobMore {
    /// When the client's call behind it began; see [`CallMore::born`].
    pub born: SimTime,
    /// When it stops to matter, where services are told; [`SimTime::FOREVER`] otherwise.
    pub expires: SimTime,
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
