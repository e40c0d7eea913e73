//! Queues whose customers leave when they have waited too long: the patience is the timeout of the
//! attempt, and the service drops what is still queued then.

use super::tools::{Span, exponential, is, poisson, relaxation, workers};
use super::{Experiment, seconds};
use crate::metrics::Outcome;
use crate::oracle::params::Params;

pub(super) fn experiment(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    match model {
        "M/M/c+M (Erlang-A)" => {
            let theta = params.num("theta")?;
            let slow = 1.0 / theta + 1.0 / params.num("mu")?;
            run(params, params.int("c")?, &exponential(1.0 / theta), slow, metric)
        }
        "M/M/1+D" => constant(params, 1, metric),
        "M/M/c+D" => constant(params, params.int("c")?, metric),
        _ => None,
    }
}

/// A constant patience: what waits diffuses between nothing and what the patience allows.
fn constant(params: &Params, c: u64, metric: &str) -> Option<Experiment> {
    let (rate, mu) = (params.num("lam")?, params.num("mu")?);
    let (tau, full) = (params.num("tau")?, c as f64 * mu);
    let diffusion = tau * tau * full / 4.0 + 1.0 / mu;
    let slow = if rate < full { diffusion.min(relaxation(rate, mu, c as f64)) } else { diffusion };
    run(params, c, &format!("\"{}\"", seconds(tau)), slow, metric)
}

fn run(params: &Params, c: u64, patience: &str, slow: f64, metric: &str) -> Option<Experiment> {
    let (rate, mu) = (params.num("lam")?, params.num("mu")?);
    let span = Span::of(slow, rate, 200.0);
    let server = workers(c, 1.0 / mu, None) + "\nstale_work = \"dropped-queued\"";
    let caller = format!("timeout = {patience}\nretry = \"none\"");
    let all = c as u32;
    let reading = match metric {
        "P(abandon)" => span.share(Outcome::Lost),
        "P(wait>0)" | "P(all busy)" => span.mean(move |state| is(state.in_system >= all)),
        "P(server idle)" => span.mean(|state| is(state.in_system == 0)),
        "mean time in queue (all)" => span.mean(move |state| f64::from(state.queued) / rate),
        "L" => span.mean(|state| f64::from(state.in_system)),
        "mean wait of served" => span.of_waits(|w| w),
        _ => return None,
    };
    let scenario = span.scenario(1, &poisson(rate), &caller, &server, "");
    Some(Experiment { scenario, reading })
}
