//! Ladders of waits, their sums, and herds that come back in waves.

use std::sync::Arc;

use super::herd::{FREE, waiting};
use super::noted::{Read, deviation, mean};
use super::{Experiment, Simple, seconds, watch, watch_of};
use crate::metrics::Record;
use crate::oracle::params::Params;
use crate::oracle::watch::Watch;
use crate::time::SimTime;

/// A herd of N clients that meets an outage f times, and then a limit of A per wave.
pub(super) fn experiment(params: &Params, metric: &str) -> Option<Experiment> {
    let (n, admitted) = (params.int("N")?, params.int("admitted_per_wave")?);
    let (base, mult) = (params.num("base")?, params.num("mult")?);
    let (cap, failed) = (params.num("cap")?, params.int("attempts_failed_in_outage")?);
    let part = match metric {
        "waves to drain" => Part::Waves,
        "total attempts" => Part::Attempts,
        _ if metric.starts_with("time of the wave that admits the last client") => Part::Last,
        _ => return None,
    };
    let wait = |retry: u64| (base * libm::pow(mult, retry as f64)).min(cap);
    let outage: f64 = (0..failed.checked_sub(1)?).map(wait).sum();
    let waves = n.div_ceil(admitted);
    let caller = format!(
        "timeout = \"none\"\nretry = {{ max_attempts = \"unlimited\", cap = \"{}\", \
         backoff = {{ exponential = {{ base = \"{}\", factor = {mult:?} }} }} }}",
        seconds(cap),
        seconds(base)
    );
    let scenario = Simple {
        count: n,
        load: "burst = \"0s\"",
        caller: &caller,
        // No two waves fall into one window, as they are at least a base apart.
        server: &format!(
            "{FREE}\nlimit = {{ count = {admitted}, per = \"{}\" }}",
            seconds(base / 2.0)
        ),
        rest: &format!(
            "[[faults]]\nkind = \"outage\"\nat = \"0s\"\nfor = \"{}\"\n",
            seconds(outage + 1e-9)
        ),
        warmup: 0.0,
        span: (0..failed + waves).map(wait).sum::<f64>() + 1.0,
    };
    let reading = watch(move || Waves { clients: n, part, ..Waves::default() });
    Some(Experiment { scenario: scenario.toml(), reading })
}

/// What is asked of the waves.
#[derive(Clone, Copy, Default)]
enum Part {
    /// Moments at which somebody got through.
    #[default]
    Waves,
    /// Attempts.
    Attempts,
    /// When the last one got through, in seconds.
    Last,
}

#[derive(Default)]
struct Waves {
    clients: u64,
    part: Part,
    done: u64,
    waves: f64,
    attempts: f64,
    last: Option<SimTime>,
}

impl Watch for Waves {
    fn see(&mut self, now: SimTime, record: &Record) {
        match record {
            Record::AttemptSent { .. } => self.attempts += 1.0,
            Record::CallEnded { .. } => {
                self.done += 1;
                self.waves += f64::from(u8::from(self.last != Some(now)));
                self.last = Some(now);
            }
            _ => {}
        }
    }

    fn value(&self) -> Option<f64> {
        (self.done == self.clients).then(|| match self.part {
            Part::Waves => self.waves,
            Part::Attempts => self.attempts,
            Part::Last => self.last.map_or(0.0, SimTime::as_secs_f64),
        })
    }
}

/// Sums of waits, and single ones.
pub(super) fn sums(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    match model {
        "backoff ladder (webhook calculator)" => ladder(params, metric),
        "AWS full jitter" => aws(params, metric),
        "sum of full-jitter delays" => jittered(params, metric),
        "decorrelated jitter, cap=inf, d_0=base" => kth(params, metric),
        "decorrelated jitter d'=min(cap,U(base,3d)), stationary" => stationary(params, metric),
        _ => None,
    }
}

fn total() -> Read {
    Arc::new(|waits: &[f64]| waits.iter().sum())
}

fn ladder(params: &Params, metric: &str) -> Option<Experiment> {
    let (base, mult) = (params.num("base")?, params.num("mult")?);
    let (cap, retries) = (params.num("cap")?, params.int("retries")?);
    let retry = format!(
        "max_retries = {retries}, cap = \"{}\", \
         backoff = {{ exponential = {{ base = \"{}\", factor = {mult:?} }} }}",
        seconds(cap),
        seconds(base)
    );
    let longest = cap * retries as f64 + 1.0;
    (metric == "total wait (s)").then(|| waiting(1, &retry, longest, total(), watch_of(mean)))
}

/// Clients whose waits are looked at.
const CLIENTS: u64 = 2_000;

fn aws(params: &Params, metric: &str) -> Option<Experiment> {
    let (base, most) = (params.num("base_ms")?, params.int("max_attempts")?);
    let read: Read = match metric {
        "E[total backoff] ms" => watch_of(|sums| 1e3 * mean(sums)),
        "SD[total backoff] ms" => watch_of(|sums| 1e3 * deviation(sums)),
        _ => return None,
    };
    let retry = format!(
        "max_attempts = {most}, cap = \"20s\", jitter = \"full\", \
         backoff = {{ exponential = {{ base = \"{base}ms\" }} }}"
    );
    Some(waiting(CLIENTS, &retry, 20.0 * most as f64, total(), read))
}

fn jittered(params: &Params, metric: &str) -> Option<Experiment> {
    let (ceilings, x) = (params.list("ceilings_ms")?, params.num("x")?);
    let schedule: Vec<String> = ceilings.iter().map(|ms| format!("\"{ms}ms\"")).collect();
    let retry = format!(
        "max_retries = {}, jitter = \"full\", backoff = {{ schedule = [{}] }}",
        ceilings.len(),
        schedule.join(", ")
    );
    let read = watch_of(move |sums: &[f64]| {
        mean(&sums.iter().map(|sum| f64::from(u8::from(1e3 * sum <= x))).collect::<Vec<_>>())
    });
    let longest = ceilings.iter().sum::<f64>() / 1e3 + 1.0;
    (metric == "P(total <= x)").then(|| waiting(CLIENTS, &retry, longest, total(), read))
}

/// The k-th wait without a cap.
fn kth(params: &Params, metric: &str) -> Option<Experiment> {
    let (base, k) = (params.num("base")?, params.int("k").filter(|k| (1..=12).contains(k))?);
    let retry = format!(
        "max_retries = {k}, backoff = {{ decorrelated = {{ base = \"{}\" }} }}",
        seconds(base)
    );
    let of_call = watch_of(move |waits: &[f64]| waits[k as usize - 1]);
    let longest = 2.0 * base * libm::pow(3.0, k as f64);
    (metric == "E[k-th delay]")
        .then(|| waiting(2 * CLIENTS, &retry, longest, of_call, watch_of(mean)))
}

/// A wait after so many others that it has the stationary law.
fn stationary(params: &Params, metric: &str) -> Option<Experiment> {
    let (base, cap) = (params.num("base")?, params.num("cap")?);
    let retries = 40;
    let retry = format!(
        "max_retries = {retries}, cap = \"{}\", \
         backoff = {{ decorrelated = {{ base = \"{}\" }} }}",
        seconds(cap),
        seconds(base)
    );
    let of_call = match metric {
        "E[delay]" => watch_of(|waits: &[f64]| waits[waits.len() - 1]),
        "P(delay=cap)" => {
            watch_of(move |waits: &[f64]| f64::from(u8::from(waits[waits.len() - 1] > cap - 1e-9)))
        }
        _ => return None,
    };
    let longest = cap * f64::from(retries) + 1.0;
    Some(waiting(CLIENTS, &retry, longest, of_call, watch_of(mean)))
}
