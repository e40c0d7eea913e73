//! Where a run begins: settled systems, full services and empty budgets, against what is known
//! exactly.

mod common;

use common::runs::system;
use common::{by_hand, mean, run, scenario, trace};
use herdsim::metrics::{Metric, Outcome};
use herdsim::rng::Seed;
use herdsim::sim::simulate;

#[test]
fn closed_clients_drain_after_an_outage_in_the_time_that_the_chain_predicts() {
    // 200 clients that think for 5 s, five workers of 10/s, paused for 10 s from a stationary
    // state: from the repair on until at most 6 are at the service, that is 1 is queued (linear
    // system of the birth-death chain).
    let text = "seed = 6\nhorizon = \"100s\"\nbin = \"1s\"\n\
        start = { state = \"stationary\", settle = \"40s\" }\nmeasure = { first_below = 1 }\n\
        [[clients]]\nname = \"c\"\ncount = 200\n\
        load = { closed = { think = { exponential = \"5s\" } } }\n\
        timeout = \"none\"\nretry = \"none\"\n[server]\n\
        workers = 5\nservice_time = { exponential = \"100ms\" }\n\
        [[faults]]\nkind = \"outage\"\nmode = \"pause\"\nat = \"0s\"\nfor = \"10s\"\n";
    let runs = system("closed drain", 300, text);
    runs.whole(Metric::FirstBelowS, 6.784_404_627, 0.1);
}

#[test]
fn a_backlog_drains_in_the_time_that_a_busy_period_predicts() {
    // M/M/1: from 41 at the service to 1, where nobody is queued any more, each takes 1 ÷ (1 − λ).
    let text = "seed = 3\nhorizon = \"2000s\"\nbin = \"1s\"\n\
        start = { state = \"saturated\", backlog = 40 }\n\
        [[clients]]\nname = \"c\"\ncount = 1\nload = { poisson = \"0.5/s\" }\n\
        timeout = \"none\"\nretry = \"none\"\n\
        [server]\nworkers = 1\nservice_time = { exponential = \"1s\" }\n";
    let runs = system("backlog", 400, text);
    runs.whole(Metric::FirstBelowS, 40.0 / 0.5, 0.1);
}

#[test]
fn a_queue_grows_beyond_a_bound_in_the_time_that_the_chain_predicts() {
    // M/M/1 from empty until 11 are at the service, that is 10 are queued: with λ = μ = 1 the way
    // up from k takes k + 1, so that it is 1 + 2 + … + 11 in all.
    let text = "seed = 4\nhorizon = \"4000s\"\nbin = \"1s\"\nmeasure = { first_above = 9 }\n\
        [[clients]]\nname = \"c\"\ncount = 1\nload = { poisson = \"1/s\" }\n\
        timeout = \"none\"\nretry = \"none\"\n\
        [server]\nworkers = 1\nservice_time = { exponential = \"1s\" }\n";
    let runs = system("growth", 400, text);
    runs.whole(Metric::FirstAboveS, 66.0, 0.2);
}

/// Ten workers of 10/s, 390 places, patience of 2 s and three attempts: two states are possible
/// where the calls are between 34.41 and 96.76 % of the capacity (in the limit of slow retries).
fn two_states(load: f64, start: &str, retry: &str, rest: &str) -> String {
    format!(
        "seed = 5\nreps = 6\nhorizon = \"2800s\"\nbin = \"1s\"\nstart = {{ {start} }}\n\
         [[clients]]\nname = \"web\"\ncount = 1000\n\
         load = {{ poisson = \"{}/s\", of = \"group\" }}\n\
         timeout = \"2s\"\nretry = {{ max_attempts = 3, jitter = \"memoryless\", {retry} }}\n\
         sharing = {{ budget = \"fleet\" }}\n[server]\nworkers = 10\n\
         service_time = {{ exponential = \"100ms\" }}\nqueue = {{ capacity = 390 }}\n{rest}",
        load * 100.0
    )
}

#[test]
fn a_saturated_system_comes_back_below_the_fold_and_not_above() {
    // Retries wait for 20 s on average; a pause of 400 s fills the queue with work for nobody and
    // lets as many calls wait to retry as do in the bad state.
    let pause = "[[faults]]\nkind = \"outage\"\nmode = \"pause\"\nat = \"0s\"\nfor = \"400s\"\n";
    let slow = "backoff = { constant = \"20s\" }";
    for (load, back) in [(0.34, 6), (0.36, 0)] {
        let policy = run(&two_states(load, "state = \"saturated\"", slow, pause));
        assert_eq!(policy.recovered.map(|found| (found.k, found.n)), Some((back, 6)), "{load}");
    }
}

#[test]
fn a_quota_that_begins_empty_lets_a_saturated_system_come_back_near_its_capacity() {
    let quota = "backoff = { constant = \"100s\" }, budget = \"aws-quota\"";
    for load in [0.75, 0.95] {
        let start = "state = \"saturated\", quota = \"empty\"";
        let policy = run(&two_states(load, start, quota, ""));
        assert_eq!(policy.recovered.map(|found| (found.k, found.n)), Some((6, 6)), "{load}");
        assert_eq!(mean(&policy, Metric::QuotaMin), 0.0);
        assert_eq!(policy.verdict.word, "recovers");
        assert!(policy.verdict.text.contains("after the run begins"), "{}", policy.verdict.text);
        let took = policy.recovery.and_then(|recovery| recovery.p50).unwrap();
        // As long as the 390 in the queue take at full speed, at least.
        assert!(took >= 4.0, "{took}");
    }
}

/// One worker with two seconds of work for an attempt, two places, and a call at 0.5 s.
fn full(rest: &str) -> String {
    format!(
        "seed = 1\nhorizon = \"60s\"\nscramble_ties = false\n{rest}\n\
         [[clients]]\nname = \"c\"\ncount = 1\nload = {{ burst = \"500ms\" }}\ntimeout = \"none\"\n\
         retry = {{ max_attempts = 9, backoff = {{ constant = \"1s\" }} }}\n\
         [server]\nworkers = 1\nservice_time = \"2s\"\nqueue = {{ capacity = 2 }}\n"
    )
}

#[test]
fn whoever_comes_to_a_full_service_finds_no_place_until_work_for_nobody_is_done() {
    let text = full("start = { state = \"saturated\" }");
    let lines = by_hand(&trace(&scenario(&text)));
    let told = [
        "0.5 c0 attempt 1 rejected",
        "1.5 c0 attempt 2 rejected",
        "2.5 c0 attempt 3 accepted",
        "8 c0 attempt 3 success",
    ];
    assert_eq!(lines, told);
    let policy = run(&text);
    let of = |metric| mean(&policy, metric);
    assert_eq!((of(Metric::Attempts), of(Metric::Served), of(Metric::Wasted)), (6.0, 4.0, 3.0));
    assert_eq!((of(Metric::Rejected), of(Metric::AmplificationTotal)), (2.0, 3.0));
    let of_clients = policy.clients[0].1.get(Metric::Attempts).unwrap().mean;
    assert_eq!(of_clients, 3.0);
    // What was there from the start is no load.
    let loads = (0..600).map(|bin| policy.first.timeline.services[0].load(bin));
    assert_eq!(loads.sum::<u64>(), 3);
    // The call itself is the last in the queue, until 6 s.
    assert_eq!(of(Metric::FirstBelowS), 6.0);
}

#[test]
fn a_full_start_has_as_many_attempts_as_are_kept() {
    let attempts = |start: &str, stale: &str| {
        let text = full(&format!("start = {{ state = \"saturated\"{start} }}"));
        mean(&run(&(text + &format!("stale_work = \"{stale}\"\n"))), Metric::Wasted)
    };
    assert_eq!(attempts("", "served"), 3.0);
    assert_eq!(attempts(", backlog = 1", "served"), 2.0);
    assert_eq!(attempts(", backlog = 9", "served"), 3.0);
    assert_eq!(attempts("", "dropped-queued"), 1.0);
    assert_eq!(attempts("", "dropped"), 0.0);
}

/// A queue that is settled for some time before 20 s are measured.
fn settled(settle: &str) -> herdsim::metrics::RunResult {
    let text = format!(
        "seed = 9\nhorizon = \"20s\"\nbin = \"1s\"\n\
         start = {{ state = \"stationary\", settle = \"{settle}\" }}\n[[clients]]\nname = \"c\"\n\
         count = 3\nload = [{{ periodic = \"7s\", phase = \"same\" }}, {{ burst = \"0s\" }}]\n\
         timeout = \"none\"\nretry = \"none\"\n[server]\nworkers = 9\nservice_time = \"3s\"\n\
         limit = {{ count = 4, per = \"6s\" }}\n"
    );
    simulate(&scenario(&text).policies[0], Seed::new(9), false)
}

#[test]
fn times_after_settling_read_as_in_the_file() {
    // Periodic calls at 0, 7 and 14 s and a burst at zero: the window of the limit that begins
    // at zero lets four of those six in. Before zero, only the call at -7 s has any place.
    for settle in ["7s", "8s", "9999ms"] {
        let run = settled(settle);
        let series = &run.timeline.services[0];
        let load: Vec<u64> = (0..20).map(|bin| series.load(bin)).collect();
        let wanted = |bin: usize| match bin {
            0 => 6,
            7 | 14 => 3,
            _ => 0,
        };
        assert_eq!(load, (0..20).map(wanted).collect::<Vec<u64>>(), "{settle}");
        assert_eq!(series.arrivals[Outcome::Rejected as usize][0], 2, "{settle}");
        assert_eq!(run.overall.get(Metric::LatencyMaxMs), Some(3000.0));
    }
}

#[test]
fn calls_that_are_open_at_time_zero_are_counted_with_their_true_latency() {
    // The calls of -2 s are under way at zero and end at 1 s.
    let text = "seed = 9\nhorizon = \"4s\"\n\
        start = { state = \"stationary\", settle = \"2s\" }\n[[clients]]\nname = \"c\"\n\
        count = 3\nload = { periodic = \"50s\", phase = \"same\" }\n\
        timeout = \"none\"\nretry = \"none\"\n[server]\nworkers = 2\nservice_time = \"1500ms\"\n";
    let with = text.replace("50s", "2s");
    let run = simulate(&scenario(&with).policies[0], Seed::new(9), false);
    // At -2 s three calls come: two end at -0.5 s, the third is worked on until 1 s, and has
    // taken 3 s by then. Those of 0 s find one worker free.
    assert_eq!(run.overall.get(Metric::LatencyMaxMs).map(|ms| ms >= 3000.0), Some(true));
    assert_eq!(run.timeline.calls[0], 4);
    assert_eq!(run.timeline.succeeded[10], 1);
    let run = simulate(&scenario(text).policies[0], Seed::new(9), false);
    assert_eq!(run.overall.get(Metric::Calls), Some(3.0));
}
