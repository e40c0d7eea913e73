//! What the experiments on retries look at: moments of retries, waits of calls, shares, tokens.

use std::sync::Arc;

use super::{Reading, watch};
use crate::metrics::{Record, Who};
use crate::oracle::watch::Watch;
use crate::time::SimTime;

/// A number read off a list of numbers.
pub(super) type Read = Arc<dyn Fn(&[f64]) -> f64 + Send + Sync>;

/// When each of `each` clients of every group sent attempt `number`; a number of each group's
/// moments, in seconds, and its mean over `groups` independent groups.
pub(super) fn moments(groups: usize, each: usize, number: u32, read: Read) -> Reading {
    watch(move || Moments { each, number, times: vec![Vec::new(); groups], read: read.clone() })
}

struct Moments {
    each: usize,
    number: u32,
    times: Vec<Vec<f64>>,
    read: Read,
}

impl Watch for Moments {
    fn see(&mut self, now: SimTime, record: &Record) {
        let Record::AttemptSent { who, number, .. } = *record else { return };
        if number == self.number {
            self.times[who.caller as usize].push(now.as_secs_f64());
        }
    }

    fn value(&self) -> Option<f64> {
        let complete = self.times.iter().all(|times| times.len() == self.each);
        let sum = || self.times.iter().map(|times| (self.read)(times)).sum::<f64>();
        complete.then(|| sum() / self.times.len() as f64)
    }
}

/// A number of the waits of every call, in seconds, and of those numbers one, once all `clients`
/// calls have ended.
pub(super) fn waits(clients: usize, of_call: Read, read: Read) -> Reading {
    watch(move || Waits {
        ended: 0,
        waits: vec![Vec::new(); clients],
        of_call: of_call.clone(),
        read: read.clone(),
    })
}

struct Waits {
    ended: usize,
    waits: Vec<Vec<f64>>,
    of_call: Read,
    read: Read,
}

impl Watch for Waits {
    fn see(&mut self, _: SimTime, record: &Record) {
        match *record {
            Record::BackoffEnded { who, waited, .. } => {
                self.waits[who.client as usize].push(waited.as_secs_f64());
            }
            Record::CallEnded { .. } => self.ended += 1,
            _ => {}
        }
    }

    fn value(&self) -> Option<f64> {
        let of_calls = || -> Vec<f64> { self.waits.iter().map(|w| (self.of_call)(w)).collect() };
        (self.ended == self.waits.len()).then(|| (self.read)(&of_calls()))
    }
}

/// What a record adds above and below the line.
pub(super) type Count = fn(&Record) -> (f64, f64);

/// The ratio of two counts of what happens from `from` seconds on and before `to`.
pub(super) fn ratio(from: f64, to: f64, count: Count) -> Reading {
    watch(move || Ratio { from, to, count, above: 0.0, below: 0.0 })
}

struct Ratio {
    from: f64,
    to: f64,
    count: Count,
    above: f64,
    below: f64,
}

impl Watch for Ratio {
    fn see(&mut self, now: SimTime, record: &Record) {
        let now = now.as_secs_f64();
        if now >= self.from && now < self.to {
            let (above, below) = (self.count)(record);
            self.above += above;
            self.below += below;
        }
    }

    fn value(&self) -> Option<f64> {
        (self.below > 0.0).then_some(self.above / self.below)
    }
}

/// The rate of what is counted, per second, from `from` until `to` seconds.
pub(super) fn rate(from: f64, to: f64, count: fn(&Record) -> bool) -> Reading {
    watch(move || Rate { from, to, count, seen: 0.0 })
}

struct Rate {
    from: f64,
    to: f64,
    count: fn(&Record) -> bool,
    seen: f64,
}

impl Watch for Rate {
    fn see(&mut self, now: SimTime, record: &Record) {
        let now = now.as_secs_f64();
        if now >= self.from && now < self.to && (self.count)(record) {
            self.seen += 1.0;
        }
    }

    fn value(&self) -> Option<f64> {
        Some(self.seen / (self.to - self.from))
    }
}

/// Whether an attempt was sent.
pub(super) fn sent(record: &Record) -> bool {
    matches!(record, Record::AttemptSent { .. })
}

/// Mean tokens at which operations begin, from `from` seconds on.
pub(super) fn tokens(from: f64) -> Reading {
    watch(move || Tokens { from, level: 0.0, sum: 0.0, operations: 0.0 })
}

struct Tokens {
    from: f64,
    level: f64,
    sum: f64,
    operations: f64,
}

impl Watch for Tokens {
    fn see(&mut self, now: SimTime, record: &Record) {
        match *record {
            Record::Tokens { change, .. } => self.level += change as f64,
            Record::CallBegan { .. } if now.as_secs_f64() >= self.from => {
                self.sum += self.level;
                self.operations += 1.0;
            }
            _ => {}
        }
    }

    fn value(&self) -> Option<f64> {
        (self.operations > 0.0).then_some(self.sum / self.operations)
    }
}

/// Tokens won per operation of those that begin from `from` seconds on.
pub(super) fn drift(from: f64) -> Reading {
    watch(move || Drift { from, change: 0.0, operations: 0.0 })
}

struct Drift {
    from: f64,
    change: f64,
    operations: f64,
}

impl Watch for Drift {
    fn see(&mut self, now: SimTime, record: &Record) {
        if now.as_secs_f64() < self.from {
            return;
        }
        match *record {
            Record::Tokens { change, .. } => self.change += change as f64,
            Record::CallEnded { .. } => self.operations += 1.0,
            _ => {}
        }
    }

    fn value(&self) -> Option<f64> {
        (self.operations > 0.0).then_some(self.change / self.operations)
    }
}

/// What is counted of each client until its first denied retry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Until {
    /// Operations, that of the denial counted.
    Operations,
    /// Retries.
    Retries,
    /// Tokens that are left.
    Tokens,
}

/// A number of what `clients` clients did until a retry of theirs was first denied.
pub(super) fn first_denial(clients: usize, until: Until, read: Read) -> Reading {
    watch(move || FirstDenial {
        until,
        counts: vec![0.0; clients],
        denied: vec![false; clients],
        read: read.clone(),
    })
}

struct FirstDenial {
    until: Until,
    counts: Vec<f64>,
    denied: Vec<bool>,
    read: Read,
}

impl FirstDenial {
    fn count(&mut self, who: Who, n: f64) {
        if !self.denied[who.client as usize] {
            self.counts[who.client as usize] += n;
        }
    }
}

impl Watch for FirstDenial {
    fn see(&mut self, _: SimTime, record: &Record) {
        match (*record, self.until) {
            (Record::CallBegan { who, .. }, Until::Operations) => self.count(who, 1.0),
            (Record::AttemptSent { who, number, .. }, Until::Retries) if number > 1 => {
                self.count(who, 1.0);
            }
            (Record::Tokens { who, change }, Until::Tokens) => self.count(who, change as f64),
            (Record::QuotaRefused { who, .. }, _) => self.denied[who.client as usize] = true,
            _ => {}
        }
    }

    fn value(&self) -> Option<f64> {
        self.denied.iter().all(|denied| *denied).then(|| (self.read)(&self.counts))
    }
}

/// The mean of a list.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The standard deviation of a sample.
pub(super) fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    (squares / (values.len() as f64 - 1.0)).sqrt()
}
