//! A complete retry storm, and the attempts of clients in a total outage.

use super::tools::{self, Copies, thinks, workers};
use super::{Experiment, Reading, seconds, watch};
use crate::metrics::{Outcome, Record};
use crate::oracle::exact::{self, storm::Storm};
use crate::oracle::gauge::{State, Sum, Then};
use crate::oracle::params::{Params, number_in};
use crate::oracle::passage::Calm;

pub(super) fn experiment(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    match model {
        "closed retry storm: outage rejects all, Exp retries, c servers, no queue"
        | "closed retry storm [DES check]" => {
            let exact = exact::value(model, params, metric)?;
            storm(&Storm::of(params)?, metric, exact)
        }
        _ if model.starts_with("attempts per client in a total outage of length T") => {
            ladder(params, metric)
        }
        _ => None,
    }
}

fn storm(storm: &Storm, metric: &str, exact: f64) -> Option<Experiment> {
    let Storm { clients, calls, mu, servers, retries, outage: repair, bound } = *storm;
    let every = clients as f64;
    let mut horizon = repair + 1.5 * every / (servers as f64 * mu) + 4.0 / retries;
    let usual = tools::side_by_side(every * (1.0 + retries * repair));
    // What is rare in a storm takes many storms.
    let rare = exact < 1.0;
    let services = if rare { 50 } else { usual };
    let then =
        |after: f64, of: fn(&State) -> f64| watch(move || Then::new(services, repair + after, of));
    let over = |in_retries| watch(move || Calm::new(services, repair, bound as u32, in_retries));
    let reading = if let Some(t) = number_in(metric, "E[orbit] ", "s after repair") {
        horizon += t;
        then(t, |state| f64::from(state.orbit))
    } else if let Some(t) = number_in(metric, "E[busy] ", "s after repair") {
        horizon += t;
        then(t, |state| f64::from(state.in_system))
    } else {
        match metric {
            "E[clients waiting to retry at repair]" => then(0.0, |state| f64::from(state.orbit)),
            "lower bound N_orbit/(c mu)" => {
                let pace = servers as f64 * mu;
                let of = move |state: &State| f64::from(state.orbit) / pace;
                watch(move || Then::new(services, repair, of))
            }
            "E[failed attempts during outage]" => failed(services as f64),
            "E[recovery time after repair]" => over(false),
            "E[retry attempts between repair and recovery]" => over(true),
            _ => return None,
        }
    };
    let caller = format!(
        "timeout = \"none\"\nretry = {{ max_attempts = \"unlimited\", jitter = \"memoryless\", \
         backoff = {{ constant = \"{}\" }} }}",
        seconds(1.0 / retries)
    );
    let copies = Copies {
        services,
        groups: &[(clients as u64, thinks(1.0 / calls))],
        caller: &caller,
        server: &workers(servers as u64, 1.0 / mu, Some(0)),
        fault: &tools::outage("reject", 0.0, repair),
        horizon,
    };
    Some(Experiment { scenario: copies.toml(), reading })
}

/// Attempts that outages fail, as a mean over so many of whatever it is.
fn failed(number: f64) -> Reading {
    let errs = move |record: &Record| match record {
        Record::Decided { outcome: Outcome::Errored, .. } => 1.0 / number,
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
    let copies = Copies {
        services: 1,
        groups: &[(clients, "burst = \"0s\"".to_string())],
        caller: &retry,
        server: &workers(1, 1.0, None),
        fault: &tools::outage("reject", 0.0, length),
        horizon: length - 1e-9,
    };
    Some(Experiment { scenario: copies.toml(), reading: failed(clients as f64) })
}
