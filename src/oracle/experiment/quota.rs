//! The retry quota of the AWS SDKs, a limit of tokens, and attempts that fail by chance.

use super::noted::{Count, Until, deviation, drift, first_denial, mean, ratio, tokens};
use super::{Experiment, PATIENT, Reading, Simple, seconds, watch_of};
use crate::metrics::{Outcome, Record};
use crate::oracle::exact;
use crate::oracle::params::Params;

const STATIONARY: &str = "AWS retry quota, stationary, sequential ops";
const DRAIN: &str = "AWS retry quota, drain from full";
const ABOVE: &str =
    "AWS retry quota ABOVE threshold: amplification = 1+(1-p)/(c p), independent of max_attempts";
const LARGEST: &str = "AWS retry quota: largest sustained amplification (attained at p=p*)";

/// Seconds that a client thinks between two operations, which themselves take next to no time.
const THINK: f64 = 1e-3;

pub(super) fn experiment(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    let stem = model.trim_end_matches(" [MC check]");
    match stem {
        STATIONARY | ABOVE => stationary(&Quota::of(params)?, model, params, metric),
        "AWS retry quota" => metric.starts_with("token drift").then(|| moving(params)).flatten(),
        LARGEST => (metric == "A_max").then(|| sustained(params)).flatten(),
        DRAIN => drain(&Quota::of(params)?, model, params, metric),
        "AWS retry quota, total outage p=1" => outage(params, metric),
        "server token bucket limiter (Poisson, refill r, depth b)" => limiter(params),
        "amplification, iid failure p, max M attempts" => {
            chance(&attempts(params.int("M")?), params.num("p")?)
        }
        "nested retry layers 3x3x3, iid failure p" => {
            chance(&layers(&[3.0, 3.0, 3.0]), params.num("p")?)
        }
        "nested retry layers, total failure" => {
            chance(&layers(&params.list("attempts_per_layer")?), 1.0)
        }
        _ => None,
    }
}

/// One client after another's answer, attempts that fail with probability p, a bucket of tokens.
struct Quota {
    cost: u64,
    attempts: u64,
    p: f64,
    capacity: u64,
}

impl Quota {
    fn of(params: &Params) -> Option<Quota> {
        Some(Quota {
            cost: params.int("cost")?,
            attempts: params.int("max_attempts")?,
            p: params.num("p")?,
            capacity: params.int("capacity").unwrap_or(500),
        })
    }

    /// `clients` of them; `operations` each, after `warmup` operations.
    fn scenario(&self, clients: u64, warmup: f64, operations: f64) -> String {
        let Quota { cost, attempts, p, capacity } = *self;
        let retry = format!(
            "{{ max_attempts = {attempts}, backoff = {{ constant = \"1ns\" }}, \
             budget = {{ aws-quota = {{ capacity = {capacity}, cost = {cost} }} }} }}"
        );
        let span = warmup + operations;
        unreliable(clients, &retry, span, &errors(p, 0.0, span * LONGER))
    }

    /// Operations that it takes until the level forgets where it was, and until a bucket that is
    /// full at first has its stationary law: the time to run empty, and some relaxation times,
    /// whose pace is the variance over the square of the drift, and at most what spreading over
    /// the whole bucket takes.
    fn memory(&self) -> (f64, f64) {
        let powers = (2..=self.attempts).map(|k| libm::pow(self.p, k as f64));
        let spent = self.cost as f64 * powers.sum::<f64>();
        let drift = (1.0 - self.p - spent).abs();
        let variance = (self.cost * self.cost) as f64 * self.p * self.p;
        let capacity = self.capacity as f64;
        let spreading = capacity * capacity / variance;
        let relaxation = (variance / (drift * drift)).min(spreading);
        let settled = (2.0 * capacity / drift + 5.0 * relaxation).min(3.0 * spreading);
        (relaxation, settled)
    }
}

/// Closed clients of a service that needs no time, with faults, over so many operations.
fn unreliable(clients: u64, retry: &str, operations: f64, faults: &str) -> String {
    Simple {
        count: clients,
        load: &format!("closed = {{ think = \"{}\" }}", seconds(THINK)),
        caller: &format!("timeout = \"none\"\nretry = {retry}"),
        server: "workers = 1\nservice_time = \"0s\"",
        rest: faults,
        warmup: 0.0,
        // Every operation takes a few nanoseconds besides.
        span: operations * (THINK + 1e-6),
    }
    .toml()
}

/// How much longer than the run the errors go on after its end: a run that is too short for its
/// watch is repeated, and longer each time.
const LONGER: f64 = 2e4;

/// Errors with probability p between two moments, counted in operations.
fn errors(p: f64, from: f64, to: f64) -> String {
    if p <= 0.0 {
        return String::new();
    }
    format!(
        "[[faults]]\nkind = \"errors\"\nshare = {p}\nat = \"{}\"\nfor = \"{}\"\n",
        seconds(from * THINK),
        seconds((to - from) * THINK * 1.01)
    )
}

/// Operations of one replication whose long-run means are sought, at least.
const LEAST: f64 = 20_000.0;
/// And at most.
const MOST: f64 = 100_000.0;

fn stationary(quota: &Quota, model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    let exact = exact::value(model, params, metric)?;
    let (relaxation, warmup) = quota.memory();
    let operations = (50.0 * relaxation).clamp(LEAST, MOST);
    // Rarer events, and levels that move more slowly, would need longer runs than anybody waits
    // for. Attempts hardly follow the level.
    let quick = 20.0 * relaxation < operations || metric == "attempts per operation";
    let seen = quick && exact * operations > 100.0 && warmup < MOST;
    // Denials come in spells, between which the bucket fills.
    let seen = seen && (exact > 0.01 || !metric.starts_with("fraction of wanted retries"));
    let count: Count = match metric {
        "attempts per operation" => attempts_per_operation,
        "P(operation fails)" => failed_of_ended,
        "fraction of wanted retries denied by quota" => denied_of_wanted,
        "mean tokens at op start" => |_| (0.0, 0.0),
        _ => return None,
    };
    let reading = if metric == "mean tokens at op start" {
        tokens(warmup * THINK)
    } else {
        ratio(warmup * THINK, f64::INFINITY, count)
    };
    seen.then(|| Experiment { scenario: quota.scenario(1, warmup, operations), reading })
}

fn attempts_per_operation(record: &Record) -> (f64, f64) {
    match record {
        Record::AttemptSent { .. } => (1.0, 0.0),
        Record::CallEnded { .. } => (0.0, 1.0),
        _ => (0.0, 0.0),
    }
}

fn failed_of_ended(record: &Record) -> (f64, f64) {
    match record {
        Record::CallEnded { failure, .. } => (f64::from(u8::from(failure.is_some())), 1.0),
        _ => (0.0, 0.0),
    }
}

fn denied_of_wanted(record: &Record) -> (f64, f64) {
    match record {
        Record::QuotaRefused { .. } => (1.0, 1.0),
        Record::AttemptSent { number, .. } if *number > 1 => (0.0, 1.0),
        _ => (0.0, 0.0),
    }
}

/// A bucket so large that it is neither full nor empty once an outage has taken a half of it.
fn half_full(quota: &Quota, operations: f64, reading: fn(f64) -> Reading) -> Experiment {
    let large = Quota { capacity: 1_000_000, ..*quota };
    let per_operation = (quota.cost * (quota.attempts - 1)) as f64;
    let first = (500_000.0 / per_operation).ceil();
    let retry = format!(
        "{{ max_attempts = {}, backoff = {{ constant = \"1ns\" }}, \
         budget = {{ aws-quota = {{ capacity = {}, cost = {} }} }} }}",
        large.attempts, large.capacity, large.cost
    );
    // One operation lies between the two faults, none on the border.
    let faults = errors(1.0, 0.0, first / 1.01) + &errors(quota.p, first + 0.5, first + operations);
    let scenario = unreliable(1, &retry, first + operations, &faults);
    Experiment { scenario, reading: reading((first + 2.5) * THINK) }
}

fn moving(params: &Params) -> Option<Experiment> {
    let quota = Quota::of(params)?;
    // A drift near zero drowns in the noise of the level.
    let exact = exact::value("AWS retry quota", params, "token drift")?.abs();
    (quota.attempts > 1 && exact > 0.3).then(|| half_full(&quota, 20_000.0, drift))
}

fn sustained(params: &Params) -> Option<Experiment> {
    let root = "AWS retry quota drain threshold (iid failure prob p per attempt)";
    let (cost, attempts) = (params.int("cost")?, params.int("max_attempts")?);
    let p = exact::value(root, params, "p*")?;
    let quota = Quota { cost, attempts, p, capacity: 0 };
    let reading = |from| ratio(from, f64::INFINITY, attempts_per_operation);
    (attempts > 1).then(|| half_full(&quota, 10_000.0, reading))
}

/// Clients until their first denied retry.
fn drain(quota: &Quota, model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    let spread = metric == "SD[operations until first denied retry]";
    if !spread && !metric.starts_with("E[operations until first denied retry]") {
        return None;
    }
    let mean_metric = "E[operations until first denied retry] (counting the denied op)";
    let model = model.trim_end_matches(" [MC check]");
    let operations = exact::value(model, params, mean_metric)?;
    // Some 50,000 operations a replication; a spread needs many clients.
    let clients = (50_000.0 / operations).clamp(4.0, 400.0) as u64;
    let known = if spread { clients >= 100 } else { operations < 5_000.0 };
    let read = if spread { deviation } else { mean };
    let sd = exact::value(model, params, "SD[operations until first denied retry]")?;
    known.then(|| Experiment {
        scenario: quota.scenario(clients, 0.0, operations + 6.0 * sd + 2.0),
        reading: first_denial(clients as usize, Until::Operations, watch_of(read)),
    })
}

/// One client of a service that is down.
fn outage(params: &Params, metric: &str) -> Option<Experiment> {
    let (cost, attempts) = (params.int("cost")?, params.int("max_attempts")?);
    let capacity = params.int("capacity")?;
    let quota = Quota { cost, attempts, p: 1.0, capacity };
    let operations = capacity as f64 / cost as f64 + 2.0;
    let scenario = quota.scenario(1, 0.0, operations);
    let until = match metric {
        "retries allowed before first denial" => Until::Retries,
        "tokens left" => Until::Tokens,
        _ => return None,
    };
    let reading = first_denial(1, until, watch_of(|counts: &[f64]| counts[0]));
    Some(Experiment { scenario, reading })
}

fn limiter(params: &Params) -> Option<Experiment> {
    let (rate, r, b) = (params.num("lam")?, params.num("r")?, params.int("b")?);
    let server = format!(
        "workers = 1\nservice_time = \"0s\"\n\
         limit = {{ count = {b}, per = \"{}\", window = \"bucket\" }}",
        seconds(b as f64 / r)
    );
    let (warmup, span) = (20.0 * b as f64 / r, 20_000.0 / rate);
    let scenario = Simple {
        count: 1,
        load: &format!("poisson = \"{rate}/s\""),
        caller: PATIENT,
        server: &server,
        rest: "",
        warmup,
        span,
    };
    Some(Experiment {
        scenario: scenario.toml(),
        reading: ratio(warmup, f64::INFINITY, rejected_of_decided),
    })
}

pub(super) fn rejected_of_decided(record: &Record) -> (f64, f64) {
    match record {
        Record::Decided { outcome, .. } => {
            (f64::from(u8::from(*outcome == Outcome::Rejected)), 1.0)
        }
        _ => (0.0, 0.0),
    }
}

fn attempts(most: u64) -> String {
    format!("{{ max_attempts = {most}, backoff = {{ constant = \"1ns\" }} }}")
}

fn layers(attempts_per_layer: &[f64]) -> String {
    let layers: Vec<String> = attempts_per_layer.iter().map(|n| attempts(*n as u64)).collect();
    format!("{{ layers = [{}] }}", layers.join(", "))
}

/// Attempts per operation where every attempt fails with probability p.
fn chance(retry: &str, p: f64) -> Option<Experiment> {
    // A failure that always comes needs no many operations to be believed.
    let operations = if p >= 1.0 { 20.0 } else { 10_000.0 };
    Some(Experiment {
        scenario: unreliable(1, retry, operations, &errors(p, 0.0, operations)),
        reading: ratio(0.0, f64::INFINITY, attempts_per_operation),
    })
}
