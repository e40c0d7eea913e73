//! How long until what stands in a queue is worked off? Several queues drain side by side.
//!
//! A standard deviation s is read off one drain at a time: ((x − m)² / s + s) / 2, with the exact
//! mean m and the exact s, is s in the mean if and only if the variance is s².

use super::tools::{Span, copies, exponential, is, poisson, workers};
use super::{Experiment, PATIENT, Reading, seconds, watch};
use crate::oracle::exact;
use crate::oracle::gauge::{Drains, Then, at};
use crate::oracle::params::{Params, number_in};
use crate::oracle::watch::FirstPassage;

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

/// So many queues at a time that a run has some hundred thousand attempts.
fn side_by_side(attempts: f64) -> usize {
    (100_000.0 / attempts).clamp(4.0, 50.0) as usize
}

/// So many calls at time zero, and Poisson arrivals besides.
fn from_so_many(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    let rate = params.num("lam")?;
    let c = params.int("c").unwrap_or(1);
    let work = params.num("D").or_else(|| Some(1.0 / params.num("mu")?))?;
    let (mut start, mut bound) = (params.int("n0")?, 0);
    let empty = "E[time 1 -> 0] (why 'system empty' is not a recovery metric)";
    if metric == empty {
        // That first emptiness may be beyond all horizons.
        if exact::value(model, params, metric)? > 1e4 * work {
            return None;
        }
        start = 1;
    } else if model == "M/M/c drain" {
        bound = c as u32;
    }
    let gap = c as f64 / work - rate;
    let time =
        if metric == empty { exact::value(model, params, metric)? } else { start as f64 / gap };
    let services = side_by_side(start as f64 + rate * time);
    let mut groups = vec![(start, "burst = \"0s\"".to_string())];
    if rate > 0.0 {
        groups.push((1, poisson(rate)));
    }
    let time_of_work =
        if params.has("D") { format!("\"{}\"", seconds(work)) } else { exponential(work) };
    let server = format!("workers = {c}\nservice_time = {time_of_work}");
    let scenario = copies(services, &groups, &server, |_| String::new(), 2.0 * time);
    let reading = Read::by_name(model, params, metric)?.reading(services, 0.0, bound);
    Some(Experiment { scenario, reading })
}

/// Every queue is paused at first, and takes arrivals in.
fn outage(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    let (pause, rate, mu) = (params.num("T")?, params.num("lam")?, params.num("mu")?);
    let time = rate * pause / (mu - rate);
    let services = side_by_side(rate * (pause + time));
    let fault = |copy: usize| {
        format!(
            "[[faults]]\nkind = \"outage\"\nmode = \"pause\"\ntarget = \"s{copy}\"\n\
             at = \"0s\"\nfor = \"{}\"\n",
            seconds(pause)
        )
    };
    let server = workers(1, 1.0 / mu, None);
    let groups = [(1, poisson(rate))];
    let scenario = copies(services, &groups, &server, fault, pause + 1.5 * time);
    let reading = Read::by_name(model, params, metric)?.reading(services, pause, 0);
    Some(Experiment { scenario, reading })
}

/// A burst and nothing else.
fn at_once(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    let (calls, c) = (params.int("N")?, params.int("c")?);
    let work = params.num("s").or_else(|| Some(1.0 / params.num("mu")?))?;
    let time_of_work =
        if params.has("s") { format!("\"{}\"", seconds(work)) } else { exponential(work) };
    let server = format!("workers = {c}\nservice_time = {time_of_work}");
    let time = 4.0 * (calls as f64 / c as f64 + 10.0) * work;
    let groups = [(calls, "burst = \"0s\"".to_string())];
    if metric == "mean response" {
        let span = Span { warmup: 0.0, span: time };
        let scenario = span.scenario(calls, &groups[0].1, PATIENT, &server, "");
        return Some(Experiment { scenario, reading: span.of_calls(|w| w) });
    }
    let read =
        if metric == "makespan" { Read::Seconds } else { Read::by_name(model, params, metric)? };
    let services = side_by_side(calls as f64);
    let scenario = copies(services, &groups, &server, |_| String::new(), time);
    Some(Experiment { scenario, reading: read.reading(services, 0.0, 0) })
}

/// A bounded queue that has come to rest when its service pauses.
fn paused(params: &Params, metric: &str) -> Option<Experiment> {
    let (rate, mu) = (params.num("lam")?, params.num("mu")?);
    let (c, places) = (params.int("c")?, params.int("K")?);
    let [from, to] = params.list("outage")?[..] else { return None };
    let rest = 12.0 * super::tools::relaxation(rate, mu, c as f64);
    let fault = format!(
        "[[faults]]\nkind = \"outage\"\nmode = \"pause\"\nat = \"{}\"\nfor = \"{}\"\n",
        seconds(rest),
        seconds(to - from)
    );
    let repair = rest + to - from;
    let after = number_in(metric, "E[in system] at t=", "");
    let length = after.unwrap_or(from) - from + 2.0 * places as f64 / (c as f64 * mu - rate);
    let span = Span { warmup: 0.0, span: repair + length };
    let reading = match (metric, after) {
        (_, Some(t)) => {
            let when = rest + t - from;
            watch(move || Then::new(when, |state| f64::from(state.in_system)))
        }
        ("E[time after repair to no queue]", _) => {
            watch(move || FirstPassage::new(at(repair), c as u32, false))
        }
        _ => return None,
    };
    let server = workers(c, 1.0 / mu, Some(places.checked_sub(c)?));
    let scenario = span.scenario(1, &poisson(rate), PATIENT, &server, &fault);
    Some(Experiment { scenario, reading })
}
