//! Herds whose first attempts all fail in one instant, and what their retries look like.

use super::noted::{Read, deviation, mean, moments, rate, sent, waits};
use super::{Experiment, Reading, Simple, seconds, watch_of};
use crate::metrics::Record;
use crate::oracle::exact;
use crate::oracle::params::{Params, number_in};

const BINS: &str = "N full-jitter retries over window W cut in m equal bins";
const CAPACITY: &str = "N full-jitter retries, capacity C per bin, no queue";
const WINDOW: &str = "N full-jitter retries over [0,W]";
const SINGLE: &str = "N full-jitter retries, single server, service s, no queue";
const SCAN: &str = "scan statistic: N uniform retries, sliding window p=w/W";
const SLIDING: &str = "scan statistic: N uniform retries, sliding window W/m";
const ROUNDS: &str = "resultant length |E e^{2 pi i t/P}| after k constant-delay rounds";
const UNIFORM: &str = "Kuramoto/resultant length of N independent uniform phases";
const JITTERED: &str = "E[R^2] after k=";
const FANO: &str = "Fano factor of bin counts, N clients, m bins per period";
const STUCK: &str = "permanent outage, N clients at cap";
const WAVES: &str = "synchronised herd without jitter";

pub(super) fn experiment(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    let n = params.int("N");
    match model {
        BINS => bins(model, params, metric),
        CAPACITY => (metric == "E[fraction admitted]").then(|| admitted(params)).flatten(),
        WINDOW => order(n?, params.num("W")?, metric),
        SINGLE => (metric == "P(all admitted at first try)")
            .then(|| super::overlap::experiment(params))
            .flatten(),
        SCAN | SLIDING => scan(params),
        ROUNDS => (metric == "R_inf").then(|| rounds(model, params, metric)).flatten(),
        UNIFORM => Some(herds(groups(n?), n?, 1.0, FULL, watch_of(uniform(metric)?))),
        FANO => fano(n?, params.int("m")?, metric),
        STUCK => metric.starts_with("attempts per second").then(|| stuck(params)).flatten(),
        WAVES => super::wave::experiment(params, metric),
        _ if model.starts_with(JITTERED) => jittered(model, n?, metric),
        _ => None,
    }
}

/// A jitter of the scenario language.
pub(super) const FULL: &str = "\"full\"";

/// An outage that catches what is sent at time zero, and nothing else.
pub(super) const FLASH: &str = "[[faults]]\nkind = \"outage\"\nat = \"0s\"\nfor = \"1ns\"\n";

/// A service that needs no time.
pub(super) const FREE: &str = "workers = 1\nservice_time = \"0s\"";

/// `groups` independent herds of n clients, which fail at time zero and try once more within W
/// seconds; a number of the moments of each.
fn herds(groups: usize, n: u64, window: f64, jitter: &str, read: Read) -> Experiment {
    let caller = again(window, jitter, 1);
    let more: String = (1..groups).map(|g| group(g, n, &caller)).collect();
    let scenario = Simple {
        count: n,
        load: "burst = \"0s\"",
        caller: &caller,
        server: FREE,
        rest: &(more + FLASH),
        warmup: 0.0,
        span: 1.1 * window,
    };
    Experiment { scenario: scenario.toml(), reading: moments(groups, n as usize, 2, read) }
}

/// A caller who tries so often again, each time after the same wait, spread by a jitter.
pub(super) fn again(wait: f64, jitter: &str, retries: u64) -> String {
    format!(
        "timeout = \"none\"\nretry = {{ max_retries = {retries}, jitter = {jitter}, \
         backoff = {{ constant = \"{}\" }} }}",
        seconds(wait)
    )
}

/// A further herd.
fn group(number: usize, n: u64, caller: &str) -> String {
    format!(
        "[[clients]]\nname = \"c{number}\"\ncount = {n}\nload = {{ burst = \"0s\" }}\n{caller}\n"
    )
}

/// Herds in one replication, so that together they have some 20,000 clients.
pub(super) fn groups(n: u64) -> usize {
    (20_000 / n).clamp(1, 100) as usize
}

/// How many of these moments are in each bin of width 1.
fn counts(times: &[f64], m: usize) -> Vec<f64> {
    let mut bins = vec![0.0; m];
    times.iter().for_each(|t| bins[(*t as usize).min(m - 1)] += 1.0);
    bins
}

fn highest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |a: f64, b| a.max(*b))
}

fn bins(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    let (n, m) = (params.int("N")?, params.int("m")? as usize);
    let share = m as f64 / n as f64;
    let read: Read = if metric == "E[max bin count]" {
        watch_of(move |times| highest(&counts(times, m)))
    } else if metric.starts_with("peak/mean ratio") {
        watch_of(move |times| highest(&counts(times, m)) * share)
    } else if let Some(most) = number_in(metric, "P(max bin > ", ")") {
        // Rarer herds are not seen often enough.
        if exact::value(model, params, metric)? * (groups(n) as f64) < 2.0 {
            return None;
        }
        watch_of(move |times| f64::from(u8::from(highest(&counts(times, m)) > most)))
    } else {
        let exactly = number_in(metric, "P(given bin = ", ")")?;
        watch_of(move |times| {
            let hits = counts(times, m).iter().filter(|count| **count == exactly).count();
            hits as f64 / m as f64
        })
    };
    Some(herds(groups(n), n, m as f64, FULL, read))
}

/// The share of a herd that a limit of C per second admits.
fn admitted(params: &Params) -> Option<Experiment> {
    let (n, m, capacity) = (params.int("N")?, params.num("m")?, params.int("C")?);
    let server = format!("{FREE}\nlimit = {{ count = {capacity}, per = \"1s\" }}");
    // Many herds, one after the other: whole seconds apart, as the windows of the limit are.
    let begins: Vec<String> =
        (0..groups(n)).map(|herd| seconds(herd as f64 * (m + 2.0).ceil())).collect();
    let loads: Vec<String> = begins.iter().map(|at| format!("{{ burst = \"{at}\" }}")).collect();
    let fault = |at: &String| FLASH.replacen("\"0s\"", &format!("\"{at}\""), 1);
    let scenario = format!(
        "horizon = \"{}\"\nbin = \"1s\"\n[[clients]]\nname = \"c\"\ncount = {n}\nload = [{}]\n\
         {}\n[server]\n{server}\n{}",
        seconds(begins.len() as f64 * (m + 2.0).ceil()),
        loads.join(", "),
        again(m, FULL, 1),
        begins.iter().map(fault).collect::<String>(),
    );
    let count: super::noted::Count = |record| match record {
        Record::CallEnded { failure, .. } => (f64::from(u8::from(failure.is_none())), 1.0),
        _ => (0.0, 0.0),
    };
    let reading = super::noted::ratio(0.0, f64::INFINITY, count);
    Some(Experiment { scenario, reading })
}

fn order(n: u64, window: f64, metric: &str) -> Option<Experiment> {
    let read = match metric {
        "E[first retry]" => watch_of(|times| times.iter().fold(f64::INFINITY, |a, b| a.min(*b))),
        "E[last retry]" => watch_of(highest),
        _ => return None,
    };
    Some(herds(groups(n), n, window, FULL, read))
}

/// The most moments in any window of this width.
fn densest(times: &[f64], width: f64) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    let mut first = 0;
    let mut most = 0;
    for (last, time) in times.iter().enumerate() {
        while time - times[first] > width {
            first += 1;
        }
        most = most.max(last - first + 1);
    }
    most as f64
}

fn scan(params: &Params) -> Option<Experiment> {
    let n = params.int("N")?;
    let window = 100.0;
    let read = if let Some(share) = params.num("p") {
        let k = params.num("k")?;
        watch_of(move |times| f64::from(u8::from(densest(times, share * window) >= k)))
    } else {
        let width = window / params.num("m")?;
        watch_of(move |times| densest(times, width))
    };
    Some(herds(groups(n), n, window, FULL, read))
}

/// The mean of e^(2πi t/P), P = 1.
fn resultant(times: &[f64]) -> (f64, f64) {
    let turn = |t: &f64| libm::sincos(2.0 * std::f64::consts::PI * t);
    let (sin, cos) = times.iter().map(turn).fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    (cos / times.len() as f64, sin / times.len() as f64)
}

fn square(times: &[f64]) -> f64 {
    let (x, y) = resultant(times);
    x * x + y * y
}

fn uniform(metric: &str) -> Option<fn(&[f64]) -> f64> {
    match metric {
        "E[R^2]" => Some(square),
        _ if metric.starts_with("E[R] ~") => Some(|times| square(times).sqrt()),
        _ => None,
    }
}

/// A herd of n clients that nobody answers, in the round number `rounds`.
fn lasting(n: u64, rounds: u64, jitter: &str, read: Read) -> Experiment {
    let span = 2.0 * rounds as f64 + 1.0;
    let scenario = Simple {
        count: n,
        load: "burst = \"0s\"",
        caller: &again(1.0, jitter, rounds),
        server: FREE,
        rest: &down(span),
        warmup: 0.0,
        span,
    };
    let reading = moments(1, n as usize, rounds as u32 + 1, read);
    Experiment { scenario: scenario.toml(), reading }
}

/// An outage of the whole run.
pub(super) fn down(span: f64) -> String {
    format!("[[faults]]\nkind = \"outage\"\nat = \"0s\"\nfor = \"{}\"\n", seconds(2.0 * span))
}

/// Where the mean of e^(2πi t) points is known: waits of equal jitter have their middle at ¾, so
/// that every round turns it by ¾; the others do not turn it. The length in that direction has R
/// as its mean without a bias.
fn rounds(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    let k = params.int("k")?;
    let (jitter, turn) = match params.text("jitter")? {
        "none" => ("\"none\"".to_string(), 0.0),
        "equal" => ("\"equal\"".to_string(), 0.75),
        "pm" => (format!("{{ proportional = {} }}", params.num("w")?), 0.0),
        _ => return None,
    };
    // Shorter resultants drown in the noise of the herd.
    let length = exact::value(model, params, metric)?;
    let read = watch_of(move |times: &[f64]| {
        let (x, y) = resultant(times);
        let (sin, cos) = libm::sincos(2.0 * std::f64::consts::PI * turn * k as f64);
        x * cos + y * sin
    });
    (length > 0.05).then(|| lasting((20.0 / length / length) as u64 + 1000, k, &jitter, read))
}

fn jittered(model: &str, n: u64, metric: &str) -> Option<Experiment> {
    let (rounds, share) = model.strip_prefix(JITTERED)?.split_once(" rounds of +-")?;
    let (rounds, share) = (rounds.parse().ok()?, share.split_once('%')?.0);
    let jitter = format!("{{ proportional = \"{share}%\" }}");
    (metric == "E[R^2]").then(|| lasting(n, rounds, &jitter, watch_of(square)))
}

/// Variance over mean of the bins of one period, with and without jitter.
fn fano(n: u64, m: u64, metric: &str) -> Option<Experiment> {
    let m = m as usize;
    let factor = move |times: &[f64], start: f64| {
        let within: Vec<f64> = times.iter().map(|t| t - start).collect();
        let bins = counts(&within, m);
        let squares = deviation(&bins) * deviation(&bins) * (m as f64 - 1.0) / m as f64;
        squares / mean(&bins)
    };
    match metric {
        "independent uniform (multinomial)" => {
            let read = watch_of(move |times| factor(times, 0.0));
            Some(herds(groups(n), n, m as f64, FULL, read))
        }
        "fully synchronised" => {
            let read = watch_of(move |times| factor(times, m as f64));
            Some(herds(1, n, m as f64, "\"none\"", read))
        }
        _ => None,
    }
}

/// Attempts per second of clients whom nobody answers, once their rounds have mixed.
fn stuck(params: &Params) -> Option<Experiment> {
    let (n, cap) = (params.int("N")?, params.num("cap")?);
    let latency = params.num("fail_latency")?;
    let (jitter, wait) = match params.text("policy")? {
        "full jitter" => (FULL, cap / 2.0),
        "equal jitter" => ("\"equal\"", cap * 0.75),
        "no jitter" => ("\"none\"", cap),
        _ => return None,
    };
    let cycle = wait + latency;
    let caller = format!(
        "timeout = \"none\"\nretry = {{ max_attempts = \"unlimited\", jitter = {jitter}, \
         backoff = {{ constant = \"{}\" }} }}",
        seconds(cap)
    );
    let (warmup, span) = (15.5 * cycle, 10.0 * cycle);
    let scenario = Simple {
        count: n,
        load: "burst = \"0s\"",
        caller: &caller,
        server: &format!("{FREE}\nnetwork = \"{}\"", seconds(latency / 2.0)),
        rest: &down(warmup + span),
        warmup: 0.0,
        span: warmup + span,
    };
    let reading = rate(warmup, warmup + span, sent);
    Some(Experiment { scenario: scenario.toml(), reading })
}

/// `clients` calls that nobody answers, until each has given up; a number of the waits of each,
/// and one of these.
pub(super) fn waiting(
    clients: u64,
    retry: &str,
    longest: f64,
    of_call: Read,
    read: Read,
) -> Experiment {
    let scenario = Simple {
        count: clients,
        load: "burst = \"0s\"",
        caller: &format!("timeout = \"none\"\nretry = {{ {retry} }}"),
        server: FREE,
        rest: &down(longest),
        warmup: 0.0,
        span: longest,
    };
    let reading: Reading = waits(clients as usize, of_call, read);
    Experiment { scenario: scenario.toml(), reading }
}
