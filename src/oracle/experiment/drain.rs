//! How long until what stands in a queue is worked off? Several queues drain side by side.
//!
//! A standard deviation s is read off one drain at a time: ((x − m)² / s + s) / 2, with the exact
//! mean m and the exact s, is s in the mean if and only if the variance is s².

use super::tools::{self, Copies, Span, exponential, is, poisson, side_by_side, workers};
use super::{Experiment, PATIENT, Reading, seconds, watch};
use crate::oracle::exact;
use crate::oracle::gauge::Then;
use crate::oracle::params::{Params, number_in};
use crate::oracle::passage::{BusyPeriods, Drains};

pub(super) fn experiment(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    match model {
        "M/M/1 drain" | "M/D/1 drain (Borel-Tanner)" | "M/M/c drain" => {
            from_so_many(model, params, metric)
        }
        "M/M/1 outage [0,T) then drain (arrivals queue, start empty)" => {
            outage(model, params, metric)
        }
        "N simultaneous requests, c servers, deterministic service s, infinite FIFO"
        | "N simultaneous requests, c servers, exp(mu) service, no arrivals" => {
            at_once(model, params, metric)
        }
        "open M/M/c/K with outage (service paused)" => paused(params, metric),
        _ => None,
    }
}

/// What is read off a drain, and at how many attempts it ends.
#[derive(Clone, Copy)]
enum Read {
    Seconds,
    Served,
    ServedAtMost(f64),
    /// Of the seconds, given their exact mean and standard deviation.
    Deviation(f64, f64),
}

impl Read {
    fn of(self, seconds: f64, served: u64) -> f64 {
        match self {
            Read::Seconds => seconds,
            Read::Served => served as f64,
            Read::ServedAtMost(most) => is(served as f64 <= most),
            Read::Deviation(mean, deviation) => {
                let off = seconds - mean;
                (off * off / deviation + deviation) / 2.0
            }
        }
    }

    fn by_name(model: &str, params: &Params, metric: &str) -> Option<Read> {
        if let Some(most) = number_in(metric, "P(served until empty <= ", ")") {
            return Some(Read::ServedAtMost(most));
        }
        if let Some(of) = metric.strip_prefix("SD[") {
            let mean = exact::value(model, params, &format!("E[{of}"))?;
            return Some(Read::Deviation(mean, exact::value(model, params, metric)?));
        }
        match metric {
            "E[customers served until empty]" => Some(Read::Served),
            _ if metric.starts_with("E[") => Some(Read::Seconds),
            _ => None,
        }
    }

    fn reading(self, services: usize, from: f64, bound: u32) -> Reading {
        watch(move || Drains::new(services, from, bound, move |s, n| self.of(s, n)))
    }
}

/// A service of constant work `D` or `s`, or of memoryless work of rate `mu`.
fn server(params: &Params, c: u64) -> Option<(f64, String)> {
    let constant = params.num("D").or_else(|| params.num("s"));
    let work = constant.or_else(|| Some(1.0 / params.num("mu")?))?;
    let time = constant.map_or_else(|| exponential(work), |s| format!("\"{}\"", seconds(s)));
    Some((work, format!("workers = {c}\nservice_time = {time}")))
}

/// So many calls at time zero, and Poisson arrivals besides.
fn from_so_many(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    let (start, rate) = (params.int("n0")?, params.num("lam")?);
    let c = params.int("c").unwrap_or(1);
    let (work, server) = server(params, c)?;
    if metric == "E[time 1 -> 0] (why 'system empty' is not a recovery metric)" {
        return busy_periods(rate, work, &server, exact::value(model, params, metric)?);
    }
    let bound = if model == "M/M/c drain" { c as u32 } else { 0 };
    let time = start as f64 / (c as f64 / work - rate);
    let services = side_by_side(start as f64 + rate * time);
    let mut groups = vec![(start, "burst = \"0s\"".to_string())];
    if rate > 0.0 {
        groups.push((1, poisson(rate)));
    }
    let horizon = 2.0 * time;
    let (groups, server) = (&groups[..], &server[..]);
    let copies = Copies { services, groups, caller: PATIENT, server, fault: "", horizon };
    let reading = Read::by_name(model, params, metric)?.reading(services, 0.0, bound);
    Some(Experiment { scenario: copies.toml(), reading })
}

/// Several busy periods one after the other; none where their mean is beyond all horizons.
fn busy_periods(rate: f64, work: f64, server: &str, mean: f64) -> Option<Experiment> {
    if mean > 1e4 * work {
        return None;
    }
    let wanted = (100_000.0 / (rate * mean)).clamp(30.0, 1_000.0);
    let span = Span { warmup: 0.0, span: 1.8 * wanted * (mean + 1.0 / rate) };
    let scenario = span.scenario(1, &poisson(rate), PATIENT, server, "");
    Some(Experiment { scenario, reading: watch(move || BusyPeriods::new(wanted as u32)) })
}

/// Every queue is paused at first, and takes arrivals in.
fn outage(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    let (pause, rate, mu) = (params.num("T")?, params.num("lam")?, params.num("mu")?);
    let time = rate * pause / (mu - rate);
    let services = side_by_side(rate * (pause + time));
    let copies = Copies {
        services,
        groups: &[(1, poisson(rate))],
        caller: PATIENT,
        server: &workers(1, 1.0 / mu, None),
        fault: &tools::outage("pause", 0.0, pause),
        horizon: pause + 1.5 * time,
    };
    let reading = Read::by_name(model, params, metric)?.reading(services, pause, 0);
    Some(Experiment { scenario: copies.toml(), reading })
}

/// A burst and nothing else.
fn at_once(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    let (calls, c) = (params.int("N")?, params.int("c")?);
    let (work, server) = server(params, c)?;
    let horizon = 4.0 * (calls as f64 / c as f64 + 10.0) * work;
    let load = "burst = \"0s\"".to_string();
    if metric == "mean response" {
        let span = Span { warmup: 0.0, span: horizon };
        let scenario = span.scenario(calls, &load, PATIENT, &server, "");
        return Some(Experiment { scenario, reading: span.of_calls(|w| w) });
    }
    let constant = metric == "makespan";
    let read = if constant { Read::Seconds } else { Read::by_name(model, params, metric)? };
    let services = if constant { 1 } else { side_by_side(calls as f64) };
    let (groups, server) = (&[(calls, load)], &server[..]);
    let copies = Copies { services, groups, caller: PATIENT, server, fault: "", horizon };
    Some(Experiment { scenario: copies.toml(), reading: read.reading(services, 0.0, 0) })
}

/// A bounded queue that has come to rest when its service pauses.
fn paused(params: &Params, metric: &str) -> Option<Experiment> {
    let (rate, mu) = (params.num("lam")?, params.num("mu")?);
    let (c, places) = (params.int("c")?, params.int("K")?);
    let [from, to] = params.list("outage")?[..] else { return None };
    let rest = 12.0 * tools::relaxation(rate, mu, c as f64);
    let repair = rest + to - from;
    let after = number_in(metric, "E[in system] at t=", "");
    let drain = 2.0 * places as f64 / (c as f64 * mu - rate);
    let horizon = repair + after.unwrap_or(from) - from + drain;
    let services = side_by_side(rate * horizon);
    let reading = match (metric, after) {
        (_, Some(t)) => {
            let when = rest + t - from;
            watch(move || Then::new(services, when, |state| f64::from(state.in_system)))
        }
        ("E[time after repair to no queue]", _) => {
            watch(move || Drains::new(services, repair, c as u32, |seconds, _| seconds))
        }
        _ => return None,
    };
    let copies = Copies {
        services,
        groups: &[(1, poisson(rate))],
        caller: PATIENT,
        server: &workers(c, 1.0 / mu, Some(places.checked_sub(c)?)),
        fault: &tools::outage("pause", rest, to - from),
        horizon,
    };
    Some(Experiment { scenario: copies.toml(), reading })
}
