//! Where a saturated service stays saturated: the folds of the limit of slow retries, bracketed.
//!
//! Ten workers of 10/s each, 400 places, a timeout of two seconds, three attempts, no cancellation.
//! The limit says that the bad state ends at a load of 0.3441 of the capacity, and that of a budget
//! which successes fill there is none. A pause of all work saturates the service first: when it
//! ends the queue is full, everybody retries, and a quota is empty.
//!
//! Simplifies: these are limits, for waits that are long against the queue's own relaxation. Here
//! the waits are memoryless with a mean of 30 s, which is seven times what a full queue takes.

mod common;

use common::scenario;
use herdsim::metrics::{Metric, RunResult};
use herdsim::oracle::{Params, exact};
use herdsim::rng::Seed;
use herdsim::sim::simulate;

/// Attempts per second that the service works off.
const CAPACITY: f64 = 100.0;

/// Runs at a share of the capacity; measures are of the last quarter.
fn saturated(share: f64, wait: &str, more: &str, horizon: u32, runs: u64) -> Vec<RunResult> {
    let text = format!(
        "seed = 11\nhorizon = \"{horizon}s\"\nwarmup = \"{}s\"\nbin = \"100s\"\n\
         [[clients]]\nname = \"c\"\ncount = 1\nload = {{ poisson = \"{}/s\" }}\ntimeout = \"2s\"\n\
         retry = {{ max_attempts = 3, jitter = \"memoryless\", \
         backoff = {{ constant = \"{wait}\" }}{more} }}\n\
         [server]\nworkers = 10\nservice_time = {{ exponential = \"100ms\" }}\n\
         queue = {{ capacity = 390 }}\n\
         [[faults]]\nkind = \"outage\"\nmode = \"pause\"\nat = \"0s\"\nfor = \"400s\"\n",
        horizon / 4 * 3,
        share * CAPACITY
    );
    let case = &scenario(&text).policies[0];
    (0..runs).map(|n| simulate(case, Seed::new(11).replication(n), false)).collect()
}

/// Calls answered in time per second, as a share of the capacity.
fn goodput(run: &RunResult) -> f64 {
    run.overall.get(Metric::GoodputPerS).unwrap() / CAPACITY
}

fn recovers(share: f64, runs: &[RunResult]) {
    for run in runs {
        let good = goodput(run);
        assert!((good / share - 1.0).abs() < 0.05, "at {share} of the capacity: {good}");
    }
}

fn stays_down(share: f64, runs: &[RunResult]) {
    for run in runs {
        let (good, sent) = (goodput(run), run.overall.get(Metric::OfferedPerS).unwrap());
        assert!(good < 0.01 * share, "at {share} of the capacity: {good}");
        // All three attempts of every call, for nothing.
        assert!((sent / (3.0 * share * CAPACITY) - 1.0).abs() < 0.05, "{sent} attempts/s");
    }
}

/// The load at which the bad state ends, in the limit.
fn fold() -> f64 {
    let model = "slow-retry limit, M/M/c/K FCFS zombies, deterministic timeout, max M attempts";
    let params =
        Params::of(&[("mu", 10.0), ("c", 10.0), ("K", 400.0), ("tau", 2.0), ("max_attempts", 3.0)]);
    exact::value(model, &params, "lambda_low (bad state disappears)").unwrap() / CAPACITY
}

#[test]
fn below_the_fold_a_saturated_service_recovers_and_above_it_does_not() {
    let fold = fold();
    assert!(0.34 < fold && fold < 0.36, "{fold}");
    recovers(0.34, &saturated(0.34, "30s", "", 4_000, 3));
    stays_down(0.36, &saturated(0.36, "30s", "", 4_000, 3));
}

#[test]
fn a_quota_that_successes_fill_recovers_at_nearly_full_load() {
    let quota = ", budget = \"aws-quota\"";
    recovers(0.95, &saturated(0.95, "30s", quota, 4_000, 2));
    stays_down(0.95, &saturated(0.95, "30s", "", 2_000, 1));
}

#[test]
#[ignore = "takes minutes"]
fn the_brackets_hold_for_many_seeds_and_several_waits() {
    for wait in ["10s", "30s", "100s"] {
        recovers(0.34, &saturated(0.34, wait, "", 8_000, 20));
        stays_down(0.36, &saturated(0.36, wait, "", 8_000, 20));
    }
    let quota = ", budget = \"aws-quota\"";
    recovers(0.95, &saturated(0.95, "30s", quota, 8_000, 20));
}
