//! Queues whose blocked customers try again: memoryless waits, and callers that may give up.

use super::tools::{Span, exponential, is, poisson, relaxation, thinks, workers};
use super::{Experiment, Reading, seconds, whole};
use crate::metrics::{Metric, Outcome, Record};
use crate::oracle::exact;
use crate::oracle::gauge::State;
use crate::oracle::params::Params;
use crate::time::SimTime;

pub(super) fn experiment(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    let one = |text: &str| seconds(1.0 / params.num(text).unwrap_or(1.0));
    match model {
        "M/M/1/1 retrial (classical)" | "M/D/1/1 retrial (classical)" => {
            open(model, params, (1, 1), &constant(&one("retry_rate"), 1.0), metric)
        }
        "M/M/1/1 retrial (constant rate)" => {
            let caller = constant(&one("gamma"), 1.0) + "\nsharing = { retry_queue = \"fleet\" }";
            open(model, params, (1, 1), &caller, metric)
        }
        "M/M/1/1 retrial with persistence H" => {
            let caller = constant(&one("retry_rate"), params.num("H")?);
            open(model, params, (1, 1), &caller, metric)
        }
        "M/M/c/c retrial (classical)" => {
            let c = params.int("c")?;
            open(model, params, (c, c), &constant(&one("retry_rate"), 1.0), metric)
        }
        "M/M/c/K retrial with persistence H" => {
            let places = (params.int("c")?, params.int("K")?);
            let caller = constant(&one("retry_rate"), params.num("H")?);
            open(model, params, places, &caller, metric)
        }
        "M/M/c/K retrial, max 3 attempts (exact CTMC)" => {
            let waits = format!("\"{}\", \"{}\"", one("retry_rate_1"), one("retry_rate_2"));
            let caller = format!(
                "timeout = \"none\"\nretry = {{ max_attempts = 3, jitter = \"memoryless\", \
                 backoff = {{ schedule = [{waits}] }} }}"
            );
            open(model, params, (params.int("c")?, params.int("K")?), &caller, metric)
        }
        "finite-source retrial (N clients, think, retry)" => finite_source(params, metric),
        _ => None,
    }
}

/// A caller that tries again after a memoryless wait, as long as it persists.
fn constant(wait: &str, persists: f64) -> String {
    let give_up = 1.0 - persists;
    format!(
        "timeout = \"none\"\nretry = {{ max_attempts = \"unlimited\", jitter = \"memoryless\", \
         backoff = {{ constant = \"{wait}\" }}, give_up = {give_up} }}"
    )
}

/// Poisson arrivals. The orbit forgets its state when its customers have given up, or at the pace
/// of the retries that find a place, which is slow under a high load.
fn open(
    model: &str,
    params: &Params,
    (c, places): (u64, u64),
    caller: &str,
    metric: &str,
) -> Option<Experiment> {
    let rate = params.num("lam")?;
    let work = params.num("D").or_else(|| Some(1.0 / params.num("mu")?))?;
    let rho = rate * work / c as f64;
    let retry = ["retry_rate", "retry_rate_2", "gamma"].iter().find_map(|name| params.num(name))?;
    let leaves = 1.0 - params.num("H").unwrap_or(1.0);
    let slow = if leaves > 0.0 || params.has("max_attempts") {
        let lasts = if leaves > 0.0 { 1.0 / (retry * leaves) } else { 2.0 / retry };
        lasts + work
    } else {
        let free = 1.0 - rho;
        relaxation(rate, 1.0 / work, c as f64) + 1.0 / (retry * free * free * c as f64)
    };
    let span = Span::of(slow, rate, 150.0);
    let reading = reading(model, params, (c, places), span, metric)?;
    let mut server = workers(c, work, Some(places - c));
    if params.has("D") {
        server = server.replace(&exponential(work), &format!("\"{}\"", seconds(work)));
    }
    let scenario = span.scenario(1, &poisson(rate), caller, &server, "");
    Some(Experiment { scenario, reading })
}

fn reading(
    model: &str,
    params: &Params,
    (c, places): (u64, u64),
    span: Span,
    metric: &str,
) -> Option<Reading> {
    let (rate, c, places) = (params.num("lam")?, c as u32, places as u32);
    let busy = move |state: &State| f64::from(state.in_system.min(c));
    Some(match metric {
        "E[orbit]" => whole(Metric::OrbitMean),
        "Var[orbit]" => {
            let mean = exact::value(model, params, "E[orbit]")?;
            span.mean(move |state| {
                (f64::from(state.orbit) - mean) * (f64::from(state.orbit) - mean)
            })
        }
        "mean time in orbit per request" => span.mean(move |state| f64::from(state.orbit) / rate),
        "P(orbit empty & idle)" => span.mean(|state| is(state.orbit == 0 && state.in_system == 0)),
        "P(server busy)" => span.mean(move |state| busy(state) / f64::from(c)),
        "E[busy]" => span.mean(busy),
        "P(blocked) primary" => span.mean(move |state| is(state.in_system == places)),
        _ => return of_attempts(span, metric),
    })
}

/// What is counted in attempts or calls.
fn of_attempts(span: Span, metric: &str) -> Option<Reading> {
    let sent = |_: SimTime, record: &Record| is(matches!(record, Record::AttemptSent { .. }));
    Some(match metric {
        "attempts per request (amplification)" => {
            span.ratio(sent, |record| is(matches!(record, Record::AttemptSent { number: 1, .. })))
        }
        "fraction of attempts that fail" | "fraction of attempts rejected" => {
            span.share(Outcome::Rejected)
        }
        "P(request lost)" => span.ratio(
            |_, record| is(matches!(record, Record::CallEnded { failure: Some(_), .. })),
            |record| is(matches!(record, Record::CallEnded { .. })),
        ),
        _ => return None,
    })
}

fn finite_source(params: &Params, metric: &str) -> Option<Experiment> {
    let (clients, c, places) = (params.int("N")?, params.int("c")?, params.int("K")?);
    let (think, mu) = (params.num("think_mean")?, params.num("mu")?);
    let retry = params.num("retry_mean")?;
    let rate = (clients as f64 / think).min(c as f64 * mu);
    let span = Span::of(think + retry + 1.0 / mu, rate, 150.0);
    let reading = match metric {
        "throughput" => whole(Metric::GoodputPerS),
        "E[clients waiting to retry]" => whole(Metric::OrbitMean),
        _ => of_attempts(span, metric)?,
    };
    let caller = constant(&seconds(retry), 1.0);
    let server = workers(c, 1.0 / mu, Some(places - c));
    let scenario = span.scenario(clients, &thinks(think), &caller, &server, "");
    Some(Experiment { scenario, reading })
}
