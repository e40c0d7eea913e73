//! Replications of every policy on common random numbers, in parallel.

use rayon::prelude::*;

use super::estimate::{estimates, recovery_time};
use super::result::{PolicyResult, Proportion, StudyResult};
use super::verdict::verdict;
use crate::fault::{Kind, OutageMode};
use crate::metrics::{Recovery, RunResult};
use crate::rng::{GENERATOR, Seed};
use crate::scenario::{Model, PolicyCase, Scenario};
use crate::sim::simulate;
use crate::stats::wilson_interval;

/// How a study is run.
pub struct Options<'a> {
    /// Threads (≥ 1); `None` for one per core. The results do not depend on it.
    pub jobs: Option<usize>,
    /// Told after every run that has ended; called from any thread.
    pub progress: &'a (dyn Fn() + Sync),
}

/// Runs every policy of a scenario as often as it says.
///
/// # Errors
/// When the threads cannot be started.
pub fn run(scenario: &Scenario, options: &Options<'_>) -> Result<StudyResult, String> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs.unwrap_or(0))
        .build()
        .map_err(|error| format!("cannot start threads: {error}"))?;
    let reps = scenario.reps as usize;
    let runs = scenario.policies.len() * reps;
    // By index, never by the order of completion: the same result on any number of threads.
    let mut results: Vec<RunResult> =
        pool.install(|| (0..runs).into_par_iter().map(|i| one(scenario, i, options)).collect());
    let mut policies = Vec::new();
    for case in &scenario.policies {
        policies.push(policy(case, results.drain(..reps).collect()));
    }
    Ok(StudyResult {
        title: scenario.title.clone(),
        question: scenario.question.clone(),
        hash: scenario.hash.clone(),
        seed: scenario.seed,
        reps: scenario.reps,
        horizon: scenario.policies[0].model.horizon,
        generator: GENERATOR.to_string(),
        faults: faults(&scenario.policies[0].model),
        policies,
    })
}

/// Run number `index`: policies one after the other, replications within.
fn one(scenario: &Scenario, index: usize, options: &Options<'_>) -> RunResult {
    let reps = scenario.reps as usize;
    let (policy, replication) = (index / reps, index % reps);
    let seed = Seed::new(scenario.seed).replication(replication as u64);
    let mut result = simulate(&scenario.policies[policy], seed, replication == 0);
    if replication > 0 {
        // Charts show the first replication: the others' series would only fill the memory.
        result.timeline = Default::default();
        result.distributions = Default::default();
    }
    (options.progress)();
    result
}

/// Puts the replications of one policy together.
fn policy(case: &PolicyCase, mut runs: Vec<RunResult>) -> PolicyResult {
    let overall: Vec<_> = runs.iter().map(|run| &run.overall).collect();
    let part = |parts: fn(&RunResult) -> &Vec<(String, crate::metrics::Measures)>| {
        let of = |index: usize| {
            let measures: Vec<_> = runs.iter().map(|run| &parts(run)[index].1).collect();
            (parts(&runs[0])[index].0.clone(), estimates(&measures))
        };
        (0..parts(&runs[0]).len()).map(of).collect::<Vec<_>>()
    };
    let recoveries: Vec<Recovery> = runs.iter().map(|run| run.recovery).collect();
    let recovered = recovered(&recoveries);
    let mut result = PolicyResult {
        label: case.label.clone(),
        overall: estimates(&overall),
        clients: part(|run| &run.clients),
        services: part(|run| &run.services),
        peak_service: runs[0].peak_service.clone(),
        recovered,
        recovery: recovery_time(&recoveries),
        verdict: Default::default(),
        events: runs.iter().map(|run| run.events).sum(),
        first: runs.swap_remove(0),
    };
    result.verdict = verdict(&case.model, &result);
    result
}

/// In how many replications the system recovered.
fn recovered(recoveries: &[Recovery]) -> Option<Proportion> {
    let asked = recoveries.iter().filter(|recovery| **recovery != Recovery::NotAsked).count();
    let back = recoveries.iter().filter(|recovery| matches!(recovery, Recovery::After(_)));
    let k = back.count();
    let interval = wilson_interval(k, asked)?;
    Some(Proportion { k: k as u32, n: asked as u32, lo: interval.lo, hi: interval.hi })
}

/// The faults of a model in words.
fn faults(model: &Model) -> Vec<(crate::time::SimTime, crate::time::SimTime, String)> {
    let describe = |fault: &crate::fault::Fault| {
        let what = match &fault.kind {
            Kind::Outage { mode: OutageMode::Reject } => "outage",
            Kind::Outage { mode: OutageMode::Pause } => "pause",
            Kind::Outage { mode: OutageMode::Blackhole } => "black hole",
            Kind::Errors { .. } => "errors",
            Kind::Brownout { .. } => "brownout",
            Kind::Latency { .. } => "latency",
        };
        let label = format!("{what} of {}", model.services[fault.service].name);
        (fault.begins, fault.ends(), label)
    };
    model.faults.iter().map(describe).collect()
}
