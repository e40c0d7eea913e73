//! So many clients, each of whom has one call at a time.

use super::tools::{self, Copies, Span, is, side_by_side, thinks, workers};
use super::{Experiment, PATIENT, watch, whole};
use crate::metrics::{Metric, Outcome};
use crate::oracle::params::Params;
use crate::oracle::passage::Drains;

pub(super) fn experiment(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    match model {
        "M/M/c//N (closed, think time)" => machines(params, metric),
        "Engset M/M/c/c/N" => engset(params, metric),
        "closed N clients with outage (requests wait)" => outage(params, metric),
        _ => None,
    }
}

fn machines(params: &Params, metric: &str) -> Option<Experiment> {
    let (clients, c) = (params.int("N")?, params.int("c")?);
    let (think, mu) = (params.num("think_mean")?, params.num("mu")?);
    let rate = (clients as f64 / think).min(c as f64 * mu);
    let span = Span::of(think + 1.0 / mu, rate, 60.0);
    let reading = match metric {
        "throughput X" => whole(Metric::GoodputPerS),
        "mean response R" => whole(Metric::LatencyMeanMs).times(1e-3),
        "utilisation" => {
            let all = c as u32;
            span.mean(move |state| f64::from(state.in_system.min(all)) / f64::from(all))
        }
        "P(wait>0) seen by arrivals" => span.of_waits(|w| is(w > 0.0)),
        _ => return None,
    };
    let server = workers(c, 1.0 / mu, None);
    let scenario = span.scenario(clients, &thinks(think), PATIENT, &server, "");
    Some(Experiment { scenario, reading })
}

fn engset(params: &Params, metric: &str) -> Option<Experiment> {
    let (sources, c) = (params.int("N")?, params.int("c")?);
    let (idle, mu) = (params.num("idle_rate")?, params.num("mu")?);
    let rate = (sources as f64 * idle).min(c as f64 * mu);
    let span = Span::of(1.0 / (idle + mu), rate, 300.0);
    let all = c as u32;
    let reading = match metric {
        "time congestion" => span.mean(move |state| is(state.in_system == all)),
        "call congestion (fraction of attempts blocked)" => span.share(Outcome::Rejected),
        _ => return None,
    };
    let server = workers(c, 1.0 / mu, Some(0));
    let scenario = span.scenario(sources, &thinks(1.0 / idle), PATIENT, &server, "");
    Some(Experiment { scenario, reading })
}

/// The population has come to rest when the pause begins.
fn outage(params: &Params, metric: &str) -> Option<Experiment> {
    let "E[time after repair until in-system <= ceil(stationary mean)]" = metric else {
        return None;
    };
    let (clients, c) = (params.int("N")?, params.int("c")?);
    let (think, mu) = (params.num("think_mean")?, params.num("mu")?);
    let [from, to] = params.list("outage")?[..] else { return None };
    let bound = params.int("threshold")? as u32;
    let rest = 12.0 * (think + 1.0 / mu);
    let repair = rest + to - from;
    let drain = 2.0 * clients as f64 / (c as f64 * mu);
    let services = side_by_side(3.0 * clients as f64 / think * repair);
    let copies = Copies {
        services,
        groups: &[(clients, thinks(think))],
        caller: PATIENT,
        server: &workers(c, 1.0 / mu, None),
        fault: &tools::outage("pause", rest, to - from),
        horizon: repair + drain,
    };
    let reading = watch(move || Drains::new(services, repair, bound, |seconds, _| seconds));
    Some(Experiment { scenario: copies.toml(), reading })
}
