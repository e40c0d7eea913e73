//! What an experiment looks at that is no measure of its own: a recorder that keeps one number.

use crate::metrics::{Record, Recorder};
use crate::time::SimTime;

/// A recorder that ends up with a number.
pub trait Watch {
    /// Takes note of what happened at `now`.
    fn see(&mut self, now: SimTime, record: &Record);

    /// The number; `None` when the run was too short to know it.
    fn value(&self) -> Option<f64>;
}

/// A watch as a recorder of a run.
pub struct Watched(pub Box<dyn Watch>);

impl Recorder for Watched {
    fn record(&mut self, now: SimTime, record: Record) {
        self.0.see(now, &record);
    }
}

/// Seconds from `from` until a service first has at most (or at least) so many attempts.
#[derive(Clone, Copy, Debug)]
pub struct FirstPassage {
    /// The service, by its place.
    pub service: u16,
    /// When the search begins.
    pub from: SimTime,
    /// The number of attempts.
    pub bound: u32,
    /// Whether it is sought from below.
    pub upwards: bool,
    level: u32,
    found: Option<SimTime>,
}

impl FirstPassage {
    /// Nothing has been seen yet.
    pub fn new(from: SimTime, bound: u32, upwards: bool) -> FirstPassage {
        FirstPassage { service: 0, from, bound, upwards, level: 0, found: None }
    }

    fn is_there(&self) -> bool {
        if self.upwards { self.level >= self.bound } else { self.level <= self.bound }
    }
}

impl Watch for FirstPassage {
    fn see(&mut self, now: SimTime, record: &Record) {
        if self.found.is_some() {
            return;
        }
        // What stood when the search began counts, before this record changes it.
        if now > self.from && self.is_there() {
            self.found = Some(self.from);
            return;
        }
        let Record::Level { service, in_system, .. } = *record else { return };
        if service != self.service {
            return;
        }
        self.level = in_system;
        if now > self.from && self.is_there() {
            self.found = Some(now);
        }
    }

    fn value(&self) -> Option<f64> {
        self.found.map(|found| (found - self.from).as_secs_f64())
    }
}
