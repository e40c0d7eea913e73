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

/// Something that happens. But for a service's next wake nothing is ever cancelled: a late timeout
/// or reply finds that another attempt is awaited and does nothing, or is left out as void.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A client makes its next call.
    CallBegins {
        /// The source of load, by its place in the world.
        source: u32,
        /// Which client of the group follows the shape; 0 for a load of the whole group.
        member: u32,
    },
    /// An attempt reaches its service.
    AttemptArrives {
        /// The attempt, in flight as the job in this place.
        job: u32,
    },
    /// The read before a versioned write reaches its service.
    ReadArrives {
        /// The attempt, in flight as the job in this place.
        job: u32,
    },
    /// The version that was read reaches its caller.
    ReadReturns {
        /// The attempt, in flight as the job in this place.
        job: u32,
    },
    /// A service looks whether work is done.
    ServiceWakes {
        /// The service.
        service: u16,
    },
    /// The reply to an attempt reaches its caller.
    ReplyArrives {
        /// The attempt, in flight as the job in this place.
        job: u32,
    },
    /// A caller stops waiting for an attempt.
    AttemptTimesOut(Mark),
    /// A call has waited long enough and tries again.
    RetryIsDue(Mark),
    /// A call runs out of time.
    DeadlinePasses {
        /// The call.
        call: Id,
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

/// The attempt that a call sent last, when an event about it was scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The place of the call.
    pub call: u32,
    /// [`super::call::Call::mark`] of that time.
    pub mark: u32,
}

/// A [`Happening`] in eight bytes, as the queue keeps millions: kind, place, and what else there
/// is, from the lowest bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event(u64);

/// Bits of the kind, and of the kind and the place.
const KIND_BITS: u32 = 4;
const PLACE_BITS: u32 = 32;

impl Event {
    #[inline(always)]
    fn new(kind: u64, place: u32, rest: u32) -> Event {
        assert!(place < 1 << (PLACE_BITS - KIND_BITS), "there is no room for number {place}");
        Event(u64::from(rest) << PLACE_BITS | u64::from(place) << KIND_BITS | kind)
    }
}

impl From<Happening> for Event {
    #[inline(always)]
    fn from(happening: Happening) -> Event {
        match happening {
            Happening::CallBegins { source, member } => Event::new(0, source, member),
            Happening::AttemptArrives { job } => Event::new(1, job, 0),
            Happening::ReadArrives { job } => Event::new(2, job, 0),
            Happening::ReadReturns { job } => Event::new(3, job, 0),
            Happening::ServiceWakes { service } => Event::new(4, service.into(), 0),
            Happening::ReplyArrives { job } => Event::new(5, job, 0),
            Happening::AttemptTimesOut(Mark { call, mark }) => Event::new(6, call, mark),
            Happening::RetryIsDue(Mark { call, mark }) => Event::new(7, call, mark),
            Happening::DeadlinePasses { call } => Event::new(8, call.slot, call.generation.get()),
            Happening::SpeedChanges { service } => Event::new(9, service.into(), 0),
            Happening::BreaksOrIsRepaired { fault, number } => Event::new(10, fault, number),
            Happening::ServiceRestarts { service } => Event::new(11, service.into(), 0),
            Happening::ActionIsDue { action } => Event::new(12, action, 0),
        }
    }
}

impl From<Event> for Happening {
    #[inline(always)]
    fn from(event: Event) -> Happening {
        let place = (event.0 as u32) >> KIND_BITS;
        let rest = (event.0 >> PLACE_BITS) as u32;
        let mark = Mark { call: place, mark: rest };
        let service = place as u16;
        match event.0 & ((1 << KIND_BITS) - 1) {
            0 => Happening::CallBegins { source: place, member: rest },
            1 => Happening::AttemptArrives { job: place },
            2 => Happening::ReadArrives { job: place },
            3 => Happening::ReadReturns { job: place },
            4 => Happening::ServiceWakes { service },
            5 => Happening::ReplyArrives { job: place },
            6 => Happening::AttemptTimesOut(mark),
            7 => Happening::RetryIsDue(mark),
            8 => Happening::DeadlinePasses { call: Id::new(place, rest) },
            9 => Happening::SpeedChanges { service },
            10 => Happening::BreaksOrIsRepaired { fault: place, number: rest },
            11 => Happening::ServiceRestarts { service },
            12 => Happening::ActionIsDue { action: place },
            other => panic!("an event of kind {other} in {event:?}"),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_means_what_it_was_made_of() {
        let mark = Mark { call: 268_435_455, mark: u32::MAX };
        for happening in [
            Happening::CallBegins { source: 3, member: u32::MAX },
            Happening::AttemptArrives { job: 268_435_455 },
            Happening::ReadArrives { job: 1 },
            Happening::ReadReturns { job: 2 },
            Happening::ServiceWakes { service: u16::MAX },
            Happening::ReplyArrives { job: 0 },
            Happening::AttemptTimesOut(mark),
            Happening::RetryIsDue(mark),
            Happening::DeadlinePasses { call: Id::new(5, u32::MAX) },
            Happening::SpeedChanges { service: 7 },
            Happening::BreaksOrIsRepaired { fault: 9, number: 8 },
            Happening::ServiceRestarts { service: 6 },
            Happening::ActionIsDue { action: 4 },
        ] {
            assert_eq!(Happening::from(Event::from(happening)), happening);
        }
    }
}
