//! What the experiments of queues have in common: how long a run lasts, texts, and readings.

use super::{Reading, Simple, seconds, watch};
use crate::metrics::{Outcome, Record};
use crate::oracle::gauge::{Ratio, State, TimeMean};
use crate::time::SimTime;

/// Warm-up and span of a run in seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub warmup: f64,
    pub span: f64,
}

impl Span {
    /// Ten relaxation times of warm-up. Then `times` of them, and at least 30 000 arrivals.
    pub fn of(relaxation: f64, rate: f64, times: f64) -> Span {
        Span { warmup: 10.0 * relaxation, span: (times * relaxation).max(30_000.0 / rate) }
    }

    pub fn end(self) -> f64 {
        self.warmup + self.span
    }

    /// The scenario; it lasts a little longer, so that watches see the end pass.
    pub fn scenario(
        self,
        count: u64,
        load: &str,
        caller: &str,
        server: &str,
        rest: &str,
    ) -> String {
        let (warmup, span) = (self.warmup, 1.02 * self.span + 0.02 * self.warmup);
        Simple { count, load, caller, server, rest, warmup, span }.toml()
    }

    /// The time mean of a function of the state.
    pub fn mean(self, of: impl Fn(&State) -> f64 + Copy + Send + Sync + 'static) -> Reading {
        watch(move || TimeMean::new(self.warmup, self.end(), of))
    }

    /// Shares and means over what happens after the warm-up.
    pub fn ratio(
        self,
        top: impl Fn(SimTime, &Record) -> f64 + Copy + Send + Sync + 'static,
        bottom: impl Fn(&Record) -> f64 + Copy + Send + Sync + 'static,
    ) -> Reading {
        watch(move || Ratio::new(self.warmup, top, bottom))
    }

    /// The mean over the work that begins of a function of the seconds it waited.
    pub fn of_waits(self, of: impl Fn(f64) -> f64 + Copy + Send + Sync + 'static) -> Reading {
        let waited = move |_: SimTime, record: &Record| match record {
            Record::Started { service: 0, waited, .. } => of(waited.as_secs_f64()),
            _ => 0.0,
        };
        self.ratio(waited, |record| is(matches!(record, Record::Started { service: 0, .. })))
    }

    /// The mean over the calls that end of a function of the seconds they took.
    pub fn of_calls(self, of: impl Fn(f64) -> f64 + Copy + Send + Sync + 'static) -> Reading {
        let took = move |now: SimTime, record: &Record| match record {
            Record::CallEnded { began, .. } => of((now - *began).as_secs_f64()),
            _ => 0.0,
        };
        self.ratio(took, |record| is(matches!(record, Record::CallEnded { .. })))
    }

    /// The share of attempts that end so.
    pub fn share(self, wanted: Outcome) -> Reading {
        let decided = move |_: SimTime, record: &Record| match record {
            Record::Decided { outcome, .. } => is(*outcome == wanted),
            _ => 0.0,
        };
        self.ratio(decided, |record| is(matches!(record, Record::Decided { .. })))
    }
}

/// One or nothing.
pub(super) fn is(true_or_not: bool) -> f64 {
    f64::from(u8::from(true_or_not))
}

/// A distribution in the scenario language: exponential, of this mean in seconds.
pub(super) fn exponential(mean: f64) -> String {
    format!("{{ exponential = \"{}\" }}", seconds(mean))
}

/// A load of independent calls.
pub(super) fn poisson(rate: f64) -> String {
    format!("poisson = \"{rate}/s\"")
}

/// A closed load with a memoryless time to think.
pub(super) fn thinks(mean: f64) -> String {
    format!("closed = {{ think = {} }}", exponential(mean))
}

/// So many workers with memoryless work; `places` bounds those that wait.
pub(super) fn workers(count: u64, work: f64, places: Option<u64>) -> String {
    let queue =
        places.map_or(String::new(), |places| format!("\nqueue = {{ capacity = {places} }}"));
    format!("workers = {count}\nservice_time = {}{queue}", exponential(work))
}

/// The relaxation time of M/M/c: 1 / (√(cμ) − √λ)², and the time of one work.
pub(super) fn relaxation(rate: f64, mu: f64, servers: f64) -> f64 {
    let gap = (servers * mu).sqrt() - rate.sqrt();
    1.0 / (gap * gap) + 1.0 / mu
}

/// Services side by side, none of which knows of the others.
pub(super) struct Copies<'a> {
    pub services: usize,
    /// The groups of callers of each: count and load.
    pub groups: &'a [(u64, String)],
    /// The keys of a group beside count and load.
    pub caller: &'a str,
    /// The keys of a service.
    pub server: &'a str,
    /// What goes wrong with each, and for how long: the keys of a fault but for its target.
    pub fault: &'a str,
    /// Seconds.
    pub horizon: f64,
}

impl Copies<'_> {
    pub fn toml(&self) -> String {
        let Copies { services, groups, caller, server, fault, horizon } = self;
        let (end, bin) = (seconds(*horizon), seconds(horizon / 16.0));
        let mut text = format!("horizon = \"{end}\"\nbin = \"{bin}\"\n");
        for copy in 0..*services {
            for (group, (count, load)) in groups.iter().enumerate() {
                text += &format!(
                    "[[clients]]\nname = \"c{copy}-{group}\"\ntarget = \"s{copy}\"\n\
                     count = {count}\nload = {{ {load} }}\n{caller}\n"
                );
            }
            text += &format!("[[services]]\nname = \"s{copy}\"\n{server}\n");
            if !fault.is_empty() {
                text += &format!("[[faults]]\ntarget = \"s{copy}\"\n{fault}\n");
            }
        }
        text
    }
}

/// The keys of an outage: its mode, and its begin and length in seconds.
pub(super) fn outage(mode: &str, from: f64, length: f64) -> String {
    let (at, length) = (seconds(from), seconds(length));
    format!("kind = \"outage\"\nmode = \"{mode}\"\nat = \"{at}\"\nfor = \"{length}\"")
}

/// So many services at a time that a run has some hundred thousand attempts.
pub(super) fn side_by_side(attempts: f64) -> usize {
    (100_000.0 / attempts).clamp(6.0, 50.0) as usize
}
