//! The description of an experiment: plain, checked data.

use std::time::Duration;

use crate::dist::Dist;
use crate::fault::Fault;
use crate::load::Load;
use crate::policy::{Layer, Scope};
use crate::service::{Spec, StaleWork};
use crate::time::SimTime;
use crate::units::Share;

use super::Expect;

/// An experiment: one system under several policies.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What it is called.
    pub title: String,
    /// The question it asks.
    pub question: String,
    /// The seed of the first replication.
    pub seed: u64,
    /// Independent replications (≥ 1).
    pub reps: u32,
    /// The alternatives, the baseline first; at least one, each with a label of its own.
    pub policies: Vec<PolicyCase>,
    /// What it claims about its answer.
    pub expects: Vec<Expect>,
    /// SHA-256 of the effective scenario as lower-case hex digits.
    pub hash: String,
}

/// One alternative: the whole system with its patches applied.
#[derive(Clone, Debug)]
pub struct PolicyCase {
    /// Its name in tables and charts.
    pub label: String,
    /// The system.
    pub model: Model,
    /// The system after each action, in the order of time.
    pub actions: Vec<Action>,
}

/// What an operator changes in the middle of a run.
#[derive(Clone, Debug)]
pub struct Action {
    /// When.
    pub at: SimTime,
    /// The change in words: `web.timeout = "5s"`.
    pub summary: String,
    /// The system from then on: same groups, services, names and counts as before.
    pub model: Model,
}

/// A system: client groups that call services, services that call services.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// When the run ends (> 0).
    pub horizon: SimTime,
    /// Until when rates, means and latencies are not counted.
    pub warmup: SimTime,
    /// Width of a bin of the time series (> 0).
    pub bin: Duration,
    /// Whether the order of clients at one instant is scrambled per seed (off in trace tests).
    pub scramble_ties: bool,
    /// The service level objective.
    pub slo: Option<Slo>,
    /// Groups of callers; at least one.
    pub groups: Vec<Group>,
    /// Services; at least one.
    pub services: Vec<ServiceNode>,
    /// Scheduled faults, in the order of the file.
    pub faults: Vec<Fault>,
    /// How the measures are taken.
    pub measure: Measure,
    /// The state at time zero.
    pub start: Start,
}

/// The state at time zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Start {
    /// What services and callers are at.
    pub state: State,
    /// How full the retry budgets are that several calls share; `None` for full ones, after
    /// settling for what they are then.
    pub quota: Option<Share>,
}

/// What services and callers are at when a run begins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum State {
    /// Nothing: nobody has called yet.
    #[default]
    Empty,
    /// Every service is full of attempts whose callers have gone.
    Saturated {
        /// Attempts queued at each service, as far as there are places; `None` for all places.
        backlog: Option<u32>,
    },
    /// What the system is at after it has run for a time without its faults and actions.
    Stationary {
        /// That time (> 0).
        settle: Duration,
    },
}

impl Start {
    /// How long the system runs before time zero.
    pub fn settle(&self) -> Duration {
        match self.state {
            State::Stationary { settle } => settle,
            State::Empty | State::Saturated { .. } => Duration::ZERO,
        }
    }

    /// Whether services begin full: a disturbance, like a fault that ends at time zero.
    pub fn is_saturated(&self) -> bool {
        matches!(self.state, State::Saturated { .. })
    }

    /// Attempts that a service begins with: those that it would not have thrown away; `None` when
    /// nothing bounds them.
    pub fn inherited(&self, spec: &Spec) -> Option<u64> {
        let State::Saturated { backlog } = self.state else { return Some(0) };
        let places = spec.queue_capacity;
        let queued = match spec.stale_work {
            StaleWork::Served => {
                let queued = backlog.or(places)?;
                places.map_or(queued, |places| queued.min(places))
            }
            StaleWork::DroppedQueued => 0,
            StaleWork::Dropped => return Some(0),
        };
        Some(u64::from(spec.workers) + u64::from(queued))
    }
}

/// A service level objective: this share of calls succeeds within this latency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slo {
    /// The latency of a whole call (> 0).
    pub latency: Duration,
    /// The share of calls.
    pub share: Share,
}

/// A group of clients that behave alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Clients (≥ 1).
    pub count: u32,
    /// When calls begin; several loads add up; at least one.
    pub loads: Vec<Load>,
    /// How calls are made.
    pub caller: Caller,
}

/// A service, and whom it calls.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceNode {
    /// Its name.
    pub name: String,
    /// What it does with an attempt.
    pub spec: Spec,
    /// Calls that every attempt makes after its own work, one after the other.
    pub calls: Vec<Downstream>,
}

/// A call that a service makes for every attempt it serves.
#[derive(Clone, Debug, PartialEq)]
pub struct Downstream {
    /// How the call is made.
    pub caller: Caller,
    /// Whether the worker waits for the answer (FIFO only), or goes on with other work.
    pub holds_worker: bool,
}

/// How a client group or a service makes calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Caller {
    /// The service that is called, by its place in the model.
    pub target: usize,
    /// How long an attempt is waited for; `None` for ever.
    pub timeout: Option<Dist>,
    /// How long a call may take in all.
    pub deadline: Option<Deadline>,
    /// Layers of retries, the outermost first; none for no retries.
    pub layers: Vec<Layer>,
    /// Who shares one queue of retries; the calls of a service never share one.
    pub retry_queue: Scope,
    /// Who draws the same sequence of jitters; the calls of a service draw their own.
    pub rng: Scope,
}

/// A limit on a whole call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// From the begin of the call (> 0).
    pub after: Duration,
    /// Whether services know it and throw work away that can no longer matter.
    pub propagate: bool,
}

/// How the measures are taken where the default does not serve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Width of the bins in which the peak load is sought (> 0).
    pub peak_width: Duration,
    /// Calls queued and waiting to retry at which `first_below_s` stops the clock.
    pub first_below: u64,
    /// The same above which `first_above_s` stops the clock.
    pub first_above: Option<u64>,
    /// How far below the twin's goodput still counts as recovered, as a share (0 … 1).
    pub recovery_within: f64,
    /// How long a recovery must last (> 0); `None`: the longer of 60 s and three of the longest
    /// backoff ceilings.
    pub recovery_hold: Option<Duration>,
}

impl Default for Measure {
    fn default() -> Measure {
        Measure {
            peak_width: Duration::from_secs(1),
            first_below: 0,
            first_above: None,
            recovery_within: 0.05,
            recovery_hold: None,
        }
    }
}

impl Model {
    /// The end of the last scheduled fault, from which recovery is counted; the start of the run
    /// when no fault is scheduled.
    pub fn trigger_end(&self) -> SimTime {
        self.faults.iter().map(Fault::ends).max().unwrap_or(SimTime::ZERO)
    }

    /// The start of the first disturbance, if any: a fault, or time zero when services begin full.
    pub fn trigger_start(&self) -> Option<SimTime> {
        if self.start.is_saturated() {
            return Some(SimTime::ZERO);
        }
        self.faults.iter().map(|fault| fault.begins).min()
    }

    /// The same system without its disturbances, the faults and a start that is full: the twin
    /// that recovery is measured against.
    pub fn undisturbed(&self) -> Model {
        let start = match self.start.is_saturated() {
            true => Start { state: State::Empty, ..self.start },
            false => self.start,
        };
        Model { faults: Vec::new(), start, ..self.clone() }
    }

    /// The same system on a clock that began `by` earlier: the end and the faults are later by
    /// that. Loads are not touched: whoever asks them says where their zero is.
    pub fn delayed(&self, by: Duration) -> Model {
        let mut model = self.clone();
        model.horizon = model.horizon.saturating_add(by);
        for fault in &mut model.faults {
            fault.begins = fault.begins.saturating_add(by);
        }
        model
    }
}
