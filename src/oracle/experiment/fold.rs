//! Queues whose callers stop waiting, unnoticed: goodput, slow retries, backlogs of zombies.
//!
//! Simplifies: the exact values for slow retries are limits. The waits here are long against the
//! queue's own relaxation, and a point that lies so near a fold that they are not has no
//! experiment.

use super::noted::{rate, ratio, sent};
use super::{Experiment, Reading, Simple, seconds, watch};
use crate::metrics::Record;
use crate::oracle::exact;
use crate::oracle::params::Params;
use crate::oracle::watch::{FirstPassage, Watch};
use crate::time::SimTime;

const GOODPUT: &str =
    "M/M/1 FCFS, client deadline tau, no cancellation, offered attempts x (Poisson)";
const FIXED: &str = "slow-retry limit, FCFS zombies, unlimited attempts, deterministic timeout";
const RANDOM: &str = "slow-retry limit, FCFS zombies, unlimited attempts, Exp(theta) timeout";
const FINITE: &str =
    "slow-retry limit, M/M/c/K FCFS zombies, deterministic timeout, max M attempts";
const REJECTION: &str = "slow-retry limit, M/M/c/K, retry on rejection only, max M attempts";
const BACKLOG: &str = "FCFS infinite queue, outage T (rate 0), zombies, M attempts spaced gap";

pub(super) fn experiment(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    match (model, metric) {
        (GOODPUT, "goodput") => goodput(params),
        (FIXED | RANDOM, "good fixed point x_-") => slow(model, params, metric, succeeded),
        (FINITE, "attempt rate x at good fixed point") => slow(model, params, metric, sent),
        (FINITE, "goodput at good fixed point") => slow(model, params, metric, succeeded),
        (REJECTION, _) => rejection(model, params, metric),
        (BACKLOG, _) => backlog(params, metric),
        _ => None,
    }
}

fn succeeded(record: &Record) -> bool {
    matches!(record, Record::CallEnded { failure: None, .. })
}

fn exponential(rate: f64) -> String {
    format!("{{ exponential = \"{}\" }}", seconds(1.0 / rate))
}

fn goodput(params: &Params) -> Option<Experiment> {
    let (mu, tau, x) = (params.num("mu")?, params.num("tau")?, params.num("x")?);
    let gap = mu.sqrt() - x.sqrt();
    let relaxation = 1.0 / (gap * gap);
    let (warmup, span) = (10.0 * relaxation, 200.0 * relaxation + 5_000.0 / x);
    let scenario = Simple {
        count: 1,
        load: &format!("poisson = \"{x}/s\""),
        caller: &format!("timeout = \"{}\"\nretry = \"none\"", seconds(tau)),
        server: &format!("workers = 1\nservice_time = {}", exponential(mu)),
        rest: "",
        warmup: 0.0,
        span: warmup + span,
    };
    let bearable = (warmup + span) * x < 200_000.0;
    bearable.then(|| Experiment {
        scenario: scenario.toml(),
        reading: rate(warmup, warmup + span, succeeded),
    })
}

/// The mean wait before a retry, in relaxation times of the queue.
const SLOW: f64 = 60.0;

/// A queue whose callers try again after long, memoryless waits, in its good state.
fn slow(
    model: &str,
    params: &Params,
    metric: &str,
    count: fn(&Record) -> bool,
) -> Option<Experiment> {
    let (mu, lam) = (params.num("mu")?, params.num("lam")?);
    let servers = params.int("c").unwrap_or(1);
    let capacity = mu * servers as f64;
    let rate_metric = metric.replace("goodput", "attempt rate x");
    let x = exact::value(model, params, &rate_metric)?;
    let gap = capacity.sqrt() - x.sqrt();
    let wait = SLOW / (gap * gap);
    // Nearer to the fold the queue itself is slow.
    let far = x < 0.9 * capacity;
    let timeout = match params.num("theta") {
        Some(theta) => exponential(theta),
        None => format!("\"{}\"", seconds(params.num("tau")?)),
    };
    let most = params.int("max_attempts").map_or("\"unlimited\"".into(), |most| most.to_string());
    let queue = params
        .int("K")
        .map_or(String::new(), |places| format!("\nqueue = {{ capacity = {} }}", places - servers));
    let count = if metric.contains("x_-") { sent } else { count };
    let (warmup, span) = (4.0 * wait, 8.0 * wait + 5_000.0 / lam);
    let scenario = Simple {
        count: 1,
        load: &format!("poisson = \"{lam}/s\""),
        caller: &patient_retries(&timeout, &most, wait),
        server: &format!("workers = {servers}\nservice_time = {}{queue}", exponential(mu)),
        rest: "",
        warmup: 0.0,
        span: warmup + span,
    };
    far.then(|| Experiment {
        scenario: scenario.toml(),
        reading: rate(warmup, warmup + span, count),
    })
}

/// A caller who waits memorylessly, for so long on average, before each retry.
fn patient_retries(timeout: &str, most: &str, wait: f64) -> String {
    format!(
        "timeout = {timeout}\nretry = {{ max_attempts = {most}, jitter = \"memoryless\", \
         backoff = {{ constant = \"{}\" }} }}",
        seconds(wait)
    )
}

/// A queue whose callers try again only when they find no place.
fn rejection(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    let (lam, mu) = (params.num("lam")?, params.num("mu")?);
    let (servers, places, most) = (params.int("c")?, params.int("K")?, params.int("M")?);
    let x = exact::value(model, params, "offered attempt rate x (unique)")?;
    let capacity = mu * servers as f64;
    let gap = capacity.sqrt() - x.sqrt();
    let wait = (SLOW / (gap * gap)).clamp(2.0 / mu, 20.0 / mu);
    // Retries build up over all attempts that a call may make, and no faster than what comes in
    // beyond the capacity.
    let built_up = if lam > capacity { 3.0 * x * wait / (lam - capacity) } else { 0.0 };
    let warmup = wait * 1.5 * most as f64 + built_up;
    let span = 5_000.0 / lam;
    let reading: Reading = match metric {
        "offered attempt rate x (unique)" => rate(warmup, warmup + span, sent),
        "request failure probability P^M" => {
            // Rarer failures are not seen often enough.
            let seen = exact::value(model, params, metric)? > 1e-3;
            seen.then(|| ratio(warmup, f64::INFINITY, failed_of_ended))?
        }
        "amplification x/lam" => {
            let seen = x / lam > 1.005;
            seen.then(|| ratio(warmup, f64::INFINITY, sent_of_begun))?
        }
        _ => return None,
    };
    let scenario = Simple {
        count: 1,
        load: &format!("poisson = \"{lam}/s\""),
        caller: &patient_retries("\"none\"", &most.to_string(), wait),
        server: &format!(
            "workers = {servers}\nservice_time = {}\nqueue = {{ capacity = {} }}",
            exponential(mu),
            places - servers
        ),
        rest: "",
        warmup: 0.0,
        span: warmup + span,
    };
    let bearable = (warmup + span) * x < 300_000.0;
    bearable.then(|| Experiment { scenario: scenario.toml(), reading })
}

fn failed_of_ended(record: &Record) -> (f64, f64) {
    match record {
        Record::CallEnded { failure, .. } => (f64::from(u8::from(failure.is_some())), 1.0),
        _ => (0.0, 0.0),
    }
}

fn sent_of_begun(record: &Record) -> (f64, f64) {
    match record {
        Record::AttemptSent { .. } => (1.0, 0.0),
        Record::CallBegan { .. } => (0.0, 1.0),
        _ => (0.0, 0.0),
    }
}

/// An outage that lets work pile up, tried anew every gap.
fn backlog(params: &Params, metric: &str) -> Option<Experiment> {
    let (lam, mu, tau) = (params.num("lam")?, params.num("mu")?, params.num("tau")?);
    let (outage, most) = (params.num("outage")?, params.int("max_attempts")?);
    let wait = params.num("gap_between_attempts")? - tau;
    let after = exact::value(BACKLOG, params, "fluid time after repair until wait<tau");
    let (span, reading) = match metric {
        "work backlog at end of outage" => (outage, level(outage, 0.0)),
        "fluid time after repair until wait<tau" => {
            let (end, bound) = (SimTime::from_nanos((outage * 1e9) as u64), (mu * tau) as u32);
            let down = move || FirstPassage::new(end, bound, false);
            (outage + 2.0 * after?, watch(down))
        }
        _ if metric.starts_with("never recovers") => (4.0 * outage, level(outage, 3.0 * outage)),
        _ => return None,
    };
    let scenario = Simple {
        count: 1,
        load: &format!("poisson = \"{lam}/s\""),
        caller: &format!(
            "timeout = \"{}\"\nretry = {{ max_attempts = {most}, \
             backoff = {{ constant = \"{}\" }} }}",
            seconds(tau),
            seconds(wait)
        ),
        server: &format!("workers = 1\nservice_time = {}", exponential(mu)),
        rest: &format!(
            "[[faults]]\nkind = \"outage\"\nmode = \"pause\"\nat = \"0s\"\nfor = \"{}\"\n",
            seconds(outage)
        ),
        warmup: 0.0,
        span: span + 1.0,
    };
    Some(Experiment { scenario: scenario.toml(), reading })
}

/// Attempts in the system at a moment, or what they grow by per second over a span from then on.
fn level(at: f64, over: f64) -> Reading {
    watch(move || Growth { at, over, now: 0, first: None, last: None })
}

struct Growth {
    at: f64,
    over: f64,
    now: u32,
    first: Option<u32>,
    last: Option<u32>,
}

impl Watch for Growth {
    fn see(&mut self, now: SimTime, record: &Record) {
        let now = now.as_secs_f64();
        if now > self.at {
            self.first.get_or_insert(self.now);
        }
        if now > self.at + self.over {
            self.last.get_or_insert(self.now);
        }
        if let Record::Level { in_system, .. } = *record {
            self.now = in_system;
        }
    }

    fn value(&self) -> Option<f64> {
        let (first, last) = (f64::from(self.first?), f64::from(self.last?));
        Some(if self.over > 0.0 { (last - first) / self.over } else { first })
    }
}
