//! Values set twice, and claims about measures that cannot exist.

use std::path::Path;

use herdsim::scenario::{Options, read_text};

const WHOLE: &str = r#"seed = 1
horizon = "2m"
[[clients]]
name = "web"
count = 100
load = { poisson = "0.5/s" }
timeout = "1s"
retry = { max_attempts = 3, backoff = { exponential = { base = "50ms" } } }
[server]
workers = 5
service_time = "20ms"
"#;

const FAULT: &str = "[[faults]]\nkind = \"outage\"\nat = \"10s\"\nfor = \"10s\"\n";
const BURST: &str = "web.load={ burst = \"10s\" }";
const SLO: &str = "slo={ latency = \"1s\", share = \"99%\" }";
const BUDGET: &str = "web.retry.budget=aws-quota";

fn told(more: &str, set: &[&str]) -> Option<String> {
    let set = set.iter().map(|text| text.to_string()).collect();
    let options = Options { set, ..Options::default() };
    let text = format!("{WHOLE}{more}");
    read_text("x.toml", &text, Path::new("."), &options).err().map(|error| error.render(false))
}

fn refused(more: &str, set: &[&str], message: &str) {
    let told = told(more, set).unwrap_or_else(|| panic!("accepted: {more} {set:?}"));
    assert!(told.contains(message), "{message}: {told}");
}

fn claim(metric: &str, part: &str) -> String {
    use herdsim::metrics::{Metric, Unit};
    let found = Metric::ALL.into_iter().find(|known| known.name() == metric).map(Metric::unit);
    let bound = match found {
        Some(Unit::Seconds | Unit::Milliseconds | Unit::Minutes) => "\"1s\"",
        Some(Unit::PerSecond) => "\"1/s\"",
        _ => "1",
    };
    let part = if part.is_empty() { String::new() } else { format!("{part}\n") };
    format!("[[expect]]\nmetric = \"{metric}\"\n{part}min = {bound}\n")
}

#[test]
fn a_key_set_twice_is_an_error_at_the_later_one() {
    let twice = "`clients.0.count` is set twice, first as `web.count`";
    refused("", &["web.count=5", "clients.0.count=6"], twice);
    refused("", &["clients.00.count=6", "clients.0.count=6"], "set twice");
    let policy =
        "[[policy]]\nlabel = \"a\"\nset = { \"web.count\" = 5, \"clients.0.count\" = 6 }\n";
    refused(policy, &[], twice);
    assert!(told(policy, &[]).unwrap().contains("x.toml:14:26"));
    let action = "[[actions]]\nat = \"1m\"\nset = { \"web.timeout\" = \"2s\", \
                  \"clients.0.timeout\" = \"3s\" }\n";
    refused(action, &[], "`clients.0.timeout` is set twice, first as `web.timeout`");
    let once = "[[policy]]\nlabel = \"a\"\nset = { \"web.count\" = 5 }\n\
                [[policy]]\nlabel = \"b\"\nset = { \"web.count\" = 6 }\n";
    assert_eq!(told(once, &["web.count=7"]), None);
}

#[test]
fn a_key_set_beside_the_table_that_holds_it_is_an_error_at_the_later_one() {
    let layer = "{ max_attempts = 1 }";
    let policy = |first: &str, second: &str| {
        format!("[[policy]]\nlabel = \"a\"\n[policy.set]\n{first}\n{second}\n")
    };
    let jitter = "\"web.retry.jitter\" = \"full\"";
    let retry = format!("\"clients.0.retry\" = {layer}");
    let message = "`clients.0.retry` and `web.retry.jitter` are set together";
    refused(&policy(jitter, &retry), &[], message);
    let message = "`web.retry.jitter` and `clients.0.retry` are set together";
    refused(&policy(&retry, jitter), &[], message);
    assert_eq!(told(&policy(jitter, "\"web.retry.cap\" = \"5s\""), &[]), None);
}

#[test]
fn a_claim_about_a_measure_of_another_part_is_refused() {
    let service = "service = \"server\"";
    let clients = "clients = \"web\"";
    let calls = ["calls", "succeeded", "failed", "open", "goodput_per_s", "held_clients"];
    for metric in calls.into_iter().chain(["latency_p99_ms", "error_latency_max_ms"]) {
        let message = format!("`{metric}` is measured of callers, not of a service");
        refused(&claim(metric, service), &[], &message);
        assert_eq!(told(&claim(metric, clients), &[]), None);
    }
    let work = ["served", "rejected", "lost", "waiting", "wasted", "peak_per_s", "relapses"];
    for metric in work.into_iter().chain(["wait_mean_ms", "amplification", "held_workers"]) {
        let message = format!("`{metric}` is measured of services, not of a client group");
        refused(&claim(metric, clients), &[], &message);
        assert_eq!(told(&claim(metric, service), &[]), None);
    }
    for metric in ["drain_s", "first_below_s", "bad_minutes", "quota_min", "sync_index"] {
        for part in [clients, service] {
            let message = format!("`{metric}` is measured of the whole system");
            refused(&claim(metric, part), &[], &message);
        }
    }
    refused(&claim("recovered", service), &[], "recovery is measured of the whole system");
}

#[test]
fn a_claim_about_what_the_policy_does_not_have_is_refused() {
    let with_fault = |metric: &str| format!("{FAULT}{}", claim(metric, ""));
    for metric in ["recovery_s", "recovered"] {
        let message = format!("`{metric}` does not exist without faults, a burst or a full start");
        refused(&claim(metric, ""), &[], &message);
        assert_eq!(told(&with_fault(metric), &[]), None);
        assert_eq!(told(&claim(metric, ""), &[BURST]), None);
    }
    let full = "start={ state = \"saturated\", backlog = 9 }";
    assert_eq!(told(&claim("recovered", ""), &[full]), None);
    assert_eq!(told(&claim("first_below_s", ""), &[]), None);
    let above = claim("first_above_s", "");
    refused(&above, &[], "does not exist without a bound");
    assert_eq!(told(&above, &["measure.first_above=9"]), None);
    for (metric, what, set) in [
        ("drain_s", "a burst", BURST),
        ("drain_p95_s", "a burst", BURST),
        ("bad_minutes", "an objective", SLO),
        ("quota_refused", "a retry budget", BUDGET),
        ("quota_end", "a retry budget that calls share", BUDGET),
    ] {
        let message = format!("`{metric}` does not exist without {what}");
        refused(&with_fault(metric), &[], &message);
        assert_eq!(told(&claim(metric, ""), &[set]), None, "{metric}");
    }
    let own = "web.sharing.budget=call";
    refused(&claim("quota_min", ""), &[BUDGET, own], "that calls share");
    refused(&claim("quota_refused", "clients = \"web\""), &[], "without a retry budget");
}

/// What a run really measures is what may be claimed.
#[test]
fn every_measure_that_a_run_gives_may_be_claimed() {
    let text = format!("{WHOLE}{FAULT}").replace("\"0.5/s\"", "\"3/s\"");
    let set = vec![SLO.to_string(), BUDGET.to_string()];
    let options = Options { set, ..Options::default() };
    let loaded = read_text("x.toml", &text, Path::new("."), &options).unwrap();
    let case = &loaded.scenario.policies[0];
    let run = herdsim::sim::simulate(case, herdsim::rng::Seed::new(1), false);
    let parts = [("clients = \"web\"", &run.clients[0].1), ("", &run.overall)];
    let server = ("service = \"server\"", &run.services[0].1);
    for (part, measures) in parts.into_iter().chain([server]) {
        for metric in herdsim::metrics::Metric::ALL {
            let name = metric.name();
            let refused = told(&format!("{FAULT}{}", claim(name, part)), &[SLO, BUDGET]);
            match (&refused, measures.get(metric)) {
                (Some(told), Some(_)) => panic!("{name} exists: {told}"),
                (None, None) if !part.is_empty() && name != "error_latency_mean_ms" => {
                    let may = ["latency", "half_life", "wait", "queue_needed"];
                    assert!(may.iter().any(|begin| name.contains(begin)), "{name} {part}");
                }
                _ => {}
            }
        }
    }
}
