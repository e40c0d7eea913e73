//! Deterministic traces, worked out by hand, event by event.

mod common;

use common::{mean, run, trace};
use herdsim::metrics::Metric;

/// A scenario whose clients come in the order of their numbers.
fn text(rest: &str) -> String {
    format!("seed = 1\nhorizon = \"60s\"\nscramble_ties = false\n{rest}")
}

fn herd(count: u32, retry: &str, server: &str) -> String {
    text(&format!(
        "[[clients]]\nname = \"c\"\ncount = {count}\nload = {{ burst = \"0s\" }}\n\
         timeout = \"none\"\nretry = {{ {retry} }}\n[server]\n{server}\n"
    ))
}

fn expect(text: &str, lines: &str) {
    let wanted: Vec<String> = lines.lines().map(|line| line.trim().to_string()).collect();
    assert_eq!(trace(text), wanted);
}

#[test]
fn three_clients_take_turns_when_completions_come_before_arrivals() {
    let scenario = herd(
        3,
        "max_attempts = \"unlimited\", backoff = { constant = \"1s\" }",
        "workers = 1\nservice_time = \"1s\"\nqueue = { capacity = 0 }",
    );
    expect(
        &scenario,
        "0 c0 attempt 1 accepted
         0 c1 attempt 1 rejected
         0 c2 attempt 1 rejected
         1 c0 attempt 1 success
         1 c1 attempt 2 accepted
         1 c2 attempt 2 rejected
         2 c1 attempt 2 success
         2 c2 attempt 3 accepted
         3 c2 attempt 3 success",
    );
}

const LADDER: &str = "backoff = { exponential = { base = \"1s\", factor = 2 } }, cap = \"4s\"";
const FAULT: &str = "[[faults]]\nkind = \"outage\"\nat = \"0s\"\nfor = \"5s\"\n";
const PAIR: &str = "workers = 2\nservice_time = \"500ms\"\nqueue = { capacity = 0 }";

#[test]
fn a_ladder_of_waits_leads_two_and_two_out_of_an_outage() {
    let scenario = herd(4, &format!("max_attempts = \"unlimited\", {LADDER}"), PAIR) + FAULT;
    let rounds = [0, 1, 3].into_iter().enumerate().flat_map(|(round, time)| {
        (0..4).map(move |c| format!("{time} c{c} attempt {} rejected", round + 1))
    });
    let rest = "7 c0 attempt 4 accepted
         7 c1 attempt 4 accepted
         7 c2 attempt 4 rejected
         7 c3 attempt 4 rejected
         7.5 c0 attempt 4 success
         7.5 c1 attempt 4 success
         11 c2 attempt 5 accepted
         11 c3 attempt 5 accepted
         11.5 c2 attempt 5 success
         11.5 c3 attempt 5 success";
    let rounds: Vec<String> = rounds.collect();
    expect(&scenario, &format!("{}\n{rest}", rounds.join("\n")));
    let result = run(&scenario);
    assert_eq!(mean(&result, Metric::Attempts), 18.0);
    assert_eq!(mean(&result, Metric::Succeeded), 4.0);
    assert_eq!(mean(&result, Metric::DrainS), 11.5);
}

#[test]
fn three_attempts_are_not_enough_for_that_outage() {
    let scenario = herd(4, &format!("max_attempts = 3, {LADDER}"), PAIR) + FAULT;
    let result = run(&scenario);
    assert_eq!(mean(&result, Metric::Attempts), 12.0);
    assert_eq!(mean(&result, Metric::Succeeded), 0.0);
    assert_eq!(mean(&result, Metric::Failed), 4.0);
    let gave_up: Vec<String> =
        trace(&scenario).into_iter().filter(|line| line.contains("gives up")).collect();
    assert_eq!(gave_up, ["3 c0 gives up", "3 c1 gives up", "3 c2 gives up", "3 c3 gives up"]);
    assert_eq!(trace(&scenario).len(), 16);
}

/// Three clients that come half a second apart and wait three seconds for two seconds of work.
fn impatient(stale_work: &str) -> String {
    let client = |name: u32, at: &str| {
        format!(
            "[[clients]]\nname = \"c{name}\"\ncount = 1\nload = {{ burst = \"{at}\" }}\n\
             timeout = \"3s\"\nretry = {{ max_attempts = 2, backoff = {{ constant = \"0s\" }} }}\n"
        )
    };
    let clients = [client(0, "0s"), client(1, "500ms"), client(2, "1s")].concat();
    let server = format!(
        "[server]\nworkers = 1\nservice_time = \"2s\"\nqueue = {{ capacity = 99 }}\n\
         stale_work = \"{stale_work}\"\n"
    );
    text(&(clients + &server))
}

#[test]
fn a_server_that_does_not_look_works_ten_seconds_for_one_success() {
    expect(
        &impatient("served"),
        "0 c0 attempt 1 accepted
         0.5 c1 attempt 1 accepted
         1 c2 attempt 1 accepted
         2 c0 attempt 1 success
         3.5 c1 attempt 1 timed out
         3.5 c1 attempt 2 accepted
         4 c1 attempt 1 finished late (wasted)
         4 c2 attempt 1 timed out
         4 c2 attempt 2 accepted
         6 c2 attempt 1 finished late (wasted)
         6.5 c1 attempt 2 timed out
         6.5 c1 gives up
         7 c2 attempt 2 timed out
         7 c2 gives up
         8 c1 attempt 2 finished late (wasted)
         10 c2 attempt 2 finished late (wasted)",
    );
    let result = run(&impatient("served"));
    assert_eq!(mean(&result, Metric::Served), 5.0, "ten seconds of work, two for each attempt");
    assert_eq!(mean(&result, Metric::Wasted), 4.0);
}

#[test]
fn a_server_that_looks_serves_two() {
    expect(
        &impatient("dropped"),
        "0 c0 attempt 1 accepted
         0.5 c1 attempt 1 accepted
         1 c2 attempt 1 accepted
         2 c0 attempt 1 success
         3.5 c1 attempt 1 timed out
         3.5 c1 attempt 2 accepted
         4 c2 attempt 1 timed out
         4 c2 attempt 2 accepted
         6 c1 attempt 2 success
         7 c2 attempt 2 timed out
         7 c2 gives up",
    );
    let result = run(&impatient("dropped"));
    assert_eq!(mean(&result, Metric::Lost), 3.0);
    // Busy for 7 of the 60 seconds: nobody works for those who have gone.
    let busy = mean(&result, Metric::InSystemMean) - mean(&result, Metric::QueueMean);
    assert!((busy * 60.0 - 7.0).abs() < 1e-9, "{}", busy * 60.0);
}

#[test]
fn a_herd_of_ten_needs_three_rounds_where_four_find_a_place() {
    let scenario = herd(
        10,
        "max_attempts = \"unlimited\", backoff = { constant = \"10s\" }",
        "workers = 2\nservice_time = \"1s\"\nqueue = { capacity = 2 }",
    );
    let lines = trace(&scenario);
    assert_eq!(lines.len(), 28);
    assert_eq!(lines[0], "0 c0 attempt 1 accepted");
    assert_eq!(lines[13], "2 c3 attempt 1 success");
    assert_eq!(lines[18], "10 c8 attempt 2 rejected");
    assert_eq!(lines[27], "21 c9 attempt 3 success");
    let result = run(&scenario);
    assert_eq!(mean(&result, Metric::Attempts), 18.0);
    assert_eq!(mean(&result, Metric::Served), 10.0);
    assert_eq!(mean(&result, Metric::DrainS), 21.0);
}

#[test]
fn departures_a_nanosecond_after_arrivals_turn_six_attempts_into_nine() {
    // The order of ties is a rule of the engine that no scenario can change; work that is one
    // nanosecond longer than the wait shows what the other order would cost.
    let retry = "max_attempts = \"unlimited\", backoff = { constant = \"1s\" }";
    let with = |work: &str| {
        run(&herd(
            3,
            retry,
            &format!("workers = 1\nservice_time = \"{work}\"\nqueue = {{ capacity = 0 }}"),
        ))
    };
    assert_eq!(mean(&with("1s"), Metric::Attempts), 6.0);
    assert_eq!(mean(&with("1s1ns"), Metric::Attempts), 9.0);
    assert_eq!(mean(&with("1s"), Metric::DrainS), 3.0);
    assert_eq!(mean(&with("1s1ns"), Metric::DrainS), 5.000000001);
}

#[test]
fn in_a_queue_of_retries_only_the_first_waits_and_whoever_ends_leaves_it() {
    // Calls of one client at 0, 0.5, 0.8 and 2.1 s to a service that is down; each may take 1.7 s.
    let calls = ["0s", "500ms", "800ms", "2100ms"].map(|at| format!("{{ burst = \"{at}\" }}"));
    let scenario = text(&format!(
        "[[clients]]\nname = \"c\"\ncount = 1\nload = [{}]\ntimeout = \"none\"\n\
         deadline = {{ for = \"1700ms\" }}\nsharing = {{ retry_queue = \"client\" }}\n\
         retry = {{ max_attempts = \"unlimited\", backoff = {{ constant = \"1s\" }} }}\n\
         [server]\nworkers = 1\nservice_time = \"1s\"\n\
         [[faults]]\nkind = \"outage\"\nat = \"0s\"\nfor = \"50s\"\n",
        calls.join(", ")
    ));
    // The first call tries again at 1 s, the second at 2 s. The third is then the first of the
    // queue and ends at 2.5 s; behind it only the fourth still waits, for a second from then on.
    expect(
        &scenario,
        "0 c0 attempt 1 rejected
         0.5 c0 attempt 1 rejected
         0.8 c0 attempt 1 rejected
         1 c0 attempt 2 rejected
         1.7 c0 gives up
         2 c0 attempt 2 rejected
         2.1 c0 attempt 1 rejected
         2.2 c0 gives up
         2.5 c0 gives up
         3.5 c0 attempt 2 rejected
         3.8 c0 gives up",
    );
}

#[test]
fn a_service_that_breaks_down_stops_in_the_middle_and_is_repaired_at_the_end() {
    // Down in 3 … 5 s, 8 … 10 s and, as the fault ends at 14 s, 13 … 14 s.
    let with = |mode: &str| {
        text(&format!(
            "[[clients]]\nname = \"c\"\ncount = 1\n\
             load = {{ periodic = \"2s\", phase = \"same\" }}\n\
             timeout = \"none\"\nretry = \"none\"\n[server]\nworkers = 1\n\
             service_time = \"1500ms\"\n[[faults]]\nkind = \"breakdowns\"\nmode = \"{mode}\"\n\
             at = \"0s\"\nfor = \"14s\"\nevery = \"3s\"\nrepair = \"2s\"\n"
        ))
    };
    let until = |mode: &str| -> Vec<String> {
        let time = |line: &String| line.split(' ').next().unwrap().parse::<f64>().unwrap();
        trace(&with(mode)).into_iter().filter(|line| time(line) < 16.0).collect()
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
