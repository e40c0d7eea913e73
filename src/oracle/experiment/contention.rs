//! Clients that all write the same item at once, and try again on a conflict.

use super::{Experiment, Reading, Simple, watch, whole};
use crate::metrics::{Metric, Record};
use crate::oracle::params::Params;
use crate::oracle::watch::Watch;
use crate::time::SimTime;

const PLAIN: &str = "OCC, N clients, constant one-way delay d, no backoff";
const LADDER: &str = "OCC, N clients, constant one-way delay d, exponential backoff without jitter \
    (base 5, cap 2000)";
const BLOG: &str = "OCC aws-arch-backoff (net |N(10,2)| ms, base 5, cap 2000)";

/// The network of the blog, one way.
const HOP: &str = "{ normal_abs = { mean = \"10ms\", sd = \"2ms\" } }";

pub(super) fn experiment(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    if model == "OCC network hop |N(10,2)|" {
        return (metric == "E[hop] ms").then(hop);
    }
    let n = params.int("N")?;
    let hop = params.num("d_ms").map(|ms| format!("\"{ms}ms\""));
    let (network, policy) = match model {
        PLAIN => (hop?, "none"),
        LADDER => (hop?, "exp"),
        BLOG => (HOP.to_string(), params.text("policy")?),
        _ => return None,
    };
    contest(n, &network, &retry(policy)?, metric)
}

/// The waits of the blog's simulator, which counts attempts from 1: 10 ms before the first retry.
/// A caller that never waits must have a bound.
fn retry(policy: &str) -> Option<String> {
    let ladder = "max_attempts = \"unlimited\", cap = \"2s\", \
                  backoff = { exponential = { base = \"10ms\" } }";
    Some(match policy {
        "none" => "max_attempts = 10000, backoff = { constant = \"0s\" }".to_string(),
        "exp" => ladder.to_string(),
        "full" | "equal" => format!("{ladder}, jitter = \"{policy}\""),
        "decorr" => "max_attempts = \"unlimited\", cap = \"2s\", \
                     backoff = { decorrelated = { base = \"5ms\" } }"
            .to_string(),
        _ => return None,
    })
}

fn contest(n: u64, network: &str, retry: &str, metric: &str) -> Option<Experiment> {
    let time = match metric {
        "write calls" => false,
        "completion time ms" => true,
        _ => return None,
    };
    let scenario = Simple {
        count: n,
        load: "burst = \"0s\"",
        caller: &format!("timeout = \"none\"\nretry = {{ {retry} }}"),
        server: &format!(
            "workers = 1\nservice_time = \"0s\"\nwrites = \"versioned\"\nnetwork = {network}"
        ),
        rest: "",
        warmup: 0.0,
        span: 2.5 * n as f64,
    };
    let reading: Reading = watch(move || Contest { left: n, time, attempts: 0.0, last: 0.0 });
    Some(Experiment { scenario: scenario.toml(), reading })
}

/// Writes, or milliseconds until the last client has written.
struct Contest {
    left: u64,
    time: bool,
    attempts: f64,
    last: f64,
}

impl Watch for Contest {
    fn see(&mut self, now: SimTime, record: &Record) {
        match record {
            Record::AttemptSent { .. } => self.attempts += 1.0,
            Record::CallEnded { .. } => {
                self.left -= 1;
                self.last = 1e3 * now.as_secs_f64();
            }
            _ => {}
        }
    }

    fn value(&self) -> Option<f64> {
        (self.left == 0).then_some(if self.time { self.last } else { self.attempts })
    }
}

/// The mean way of a call there and back, halved.
fn hop() -> Experiment {
    let scenario = Simple {
        count: 2_000,
        load: "burst = \"0s\"",
        caller: super::PATIENT,
        server: &format!("workers = 1\nservice_time = \"0s\"\nnetwork = {HOP}"),
        rest: "",
        warmup: 0.0,
        span: 1.0,
    };
    Experiment { scenario: scenario.toml(), reading: whole(Metric::LatencyMeanMs).times(0.5) }
}
