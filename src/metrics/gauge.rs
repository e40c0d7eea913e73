//! Quantities that have a value at every moment.

use std::time::Duration;

use crate::time::{SimTime, nanos};

/// A count over time, and the area under it since the warm-up.
#[derive(Clone, Copy, Debug)]
pub struct Gauge {
    /// The current count.
    pub value: u64,
    since: SimTime,
    /// Count × nanoseconds.
    area: u128,
}

impl Gauge {
    /// A gauge at zero, whose area counts from `warmup` on.
    pub fn new(warmup: SimTime) -> Gauge {
        Gauge { value: 0, since: warmup, area: 0 }
    }

    /// Sets the count.
    #[inline]
    pub fn set(&mut self, value: u64, now: SimTime) {
        if value != self.value {
            self.advance(now);
            self.value = value;
        }
    }

    /// One more.
    pub fn up(&mut self, now: SimTime) {
        self.set(self.value + 1, now);
    }

    /// One less.
    pub fn down(&mut self, now: SimTime) {
        assert!(self.value > 0, "a gauge fell below zero at {now}");
        self.set(self.value - 1, now);
    }

    /// The mean over the time since the warm-up; `None` when no time has passed.
    pub fn mean(mut self, end: SimTime, warmup: SimTime) -> Option<f64> {
        self.advance(end);
        let span = nanos(end.saturating_since(warmup));
        (span > 0).then(|| self.area as f64 / span as f64)
    }

    fn advance(&mut self, now: SimTime) {
        let span = nanos(now.saturating_since(self.since));
        self.area += u128::from(self.value) * u128::from(span);
        self.since = self.since.max(now);
    }
}

/// Calls queued or waiting to retry, over the whole system: what has to be gone after a fault.
#[derive(Clone, Debug)]
pub struct Backlog {
    value: u64,
    /// The value when time began to pass.
    initial: u64,
    since: SimTime,
    /// Nanoseconds spent at each value, after the warm-up.
    spent: Vec<u64>,
    warmup: SimTime,
    /// The value that counts as normal; time above it is kept bin by bin.
    bound: Option<u64>,
    /// Nanoseconds above it since this was last asked.
    above: u64,
    /// When it is first at or below a value, and first above one.
    below: Option<Sought>,
    above_bound: Option<Sought>,
}

/// The first moment at which a backlog is on one side of a bound.
#[derive(Clone, Copy, Debug)]
struct Sought {
    /// From when on it is sought.
    from: SimTime,
    /// The bound.
    bound: u64,
    /// When it was found.
    found: Option<SimTime>,
}

impl Sought {
    fn new((from, bound): (SimTime, u64)) -> Sought {
        Sought { from, bound, found: None }
    }

    /// From `since` to `now` the backlog was on the right side, if `fits`.
    fn see(&mut self, fits: bool, since: SimTime, now: SimTime) {
        if fits && self.found.is_none() && now > self.from {
            self.found = Some(since.max(self.from));
        }
    }

    fn took(&self) -> Option<Duration> {
        self.found.map(|found| found - self.from)
    }
}

impl Backlog {
    /// An empty backlog. `bound` is the value that counts as normal; `below` and `above` ask when
    /// it is first at or below, and first above, a value from a moment on.
    pub fn new(
        warmup: SimTime,
        bound: Option<u64>,
        below: Option<(SimTime, u64)>,
        above: Option<(SimTime, u64)>,
    ) -> Backlog {
        Backlog {
            value: 0,
            initial: 0,
            since: SimTime::ZERO,
            spent: vec![0],
            warmup,
            bound,
            above: 0,
            below: below.map(Sought::new),
            above_bound: above.map(Sought::new),
        }
    }

    /// The current value.
    pub fn value(&self) -> u64 {
        self.value
    }

    /// The value at time zero.
    pub fn initial(&self) -> u64 {
        self.initial
    }

    /// Changes the value.
    pub fn add(&mut self, change: i64, now: SimTime) {
        self.advance(now);
        let value = self.value.checked_add_signed(change);
        self.value = value.unwrap_or_else(|| panic!("backlog {} {change:+} at {now}", self.value));
        if self.spent.len() as u64 <= self.value {
            self.spent.resize(self.value as usize + 1, 0);
        }
    }

    /// Lets time pass.
    pub fn advance(&mut self, now: SimTime) {
        if now <= self.since {
            return;
        }
        if self.since == SimTime::ZERO {
            self.initial = self.value;
        }
        let span = nanos(now - self.since);
        self.spent[self.value as usize] += nanos(now.saturating_since(self.since.max(self.warmup)));
        if self.bound.is_some_and(|bound| self.value > bound) {
            self.above += span;
        }
        if let Some(below) = &mut self.below {
            below.see(self.value <= below.bound, self.since, now);
        }
        if let Some(above) = &mut self.above_bound {
            above.see(self.value > above.bound, self.since, now);
        }
        self.since = now;
    }

    /// Nanoseconds above the normal value since this was last asked.
    pub fn take_above(&mut self) -> u64 {
        std::mem::take(&mut self.above)
    }

    /// From when on the first moment at or below a value is sought.
    pub fn sought_below(&self) -> Option<SimTime> {
        self.below.as_ref().map(|sought| sought.from)
    }

    /// From when on the first moment above a value is sought.
    pub fn sought_above(&self) -> Option<SimTime> {
        self.above_bound.as_ref().map(|sought| sought.from)
    }

    /// How long it took, from the moment given, to be at or below the value given.
    pub fn first_below(&self) -> Option<Duration> {
        self.below.as_ref().and_then(Sought::took)
    }

    /// How long it took, from the moment given, to be above the value given.
    pub fn first_above(&self) -> Option<Duration> {
        self.above_bound.as_ref().and_then(Sought::took)
    }

    /// The smallest value at or below which the backlog was for a share `q` of the time.
    pub fn quantile(&self, q: f64) -> u64 {
        let total: u128 = self.spent.iter().map(|ns| u128::from(*ns)).sum();
        let wanted = (q * total as f64).ceil() as u128;
        let mut sum = 0;
        let reached = |ns: &u64| {
            sum += u128::from(*ns);
            sum >= wanted
        };
        self.spent.iter().position(reached).unwrap_or(0) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::NANOS_PER_SEC;

    fn secs(s: u64) -> SimTime {
        SimTime::from_nanos(s * NANOS_PER_SEC)
    }

    #[test]
    fn a_gauge_averages_over_the_time_after_the_warm_up() {
        let mut gauge = Gauge::new(secs(10));
        gauge.set(4, secs(5));
        gauge.set(2, secs(15));
        assert_eq!(gauge.mean(secs(20), secs(10)), Some(3.0));
        assert_eq!(gauge.mean(secs(10), secs(10)), None);
    }

    #[test]
    fn a_backlog_knows_its_quantiles_and_its_time_above_the_bound() {
        let mut backlog =
            Backlog::new(SimTime::ZERO, Some(1), Some((secs(4), 1)), Some((SimTime::ZERO, 1)));
        backlog.add(2, secs(1));
        backlog.add(-1, secs(8));
        backlog.advance(secs(10));
        assert_eq!(backlog.quantile(0.1), 0);
        assert_eq!(backlog.quantile(0.3), 1);
        assert_eq!(backlog.quantile(0.99), 2);
        assert_eq!(backlog.take_above(), 7 * NANOS_PER_SEC);
        assert_eq!(backlog.take_above(), 0);
        assert_eq!(backlog.first_below(), Some(Duration::from_secs(4)));
        assert_eq!(backlog.first_above(), Some(Duration::from_secs(1)));
    }
}
