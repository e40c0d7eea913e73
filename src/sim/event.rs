//! Everything that can happen in the retry world.

use super::table::Id;
use crate::engine::Order;

/// An attempt of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The call.
    pub call: Id,
    /// Its number (≥ 1).
    pub number: u32,
}

/// Something that happens. Nothing is ever cancelled: a late timeout or reply finds that another
/// attempt is awaited, and does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A client makes a call.
    CallBegins {
        /// The source of load, by its place in the world.
        source: u32,
        /// Which client of the group follows the shape; 0 for a load of the whole group.
        member: u32,
        /// The number of the call in this source (≥ 0).
        number: u32,
        /// The state of the source in which it was drawn.
        epoch: u32,
    },
    /// An attempt reaches its service.
    AttemptArrives {
        /// The attempt, in flight as this job.
        job: Id,
    },
    /// The read before a versioned write reaches its service.
    ReadArrives {
        /// The attempt, in flight as this job.
        job: Id,
    },
    /// The version that was read reaches its caller.
    ReadReturns {
        /// The attempt, in flight as this job.
        job: Id,
    },
    /// A service looks whether work is done.
    ServiceWakes {
        /// The service.
        service: u16,
        /// Its wake that this one is; an older one does nothing.
        wake: u32,
    },
    /// The reply to an attempt reaches its caller.
    ReplyArrives {
        /// The attempt, in flight as this job.
        job: Id,
    },
    /// A caller stops waiting for an attempt.
    AttemptTimesOut {
        /// The attempt.
        attempt: Attempt,
    },
    /// A call runs out of time.
    DeadlinePasses {
        /// The call.
        call: Id,
    },
    /// A call has waited long enough and tries again.
    RetryIsDue {
        /// The attempt before.
        attempt: Attempt,
    },
    /// A fault changes the speed of a service.
    SpeedChanges {
        /// The service.
        service: u16,
    },
    /// A service breaks down, or is repaired.
    BreaksOrIsRepaired {
        /// The fault, by its place in the scenario.
        fault: u32,
        /// The number of this change (≥ 0): it breaks down when it is even.
        number: u32,
    },
    /// A crashed service answers again.
    ServiceRestarts {
        /// The service.
        service: u16,
    },
    /// An operator changes the system.
    ActionIsDue {
        /// The action, by its place in the scenario.
        action: u32,
    },
}

/// The class of an event among those of one instant: completions before changes of the system
/// before timeouts before arrivals. Replies are completions; retries and new calls are arrivals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Work is done, a reply is there.
    Completion = 0,
    /// The system changes.
    Control = 1,
    /// Somebody stops waiting.
    Timeout = 2,
    /// Somebody comes.
    Arrival = 3,
}

impl Class {
    /// The place of an event of this class with this tie key.
    pub fn order(self, tie: u32) -> Order {
        Order { class: self as u8, tie }
    }
}
