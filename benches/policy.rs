//! What a decision of a policy costs, on the CPU clock of the thread, beside a plain random draw.
//!
//! `cargo bench --bench policy`

#[path = "common/clock.rs"]
mod clock;

use std::hint::black_box;
use std::path::Path;

use clock::{median, timed};
use herdsim::failure::FailureClass;
use herdsim::policy::Layer;
use herdsim::policy::backoff::Retry;
use herdsim::rng::{Purpose, Seed};
use herdsim::scenario::{Options, read_text};

/// Decisions in a round, and rounds.
const DECISIONS: u64 = 200_000;
const ROUNDS: usize = 11;

/// Growths and jitters as a scenario says them.
const BACKOFFS: &[&str] = &[
    "backoff = { constant = \"2s\" }",
    "backoff = { linear = { base = \"1s\", step = \"1s\" } }, cap = \"20s\"",
    "backoff = { exponential = { base = \"100ms\" } }, cap = \"20s\"",
    "backoff = { exponential = { base = \"100ms\", factor = 1.5 } }, cap = \"20s\"",
    "backoff = { decorrelated = { base = \"100ms\" } }, cap = \"20s\"",
    "backoff = { schedule = [\"1s\", \"2s\", \"5s\"] }",
    "backoff = { exponential = { base = \"100ms\" } }, cap = \"20s\", jitter = \"full\"",
    "backoff = { exponential = { base = \"100ms\" } }, cap = \"20s\", jitter = \"equal\"",
    "backoff = { exponential = { base = \"100ms\" } }, cap = \"20s\", \
     jitter = { proportional = \"20%\" }",
    "backoff = { exponential = { base = \"100ms\" } }, cap = \"20s\", jitter = \"memoryless\"",
];

/// A retry, described, and what deciding on it takes.
struct Decision {
    name: String,
    decide: Box<dyn Fn(u64) -> u64>,
    ns: Vec<f64>,
}

fn layer(retry: &str) -> Layer {
    let text = format!(
        "seed = 1\nhorizon = \"1s\"\n[[clients]]\nname = \"c\"\ncount = 1\ntimeout = \"1s\"\n\
         load = {{ poisson = \"1/s\" }}\n\
         retry = {{ max_attempts = 9, {retry} }}\n\
         [server]\nworkers = 1\nservice_time = \"1s\"\n"
    );
    let loaded = read_text("policy.toml", &text, Path::new("."), &Options::default());
    let scenario = loaded.unwrap_or_else(|error| panic!("{}", error.render(false))).scenario;
    scenario.policies[0].model.groups[0].caller.layers[0].clone()
}

/// Draws, or asks: what a caller does at a failed attempt. The stream is found by its key, as in
/// a run.
fn decisions() -> Vec<Decision> {
    let seed = Seed::new(1);
    let draw = move |n| seed.stream(Purpose::Jitter, n, 1).below(1_000);
    let mut decisions = vec![decision("a draw from a keyed stream", draw)];
    for text in BACKOFFS {
        let backoff = layer(text).backoff;
        decisions.push(decision(text, move |n| {
            let number = (n % 8) as u32 + 1;
            let previous = (number > 1).then_some(std::time::Duration::from_millis(300));
            let mut stream = seed.stream(Purpose::Jitter, n, u64::from(number));
            backoff.delay(Retry { number, previous }, &mut stream).as_nanos() as u64
        }));
    }
    let shared = layer("backoff = { constant = \"1s\" }, budget = \"aws-quota\"").budget;
    let budget = shared.expect("a budget was written").budget;
    let full = budget.full();
    decisions.push(decision("budget = \"aws-quota\": a retry is paid, and given back", move |n| {
        let mut level = black_box(full);
        let class = if n % 3 == 0 { FailureClass::Timeout } else { FailureClass::Transient };
        let cost = budget.pay(&mut level, black_box(class));
        budget.reward(&mut level, cost);
        u64::from(level.tokens)
    }));
    decisions
}

fn decision(name: &str, decide: impl Fn(u64) -> u64 + 'static) -> Decision {
    Decision { name: name.to_string(), decide: Box::new(decide), ns: Vec::new() }
}

fn main() {
    let mut decisions = decisions();
    for _ in 0..ROUNDS {
        for decision in &mut decisions {
            let all =
                || (0..DECISIONS).map(|n| (decision.decide)(black_box(n))).fold(0, |a, b| a ^ b);
            let (_, took) = timed(all);
            decision.ns.push(took.as_nanos() as f64 / DECISIONS as f64);
        }
    }
    let draw = median(&decisions[0].ns);
    println!("| decision | by a draw | ns |\n| --- | --- | --- |");
    for decision in &decisions {
        let ns = median(&decision.ns);
        println!("| `{}` | {:.1} | {ns:.1} |", decision.name, ns / draw);
    }
}
