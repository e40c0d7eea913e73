//! What an operator changes in the middle of a run holds from then on.

mod common;

use std::path::Path;

use common::{mean, run};
use herdsim::metrics::Metric;
use herdsim::scenario::{Options, read_text};

/// Fifty clients whose load changes at 20 s of 40 s.
fn text(before: &str, after: &str) -> String {
    format!(
        "seed = 1\nhorizon = \"40s\"\n[[clients]]\nname = \"c\"\ncount = 50\n\
         load = {{ {before} }}\n\
         timeout = \"none\"\nretry = \"none\"\n[server]\nworkers = 90\nservice_time = \"10ms\"\n\
         [[actions]]\nat = \"20s\"\nset = {{ \"c.load\" = {{ {after} }} }}\n"
    )
}

#[test]
fn a_new_rate_holds_from_the_moment_of_the_action() {
    let calls = |after: &str| mean(&run(&text("poisson = \"10/s\"", after)), Metric::Calls);
    for (after, expected) in [
        ("poisson = \"30/s\"", 40_000.0f64),
        ("step = [{ at = \"30s\", rate = \"20/s\" }]", 20_000.0),
        ("ramp = { from = \"0/s\", to = \"20/s\", over = \"40s\" }", 25_000.0),
    ] {
        // An arrival drawn before the action still comes: 50 calls at most.
        let found = calls(after);
        let allowed = 50.0 + 4.0 * expected.sqrt();
        assert!((found - expected).abs() < allowed, "{after}: {found} calls, not {expected}");
    }
    let think = "closed = { think = \"190ms\" }";
    let calls = mean(&run(&text(think, "closed = { think = \"90ms\" }")), Metric::Calls);
    assert!((calls - 15_000.0).abs() < 200.0, "{calls}");
}

#[test]
fn a_load_that_cannot_take_over_is_refused() {
    for (before, after) in [
        ("poisson = \"10/s\", of = \"group\"", "poisson = \"10/s\""),
        ("poisson = \"10/s\"", "poisson = \"10/s\", of = \"group\""),
        ("periodic = \"1s\"", "periodic = \"500ms\""),
        ("burst = \"1s\"", "poisson = \"10/s\""),
        ("poisson = \"10/s\"", "closed = { think = \"1s\" }"),
        ("closed = { think = \"1s\" }", "poisson = \"10/s\""),
    ] {
        let read =
            read_text("test.toml", &text(before, after), Path::new("."), &Options::default());
        let message = read.expect_err("it is refused").render(false);
        assert!(message.contains("cannot change in the middle of a run"), "{message}");
    }
}
