//! The results of an experiment over policies and replications: the only thing reports see.

use crate::metrics::{Metric, RunResult};
use crate::time::SimTime;

/// An experiment and what came of it.
#[derive(Clone, Debug)]
pub struct StudyResult {
    /// Title of the scenario.
    pub title: String,
    /// Question of the scenario.
    pub question: String,
    /// SHA-256 of the effective scenario, lower-case hex.
    pub hash: String,
    /// Seed of the first replication.
    pub seed: u64,
    /// Replications.
    pub reps: u32,
    /// End of the runs.
    pub horizon: SimTime,
    /// Name of the random number generator and its stream layout.
    pub generator: String,
    /// The faults of the baseline.
    pub faults: Vec<FaultSpan>,
    /// What an operator does under the baseline: when, and the change in words.
    pub actions: Vec<(SimTime, String)>,
    /// The policies, the baseline first.
    pub policies: Vec<PolicyResult>,
}

/// When something goes wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultSpan {
    /// Its begin.
    pub begins: SimTime,
    /// The end at full strength.
    pub ends: SimTime,
    /// The end of its fading away; the same where it ends at once.
    pub gone: SimTime,
    /// What it is, such as "outage of server".
    pub label: String,
}

/// One policy over all replications.
#[derive(Clone, Debug)]
pub struct PolicyResult {
    /// Its name.
    pub label: String,
    /// Estimates over the whole run.
    pub overall: Estimates,
    /// Estimates by client group.
    pub clients: Vec<(String, Estimates)>,
    /// Estimates by service.
    pub services: Vec<(String, Estimates)>,
    /// The service with the highest peak over its capacity, in the first replication.
    pub peak_service: String,
    /// In how many replications it recovered; `None` when there is nothing to recover from.
    pub recovered: Option<Proportion>,
    /// How long recovery took; `None` when there is nothing to recover from.
    pub recovery: Option<RecoveryTime>,
    /// Other times that some replications ended before: they have no estimate.
    pub censored: Vec<(Metric, RecoveryTime)>,
    /// The judgement.
    pub verdict: Verdict,
    /// The first replication, for charts.
    pub first: RunResult,
    /// Events handled in all replications: the simulator's own work.
    pub events: u64,
}

/// An estimate for every measure that has a meaning in at least one replication.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimates {
    entries: Vec<(Metric, Estimate)>,
}

/// A mean over replications with its 95 % t-interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Mean over the replications in which the measure has a meaning.
    pub mean: f64,
    /// Lower end of the 95 % interval; the mean itself with one replication.
    pub lo: f64,
    /// Upper end of the 95 % interval.
    pub hi: f64,
    /// Replications in which the measure has a meaning.
    pub n: u32,
}

impl Estimates {
    /// Estimates in the order of [`Metric::ALL`].
    pub fn new(entries: Vec<(Metric, Estimate)>) -> Estimates {
        Estimates { entries }
    }

    /// The estimate of a measure.
    pub fn get(&self, metric: Metric) -> Option<Estimate> {
        self.entries.iter().find(|(m, _)| *m == metric).map(|(_, estimate)| *estimate)
    }

    /// All estimates, in the order of [`Metric::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Metric, Estimate)> {
        self.entries.iter().copied()
    }
}

/// A share of replications with its 95 % Wilson interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proportion {
    /// Replications in which it was so.
    pub k: u32,
    /// Replications.
    pub n: u32,
    /// Lower end of the interval (0 … 1).
    pub lo: f64,
    /// Upper end of the interval (0 … 1).
    pub hi: f64,
}

/// A time over all replications, those that ended before it included as censored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecoveryTime {
    /// Median in seconds (Kaplan-Meier); `None` when half did not see it.
    pub p50: Option<f64>,
    /// 95 % quantile in seconds (Kaplan-Meier); `None` when too many did not see it.
    pub p95: Option<f64>,
    /// Lower end of the 95 % interval of the median; `None` when not determined.
    pub lo: Option<f64>,
    /// Upper end of the 95 % interval of the median; `None` when not determined.
    pub hi: Option<f64>,
    /// Replications that had not seen it by the horizon.
    pub censored: u32,
    /// Replications in which it has a meaning.
    pub n: u32,
}

/// The judgement on a policy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// One word or two: "recovers", "relapses", "does not recover", "undecided", "steady",
    /// "overloaded".
    pub word: String,
    /// One sentence.
    pub text: String,
    /// The numbers that it rests on, one phrase each.
    pub evidence: Vec<String>,
}
