//! Results that others have published, with all their parameters.

mod common;

use common::{mean, scenario, study};
use herdsim::metrics::Metric;
use herdsim::study::PolicyResult;

/// A service that admits 200 in every fixed second, down for the first 10 s.
fn admits_200(count: u32, retry: &str, reps: u32, horizon: &str) -> PolicyResult {
    let text = format!(
        "seed = 1\nhorizon = \"{horizon}\"\nreps = {reps}\nbin = \"1s\"\n\
         [[clients]]\nname = \"c\"\ncount = {count}\nload = {{ burst = \"0s\" }}\n\
         timeout = \"none\"\nretry = {{ max_attempts = \"unlimited\", {retry} }}\n\
         [server]\nworkers = 1\nservice_time = \"0s\"\n\
         limit = {{ count = 200, per = \"1s\", window = \"fixed\", on_excess = \"503\" }}\n\
         [[faults]]\nkind = \"outage\"\nat = \"0s\"\nfor = \"10s\"\n"
    );
    study(&scenario(&text)).policies.remove(0)
}

const EVERY_50_MS: &str = "backoff = { constant = \"50ms\" }";

#[test]
fn a_thousand_clients_that_retry_every_50_ms_send_241_000_attempts() {
    // Attempts = 200 N + the sum over seconds k of (N − 200k) + 19 max(0, N − 200(k + 1)).
    let herd = admits_200(1_000, EVERY_50_MS, 1, "20s");
    assert_eq!(mean(&herd, Metric::Attempts), 241_000.0);
    assert_eq!(mean(&herd, Metric::DrainS), 14.0);
    assert_eq!(mean(&herd, Metric::PeakPerS), 16_200.0);
    assert_eq!(mean(&herd, Metric::Succeeded), 1_000.0);
}

#[test]
fn ten_thousand_send_nearly_seven_million() {
    let herd = admits_200(10_000, EVERY_50_MS, 1, "70s");
    assert_eq!(mean(&herd, Metric::Attempts), 6_910_000.0);
    assert_eq!(mean(&herd, Metric::DrainS), 59.0);
    assert_eq!(mean(&herd, Metric::PeakPerS), 196_200.0);
}

/// Mean ± standard deviation over 200 seeds of an independent program: the mean of `n` runs of
/// ours lies within three of their standard errors and ours.
fn near(policy: &PolicyResult, metric: Metric, value: f64, deviation: f64) {
    let n = 100.0f64;
    let allowed = 3.3 * deviation * (1.0 / n + 1.0 / 200.0).sqrt() + 0.006 * value.min(1.0);
    let found = mean(policy, metric);
    assert!((found - value).abs() <= allowed, "{metric}: {found}, not {value} ± {allowed}");
}

const LADDER: &str = "backoff = { exponential = { base = \"100ms\", factor = 2 } }, cap = \"10s\"";

#[test]
fn exponential_waits_without_jitter_let_200_through_per_wave() {
    let herd = admits_200(1_000, LADDER, 1, "60s");
    assert_eq!(mean(&herd, Metric::Attempts), 10_000.0);
    assert_eq!(mean(&herd, Metric::DrainS), 52.7);
    let p50 = mean(&herd, Metric::LatencyP50Ms);
    assert!((p50 / 32_700.0 - 1.0).abs() < 1e-3, "{p50}");
    assert_eq!(mean(&herd, Metric::PeakPerS), 1_000.0);
}

#[test]
fn full_jitter_brings_the_herd_home_in_twenty_seconds() {
    let herd = admits_200(1_000, &format!("{LADDER}, jitter = \"full\""), 100, "40s");
    near(&herd, Metric::Attempts, 9_438.0, 23.0);
    near(&herd, Metric::DrainS, 19.73, 0.18);
    near(&herd, Metric::LatencyP50Ms, 13_260.0, 120.0);
    near(&herd, Metric::LatencyP99Ms, 19_030.0, 150.0);
    near(&herd, Metric::PeakPerS, 178.0, 11.0);
}

#[test]
fn equal_jitter_needs_fewer_attempts_and_a_little_longer() {
    let herd = admits_200(1_000, &format!("{LADDER}, jitter = \"equal\""), 100, "40s");
    near(&herd, Metric::Attempts, 8_710.0, 9.0);
    near(&herd, Metric::DrainS, 20.80, 0.12);
    near(&herd, Metric::LatencyP50Ms, 15_520.0, 110.0);
    near(&herd, Metric::PeakPerS, 261.0, 13.0);
}

#[test]
fn decorrelated_jitter_sends_more_attempts_than_full() {
    let retry = "backoff = { decorrelated = { base = \"100ms\", factor = 3 } }, cap = \"10s\"";
    let herd = admits_200(1_000, retry, 100, "60s");
    near(&herd, Metric::Attempts, 11_554.0, 137.0);
    near(&herd, Metric::DrainS, 21.87, 0.31);
    near(&herd, Metric::LatencyP50Ms, 12_600.0, 120.0);
    near(&herd, Metric::PeakPerS, 321.0, 15.0);
}
