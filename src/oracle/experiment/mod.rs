//! How is a model of the oracle suite simulated, and where in a run is its number?

mod classic;
mod closed;
mod contention;
mod drain;
mod fold;
mod herd;
mod impatient;
mod noted;
mod overlap;
mod quota;
mod retrial;
mod storm;
mod tools;
mod wave;
mod zombie;

use super::params::Params;
use super::watch::Watch;
use crate::metrics::{Metric, RunResult};

/// A model as a scenario, and how its number is read.
pub struct Experiment {
    /// The scenario in TOML, without `seed`: the harness gives every replication its own.
    pub scenario: String,
    /// What is read off a replication.
    pub reading: Reading,
}

/// How the number is read off a replication.
pub enum Reading {
    /// From what a run amounts to.
    Result(Box<dyn Fn(&RunResult) -> f64 + Send + Sync>),
    /// By a watch of its own; a run that was too short for it is repeated, four times as long.
    Watch(Box<dyn Fn() -> Box<dyn Watch> + Send + Sync>),
}

impl Reading {
    /// The same in another unit.
    ///
    /// # Panics
    /// For a watch, which has its own unit.
    fn times(self, factor: f64) -> Reading {
        match self {
            Reading::Result(read) => Reading::Result(Box::new(move |run| factor * read(run))),
            Reading::Watch(_) => panic!("a watch has its own unit"),
        }
    }
}

/// The experiment for a metric of a model; `None` where there is none.
pub fn experiment(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    classic::experiment(model, params, metric)
        .or_else(|| impatient::experiment(model, params, metric))
        .or_else(|| closed::experiment(model, params, metric))
        .or_else(|| drain::experiment(model, params, metric))
        .or_else(|| retrial::experiment(model, params, metric))
        .or_else(|| storm::experiment(model, params, metric))
        .or_else(|| quota::experiment(model, params, metric))
        .or_else(|| herd::experiment(model, params, metric))
        .or_else(|| wave::sums(model, params, metric))
        .or_else(|| fold::experiment(model, params, metric))
        .or_else(|| zombie::experiment(model, params, metric))
        .or_else(|| contention::experiment(model, params, metric))
}

/// Reads a measure of the first service.
fn service(metric: Metric) -> Reading {
    Reading::Result(Box::new(move |run| of_service(run, metric)))
}

/// Reads a measure of the whole system.
fn whole(metric: Metric) -> Reading {
    Reading::Result(Box::new(move |run| overall(run, metric)))
}

fn of_service(run: &RunResult, metric: Metric) -> f64 {
    run.services[0].1.get(metric).unwrap_or_else(|| panic!("no {metric} of the service"))
}

fn overall(run: &RunResult, metric: Metric) -> f64 {
    run.overall.get(metric).unwrap_or_else(|| panic!("no {metric}"))
}

/// One group `c` of `count` clients and one server, watched for `span` seconds after `warmup`.
struct Simple<'a> {
    count: u64,
    load: &'a str,
    /// The keys of the group beside name, count and load.
    caller: &'a str,
    /// The keys of the server.
    server: &'a str,
    /// Further tables: another group, a fault.
    rest: &'a str,
    warmup: f64,
    span: f64,
}

/// A caller without limit to patience that never tries again.
const PATIENT: &str = "timeout = \"none\"\nretry = \"none\"";

impl Simple<'_> {
    fn toml(&self) -> String {
        let Simple { count, load, caller, server, rest, warmup, span } = self;
        format!(
            "horizon = \"{}\"\nwarmup = \"{}\"\nbin = \"{}\"\n[[clients]]\nname = \"c\"\n\
             count = {count}\nload = {{ {load} }}\n{caller}\n[server]\n{server}\n{rest}\n",
            seconds(warmup + span),
            seconds(*warmup),
            seconds((warmup + span) / 16.0),
        )
    }
}

/// A duration of the scenario language, to the nanosecond.
fn seconds(s: f64) -> String {
    format!("{}ns", (s * 1e9).round() as u64)
}

/// A watch that a closure makes.
fn watch<W: Watch + 'static>(make: impl Fn() -> W + Send + Sync + 'static) -> Reading {
    Reading::Watch(Box::new(move || Box::new(make())))
}

/// How a watch reads its number off a list.
fn watch_of(read: impl Fn(&[f64]) -> f64 + Send + Sync + 'static) -> noted::Read {
    std::sync::Arc::new(read)
}
