//! Writes that must have seen the writes before them: exact answers, the simulator of the AWS
//! Architecture Blog ("Exponential Backoff And Jitter", 2015), and callers who go away.

mod common;

use common::{mean, run, scenario, study};
use herdsim::metrics::Metric;
use herdsim::study::PolicyResult;

/// Waits that grow as the blog's do: it counts attempts from 1 and waits 5 ms × 2^attempt.
const EXPONENTIAL: &str = "backoff = { exponential = { base = \"10ms\" } }, cap = \"2s\"";
const FULL: &str =
    "backoff = { exponential = { base = \"10ms\" } }, cap = \"2s\", jitter = \"full\"";
const EQUAL: &str =
    "backoff = { exponential = { base = \"10ms\" } }, cap = \"2s\", jitter = \"equal\"";
const DECORRELATED: &str = "backoff = { decorrelated = { base = \"5ms\" } }, cap = \"2s\"";
/// No wait; a caller that never waits must have a bound.
const NONE: &str = "backoff = { constant = \"0s\" }";

/// `n` clients that all write at the same instant.
fn contention(n: u32, network: &str, retry: &str, reps: u32) -> PolicyResult {
    let attempts = if retry == NONE { "1000" } else { "\"unlimited\"" };
    let text = format!(
        "seed = 3\nhorizon = \"20m\"\nreps = {reps}\nbin = \"1s\"\n\
         [[clients]]\nname = \"c\"\ncount = {n}\nload = {{ burst = \"0s\" }}\n\
         timeout = \"none\"\nretry = {{ max_attempts = {attempts}, {retry} }}\n\
         [server]\nworkers = 1\nservice_time = \"0s\"\nwrites = \"versioned\"\n\
         network = {network}\n"
    );
    study(&scenario(&text)).policies.remove(0)
}

#[test]
fn in_step_one_client_gets_through_per_round_and_all_others_conflict() {
    for (n, rounds_ms) in [(10, 400.0), (50, 2_000.0)] {
        let herd = contention(n, "\"10ms\"", NONE, 1);
        let calls = f64::from(n * (n + 1) / 2);
        assert_eq!(mean(&herd, Metric::Attempts), calls, "N(N + 1)/2");
        assert_eq!(mean(&herd, Metric::Errored), calls - f64::from(n));
        assert_eq!(mean(&herd, Metric::DrainS) * 1e3, rounds_ms, "4 N d");
    }
}

#[test]
fn exponential_waits_without_jitter_save_no_work_and_take_longer() {
    // 4 N d and the sum over k < N of min(2 s, 5 ms × 2^k).
    for (n, done_ms) in [(10, 4_950.0), (50, 86_550.0), (190, 372_150.0)] {
        let herd = contention(n, "\"10ms\"", EXPONENTIAL, 1);
        assert_eq!(mean(&herd, Metric::Attempts), f64::from(n * (n + 1) / 2));
        assert_eq!(mean(&herd, Metric::DrainS) * 1e3, done_ms);
    }
}

/// The network of the blog, one way.
const HOP: &str = "{ normal_abs = { mean = \"10ms\", sd = \"2ms\" } }";

/// Our mean over `reps` runs, with its standard error.
fn ours(policy: &PolicyResult, metric: Metric, scale: f64) -> (f64, f64) {
    let estimate = policy.overall.get(metric).unwrap();
    // 1.972 is the 97.5 % quantile of Student's t with 199 degrees of freedom.
    (estimate.mean * scale, (estimate.hi - estimate.lo) / 2.0 / 1.972 * scale)
}

/// The difference of two independent means is within 3.29 of its standard errors (99.9 %).
fn alike(what: &str, (value, error): (f64, f64), (other, other_error): (f64, f64)) {
    let allowed = 3.29 * (error * error + other_error * other_error).sqrt();
    assert!(error < 0.03 * value, "{what}: {value} ± {error} is too wide to say anything");
    assert!((value - other).abs() <= allowed, "{what}: {value}, not {other} ± {allowed}");
}

/// A mean and half the width of its 95 % interval.
type Known = (f64, f64);

/// Means over 200 runs (100 for 100 clients) of an independent program with half the width of
/// their 95 % intervals: clients, policy, write calls, completion in ms.
const REFERENCE: [(u32, &str, Known, Known); 7] = [
    (10, NONE, (51.0, 0.5824), (382.2777, 4.9339)),
    (50, NONE, (689.41, 2.5349), (1138.5110, 6.0326)),
    (50, FULL, (332.59, 0.7015), (2884.8127, 76.7439)),
    (50, DECORRELATED, (375.34, 1.7351), (2186.3798, 75.5083)),
    (100, NONE, (2422.81, 6.2646), (2027.6007, 8.3439)),
    (100, FULL, (795.83, 1.3320), (4920.4074, 94.3726)),
    (100, DECORRELATED, (1002.38, 5.5490), (4645.9985, 123.9992)),
];

#[test]
fn contention_over_a_random_network_is_that_of_an_independent_program() {
    for (n, retry, calls, done_ms) in REFERENCE {
        let herd = contention(n, HOP, retry, 200);
        let theirs = |(mean, half): Known| (mean, half / 1.972);
        let what = format!("{n} clients, {retry}");
        alike(&what, ours(&herd, Metric::Attempts, 1.0), theirs(calls));
        alike(&what, ours(&herd, Metric::DrainS, 1e3), theirs(done_ms));
    }
}

#[test]
fn a_hundred_clients_without_jitter_need_a_minute() {
    let herd = contention(100, HOP, EXPONENTIAL, 200);
    alike("calls", ours(&herd, Metric::Attempts, 1.0), (1855.22, 13.7393 / 1.984));
    alike("time", ours(&herd, Metric::DrainS, 1e3), (63330.6960, 869.9749 / 1.984));
}

/// What the blog's own program gives, mean of 100 trials, cut to whole numbers: clients, then
/// completion in ms and write calls for exponential, decorrelated, equal, full and no backoff.
const BLOG: [(u32, [(f64, f64); 5]); 3] = [
    (10, [(3462.0, 50.0), (435.0, 37.0), (746.0, 42.0), (459.0, 39.0), (381.0, 50.0)]),
    (20, [(14591.0, 150.0), (809.0, 100.0), (1613.0, 108.0), (997.0, 100.0), (600.0, 152.0)]),
    (50, [(36400.0, 624.0), (2276.0, 374.0), (4267.0, 348.0), (2847.0, 332.0), (1134.0, 688.0)]),
];

#[test]
fn the_table_of_the_blog_comes_out() {
    for (n, row) in BLOG {
        let policies = [EXPONENTIAL, DECORRELATED, EQUAL, FULL, NONE];
        for (retry, (done_ms, calls)) in policies.into_iter().zip(row) {
            let herd = contention(n, HOP, retry, 200);
            for (metric, scale, cut) in
                [(Metric::Attempts, 1.0, calls), (Metric::DrainS, 1e3, done_ms)]
            {
                let found = ours(&herd, metric, scale);
                // Half as many trials as ours; the whole number stands for what is cut off too.
                let error = found.1 * 2f64.sqrt();
                let nearest = found.0.clamp(cut, cut + 1.0);
                alike(&format!("{n} clients, {retry}, {metric}"), found, (nearest, error));
            }
        }
    }
}

#[test]
fn what_the_jitters_cost_against_each_other_is_what_the_blog_shows() {
    let ratio = |n: u32, (retry, other): (&str, &str), metric| {
        let [one, two] = [retry, other].map(|retry| {
            let found = ours(&contention(n, HOP, retry, 200), metric, 1.0);
            (found.0, found.1 / found.0)
        });
        let error = one.0 / two.0 * (one.1 * one.1 + two.1 * two.1).sqrt();
        (one.0 / two.0, error)
    };
    // Decorrelated jitter makes more calls than full jitter, the more so the more clients.
    for (n, more) in [(50, 1.13), (100, 1.26), (190, 1.37)] {
        let (found, error) = ratio(n, (DECORRELATED, FULL), Metric::Attempts);
        // Both programs err, and the published ratio is rounded.
        let allowed = 3.29 * error * 3f64.sqrt() + 0.005;
        assert!((found - more).abs() <= allowed, "{n} clients: {found}, not {more} ± {allowed}");
    }
    // Equal jitter makes as many calls as full jitter and takes about 35 % longer.
    let (calls, _) = ratio(100, (EQUAL, FULL), Metric::Attempts);
    assert!((1.0..1.05).contains(&calls), "{calls}");
    let (time, error) = ratio(100, (EQUAL, FULL), Metric::DrainS);
    assert!((time - 1.35).abs() <= 3.29 * error * 3f64.sqrt() + 0.005, "{time} ± {error}");
}

#[test]
fn two_clients_practically_always_conflict_once() {
    // The second reads after the first has written with a probability of 5.7e-7.
    let herd = contention(2, HOP, NONE, 500);
    assert_eq!(mean(&herd, Metric::Attempts), 3.0);
}

/// Groups of one client each, 10 ms from a service with versions.
fn few(clients: &[(&str, &str)], server: &str) -> PolicyResult {
    let groups = clients.iter().enumerate().map(|(index, (at, timeout))| {
        format!(
            "[[clients]]\nname = \"c{index}\"\ncount = 1\nload = {{ burst = \"{at}\" }}\n\
             timeout = \"{timeout}\"\nretry = \"none\"\n"
        )
    });
    run(&format!(
        "seed = 1\nhorizon = \"2s\"\nscramble_ties = false\n{}\
         [server]\nworkers = 2\nnetwork = \"10ms\"\nwrites = \"versioned\"\n{server}\n",
        groups.collect::<String>()
    ))
}

/// Attempts served, wasted among them, errored and lost.
fn fates(policy: &PolicyResult) -> [f64; 4] {
    [Metric::Served, Metric::Wasted, Metric::Errored, Metric::Lost]
        .map(|metric| mean(policy, metric))
}

const AT_ONCE: &str = "service_time = \"0s\"";

#[test]
fn a_caller_who_has_gone_while_it_read_does_not_write() {
    // The first reads at 10 ms and has gone when the version comes back at 20 ms; the second
    // reads at 10 ms too and would meet a conflict if the first had written.
    for gone in ["5ms", "15ms", "19ms"] {
        let policy = few(&[("0s", gone), ("0s", "none")], AT_ONCE);
        assert_eq!(fates(&policy), [1.0, 0.0, 0.0, 1.0], "gone after {gone}");
        assert_eq!(mean(&policy, Metric::Succeeded), 1.0);
    }
    // The version that comes at the very moment of the timeout is in time to write.
    let policy = few(&[("0s", "20ms"), ("0s", "none")], AT_ONCE);
    assert_eq!(fates(&policy), [1.0, 1.0, 1.0, 0.0]);
}

#[test]
fn a_write_that_set_out_counts_whether_or_not_its_caller_waits() {
    // The first is written at 30 ms for a caller who left at 25 ms; the second read at 15 ms.
    let policy = few(&[("0s", "25ms"), ("5ms", "none")], AT_ONCE);
    assert_eq!(fates(&policy), [1.0, 1.0, 1.0, 0.0]);
    assert_eq!(mean(&policy, Metric::ErrorLatencyMaxMs), 40.0);
}

#[test]
fn a_conflict_is_found_when_the_work_is_done() {
    // Both are worked on from 30 to 80 ms, the second in vain.
    for discipline in ["fifo", "ps"] {
        let server = format!("service_time = \"50ms\"\ndiscipline = \"{discipline}\"");
        let policy = few(&[("0s", "none"), ("0s", "none")], &server);
        assert_eq!(fates(&policy), [1.0, 0.0, 1.0, 0.0], "{discipline}");
        assert_eq!(mean(&policy, Metric::LatencyMaxMs), 90.0, "{discipline}");
        assert_eq!(mean(&policy, Metric::ErrorLatencyMaxMs), 90.0, "{discipline}");
    }
}

#[test]
fn a_service_that_is_down_turns_the_read_away() {
    let outage = |mode: &str, times: &str| {
        let fault = format!("[[faults]]\nkind = \"outage\"\nmode = \"{mode}\"\n{times}");
        few(&[("0s", "none")], &format!("{AT_ONCE}\n{fault}"))
    };
    let whole = "at = \"0s\"\nfor = \"1s\"";
    let rejected = outage("reject", whole);
    assert_eq!(fates(&rejected), [0.0, 0.0, 1.0, 0.0]);
    assert_eq!(mean(&rejected, Metric::ErrorLatencyMaxMs), 20.0, "no write");
    assert_eq!(fates(&outage("blackhole", whole)), [0.0, 0.0, 0.0, 1.0]);
    // The read is answered, the write waits for the end of the pause.
    assert_eq!(mean(&outage("pause", whole), Metric::LatencyMaxMs), 1_010.0);
    // Up when it reads, down when it writes.
    let between = outage("reject", "at = \"25ms\"\nfor = \"1s\"");
    assert_eq!(mean(&between, Metric::ErrorLatencyMaxMs), 40.0);
}

#[test]
fn added_latency_meets_the_read_and_the_write() {
    let fault = "[[faults]]\nkind = \"latency\"\nadd = \"100ms\"\nat = \"0s\"\nfor = \"1s\"";
    let policy = few(&[("0s", "none")], &format!("{AT_ONCE}\n{fault}"));
    assert_eq!(mean(&policy, Metric::LatencyMaxMs), 240.0);
}

#[test]
fn a_version_outlives_a_crash() {
    // The first writes at 30 ms; the second arrives then too and fells the service, which is back
    // at 31 ms. The third has read before all that and writes at 35 ms: a conflict.
    let crash = "crash = { when = \"load > 1/s\", restart = \"1ms\" }";
    let clients = [("0s", "none"), ("0s", "none"), ("5ms", "none")];
    let policy = few(&clients, &format!("{AT_ONCE}\n{crash}"));
    assert_eq!(fates(&policy), [1.0, 0.0, 2.0, 0.0]);
    assert_eq!(mean(&policy, Metric::Relapses), 1.0);
}

#[test]
fn a_conflict_makes_no_call_downstream() {
    let text = "seed = 1\nhorizon = \"2s\"\n\
        [[clients]]\nname = \"c\"\ncount = 5\ntarget = \"front\"\n\
        load = { burst = \"0s\" }\ntimeout = \"none\"\nretry = \"none\"\n\
        [[services]]\nname = \"front\"\nworkers = 9\nservice_time = \"1ms\"\n\
        network = \"1ms\"\nwrites = \"versioned\"\n\
        calls = [{ to = \"back\", timeout = \"none\", retry = \"none\" }]\n\
        [[services]]\nname = \"back\"\nworkers = 9\nservice_time = \"1ms\"\n";
    let policy = run(text);
    let attempts = |service: usize| policy.services[service].1.get(Metric::Attempts).unwrap().mean;
    assert_eq!((attempts(0), attempts(1)), (5.0, 1.0));
    assert_eq!(mean(&policy, Metric::Errored), 4.0);
}
