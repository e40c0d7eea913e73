//! Replications of every policy on common random numbers, in parallel.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::censored::{censored, recovery_time};
use super::estimate::estimates;
use super::result::{FaultSpan, PolicyResult, Proportion, StudyResult};
use super::verdict::verdict;
use super::work::Work;
use crate::fault::{Kind, OutageMode};
use crate::metrics::{Leftover, Recorder, Recovery, RunResult};
use crate::rng::{GENERATOR, Seed};
use crate::scenario::{Model, PolicyCase, Scenario};
use crate::sim::play;
use crate::stats::wilson_interval;

/// How a study is run.
pub struct Options<'a> {
    /// Threads (≥ 1); `None` for one per core. The results do not depend on it.
    pub jobs: Option<usize>,
    /// Told after every run that has ended; called from any thread.
    pub progress: &'a (dyn Fn() + Sync),
}

impl Default for Options<'_> {
    /// One thread per core, and nobody is told.
    fn default() -> Self {
        Options { jobs: None, progress: &|| () }
    }
}

/// Told which share of all the work is done (0 … 1), every few hundred thousand events and after
/// every run, from any thread and therefore not always in rising order; says whether it goes on.
pub type Watch<'a> = dyn Fn(f64) -> ControlFlow<()> + Sync + 'a;

/// Runs every policy of a scenario as often as it says.
///
/// # Errors
/// When the threads cannot be started.
pub fn run(scenario: &Scenario, options: &Options<'_>) -> Result<StudyResult, String> {
    let study = run_watched(scenario, options, &|_| ControlFlow::Continue(()))?;
    study.ok_or_else(|| "no replication was run".to_string())
}

/// The same until `stop` is set; what there is then, as [`run_watched`] says.
///
/// # Errors
/// When the threads cannot be started.
pub fn run_until(
    scenario: &Scenario,
    options: &Options<'_>,
    stop: &AtomicBool,
) -> Result<Option<StudyResult>, String> {
    run_watched(scenario, options, &|_| match stop.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    })
}

/// The same with somebody who watches. Once the watch says stop, runs in progress are dropped
/// within about a tenth of a second each, and no other begins. The result has the replications
/// that are complete under every policy, as if only so many had been asked for; `None` when there
/// is not one.
///
/// # Errors
/// When the threads cannot be started.
pub fn run_watched(
    scenario: &Scenario,
    options: &Options<'_>,
    watch: &Watch<'_>,
) -> Result<Option<StudyResult>, String> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs.unwrap_or(0))
        .build()
        .map_err(|error| format!("cannot start threads: {error}"))?;
    let work = Work::new(scenario, options, watch);
    let mut whole: Vec<(usize, RunResult)> =
        pool.broadcast(|_| work.take()).into_iter().flatten().collect();
    // By index, never by the order of completion: the same result on any number of threads.
    whole.sort_by_key(|(index, _)| *index);
    // A run that was dropped leaves a gap: what comes after it belongs to no complete replication.
    let gapless = whole.iter().enumerate().take_while(|(place, (index, _))| place == index).count();
    let policies = scenario.policies.len();
    let reps = gapless / policies;
    let mut runs: Vec<Vec<RunResult>> = (0..policies).map(|_| Vec::with_capacity(reps)).collect();
    for (index, run) in whole.into_iter().take(reps * policies) {
        runs[index % policies].push(run);
    }
    Ok((reps > 0).then(|| result(scenario, reps as u32, runs)))
}

/// Plays the first replication of a policy once more and tells `recorder` all that happens; gives
/// it back with what is undecided at the end and the number of events.
pub fn replay<R: Recorder>(
    scenario: &Scenario,
    case: &PolicyCase,
    recorder: R,
) -> (R, Leftover, u64) {
    play(&case.model, &case.actions, Seed::new(scenario.seed).replication(0), recorder)
}

fn result(scenario: &Scenario, reps: u32, runs: Vec<Vec<RunResult>>) -> StudyResult {
    let policies = scenario.policies.iter().zip(runs).map(|(case, runs)| policy(case, runs));
    StudyResult {
        title: scenario.title.clone(),
        question: scenario.question.clone(),
        hash: scenario.hash.clone(),
        seed: scenario.seed,
        reps,
        horizon: scenario.policies[0].model.horizon,
        generator: GENERATOR.to_string(),
        faults: faults(&scenario.policies[0].model),
        actions: actions(&scenario.policies[0]),
        policies: policies.collect(),
    }
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
        recovery: recovery_time(&runs),
        censored: censored(&runs),
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
fn faults(model: &Model) -> Vec<FaultSpan> {
    let describe = |fault: &crate::fault::Fault| {
        let what = match &fault.kind {
            Kind::Outage { mode: OutageMode::Reject } => "outage",
            Kind::Outage { mode: OutageMode::Pause } => "pause",
            Kind::Outage { mode: OutageMode::Blackhole } => "black hole",
            Kind::Errors { .. } => "errors",
            Kind::Brownout { .. } => "brownout",
            Kind::Latency { .. } => "latency",
            Kind::Breakdowns { .. } => "breakdowns",
        };
        let label = format!("{what} of {}", model.services[fault.service].name);
        FaultSpan { begins: fault.begins, ends: fault.ends(), gone: fault.gone(), label }
    };
    model.faults.iter().map(describe).collect()
}

/// What an operator does under a policy, in words.
fn actions(case: &PolicyCase) -> Vec<(crate::time::SimTime, String)> {
    case.actions.iter().map(|action| (action.at, action.summary.clone())).collect()
}
