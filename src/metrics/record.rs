//! What the simulated world says happened: the only seam through which it is observed.

use std::time::Duration;

use super::result::Outcome;
use crate::failure::FailureClass;
use crate::time::SimTime;

/// Something that happened, at a time that is told with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Record {
    /// A call began.
    CallBegan {
        /// Who calls.
        who: Who,
        /// The attempt for which a service makes the call; `None` for a call of a client.
        parent: Option<Parent>,
    },
    /// An attempt was sent.
    AttemptSent {
        /// Who sent it.
        who: Who,
        /// The service it goes to.
        service: u16,
        /// The number of the attempt within its call (≥ 1).
        number: u32,
        /// When the client's call behind it began, however deep this attempt is;
        /// [`SimTime::FOREVER`] where no call of the run is behind it.
        born: SimTime,
    },
    /// An attempt was there when the run began.
    Inherited {
        /// Who sent it; [`Who::NOBODY`] for work that a service begins with, and for an attempt
        /// whose call has ended before.
        who: Who,
        /// The service.
        service: u16,
        /// See [`Record::AttemptSent`].
        born: SimTime,
    },
    /// An attempt reached a service.
    Arrived {
        /// Who sent it.
        who: Who,
        /// The service.
        service: u16,
        /// The number of the attempt within its call.
        number: u32,
    },
    /// An attempt found a place to work or to wait.
    Accepted {
        /// Who sent it.
        who: Who,
        /// The service.
        service: u16,
        /// The number of the attempt within its call.
        number: u32,
    },
    /// Work on an attempt began.
    Started {
        /// Who sent it.
        who: Who,
        /// The service.
        service: u16,
        /// The number of the attempt within its call.
        number: u32,
        /// How long it was queued.
        waited: Duration,
    },
    /// The number of attempts at a service changed.
    Level {
        /// The service.
        service: u16,
        /// Attempts that wait for a worker.
        queued: u32,
        /// Attempts at the service.
        in_system: u32,
    },
    /// It was decided what became of an attempt.
    Decided {
        /// Who sent it.
        who: Who,
        /// The service.
        service: u16,
        /// What became of it.
        outcome: Outcome,
        /// The failure that its caller is told; `None` for a success and for silence.
        failure: Option<FailureClass>,
        /// The number of the attempt within its call.
        number: u32,
        /// When it was sent.
        sent: SimTime,
        /// When it reached the service.
        arrived: SimTime,
    },
    /// A caller stopped waiting for an attempt.
    TimedOut {
        /// Who.
        who: Who,
        /// The service.
        service: u16,
        /// The number of the attempt within its call.
        number: u32,
    },
    /// An attempt that counted as served turned out to be for nobody: its answer came too late.
    CameLate {
        /// Who sent it.
        who: Who,
        /// The service.
        service: u16,
        /// The number of the attempt within its call.
        number: u32,
        /// When it reached the service.
        arrived: SimTime,
    },
    /// A call began to wait for its next attempt.
    BackoffBegan {
        /// Who.
        who: Who,
        /// The service it will try again.
        service: u16,
        /// The number of the attempt that failed.
        number: u32,
        /// The layer of retries that tries again, the outermost is 0; `None` for a wait that the
        /// run begins with.
        layer: Option<u16>,
        /// How long it will wait, from its turn on where callers share a queue of retries, unless
        /// its deadline comes first.
        /// `None` for a wait that the run begins with.
        wait: Option<Duration>,
    },
    /// A call no longer waits for its next attempt.
    BackoffEnded {
        /// Who.
        who: Who,
        /// The service it will try again.
        service: u16,
        /// How long it waited.
        waited: Duration,
        /// The service whose worker waited with it, if one did.
        held_worker: Option<u16>,
    },
    /// A retry was not sent for want of tokens.
    QuotaRefused {
        /// Who.
        who: Who,
        /// The number of the attempt that failed.
        number: u32,
        /// The layer of retries that asked, the outermost is 0.
        layer: u16,
    },
    /// The tokens of all budgets of this caller's kind changed in sum.
    Tokens {
        /// Whose budgets.
        who: Who,
        /// By how many.
        change: i64,
    },
    /// A call ended.
    CallEnded {
        /// Who.
        who: Who,
        /// Whether it succeeded, or why it failed.
        failure: Option<FailureClass>,
        /// When it began; the start of the run for a call that was open then.
        began: SimTime,
        /// How long it took, time before the run included.
        took: Duration,
        /// Attempts that it took.
        attempts: u32,
        /// Whether it belongs to a burst.
        burst: bool,
    },
    /// An operator changed what a service can work off.
    Capacity {
        /// The service.
        service: u16,
        /// Attempts per second; `None` when nothing bounds it.
        capacity_per_s: Option<f64>,
    },
    /// A service fell under its load.
    Crashed {
        /// The service.
        service: u16,
    },
    /// A service answers again after a crash.
    Restarted {
        /// The service.
        service: u16,
    },
}

/// A caller, and the call that it makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
    /// Its kind: client groups first, then the calls that services make.
    pub caller: u16,
    /// Which client of the group; 0 for a service.
    pub client: u32,
    /// The number of the call, in the order in which the calls of a run begin, those of services
    /// included (≥ 1); 0 where no call is meant. After 2^32 calls it begins again: every byte of
    /// an open call counts, and no trace is so long.
    pub call: u32,
}

/// The attempt for which a service makes a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parent {
    /// The call that it belongs to.
    pub call: u32,
    /// Its number within that call (≥ 1).
    pub number: u32,
}

impl Who {
    /// Nobody: no system has so many kinds of callers.
    pub const NOBODY: Who = Who { caller: u16::MAX, client: 0, call: 0 };
}

/// Something that keeps what happened.
pub trait Recorder {
    /// Takes note of what happened at `now`; time never goes back from call to call.
    fn record(&mut self, now: SimTime, record: Record);

    /// Whether it wants to hear what happens next; a run ends when it does not.
    fn wants_more(&self) -> bool {
        true
    }
}
