//! Scenarios that would take more memory or steps than there are: refused before a run begins.

use std::path::Path;

use herdsim::scenario::{Options, read_text};

const WHOLE: &str = r#"seed = 1
horizon = "60s"
[[clients]]
name = "web"
count = 10_000_000
load = { poisson = "0.1/s" }
timeout = "1s"
retry = "none"
[server]
workers = 5
service_time = "20ms"
"#;

const LAYER: &str = "{ max_attempts = 1000, backoff = { constant = \"0s\" } }";

/// What is told about the scenario with these changes; `None` when it is accepted.
fn told(changes: &[(&str, &str)]) -> Option<String> {
    let mut text = WHOLE.to_string();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    let folder = Path::new("tests/fixtures/bad");
    read_text("x.toml", &text, folder, &Options::default()).err().map(|e| e.render(false))
}

fn refused(changes: &[(&str, &str)], message: &str) {
    let told = told(changes).unwrap_or_else(|| panic!("accepted: {changes:?}"));
    assert!(told.contains(message), "{message}: {told}");
}

#[test]
fn ten_million_clients_pass_whatever_ends_their_calls() {
    assert_eq!(told(&[]), None);
    let endless = r#"{ max_attempts = "unlimited", backoff = { constant = "1s" } }"#;
    assert_eq!(told(&[("\"none\"", endless)]), None);
    assert_eq!(told(&[("\"1s\"", "\"none\"")]), None);
}

#[test]
fn rates_that_change_are_no_faster_than_the_clock() {
    let load = "{ poisson = \"0.1/s\" }";
    for fast in [
        "{ ramp = { from = \"0/s\", to = \"1e10/s\", over = \"1s\" } }",
        "{ ramp = { from = \"1e10/s\", to = \"0/s\", over = \"1s\" } }",
        "{ step = [{ at = \"0s\", rate = \"1e10/s\" }] }",
    ] {
        refused(&[(load, fast)], "faster than one per nanosecond");
    }
}

#[test]
fn more_calls_than_a_run_can_make_are_refused_with_their_number() {
    let load = "{ poisson = \"0.1/s\" }";
    for (to, calls) in [
        ("{ poisson = \"10/s\" }", "about 6.0 thousand million calls would begin by the horizon"),
        ("{ periodic = \"1ms\" }", "about 600.0 thousand million calls"),
        ("{ ramp = { from = \"0/s\", to = \"8/s\", over = \"30s\" } }", "about 3.6 thousand"),
        ("{ step = [{ at = \"30s\", rate = \"8/s\" }] }", "about 2.4 thousand million calls"),
        ("{ poisson = \"1e9/s\", of = \"group\" }", "about 60.0 thousand million calls"),
        ("[{ poisson = \"2/s\" }, { periodic = \"500ms\" }]", "about 2.4 thousand million calls"),
    ] {
        refused(&[(load, to)], calls);
    }
    let slow = "{ ramp = { from = \"0/s\", to = \"8/s\", over = \"2m\" } }";
    assert_eq!(told(&[(load, slow)]), None);
    assert_eq!(told(&[(load, "{ step = [{ at = \"61s\", rate = \"1e6/s\" }] }")]), None);
    assert_eq!(told(&[(load, "{ closed = { think = \"1ms\" } }")]), None);
}

#[test]
fn more_open_calls_than_the_memory_holds_are_refused_with_their_size() {
    let load = "{ poisson = \"0.1/s\" }";
    let burst = ("10_000_000", "80_000_000");
    let many = (load, "{ poisson = \"2/s\" }");
    assert_eq!(told(&[many]), None);
    refused(&[many, ("\"1s\"", "\"none\"")], "would need about 312.9 GiB if nobody is served");
    let deadline = "\"none\"\ndeadline = { for = \"2s\" }";
    assert_eq!(told(&[many, ("\"1s\"", deadline)]), None);
    let retry = "{ max_attempts = 3, backoff = { constant = \"1s\" } }";
    refused(&[many, ("\"none\"", retry)], "about 26.1 GiB");
    refused(&[burst, (load, "{ burst = \"0s\" }")], "about 20.9 GiB");
    assert_eq!(told(&[burst, (load, "{ burst = \"2m\" }")]), None);
}

#[test]
fn a_row_of_a_trace_counts_as_so_many_calls_at_once() {
    let load = ("{ poisson = \"0.1/s\" }", "{ trace = \"many_calls.csv\" }");
    let once = told(&[load, ("10_000_000", "1")]).unwrap();
    assert!(once.contains("about 100.0 million calls would be open at once"), "{once}");
    assert!(once.contains("x.toml:6:8"), "{once}");
}

#[test]
fn clients_that_follow_a_load_by_themselves_need_more_memory() {
    let count = ("10_000_000", "100_000_000");
    refused(&[count], "100000000 clients would need about 18.6 GiB");
    assert_eq!(told(&[count, ("\"0.1/s\" }", "\"0.1/s\", of = \"group\" }")]), None);
}

#[test]
fn layers_without_a_wait_are_multiplied() {
    let layers = |many: &str| format!("{{ layers = [{many}] }}");
    let three = layers(&[LAYER; 3].join(", "));
    refused(&[("\"none\"", &three)], "attempted 1000000000 times at one instant");
    let two =
        layers(&[LAYER, "{ max_attempts = 10, backoff = { schedule = [\"0s\"] } }"].join(","));
    assert_eq!(told(&[("\"none\"", &two)]), None);
    let zeros = "{ max_attempts = 99, backoff = { schedule = [\"1s\", \"0s\", \"0s\", \"1s\"] } }";
    let short = layers(&[zeros; 8].join(","));
    assert_eq!(told(&[("\"none\"", &short)]), None);
    refused(&[("\"none\"", &layers(&[zeros; 9].join(",")))], "attempted 19683 times");
}

#[test]
fn calls_without_a_wait_are_multiplied_from_service_to_service() {
    let call =
        |to: &str| format!("calls = [{{ to = \"{to}\", timeout = \"1s\", retry = {LAYER} }}]");
    let far = format!(
        "{}\n[[services]]\nname = \"far\"\nworkers = 1\nservice_time = \"1ms\"\n",
        call("far")
    );
    let server = ("service_time = \"20ms\"", format!("service_time = \"20ms\"\n{far}"));
    let target = ("retry = \"none\"", "retry = \"none\"\ntarget = \"server\"");
    let few = "retry = { max_attempts = 11, backoff = { constant = \"0s\" } }\ntarget = \"server\"";
    assert_eq!(told(&[(server.0, &server.1), target]), None);
    let many = told(&[(server.0, &server.1), (target.0, few)]).unwrap();
    assert!(many.contains("attempted 11000 times at one instant"), "{many}");
    assert!(many.contains("x.toml:13:"), "{many}");
}
