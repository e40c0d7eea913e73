//! Queues without retries.

use super::{Experiment, PATIENT, Simple, seconds, service, watch, whole};
use crate::metrics::Metric;
use crate::oracle::params::Params;
use crate::oracle::watch::FirstPassage;
use crate::time::SimTime;

pub(super) fn experiment(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    match model {
        "M/M/1" => one_server(params, metric),
        "M/M/1 drain" => drain(params, metric),
        _ => None,
    }
}

fn one_server(params: &Params, metric: &str) -> Option<Experiment> {
    let (rate, mu) = (params.num("lam")?, params.num("mu")?);
    let rho = rate / mu;
    let reading = match metric {
        "L" => service(Metric::InSystemMean),
        "W (sojourn mean)" => whole(Metric::LatencyMeanMs).times(1e-3),
        _ => return None,
    };
    // The relaxation time of M/M/1 is 1 / (√μ − √λ)².
    let relaxation = 1.0 / (mu.sqrt() - rate.sqrt()) / (mu.sqrt() - rate.sqrt());
    let scenario = Simple {
        count: 1,
        load: &format!("poisson = \"{rate}/s\""),
        caller: PATIENT,
        server: &format!(
            "workers = 1\nservice_time = {{ exponential = \"{}\" }}",
            seconds(1.0 / mu)
        ),
        rest: "",
        warmup: 10.0 * relaxation,
        span: 400.0 * relaxation / rho,
    };
    Some(Experiment { scenario: scenario.toml(), reading })
}

/// So many calls at time zero, and Poisson arrivals besides.
fn drain(params: &Params, metric: &str) -> Option<Experiment> {
    let (n, rate, mu) = (params.int("n0")?, params.num("lam")?, params.num("mu")?);
    let "E[time to empty]" = metric else { return None };
    let load = if rate > 0.0 { format!("poisson = \"{rate}/s\"") } else { "burst = \"0s\"".into() };
    let first = if rate > 0.0 { n } else { n - 1 };
    let rest = format!(
        "[[clients]]\nname = \"first\"\ncount = {first}\nload = {{ burst = \"0s\" }}\n{PATIENT}\n"
    );
    let scenario = Simple {
        count: 1,
        load: &load,
        caller: PATIENT,
        server: &format!(
            "workers = 1\nservice_time = {{ exponential = \"{}\" }}",
            seconds(1.0 / mu)
        ),
        rest: &rest,
        warmup: 0.0,
        span: 4.0 * n as f64 / (mu - rate),
    };
    let reading = watch(|| FirstPassage::new(SimTime::ZERO, 0, false));
    Some(Experiment { scenario: scenario.toml(), reading })
}
