//! A complete retry storm has an exact answer: a closed population, an outage that rejects
//! everything, memoryless retries, servers without a queue. The expected values come from the
//! linear system of the Markov chain of (calls waiting to retry, calls being served).

mod common;

use common::{mean, scenario, study};
use herdsim::metrics::Metric;
use herdsim::study::PolicyResult;

/// One population: clients, time to think, workers, work, time between retries, outage, and how
/// few may still wait when it counts as over (all in seconds).
fn storm(text: [&str; 7], reps: u32) -> PolicyResult {
    let [clients, think, workers, work, retry, outage, below] = text;
    let text = format!(
        "seed = 11\nhorizon = \"300s\"\nreps = {reps}\nbin = \"1s\"\n\
         measure = {{ first_below = {below} }}\n\
         [[clients]]\nname = \"c\"\ncount = {clients}\n\
         load = {{ closed = {{ think = {{ exponential = \"{think}\" }} }} }}\ntimeout = \"none\"\n\
         retry = {{ max_attempts = \"unlimited\", backoff = {{ constant = \"{retry}\" }}, \
         jitter = \"memoryless\" }}\n\
         [server]\nworkers = {workers}\nservice_time = {{ exponential = \"{work}\" }}\n\
         queue = {{ capacity = 0 }}\n\
         [[faults]]\nkind = \"outage\"\nat = \"0s\"\nfor = \"{outage}\"\n"
    );
    study(&scenario(&text)).policies.remove(0)
}

/// The exact value lies within 3.9 standard errors (99.99 %), which are below 1.5 % of it.
fn exact(policy: &PolicyResult, metric: Metric, value: f64) {
    let estimate = policy.overall.get(metric).unwrap();
    let half = (estimate.hi - estimate.lo) / 2.0;
    assert!(half < 0.03 * value, "{metric}: {} ± {half} is too wide", estimate.mean);
    let gap = (estimate.mean - value).abs();
    assert!(gap < 2.0 * half, "{metric}: {} ± {half}, not {value}", estimate.mean);
}

#[test]
fn fifty_clients_recover_from_an_outage_as_the_chain_says() {
    let policy = storm(["50", "10s", "10", "1s", "1s", "20s", "2"], 1_500);
    exact(&policy, Metric::FirstBelowS, 5.588947733);
    // All attempts of the outage fail, and nothing else errs.
    exact(&policy, Metric::Errored, 610.9008775);
}

#[test]
fn two_hundred_clients_recover_from_an_outage_as_the_chain_says() {
    let policy = storm(["200", "20s", "10", "500ms", "2s", "30s", "5"], 400);
    exact(&policy, Metric::FirstBelowS, 13.86722981);
    exact(&policy, Metric::Errored, 1601.634288);
    assert_eq!(mean(&policy, Metric::Relapses), 0.0);
}
