//! A run may be watched and stopped in the middle, and nobody's results change by that.

mod common;

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use common::scenario;
use herdsim::report::json;
use herdsim::rng::Seed;
use herdsim::sim::{simulate, simulate_watched};
use herdsim::study::{self, Options};

/// A fault and a start that is settled first: every stretch that a run has.
const SMALL: &str = r#"
seed = 1
horizon = "60s"
start = { state = "stationary", settle = "30s" }
[[clients]]
name = "web"
count = 6000
load = { poisson = "0.5/s" }
timeout = "1s"
retry = { max_attempts = 3, backoff = { constant = "200ms" }, jitter = "full" }
[server]
workers = 600
service_time = { exponential = "100ms" }
[[faults]]
kind = "outage"
at = "20s"
for = "5s"
"#;

/// So busy that an hour of it takes minutes.
const BUSY: &str = r#"
seed = 1
horizon = "10h"
bin = "1m"
[[clients]]
name = "web"
count = 2000
load = { poisson = "5/s" }
timeout = "1s"
retry = "none"
[server]
workers = 2000
service_time = "100ms"
[[faults]]
kind = "outage"
at = "1h"
for = "5s"
"#;

const GO_ON: ControlFlow<()> = ControlFlow::Continue(());
const STOP: ControlFlow<()> = ControlFlow::Break(());

#[test]
fn a_watch_hears_of_the_whole_run_in_rising_shares_and_changes_nothing() {
    let case = &scenario(SMALL).policies[0];
    let mut shares = Vec::new();
    let watched = simulate_watched(case, Seed::new(3), true, &mut |share| {
        shares.push(share);
        GO_ON
    });
    let alone = simulate(case, Seed::new(3), true);
    assert_eq!(format!("{:?}", watched.unwrap()), format!("{alone:?}"));
    assert!(shares.is_sorted(), "{shares:?}");
    // The twin is the first half: it settles for a third of its time and runs for two thirds.
    assert!(shares.len() >= 6, "{shares:?}");
    assert!(shares.iter().any(|share| (*share - 1.0 / 6.0).abs() < 1e-9), "{shares:?}");
    assert!(shares.contains(&0.5), "{shares:?}");
    assert_eq!(shares.last(), Some(&1.0));
}

#[test]
fn a_run_stops_at_the_end_of_the_slice_in_which_it_is_told_to() {
    // It would take minutes: that the test ends is half of what it shows.
    let case = &scenario(BUSY).policies[0];
    let mut shares = Vec::new();
    let run = simulate_watched(case, Seed::new(1), false, &mut |share| {
        shares.push(share);
        if shares.len() == 3 { STOP } else { GO_ON }
    });
    assert!(run.is_none());
    assert_eq!(shares.len(), 3, "nobody is asked again");
    // Three slices of a run of 2 × 10^9 events and more.
    assert!(shares[2] < 1e-3, "{shares:?}");
}

#[test]
fn a_study_says_how_much_of_it_is_done_on_any_number_of_threads() {
    let scenario = scenario(&format!("reps = 6\n{SMALL}"));
    let plain = json::summary_text(&study::run(&scenario, &Options::default()).unwrap());
    for jobs in [1, 3] {
        let shares = Mutex::new(Vec::new());
        let options = Options { jobs: Some(jobs), ..Options::default() };
        let study = study::run_watched(&scenario, &options, &|share| {
            shares.lock().unwrap().push(share);
            GO_ON
        });
        assert_eq!(json::summary_text(&study.unwrap().unwrap()), plain);
        let shares = shares.into_inner().unwrap();
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
        // Steps within a run, not only from run to run.
        assert!(shares.iter().any(|share| *share > 0.0 && *share < 1.0 / 12.0 - 0.01));
        assert!(shares.iter().any(|share| *share > 0.999));
        assert!(jobs > 1 || shares.is_sorted());
    }
}

#[test]
fn a_study_that_is_stopped_in_a_run_keeps_the_replications_before_it() {
    let scenario = scenario(&format!("reps = 6\n{SMALL}"));
    let of_two = common::scenario(&format!("reps = 2\n{SMALL}"));
    let ended = AtomicU32::new(0);
    let slices = AtomicU64::new(0);
    let count = || {
        ended.fetch_add(1, Ordering::Relaxed);
    };
    let options = Options { jobs: Some(1), progress: &count };
    let study = study::run_watched(&scenario, &options, &|_| {
        // A few slices into the third run.
        let in_third = ended.load(Ordering::Relaxed) == 2;
        if in_third && slices.fetch_add(1, Ordering::Relaxed) == 3 { STOP } else { GO_ON }
    });
    let study = study.unwrap().unwrap();
    assert_eq!((study.reps, ended.into_inner(), slices.into_inner()), (2, 2, 4));
    let whole = study::run(&of_two, &Options::default()).unwrap();
    assert_eq!(format!("{:?}", study.policies), format!("{:?}", whole.policies));
}

#[test]
fn a_study_that_is_stopped_in_its_first_run_has_no_result() {
    let scenario = scenario(BUSY);
    let asked = AtomicU64::new(0);
    let study = study::run_watched(&scenario, &Options::default(), &|_| {
        if asked.fetch_add(1, Ordering::Relaxed) < 3 { GO_ON } else { STOP }
    });
    assert!(study.unwrap().is_none());
}
