//! Queues with impatient callers, with retries and with breakdowns, whose means are known exactly.

mod common;

use common::runs::{Runs, chain, close, mean, of_service, runs};
use herdsim::metrics::Metric;

/// Exponential work of one second.
const WORK: &str = "service_time = { exponential = \"1s\" }";

/// A bounded queue whose calls are made again at a rate, unless they give up.
fn retrial(name: &'static str, load: f64, keys: &str, wait: &str, give_up: f64) -> Runs {
    let rest = format!(
        "timeout = \"none\"\nretry = {{ max_attempts = \"unlimited\", jitter = \"memoryless\", \
         backoff = {{ constant = \"{wait}\" }}, give_up = {give_up} }}\n\
         [server]\n{WORK}\n{keys}\n"
    );
    runs(name, 30, "6400s", &format!("poisson = \"{load}/s\""), &rest)
}

/// What a retrial queue with calls that give up is known by (level-dependent quasi-birth-death
/// process, checked by a sparse linear system): calls waiting to retry, calls lost, attempts a
/// call.
fn gives_up(runs: &Runs, orbit: f64, lost: f64, attempts: f64) {
    runs.whole(Metric::OrbitMean, orbit, 0.05);
    runs.whole(Metric::AmplificationTotal, attempts, 0.03);
    runs.agree("lost", lost, 0.05, |run| {
        let of = |metric| run.overall.get(metric).unwrap();
        of(Metric::Failed) / (of(Metric::Failed) + of(Metric::Succeeded))
    });
}

#[test]
fn calls_that_give_up_with_some_probability() {
    let keys = "workers = 10\nqueue = { capacity = 10 }";
    let runs = retrial("M/M/10/20 persistence 0.8", 12.0, keys, "2s", 0.2);
    gives_up(&runs, 16.110_642_51, 0.167_819_192_8, 1.671_276_771);
    let keys = "workers = 1\nqueue = { capacity = 0 }";
    let runs = retrial("M/M/1/1 persistence 0.5", 2.0, keys, "10s", 0.5);
    gives_up(&runs, 12.378_552_40, 0.618_927_619_9, 1.618_927_620);
}

/// The share of calls that leave a queue unserved, as its service tells it.
fn abandons(runs: &Runs, exact: f64, within: f64) {
    runs.agree("lost", exact, within, |run| {
        of_service(run, Metric::Lost) / of_service(run, Metric::Attempts)
    });
}

/// The share of calls that leave M/M/1+D: with the density λ P(0) e^(−(μ − λ) x) of the work
/// ahead up to the patience τ, those who would wait longer are (λ ÷ μ) P(0) e^(−(μ − λ) τ).
fn leaves_by_constant_patience(rate: f64, patience: f64) -> f64 {
    let d = 1.0 - rate;
    let tail = libm::exp(-d * patience);
    let idle = 1.0 / (1.0 + rate * (1.0 - tail) / d + rate * tail);
    rate * idle * tail
}

/// The share of calls that leave M/M/c+M, and the mean number of those that wait: in state k
/// min(k, c) are served at rate 1 and the others leave at rate θ.
fn erlang_a(c: u32, rate: f64, theta: f64) -> (f64, f64) {
    let waiting = |k: u32| f64::from(k.saturating_sub(c));
    let p = chain(400, |_| rate, |k| f64::from(k.min(c)) + theta * waiting(k));
    let queue = mean(&p, waiting);
    (theta * queue / rate, queue)
}

/// A queue that callers leave while they wait; nobody leaves once the service has begun.
fn impatient(name: &'static str, c: u32, rate: f64, timeout: &str) -> Runs {
    let rest = format!(
        "timeout = {timeout}\nretry = \"none\"\n[server]\nworkers = {c}\n{WORK}\n\
         stale_work = \"dropped-queued\"\n"
    );
    runs(name, 40, "8400s", &format!("poisson = \"{rate}/s\""), &rest)
}

#[test]
fn callers_who_leave_the_queue_after_a_fixed_time() {
    for (name, rate, patience, known) in [
        ("M/M/1+D queue light", 0.8, 1.0, 0.275_196_492_9),
        ("M/M/1+D queue heavy", 1.2, 2.0, 0.311_817_917),
    ] {
        let exact = leaves_by_constant_patience(rate, patience);
        close(exact, known);
        let runs = impatient(name, 1, rate, &format!("\"{patience}s\""));
        abandons(&runs, exact, 0.03);
        // Whoever is not lost is served to the end, whether somebody waits for it or not.
        runs.agree("busy", rate * (1.0 - exact), 0.03, |run| {
            of_service(run, Metric::InSystemMean) - of_service(run, Metric::QueueMean)
        });
    }
}

#[test]
fn callers_who_leave_the_queue_after_an_exponential_time() {
    let (exact, queue) = erlang_a(10, 12.0, 0.5);
    close(exact, 0.195_655_944_0);
    let runs = impatient("Erlang-A", 10, 12.0, "{ exponential = \"2s\" }");
    abandons(&runs, exact, 0.02);
    runs.metric(Metric::QueueMean, queue, 0.03);
}

#[test]
fn calls_that_retry_one_after_the_other() {
    // The retrial queue of constant rate (Fayolle 1986): only the first of those who wait tries.
    for (name, rate, retries, known) in [
        ("constant retrial light", 0.5, 2.0, 1.166_666_667),
        ("constant retrial", 0.6, 3.0, 1.971_428_571),
    ] {
        let waiting: f64 =
            rate * rate * (rate + retries + 1.0) / (retries - rate * (rate + retries));
        assert!((waiting / known - 1.0).abs() < 1e-9);
        let rest = format!(
            "timeout = \"none\"\nretry = {{ max_attempts = \"unlimited\", \
             jitter = \"memoryless\", backoff = {{ constant = \"{:.0}ns\" }} }}\n\
             sharing = {{ retry_queue = \"fleet\" }}\n\
             [server]\nworkers = 1\n{WORK}\nqueue = {{ capacity = 0 }}\n",
            1e9 / retries
        );
        let load = format!("poisson = \"{rate}/s\"");
        let runs = runs(name, 40, "40400s", &load, &rest);
        runs.whole(Metric::OrbitMean, waiting, 0.08);
        runs.metric(Metric::InSystemMean, rate, 0.02);
    }
}

#[test]
fn a_server_that_breaks_down_at_random() {
    // White and Christie 1958: L = λ ((f + r)² + μ f) ÷ ((f + r) (μ r − λ (f + r))), with μ = 1.
    let present = |rate: f64, f: f64, r: f64| {
        rate * ((f + r) * (f + r) + f) / ((f + r) * (r - rate * (f + r)))
    };
    for (name, rate, f, r, known) in [
        ("M/M/1 with breakdowns", 0.5, 0.1, 0.5, 1.916_666_667),
        ("M/M/1 with rare breakdowns", 0.7, 0.01, 0.2, 3.402_515_723),
    ] {
        let exact: f64 = present(rate, f, r);
        assert!((exact / known - 1.0).abs() < 1e-9, "{exact}");
        let rest = format!(
            "timeout = \"none\"\nretry = \"none\"\n[server]\nworkers = 1\n{WORK}\n\
             [[faults]]\nkind = \"breakdowns\"\nmode = \"pause\"\nat = \"0s\"\nfor = \"9d\"\n\
             every = {{ exponential = \"{}s\" }}\nrepair = {{ exponential = \"{}s\" }}\n",
            1.0 / f,
            1.0 / r
        );
        let runs = runs(name, 40, "24400s", &format!("poisson = \"{rate}/s\""), &rest);
        runs.metric(Metric::InSystemMean, exact, 0.08);
    }
}
