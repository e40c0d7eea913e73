//! Deterministic traces, worked out by hand, event by event: `--trace` must write them.
//!
//! Each has a scenario and the list of its events in tests/fixtures/traces.

mod common;

use common::{by_hand, mean, study, trace};
use herdsim::metrics::Metric;
use herdsim::scenario::{Options, Scenario, read};
use herdsim::study::PolicyResult;

const FOLDER: &str = "tests/fixtures/traces";

fn fixture(name: &str) -> Scenario {
    let path = format!("{FOLDER}/{name}.toml");
    read(&path, &Options::default()).unwrap_or_else(|e| panic!("{}", e.render(false))).scenario
}

/// The events that must happen.
fn wanted(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(format!("{FOLDER}/{name}.events")).unwrap();
    text.lines().map(str::to_string).collect()
}

/// Holds a trace to its list, and gives the results of the run.
fn holds(name: &str) -> PolicyResult {
    let scenario = fixture(name);
    assert_eq!(by_hand(&trace(&scenario)), wanted(name), "{name}");
    study(&scenario).policies.remove(0)
}

/// Holds a run to its numbers: attempts, calls that succeed, calls that give up.
fn counts(result: &PolicyResult, attempts: f64, succeeded: f64, failed: f64) {
    assert_eq!(mean(result, Metric::Attempts), attempts);
    assert_eq!(mean(result, Metric::Succeeded), succeeded);
    assert_eq!(mean(result, Metric::Failed), failed);
}

/// Seconds of work that the server of one of these runs of 60 s has done.
fn work(result: &PolicyResult) -> f64 {
    60.0 * (mean(result, Metric::InSystemMean) - mean(result, Metric::QueueMean))
}

#[test]
fn three_clients_take_turns_when_completions_come_before_arrivals() {
    let result = holds("t1");
    counts(&result, 6.0, 3.0, 0.0);
    assert_eq!(mean(&result, Metric::DrainS), 3.0);
    assert!((work(&result) - 3.0).abs() < 1e-9);
}

#[test]
fn arrivals_a_nanosecond_before_departures_turn_six_attempts_into_nine() {
    // The order of ties is a rule of the engine that no scenario can change; work that is one
    // nanosecond longer than the wait shows what the other order would cost.
    let scenario = fixture("t1b");
    let without_nanosecond = |line: String| line.replacen(".000000001", "", 1);
    let found: Vec<String> =
        by_hand(&trace(&scenario)).into_iter().map(without_nanosecond).collect();
    assert_eq!(found, wanted("t1b"));
    let result = study(&scenario).policies.remove(0);
    counts(&result, 9.0, 3.0, 0.0);
    assert_eq!(mean(&result, Metric::DrainS), 5.000000001);
}

#[test]
fn a_ladder_of_waits_leads_two_and_two_out_of_an_outage() {
    let result = holds("t2");
    counts(&result, 18.0, 4.0, 0.0);
    assert_eq!(mean(&result, Metric::DrainS), 11.5);
    assert!((work(&result) - 2.0).abs() < 1e-9);
}

#[test]
fn three_attempts_are_not_enough_for_that_outage() {
    let result = holds("t3");
    counts(&result, 12.0, 0.0, 4.0);
    assert_eq!(work(&result), 0.0);
}

#[test]
fn a_server_that_does_not_look_works_ten_seconds_for_one_success() {
    let result = holds("t4");
    counts(&result, 5.0, 1.0, 2.0);
    assert_eq!(mean(&result, Metric::Wasted), 4.0);
    assert!((work(&result) - 10.0).abs() < 1e-9);
}

#[test]
fn a_server_that_looks_works_seven_seconds_for_two() {
    let result = holds("t5");
    counts(&result, 5.0, 2.0, 1.0);
    assert_eq!(mean(&result, Metric::Lost), 3.0);
    // Nobody works for those who have gone.
    assert!((work(&result) - 7.0).abs() < 1e-9, "{}", work(&result));
}

#[test]
fn a_herd_of_ten_needs_three_rounds_where_four_find_a_place() {
    let result = holds("t6");
    counts(&result, 18.0, 10.0, 0.0);
    assert_eq!(mean(&result, Metric::DrainS), 21.0);
    assert!((work(&result) - 10.0).abs() < 1e-9);
}

#[test]
fn in_a_queue_of_retries_only_the_first_waits_and_whoever_ends_leaves_it() {
    // The first call tries again at 1 s, the second at 2 s. The third is then the first of the
    // queue and ends at 2.5 s; behind it only the fourth still waits, for a second from then on.
    counts(&holds("queue"), 7.0, 0.0, 4.0);
}

#[test]
fn a_service_that_breaks_down_stops_in_the_middle_and_is_repaired_at_the_end() {
    // Down in 3 … 5 s, 8 … 10 s and, as the fault ends at 14 s, 13 … 14 s.
    let with = |mode: &str| {
        common::scenario(&format!(
            "seed = 1\nhorizon = \"60s\"\nscramble_ties = false\n\
             [[clients]]\nname = \"c\"\ncount = 1\n\
             load = {{ periodic = \"2s\", phase = \"same\" }}\n\
             timeout = \"none\"\nretry = \"none\"\n[server]\nworkers = 1\n\
             service_time = \"1500ms\"\n[[faults]]\nkind = \"breakdowns\"\nmode = \"{mode}\"\n\
             at = \"0s\"\nfor = \"14s\"\nevery = \"3s\"\nrepair = \"2s\"\n"
        ))
    };
    let until = |mode: &str| -> Vec<String> {
        let time = |line: &String| line.split(' ').next().unwrap().parse::<f64>().unwrap();
        by_hand(&trace(&with(mode))).into_iter().filter(|line| time(line) < 16.0).collect()
    };
    let done = |mode| -> Vec<String> {
        let told = |line: &String| line.contains("success") || line.contains("rejected");
        until(mode).into_iter().filter(told).collect()
    };
    let paused = [1.5, 5.5, 7.0, 10.5, 12.0, 14.5, 16.0];
    let lines = paused.map(|time| format!("{time} c0 attempt 1 success"));
    assert_eq!(done("pause"), lines[..6]);
    assert_eq!(
        done("reject"),
        [
            "1.5 c0 attempt 1 success",
            "4 c0 attempt 1 rejected",
            "5.5 c0 attempt 1 success",
            "7.5 c0 attempt 1 success",
            "8 c0 attempt 1 rejected",
            "11.5 c0 attempt 1 success",
            "14.5 c0 attempt 1 success",
        ]
    );
}
