//! Watches over the state of a run: means over time, shares of what happens, sums.
//!
//! Only states that last count: within one instant a call may leave its wait and be back in it.

use super::watch::Watch;
use crate::metrics::Record;
use crate::time::SimTime;

/// How many attempts are where at a service, and how many calls wait to try it again.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    /// Attempts that wait for a worker.
    pub queued: u32,
    /// Attempts at the service.
    pub in_system: u32,
    /// Calls that wait to retry.
    pub orbit: u32,
}

impl State {
    /// Takes a record of service number `of`.
    pub fn take(&mut self, of: u16, record: &Record) {
        match *record {
            Record::Level { service, queued, in_system } if service == of => {
                (self.queued, self.in_system) = (queued, in_system);
            }
            Record::BackoffBegan { service, .. } if service == of => self.orbit += 1,
            Record::BackoffEnded { service, .. } if service == of => self.orbit -= 1,
            _ => {}
        }
    }
}

/// The service of a record that tells of the state, or of an attempt that is sent.
pub fn service_of(record: &Record) -> Option<u16> {
    match *record {
        Record::Level { service, .. }
        | Record::BackoffBegan { service, .. }
        | Record::BackoffEnded { service, .. }
        | Record::AttemptSent { service, .. } => Some(service),
        _ => None,
    }
}

/// A time of the run, from seconds.
pub fn at(seconds: f64) -> SimTime {
    SimTime::from_nanos((seconds * 1e9).round() as u64)
}

/// Seconds from one time to another; none when it is not later.
pub fn span(from: SimTime, until: SimTime) -> f64 {
    until.as_nanos().saturating_sub(from.as_nanos()) as f64 * 1e-9
}

/// The mean over time of a function of the state.
pub struct TimeMean<F> {
    from: SimTime,
    until: SimTime,
    of: F,
    state: State,
    since: SimTime,
    sum: f64,
}

impl<F: Fn(&State) -> f64> TimeMean<F> {
    /// Over the seconds `from` … `until`; a run must last a little longer.
    pub fn new(from: f64, until: f64, of: F) -> TimeMean<F> {
        let (from, until) = (at(from), at(until));
        TimeMean { from, until, of, state: State::default(), since: SimTime::ZERO, sum: 0.0 }
    }
}

impl<F: Fn(&State) -> f64> Watch for TimeMean<F> {
    fn see(&mut self, now: SimTime, record: &Record) {
        if now > self.since {
            let time = span(self.since.max(self.from), now.min(self.until));
            self.sum += (self.of)(&self.state) * time;
            self.since = now;
        }
        self.state.take(0, record);
    }

    fn value(&self) -> Option<f64> {
        (self.since >= self.until).then(|| self.sum / span(self.from, self.until))
    }
}

/// What a function gives for the records of a run, over what another gives.
pub struct Ratio<F, G> {
    from: SimTime,
    top: F,
    bottom: G,
    sums: (f64, f64),
}

impl<F: Fn(SimTime, &Record) -> f64, G: Fn(&Record) -> f64> Ratio<F, G> {
    /// From so many seconds after the start.
    pub fn new(from: f64, top: F, bottom: G) -> Ratio<F, G> {
        Ratio { from: at(from), top, bottom, sums: (0.0, 0.0) }
    }
}

impl<F: Fn(SimTime, &Record) -> f64, G: Fn(&Record) -> f64> Watch for Ratio<F, G> {
    fn see(&mut self, now: SimTime, record: &Record) {
        if now >= self.from {
            self.sums.0 += (self.top)(now, record);
            self.sums.1 += (self.bottom)(record);
        }
    }

    fn value(&self) -> Option<f64> {
        (self.sums.1 > 0.0).then(|| self.sums.0 / self.sums.1)
    }
}

/// The sum of what a function gives for the records of a whole run.
pub struct Sum<F> {
    of: F,
    sum: f64,
}

impl<F: Fn(&Record) -> f64> Sum<F> {
    /// Nothing has been seen yet.
    pub fn new(of: F) -> Sum<F> {
        Sum { of, sum: 0.0 }
    }
}

impl<F: Fn(&Record) -> f64> Watch for Sum<F> {
    fn see(&mut self, _: SimTime, record: &Record) {
        self.sum += (self.of)(record);
    }

    fn value(&self) -> Option<f64> {
        Some(self.sum)
    }
}

/// The mean over services, each by itself, of a function of the state at a moment.
pub struct Then<F> {
    when: SimTime,
    of: F,
    states: Vec<State>,
    found: Option<f64>,
}

impl<F: Fn(&State) -> f64> Then<F> {
    /// Of so many services, so many seconds after the start; a run must last longer.
    pub fn new(services: usize, when: f64, of: F) -> Then<F> {
        Then { when: at(when), of, states: vec![State::default(); services], found: None }
    }
}

impl<F: Fn(&State) -> f64> Watch for Then<F> {
    fn see(&mut self, now: SimTime, record: &Record) {
        if now > self.when && self.found.is_none() {
            let sum: f64 = self.states.iter().map(&self.of).sum();
            self.found = Some(sum / self.states.len() as f64);
        }
        if let Some(service) = service_of(record) {
            self.states[service as usize].take(service, record);
        }
    }

    fn value(&self) -> Option<f64> {
        self.found
    }
}

/// The share of time in which the work ahead of a server of constant work is above a bound: the
/// mean over services, each by itself.
pub struct Workload {
    from: SimTime,
    until: SimTime,
    /// Work of one attempt, in seconds.
    work: f64,
    bound: f64,
    /// When it was looked at last, what was left then, and the seconds above the bound.
    services: Vec<(SimTime, f64, f64)>,
    last: SimTime,
}

impl Workload {
    /// Of so many services, over the seconds `from` … `until`.
    pub fn new(services: usize, from: f64, until: f64, work: f64, bound: f64) -> Workload {
        let services = vec![(SimTime::ZERO, 0.0, 0.0); services];
        Workload { from: at(from), until: at(until), work, bound, services, last: SimTime::ZERO }
    }

    /// What one service has by `now`.
    fn advanced(&self, service: usize, now: SimTime) -> (SimTime, f64, f64) {
        let (since, left, above) = self.services[service];
        // What is left falls at the pace of the clock: it is above the bound for left − bound.
        let start = since.max(self.from);
        let at_start = left - span(since, start);
        let watched = span(start, now.min(self.until));
        let over = (at_start - self.bound).clamp(0.0, watched);
        (now, (left - span(since, now)).max(0.0), above + over)
    }
}

impl Watch for Workload {
    fn see(&mut self, now: SimTime, record: &Record) {
        self.last = now;
        if let Record::Accepted { service, .. } = *record {
            let (now, left, above) = self.advanced(service as usize, now);
            self.services[service as usize] = (now, left + self.work, above);
        }
    }

    fn value(&self) -> Option<f64> {
        if self.last < self.until {
            return None;
        }
        let above = |service| self.advanced(service, self.until.max(self.services[service].0)).2;
        let sum: f64 = (0..self.services.len()).map(above).sum();
        Some(sum / self.services.len() as f64 / span(self.from, self.until))
    }
}

/// The asymptotic variance of a mean, from the squares of what batches are off its exact value.
pub struct Batches {
    from: SimTime,
    /// Seconds of a batch, or customers.
    size: f64,
    mean: f64,
    /// Whether it is the mean wait of customers; otherwise the time mean of the level.
    of_waits: bool,
    level: u32,
    since: SimTime,
    sum: f64,
    filled: f64,
    squares: (f64, u32),
    wanted: u32,
}

impl Batches {
    /// So many batches, from so many seconds after the start.
    pub fn new(from: f64, size: f64, wanted: u32, mean: f64, of_waits: bool) -> Batches {
        let from = at(from);
        Batches {
            from,
            size,
            mean,
            of_waits,
            level: 0,
            since: from,
            sum: 0.0,
            filled: 0.0,
            squares: (0.0, 0),
            wanted,
        }
    }

    /// Adds `amount` of the value, over as many batches as it takes.
    fn add(&mut self, value: f64, mut amount: f64) {
        while amount > 0.0 {
            let part = amount.min(self.size - self.filled);
            self.sum += value * part;
            self.filled += part;
            amount -= part;
            // Parts of a batch may fail to add up by a rounding.
            if self.filled >= self.size * (1.0 - 1e-12) {
                let off = self.sum / self.size - self.mean;
                self.squares.0 += off * off * self.size;
                self.squares.1 += 1;
                (self.sum, self.filled) = (0.0, 0.0);
            }
        }
    }
}

impl Watch for Batches {
    fn see(&mut self, now: SimTime, record: &Record) {
        match *record {
            Record::Started { waited, .. } if self.of_waits && now >= self.from => {
                self.add(waited.as_secs_f64(), 1.0);
            }
            Record::Level { in_system, .. } if !self.of_waits => {
                if now > self.since {
                    self.add(f64::from(self.level), span(self.since, now));
                    self.since = now;
                }
                self.level = in_system;
            }
            _ => {}
        }
    }

    fn value(&self) -> Option<f64> {
        let (sum, batches) = self.squares;
        (batches >= self.wanted).then(|| sum / f64::from(batches))
    }
}
