//! Layers of retries multiply, whether they lie in one caller or in a chain of services.

mod common;

use common::{mean, run};
use herdsim::metrics::Metric;
use herdsim::study::PolicyResult;

const THREE: &str = "{ max_attempts = 3, backoff = { constant = \"10ms\" } }";

fn service(policy: &PolicyResult, name: &str, metric: Metric) -> f64 {
    let (_, estimates) = policy.services.iter().find(|(service, _)| service == name).unwrap();
    estimates.get(metric).unwrap().mean
}

/// Calls through one service that answers a share of them with an error.
fn layered(retry: &str, share: &str) -> PolicyResult {
    run(&format!(
        "seed = 1\nhorizon = \"200s\"\n[[clients]]\nname = \"c\"\ncount = 100\n\
         load = {{ poisson = \"1/s\" }}\ntimeout = \"none\"\nretry = {retry}\n\
         [server]\nworkers = 1000\nservice_time = \"1ms\"\n\
         [[faults]]\nkind = \"errors\"\nshare = \"{share}\"\nat = \"0s\"\nfor = \"300s\"\n"
    ))
}

#[test]
fn two_layers_of_three_send_nine_attempts_when_everything_fails() {
    let policy = layered(&format!("{{ layers = [{THREE}, {THREE}] }}"), "100%");
    let (calls, attempts) = (mean(&policy, Metric::Calls), mean(&policy, Metric::Attempts));
    let ended = mean(&policy, Metric::Failed);
    assert!(ended > 19_000.0 && attempts <= 9.0 * calls && attempts >= 9.0 * ended);
    assert_eq!(policy.first.distributions.attempts, [(9, ended as u64)]);
}

#[test]
fn attempts_per_call_under_independent_failures_follow_the_geometric_sum() {
    let cases = [
        (THREE.to_string(), 3),
        (format!("{{ layers = [{THREE}, {THREE}] }}"), 9),
        (format!("{{ layers = [{THREE}, {THREE}, {THREE}] }}"), 27),
    ];
    for (retry, most) in cases {
        for p in [0.3f64, 0.5] {
            let policy = layered(&retry, &format!("{}%", p * 100.0));
            // (1 − p^M) / (1 − p) attempts per call, of which 1 − p^M of the calls succeed.
            let all_fail = libm::pow(p, f64::from(most));
            let wanted = (1.0 - all_fail) / (1.0 - p);
            let found = mean(&policy, Metric::AmplificationTotal);
            assert!((found / wanted - 1.0).abs() < 0.02, "{most}, {p}: {found}, not {wanted}");
            let failed = mean(&policy, Metric::Failed) / mean(&policy, Metric::Calls);
            let error = 4.0 * (all_fail * (1.0 - all_fail) / 20_000.0).sqrt() + 1e-4;
            assert!((failed - all_fail).abs() < error, "{most}, {p}: {failed}, not {all_fail}");
        }
    }
}

#[test]
fn a_layer_that_gives_up_leaves_the_next_layer_to_try_again() {
    let never = "{ max_attempts = 9, backoff = { constant = \"10ms\" }, give_up = \"100%\" }";
    for (layers, attempts) in [(format!("{THREE}, {never}"), 3), (format!("{never}, {THREE}"), 3)] {
        let policy = layered(&format!("{{ layers = [{layers}] }}"), "100%");
        let ended = mean(&policy, Metric::Failed);
        assert_eq!(policy.first.distributions.attempts, [(attempts, ended as u64)], "{layers}");
    }
}

#[test]
fn attempts_per_call_that_gives_up_are_geometric() {
    // Everything fails, and a quarter gives up after each attempt: four attempts a call.
    let retry =
        "{ max_attempts = \"unlimited\", backoff = { constant = \"10ms\" }, give_up = 0.25 }";
    let found = mean(&layered(retry, "100%"), Metric::AmplificationTotal);
    assert!((found / 4.0 - 1.0).abs() < 0.02, "{found}");
}

/// Clients call a front, which calls a database that is down; both try three times.
fn chain(holds_worker: bool) -> PolicyResult {
    run(&format!(
        "seed = 1\nhorizon = \"100s\"\n[[clients]]\nname = \"c\"\ncount = 10\n\
         load = {{ burst = \"1s\" }}\ntimeout = \"none\"\ntarget = \"front\"\nretry = {THREE}\n\
         [[services]]\nname = \"front\"\nworkers = 2\nservice_time = \"1ms\"\n\
         calls = [{{ to = \"db\", timeout = \"1s\", retry = {THREE}, \
         holds_worker = {holds_worker} }}]\n\
         [[services]]\nname = \"db\"\nworkers = 100\nservice_time = \"1ms\"\n\
         [[faults]]\nkind = \"outage\"\ntarget = \"db\"\nat = \"0s\"\nfor = \"99s\"\n"
    ))
}

#[test]
fn a_service_that_retries_multiplies_the_retries_of_its_callers() {
    for holds_worker in [true, false] {
        let policy = chain(holds_worker);
        assert_eq!(service(&policy, "front", Metric::Attempts), 30.0);
        assert_eq!(service(&policy, "db", Metric::Attempts), 90.0);
        assert_eq!(service(&policy, "db", Metric::AmplificationTotal), 9.0);
        assert_eq!(service(&policy, "front", Metric::Errored), 30.0);
        assert_eq!(mean(&policy, Metric::Attempts), 120.0);
        assert_eq!(mean(&policy, Metric::Failed), 10.0);
    }
}

#[test]
fn a_worker_that_waits_for_a_retry_downstream_serves_nobody_else() {
    // 30 attempts at the front, each with two waits of 10 ms downstream.
    let held = chain(true);
    assert!((mean(&held, Metric::HeldWorkers) - 0.6).abs() < 1e-9);
    assert_eq!(mean(&chain(false), Metric::HeldWorkers), 0.0);
    let waited = |policy: &PolicyResult| service(policy, "front", Metric::WaitMeanMs);
    assert!(waited(&held) > 20.0 * waited(&chain(false)).max(1.0), "{}", waited(&held));
}
