//! What a run leaves behind: the only thing that reports see.

use std::time::Duration;

use super::names::Measures;
use crate::time::SimTime;

/// What became of an attempt, as charts tell outcomes apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Worked off while its caller waited.
    Served,
    /// Worked off for nobody.
    Wasted,
    /// Refused by overload.
    Rejected,
    /// Answered with an error.
    Errored,
    /// Vanished.
    Lost,
    /// Not decided by the horizon.
    Waiting,
}

impl Outcome {
    /// All outcomes, in the order of the stack from the bottom up.
    pub const ALL: [Outcome; 6] = [
        Outcome::Served,
        Outcome::Wasted,
        Outcome::Rejected,
        Outcome::Errored,
        Outcome::Lost,
        Outcome::Waiting,
    ];

    /// The word in CSV columns.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Served => "served",
            Outcome::Wasted => "wasted",
            Outcome::Rejected => "rejected",
            Outcome::Errored => "errored",
            Outcome::Lost => "lost",
            Outcome::Waiting => "waiting",
        }
    }
}

/// One run of one policy.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// Measures of the whole run.
    pub overall: Measures,
    /// Measures by client group, in the order of the scenario.
    pub clients: Vec<(String, Measures)>,
    /// Measures by service, in the order of the scenario.
    pub services: Vec<(String, Measures)>,
    /// The service with the highest peak over its capacity.
    pub peak_service: String,
    /// What recovery means in this run.
    pub recovery: Recovery,
    /// Other times that the run was too short to see, and how long they were watched for.
    pub not_within: Vec<(super::names::Metric, Duration)>,
    /// Series over time.
    pub timeline: Timeline,
    /// Latencies and attempts of calls.
    pub distributions: Distributions,
    /// Attempts for the raster chart.
    pub raster: Raster,
    /// Crashes under load, in order: when and which service (its place in the scenario).
    pub crashes: Vec<(SimTime, usize)>,
    /// How often a service falls even without the faults, in the twin that recovery is measured
    /// against: then there is no normal state to come back to.
    pub twin_crashes: u64,
    /// The share of calls that succeed without the faults (0 … 1); `None` without faults.
    pub twin_succeeded: Option<f64>,
    /// The simulator's own work: events handled, those of the twin included.
    pub events: u64,
}

/// Whether and when a run was back to normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Recovery {
    /// No fault was scheduled and no burst sent: there is nothing to recover from.
    NotAsked,
    /// Back after so long.
    After(Duration),
    /// Not back within this time after the fault, the longest that the horizon lets one see.
    NotWithin(Duration),
}

/// Series of equal bins, the first one from time zero. Every vector has one entry per bin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Width of a bin.
    pub bin: Duration,
    /// One per service, in the order of the scenario.
    pub services: Vec<ServiceSeries>,
    /// Calls begun.
    pub calls: Vec<u32>,
    /// Calls that succeeded, by the moment of success.
    pub succeeded: Vec<u32>,
    /// Calls that failed for good, by the moment of failure.
    pub failed: Vec<u32>,
    /// Retries not sent for want of tokens.
    pub refused: Vec<u32>,
    /// Calls waiting to retry, at the end of the bin.
    pub orbit: Vec<u32>,
    /// Mean level of the retry budgets at the end of the bin; empty when there are none.
    pub quota: Vec<f32>,
}

/// The series of one service.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServiceSeries {
    /// Name of the service.
    pub name: String,
    /// Attempts per second that it can serve; `None` when nothing limits it.
    pub capacity_per_s: Option<f64>,
    /// Attempts by the bin of their *arrival* at the service, one vector per [`Outcome`] in the
    /// order of [`Outcome::ALL`]; summed, they are the load.
    pub arrivals: [Vec<u32>; Outcome::ALL.len()],
    /// Attempts queued, at the end of the bin.
    pub queued: Vec<u32>,
    /// Whether the service was down after a crash at any time of the bin.
    pub down: Vec<bool>,
}

impl ServiceSeries {
    /// Attempts that arrived in a bin, whatever became of them.
    pub fn load(&self, bin: usize) -> u64 {
        self.arrivals.iter().map(|series| u64::from(series[bin])).sum()
    }
}

/// How calls were distributed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distributions {
    /// Latency of calls that succeeded: upper bound of a cell, calls in it; rising.
    pub latency: Vec<(Duration, u64)>,
    /// Time until a call failed for good, likewise.
    pub error_latency: Vec<(Duration, u64)>,
    /// Calls by the number of attempts they took (ended calls only): attempts, calls; rising.
    pub attempts: Vec<(u32, u64)>,
}

/// Attempts of a sample of clients, for the raster chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Raster {
    /// Clients shown.
    pub clients: u32,
    /// Clients of the group in all.
    pub of: u32,
    /// Name of the group.
    pub group: String,
    /// Marks in the order in which the outcomes came about.
    pub marks: Vec<Mark>,
}

/// One attempt in the raster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// When it was sent.
    pub sent: SimTime,
    /// Row: the client among those shown (0 … clients − 1).
    pub row: u32,
    /// What became of it.
    pub outcome: Outcome,
}
