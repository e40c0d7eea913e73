//! A complete retry storm, and the attempts of clients in a total outage.

use super::tools::{Span, thinks, workers};
use super::{Experiment, Reading, seconds, watch};
use crate::metrics::{Outcome, Record};
use crate::oracle::exact::storm::Storm;
use crate::oracle::gauge::{Calm, State, Sum, Then};
use crate::oracle::params::{Params, number_in};

pub(super) fn experiment(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    match model {
        "closed retry storm: outage rejects all, Exp retries, c servers, no queue"
        | "closed retry storm [DES check]" => storm(&Storm::of(params)?, metric),
        "attempts per client in a total outage of length T (instant failure, unlimited attempts)" => {
            ladder(params, metric)
        }
        _ => None,
    }
}

fn outage(length: f64) -> String {
    format!("[[faults]]\nkind = \"outage\"\nat = \"0s\"\nfor = \"{}\"\n", seconds(length))
}

fn storm(storm: &Storm, metric: &str) -> Option<Experiment> {
    let Storm { clients, calls, mu, servers, retries, outage: repair, bound } = *storm;
    let then = |after: f64, of: fn(&State) -> f64| watch(move || Then::new(repair + after, of));
    let bound = bound as u32;
    let mut length = 2.0 * clients as f64 / (servers as f64 * mu) + 4.0 / retries;
    let reading = if let Some(t) = number_in(metric, "E[orbit] ", "s after repair") {
        length += t;
        then(t, |state| f64::from(state.orbit))
    } else if let Some(t) = number_in(metric, "E[busy] ", "s after repair") {
        length += t;
        then(t, |state| f64::from(state.in_system))
    } else {
        match metric {
            "E[clients waiting to retry at repair]" => then(0.0, |state| f64::from(state.orbit)),
            "lower bound N_orbit/(c mu)" => {
                let pace = servers as f64 * mu;
                watch(move || Then::new(repair, move |state| f64::from(state.orbit) / pace))
            }
            "E[failed attempts during outage]" => failed(1.0),
            "E[recovery time after repair]" => watch(move || Calm::new(repair, bound, false)),
            "E[retry attempts between repair and recovery]" => {
                watch(move || Calm::new(repair, bound, true))
            }
            _ => return None,
        }
    };
    let caller = format!(
        "timeout = \"none\"\nretry = {{ max_attempts = \"unlimited\", jitter = \"memoryless\", \
         backoff = {{ constant = \"{}\" }} }}",
        seconds(1.0 / retries)
    );
    let server = workers(servers as u64, 1.0 / mu, Some(0));
    let span = Span { warmup: 0.0, span: repair + length };
    let load = thinks(1.0 / calls);
    let scenario = span.scenario(clients as u64, &load, &caller, &server, &outage(repair));
    Some(Experiment { scenario, reading })
}

/// Attempts that an outage fails, per so many clients.
fn failed(clients: f64) -> Reading {
    let errs = move |record: &Record| match record {
        Record::Decided { outcome: Outcome::Errored, .. } => 1.0 / clients,
        _ => 0.0,
    };
    watch(move || Sum::new(errs))
}

/// A group whose calls all begin at once, and an outage until the end: a run ends before the last
/// moment of the outage.
fn ladder(params: &Params, metric: &str) -> Option<Experiment> {
    let (base, cap, length) = (params.num("base")?, params.num("cap")?, params.num("T")?);
    let clients = 500;
    let exponential = format!("exponential = {{ base = \"{}\" }}", seconds(base));
    let decorrelated = format!("decorrelated = {{ base = \"{}\" }}", seconds(base));
    let (backoff, jitter) = match (params.text("policy")?, metric) {
        ("no jitter", "attempts") => (exponential, "none"),
        ("full", "E[attempts]") => (exponential, "full"),
        ("equal", "E[attempts]") => (exponential, "equal"),
        ("decorr", "E[attempts]") => (decorrelated, "none"),
        _ => return None,
    };
    let retry = format!(
        "timeout = \"none\"\nretry = {{ max_attempts = \"unlimited\", jitter = \"{jitter}\", \
         cap = \"{}\", backoff = {{ {backoff} }} }}",
        seconds(cap)
    );
    let scenario = format!(
        "horizon = \"{}\"\nbin = \"{}\"\n[[clients]]\nname = \"c\"\ncount = {clients}\n\
         load = {{ burst = \"0s\" }}\n{retry}\n[server]\n{}\n{}",
        seconds(length - 1e-9),
        seconds(length / 8.0),
        workers(1, 1.0, None),
        outage(length)
    );
    Some(Experiment { scenario, reading: failed(f64::from(clients)) })
}
