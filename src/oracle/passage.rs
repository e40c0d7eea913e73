//! Watches that end when the state of a service first is such: storms, drains and busy periods.

use super::gauge::{State, at, service_of, span};
use super::watch::Watch;
use crate::metrics::{Outcome, Record};
use crate::time::SimTime;

/// A service and the calls that wait to try it again, until they are few.
#[derive(Clone, Copy, Debug, Default)]
struct Storm {
    state: State,
    since: SimTime,
    retries: u32,
    found: Option<f64>,
}

/// The mean over services, each by itself, of what passes from a moment until so few calls wait
/// to retry: seconds, or retries that are sent.
pub struct Calm {
    from: SimTime,
    bound: u32,
    in_retries: bool,
    storms: Vec<Storm>,
}

impl Calm {
    /// Of so many services, from so many seconds after the start.
    pub fn new(services: usize, from: f64, bound: u32, in_retries: bool) -> Calm {
        Calm { from: at(from), bound, in_retries, storms: vec![Storm::default(); services] }
    }
}

impl Watch for Calm {
    fn see(&mut self, now: SimTime, record: &Record) {
        let Some(service) = service_of(record) else { return };
        let storm = &mut self.storms[service as usize];
        if now > storm.since {
            let calm = storm.state.orbit <= self.bound;
            if storm.found.is_none() && now > self.from && calm {
                let time = span(self.from, storm.since);
                storm.found = Some(if self.in_retries { f64::from(storm.retries) } else { time });
            }
            storm.since = now;
        }
        storm.state.take(service, record);
        if let Record::AttemptSent { number, .. } = record {
            storm.retries += u32::from(*number > 1 && now > self.from);
        }
    }

    fn value(&self) -> Option<f64> {
        let sum = self.storms.iter().try_fold(0.0, |sum, storm| Some(sum + storm.found?))?;
        Some(sum / self.storms.len() as f64)
    }
}

/// The mean length of busy periods, of so many.
pub struct BusyPeriods {
    wanted: u32,
    began: Option<SimTime>,
    ended: u32,
    sum: f64,
}

impl BusyPeriods {
    /// Nothing has been seen yet.
    pub fn new(wanted: u32) -> BusyPeriods {
        BusyPeriods { wanted, began: None, ended: 0, sum: 0.0 }
    }
}

impl Watch for BusyPeriods {
    fn see(&mut self, now: SimTime, record: &Record) {
        let Record::Level { in_system, .. } = *record else { return };
        match self.began {
            None if in_system > 0 => self.began = Some(now),
            Some(began) if in_system == 0 => {
                self.began = None;
                if self.ended < self.wanted {
                    self.sum += span(began, now);
                    self.ended += 1;
                }
            }
            _ => {}
        }
    }

    fn value(&self) -> Option<f64> {
        (self.ended == self.wanted).then(|| self.sum / f64::from(self.wanted))
    }
}

/// What is left to a service of the many that drain side by side.
#[derive(Clone, Copy, Debug, Default)]
struct Drain {
    level: u32,
    since: SimTime,
    served: u64,
    /// Seconds, and attempts served.
    found: Option<(f64, u64)>,
}

/// The mean over services, each by itself, of a function of the seconds until it first has at
/// most so many attempts and of the attempts that it has served until then.
pub struct Drains<F> {
    from: SimTime,
    bound: u32,
    read: F,
    services: Vec<Drain>,
}

impl<F: Fn(f64, u64) -> f64> Drains<F> {
    /// Of so many services, from so many seconds after the start.
    pub fn new(services: usize, from: f64, bound: u32, read: F) -> Drains<F> {
        Drains { from: at(from), bound, read, services: vec![Drain::default(); services] }
    }
}

impl<F: Fn(f64, u64) -> f64> Watch for Drains<F> {
    fn see(&mut self, now: SimTime, record: &Record) {
        let (service, served, level) = match *record {
            Record::Level { service, in_system, .. } => (service, false, Some(in_system)),
            Record::Decided { service, outcome: Outcome::Served, .. } => (service, true, None),
            _ => return,
        };
        let Some(drain) = self.services.get_mut(service as usize) else { return };
        if now > drain.since && now > self.from {
            if drain.found.is_none() && drain.level <= self.bound {
                drain.found = Some((span(self.from, drain.since), drain.served));
            }
            drain.since = now;
        }
        drain.served += u64::from(served && now > self.from);
        if let Some(level) = level {
            drain.since = now;
            drain.level = level;
        }
    }

    fn value(&self) -> Option<f64> {
        let mut sum = 0.0;
        for drain in &self.services {
            // Nothing has happened to it since it was down.
            let down = drain.level <= self.bound && drain.since >= self.from;
            let now = down.then(|| (span(self.from, drain.since), drain.served));
            let (seconds, served) = drain.found.or(now)?;
            sum += (self.read)(seconds, served);
        }
        Some(sum / self.services.len() as f64)
    }
}
