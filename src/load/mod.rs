//! When do calls begin?

mod arrivals;
mod recorded;

use std::sync::Arc;
use std::time::Duration;

use crate::dist::Dist;
use crate::time::SimTime;
use crate::units::Rate;

pub use arrivals::Source;
pub use recorded::Recorded;

/// One source of calls of a client group.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// When calls begin.
    pub shape: Shape,
    /// Whether every client follows the shape by itself, or the group as a whole.
    pub of: Of,
}

/// Who follows a load shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Every client by itself: "0.5/s" of 100 clients are 50 calls per second.
    Client,
    /// The group: "50/s" are 50 calls per second, each by a client drawn at random.
    Group,
}

/// When calls begin; the variant is the key of the scenario language.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// One call, at this time after the start.
    Burst {
        /// Time of the call.
        at: Duration,
    },
    /// A call every so often, for ever.
    Periodic {
        /// From call to call (> 0).
        every: Duration,
        /// How the clients' first calls lie to one another.
        phase: Phase,
    },
    /// Independent calls at a constant mean rate (a Poisson process).
    Poisson {
        /// Mean rate (> 0).
        rate: Rate,
    },
    /// The next call begins after a time of thinking once the last has ended.
    Closed {
        /// Thinking, also before the first call.
        think: Dist,
    },
    /// A Poisson process whose rate changes evenly, then stays.
    Ramp {
        /// Rate at the start (≥ 0).
        from: Rate,
        /// Rate at the end of the ramp and after it (≥ 0).
        to: Rate,
        /// Length of the ramp (> 0).
        over: Duration,
    },
    /// A Poisson process whose rate changes at given moments.
    Step {
        /// Moments in rising order, each with the rate from then on; nothing before the first.
        steps: Vec<(SimTime, Rate)>,
    },
    /// Calls at recorded moments.
    Trace {
        /// The file, as the scenario names it.
        file: String,
        /// When they begin; shared, for a trace may have a million rows.
        calls: Arc<Recorded>,
    },
}

/// How the first calls of periodic clients lie to one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// All at once, at the start.
    Same,
    /// Each at a random moment of its first period.
    Random,
    /// Spread evenly over the first period, in the order of the clients.
    Even,
}
