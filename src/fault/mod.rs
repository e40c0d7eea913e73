//! What goes wrong, and when?

use std::time::Duration;

use crate::dist::Dist;
use crate::failure::FailureClass;
use crate::time::SimTime;
use crate::units::Share;

/// A scheduled fault of a service.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What goes wrong.
    pub kind: Kind,
    /// The service, by its place in the model.
    pub service: usize,
    /// When it begins.
    pub begins: SimTime,
    /// How long it lasts at full strength [> 0].
    pub lasts: Duration,
    /// How long it takes to fade away after that, evenly; `None` for at once.
    pub ramp: Option<Duration>,
}

/// What goes wrong; the variant is the `kind` of the scenario language.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// The service does nothing.
    Outage {
        /// What a caller sees.
        mode: OutageMode,
    },
    /// A share of the attempts is answered with an error at once.
    Errors {
        /// The kind of error.
        class: FailureClass,
        /// The share.
        share: Share,
    },
    /// The service works more slowly.
    Brownout {
        /// How many times longer work takes [≥ 1].
        slowdown: f64,
    },
    /// The way to the service takes longer.
    Latency {
        /// What is added to the way there.
        add: Dist,
    },
}

/// What a caller sees of an outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutageMode {
    /// Every attempt is answered with an error at once; what was queued waits for the end.
    Reject,
    /// Attempts are taken in but nothing is worked on until the end.
    Pause,
    /// Attempts vanish: no answer ever comes. What was queued waits for the end.
    Blackhole,
}

impl Fault {
    /// The end of the fault at full strength.
    pub fn ends(&self) -> SimTime {
        self.begins.saturating_add(self.lasts)
    }

    /// The end of its fading away.
    pub fn gone(&self) -> SimTime {
        self.ends().saturating_add(self.ramp.unwrap_or_default())
    }

    /// Its strength at this moment [0 … 1].
    pub fn level(&self, now: SimTime) -> f64 {
        if now < self.begins || now >= self.gone() {
            return 0.0;
        }
        match self.ramp {
            Some(ramp) if now >= self.ends() => {
                1.0 - (now - self.ends()).as_secs_f64() / ramp.as_secs_f64()
            }
            _ => 1.0,
        }
    }
}
