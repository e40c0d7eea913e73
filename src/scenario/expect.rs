//! What a scenario claims about its own answer.

use crate::metrics::Metric;

/// A bound that a result must keep.
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// The claim in words: `shipped: recovery_s p95 <= 30s`.
    pub summary: String,
    /// The policy, by its place in the scenario.
    pub policy: usize,
    /// Which part of the system is measured.
    pub part: Part,
    /// What is measured.
    pub subject: Subject,
    /// Smallest value that meets the claim.
    pub min: Option<f64>,
    /// Largest value that meets the claim.
    pub max: Option<f64>,
}

/// Which part of the system is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// A client group, by its place in the model.
    Clients(usize),
    /// A service, by its place in the model.
    Service(usize),
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The mean of a measure over the replications.
    Mean(Metric),
    /// The share of replications that recovered (0 … 1).
    Recovered,
    /// The median of the recovery time in seconds, runs that did not recover included.
    RecoveryP50,
    /// The 95 % quantile of the recovery time in seconds.
    RecoveryP95,
}
