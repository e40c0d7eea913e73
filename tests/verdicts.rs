//! Verdicts say what is so: no recovery where nothing was normal, no blame where nobody retries.

mod common;

use common::run;
use herdsim::study::Verdict;

/// A hundred clients of a service that works off 50 requests per second.
fn verdict(load: &str, retry: &str, rest: &str) -> Verdict {
    run(&format!(
        "seed = 1\nhorizon = \"2m\"\n[[clients]]\nname = \"web\"\ncount = 100\n\
         load = {{ {load} }}\ntimeout = \"1s\"\nretry = {retry}\n[server]\nrate = \"50/s\"\n{rest}"
    ))
    .verdict
}

const OUTAGE: &str = "[[faults]]\nkind = \"outage\"\nat = \"20s\"\nfor = \"10s\"\n";
const ONCE_MORE: &str = "{ max_attempts = 2, backoff = { constant = \"100ms\" } }";

#[test]
fn a_burst_that_is_over_is_over_though_half_of_it_gave_up() {
    for retry in ["\"none\"", ONCE_MORE] {
        let verdict = verdict("burst = \"0s\"", retry, "");
        assert_eq!(verdict.word, "recovers", "{verdict:?}");
        assert!(!verdict.text.contains("retries"), "{verdict:?}");
        assert!(verdict.evidence.iter().any(|line| line.contains("fail for good")), "{verdict:?}");
    }
}

#[test]
fn a_system_that_is_never_healthy_neither_recovers_nor_is_steady() {
    for rest in ["", OUTAGE] {
        let verdict = verdict("poisson = \"1/s\"", "\"none\"", rest);
        assert_eq!(verdict.word, "overloaded", "{verdict:?}");
    }
    let steady = verdict("poisson = \"0.3/s\"", "\"none\"", "");
    assert_eq!(steady.word, "steady", "{steady:?}");
}

#[test]
fn a_service_that_falls_without_the_fault_is_never_healthy() {
    let rest = format!("crash = {{ when = \"queue > 20\", restart = \"5s\" }}\n{OUTAGE}");
    let verdict = verdict("periodic = \"10s\", phase = \"same\"", ONCE_MORE, &rest);
    assert_eq!(verdict.word, "overloaded", "{verdict:?}");
    assert!(verdict.text.contains("even without the fault"), "{verdict:?}");
}

#[test]
fn retries_are_blamed_only_where_they_are_the_load() {
    let forever = "{ max_attempts = \"unlimited\", backoff = { constant = \"100ms\" } }";
    let stuck = verdict("poisson = \"0.3/s\"", forever, OUTAGE);
    assert_eq!(stuck.word, "does not recover", "{stuck:?}");
    assert!(stuck.text.contains("the retries keep it down"), "{stuck:?}");
    let back = verdict("poisson = \"0.1/s\"", "\"none\"", OUTAGE);
    assert_eq!(back.word, "recovers", "{back:?}");
}
