//! When does the next call of a load begin?
//!
//! Every draw has its own stream, found by the load, the member and the number of the call, so
//! that what a policy does to one call never moves another.

use std::time::Duration;

use super::{Phase, Shape};
use crate::dist::{Distribution, minus_ln};
use crate::rng::{Purpose, Seed};
use crate::time::{SimTime, from_secs, nanos};
use crate::units::Rate;

/// Who makes the calls of one load: a client, or a group as a whole.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The seed of the replication.
    pub seed: Seed,
    /// Names this client or group, and which of its loads it is.
    pub key: u64,
    /// Which client of the group (0 … members − 1); only an even phase asks.
    pub member: u32,
    /// How many clients the group has (≥ 1).
    pub members: u32,
    /// The moment that the times of a shape count from. Before it there are calls as well, but
    /// for those of fixed moments.
    pub zero: SimTime,
}

impl Shape {
    /// When call `number` (from 0) of `source` begins, never before `previous`, the beginning of
    /// the call before it ([`SimTime::ZERO`] for call 0); `None` when there is no such call.
    ///
    /// Of a closed load only the first call has a time of its own; see [`Shape::think`].
    pub fn arrival(&self, source: &Source, number: u64, previous: SimTime) -> Option<SimTime> {
        // How many calls a process of rate one waits for: what a Poisson process is made of.
        let wait = || unit_exponential(source, number);
        let zero = source.zero;
        let at = match self {
            Shape::Burst { at } => (number == 0).then(|| zero.saturating_add(*at)),
            Shape::Periodic { every, phase } => Some(periodic(*every, *phase, source, number)),
            Shape::Poisson { rate } => after(previous, wait(), *rate),
            Shape::Closed { .. } if number > 0 => None,
            Shape::Closed { .. } => {
                self.think(source, 0).map(|by| SimTime::ZERO.saturating_add(by))
            }
            Shape::Ramp { .. } | Shape::Step { .. } if previous < zero => {
                self.before_zero(previous, zero, wait())
            }
            Shape::Ramp { .. } | Shape::Step { .. } => {
                self.varying(moved(previous, zero), wait(), zero)
            }
            Shape::Trace { calls, .. } => {
                calls.time_of(number).map(|time| zero.saturating_add(since_zero(time)))
            }
        };
        at.map(|at| at.max(previous))
    }

    /// The rate at which a load of changing rate makes calls before its time zero: the one that it
    /// has then, so that a system can settle; none for other shapes.
    pub fn rate_before_zero(&self) -> Rate {
        match self {
            Shape::Ramp { from, .. } => *from,
            Shape::Step { steps } => match steps.first() {
                Some((SimTime::ZERO, rate)) => *rate,
                _ => Rate::ZERO,
            },
            _ => Rate::ZERO,
        }
    }

    /// The next call of a load of changing rate whose time zero is still to come: what is left to
    /// wait for at time zero is waited for from then on.
    fn before_zero(&self, previous: SimTime, zero: SimTime, wait: f64) -> Option<SimTime> {
        let rate = self.rate_before_zero();
        let area = rate.as_per_second() * (zero - previous).as_secs_f64();
        if wait < area {
            return after(previous, wait, rate);
        }
        self.varying(SimTime::ZERO, wait - area, zero)
    }

    /// The moment after `start` by which `wait` more calls are due; `start` counts from `zero`.
    fn varying(&self, start: SimTime, wait: f64, zero: SimTime) -> Option<SimTime> {
        let at = match self {
            Shape::Ramp { from, to, over } => ramp(*from, *to, *over, start, wait),
            Shape::Step { steps } => step(steps, start, wait),
            _ => None,
        };
        at.map(|at| zero.saturating_add(since_zero(at)))
    }

    /// How long a closed load thinks before call `number` (from 0); `None` for other shapes.
    pub fn think(&self, source: &Source, number: u64) -> Option<Duration> {
        let Shape::Closed { think } = self else { return None };
        Some(think.sample(&mut source.seed.stream(Purpose::Think, source.key, number)))
    }
}

/// A moment on the clock that began at `zero`.
fn moved(time: SimTime, zero: SimTime) -> SimTime {
    SimTime::ZERO.saturating_add(time.saturating_since(zero))
}

fn since_zero(time: SimTime) -> Duration {
    time.saturating_since(SimTime::ZERO)
}

/// −ln(1 − u), exponential with mean 1.
fn unit_exponential(source: &Source, number: u64) -> f64 {
    // 1 − u lies in (0, 1], so that the logarithm is finite.
    minus_ln(1.0 - source.seed.stream(Purpose::Arrival, source.key, number).unit())
}

/// The moment by which a process of constant `rate` makes `wait` more calls; `None` for rate zero.
fn after(start: SimTime, wait: f64, rate: Rate) -> Option<SimTime> {
    let rate = rate.as_per_second();
    (rate > 0.0).then(|| start.saturating_add(from_secs(wait / rate)))
}

/// Phase + number × every; where there is time before zero, from the first that lies in it.
fn periodic(every: Duration, phase: Phase, source: &Source, number: u64) -> SimTime {
    let every = nanos(every);
    let first = match phase {
        Phase::Same => 0,
        Phase::Random => source.seed.stream(Purpose::Phase, source.key, 0).below(every),
        Phase::Even => {
            // In 128 bits: member × every overflows 64 for a million clients and 5 hours.
            let part = u128::from(source.member) * u128::from(every);
            (part / u128::from(source.members.max(1))) as u64
        }
    };
    let first = match source.zero.as_nanos() {
        0 => first,
        zero => ((u128::from(first) + u128::from(zero)) % u128::from(every.max(1))) as u64,
    };
    SimTime::from_nanos(every.saturating_mul(number).saturating_add(first))
}

/// Exact inversion of the integrated rate of a ramp: the moment after `start` by which `wait` more
/// calls are due.
///
/// With rate r at `start` and slope a, r t + a t² / 2 = wait; written as
/// t = 2 wait / (r + √(r² + 2 a wait)), which neither cancels nor divides by a slope of zero.
fn ramp(from: Rate, to: Rate, over: Duration, start: SimTime, wait: f64) -> Option<SimTime> {
    let end = SimTime::ZERO.saturating_add(over);
    if start >= end {
        return after(start, wait, to);
    }
    let (low, high) = (from.as_per_second(), to.as_per_second());
    let slope = (high - low) / over.as_secs_f64();
    // From the end of the ramp, so that the rate there is `to` without rounding.
    let left = end.saturating_since(start).as_secs_f64();
    let rate = (high - slope * left).max(0.0);
    let area = (rate + high) / 2.0 * left;
    if wait >= area {
        return after(end, wait - area, to);
    }
    let root = (rate * rate + 2.0 * slope * wait).max(0.0).sqrt();
    Some(start.saturating_add(from_secs((2.0 * wait / (rate + root)).min(left))))
}

/// Exact inversion of a piecewise constant rate: walks the segments from `start` until `wait` more
/// calls are due.
fn step(steps: &[(SimTime, Rate)], start: SimTime, mut wait: f64) -> Option<SimTime> {
    let next = steps.partition_point(|(from, _)| *from <= start);
    let mut start = start;
    let mut rate = next.checked_sub(1).map(|current| steps[current].1);
    for (end, following) in &steps[next..] {
        let length = end.saturating_since(start).as_secs_f64();
        let area = rate.map_or(0.0, Rate::as_per_second) * length;
        if let Some(rate) = rate.filter(|_| wait < area) {
            return after(start, wait, rate);
        }
        wait -= area;
        (start, rate) = (*end, Some(*following));
    }
    after(start, wait, rate?)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::Recorded;
    use super::*;
    use crate::dist::{Dist, Exponential};

    const SECOND: Duration = Duration::from_secs(1);

    fn source(key: u64) -> Source {
        Source { seed: Seed::new(42), key, member: 0, members: 1, zero: SimTime::ZERO }
    }

    fn rate(per_second: f64) -> Rate {
        Rate::per_second(per_second).unwrap()
    }

    fn at(seconds: u64) -> SimTime {
        SimTime::ZERO + Duration::from_secs(seconds)
    }

    /// All calls before `end`.
    fn calls(shape: &Shape, source: &Source, end: SimTime) -> Vec<SimTime> {
        let mut times = Vec::new();
        let mut previous = SimTime::ZERO;
        while let Some(time) = shape.arrival(source, times.len() as u64, previous) {
            assert!(time >= previous, "{time} after {previous}");
            if time >= end {
                break;
            }
            times.push(time);
            previous = time;
        }
        times
    }

    /// The counts in `from … to` of `n` sources: mean and variance.
    fn counts(shape: &Shape, from: SimTime, to: SimTime, n: u64) -> (f64, f64) {
        let count = |key| {
            calls(shape, &source(key), to).iter().filter(|time| **time >= from).count() as f64
        };
        let all: Vec<f64> = (0..n).map(count).collect();
        let mean = all.iter().sum::<f64>() / n as f64;
        (mean, all.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n as f64)
    }

    /// Asserts that the counts in `from … to` are Poisson with the mean `expected`.
    fn assert_poisson(shape: &Shape, from: SimTime, to: SimTime, expected: f64) {
        let n = 2_000;
        let (mean, variance) = counts(shape, from, to, n);
        let sigma = (expected / n as f64).sqrt();
        assert!((mean - expected).abs() < 4.0 * sigma, "{shape:?}: {mean} not {expected}");
        // The variance of a sample variance of Poisson counts is near (2 m² + m) / n.
        let sigma = ((2.0 * expected * expected + expected) / n as f64).sqrt();
        assert!((variance - expected).abs() < 4.0 * sigma, "{shape:?}: {variance}, {expected}");
    }

    #[test]
    fn poisson_counts_have_the_mean_and_the_variance_of_the_rate() {
        let shape = Shape::Poisson { rate: rate(5.0) };
        assert_poisson(&shape, SimTime::ZERO, at(10), 50.0);
        assert_poisson(&shape, at(7), at(9), 10.0);
    }

    #[test]
    fn a_ramp_makes_as_many_calls_as_the_area_below_it() {
        let ramp = |from, to| Shape::Ramp { from: rate(from), to: rate(to), over: 10 * SECOND };
        assert_poisson(&ramp(0.0, 10.0), SimTime::ZERO, at(10), 50.0);
        assert_poisson(&ramp(0.0, 10.0), SimTime::ZERO, at(4), 8.0);
        assert_poisson(&ramp(0.0, 10.0), at(8), at(12), 38.0);
        assert_poisson(&ramp(10.0, 2.0), at(5), at(15), 30.0);
        assert_poisson(&ramp(10.0, 0.0), at(2), at(100), 32.0);
        assert_poisson(&ramp(3.0, 3.0), at(8), at(12), 12.0);
    }

    #[test]
    fn after_a_ramp_to_zero_no_call_comes() {
        let shape = Shape::Ramp { from: rate(5.0), to: rate(0.0), over: 10 * SECOND };
        assert_eq!(shape.arrival(&source(1), 50, at(10)), None);
        assert!(calls(&shape, &source(1), SimTime::FOREVER).last().unwrap() < &at(10));
        let nothing = Shape::Ramp { from: rate(0.0), to: rate(0.0), over: 10 * SECOND };
        assert_eq!(nothing.arrival(&source(1), 0, SimTime::ZERO), None);
    }

    #[test]
    fn steps_make_as_many_calls_as_the_area_below_them() {
        let steps = vec![
            (at(2), rate(5.0)),
            (at(4), rate(0.0)),
            (at(6), rate(0.0)),
            (at(7), rate(20.0)),
            (at(8), rate(1.0)),
        ];
        let shape = Shape::Step { steps };
        assert_poisson(&shape, SimTime::ZERO, at(4), 10.0);
        assert_poisson(&shape, at(3), at(9), 26.0);
        assert_poisson(&shape, at(8), at(20), 12.0);
        let early = |key| calls(&shape, &source(key), at(7));
        let quiet = |time: &SimTime| *time < at(2) || *time > at(4);
        assert!((0..100).all(|key| !early(key).iter().any(quiet)));
    }

    #[test]
    fn after_a_last_step_of_zero_no_call_comes() {
        let shape = Shape::Step { steps: vec![(at(1), rate(9.0)), (at(2), rate(0.0))] };
        assert_eq!(shape.arrival(&source(3), 9, at(2)), None);
        assert_eq!(Shape::Step { steps: vec![] }.arrival(&source(3), 0, at(0)), None);
    }

    #[test]
    fn periodic_clients_begin_together_spread_or_anywhere() {
        let shape = |phase| Shape::Periodic { every: 10 * SECOND, phase };
        let member = |member| Source { member, members: 4, ..source(u64::from(member)) };
        let same = shape(Phase::Same).arrival(&member(3), 7, at(60));
        assert_eq!(same, Some(at(70)));
        let even: Vec<u64> = (0..4)
            .map(|i| shape(Phase::Even).arrival(&member(i), 2, at(10)).unwrap())
            .map(|time| time.as_nanos() / 100_000_000)
            .collect();
        assert_eq!(even, [200, 225, 250, 275]);
        let random = |key| shape(Phase::Random).arrival(&source(key), 0, at(0)).unwrap();
        let mean = (0..4_000).map(|key| random(key).as_secs_f64()).sum::<f64>() / 4_000.0;
        assert!((mean - 5.0).abs() < 4.0 * 10.0 / 12f64.sqrt() / 4_000f64.sqrt(), "{mean}");
        let later = shape(Phase::Random).arrival(&source(9), 3, at(0)).unwrap();
        assert_eq!(later - random(9), 30 * SECOND);
    }

    #[test]
    fn before_its_time_zero_a_load_has_the_rate_of_that_moment() {
        let late = |key| Source { zero: at(20), ..source(key) };
        let count = |shape: &Shape, from: SimTime, to: SimTime| {
            let within = |key| {
                calls(shape, &late(key), to).iter().filter(|time| **time >= from).count() as f64
            };
            (0..2_000).map(within).sum::<f64>() / 2_000.0
        };
        let about = |found: f64, wanted: f64| {
            assert!((found - wanted).abs() < 4.0 * (wanted / 2_000.0).sqrt(), "{found}, {wanted}");
        };
        let ramp = Shape::Ramp { from: rate(2.0), to: rate(10.0), over: 10 * SECOND };
        about(count(&ramp, SimTime::ZERO, at(20)), 40.0);
        about(count(&ramp, at(20), at(30)), 60.0);
        about(count(&ramp, at(30), at(31)), 10.0);
        let held = Shape::Step { steps: vec![(at(0), rate(3.0)), (at(5), rate(1.0))] };
        about(count(&held, at(10), at(20)), 30.0);
        about(count(&held, at(20), at(30)), 20.0);
        let quiet = Shape::Step { steps: vec![(at(1), rate(3.0))] };
        assert_eq!(count(&quiet, SimTime::ZERO, at(21)), 0.0);
        about(count(&quiet, at(21), at(31)), 30.0);
    }

    #[test]
    fn moments_of_a_load_count_from_its_time_zero() {
        let late = Source { zero: at(25), ..source(1) };
        let burst = Shape::Burst { at: 3 * SECOND };
        assert_eq!(calls(&burst, &late, SimTime::FOREVER), [at(28)]);
        let periodic = Shape::Periodic { every: 10 * SECOND, phase: Phase::Same };
        assert_eq!(calls(&periodic, &late, at(40)), [at(5), at(15), at(25), at(35)]);
    }

    #[test]
    fn a_burst_is_one_call_and_a_trace_as_many_as_recorded() {
        let burst = Shape::Burst { at: 3 * SECOND };
        assert_eq!(calls(&burst, &source(1), SimTime::FOREVER), [at(3)]);
        let recorded = Recorded::new(vec![(at(1), 2), (at(5), 1)]);
        let trace = Shape::Trace { file: "t.csv".to_string(), calls: Arc::new(recorded) };
        assert_eq!(calls(&trace, &source(1), SimTime::FOREVER), [at(1), at(1), at(5)]);
    }

    #[test]
    fn a_closed_load_thinks_before_its_first_call_and_then_waits_to_be_asked() {
        let think = Dist::Exponential(Exponential { mean: SECOND });
        let shape = Shape::Closed { think };
        let first = shape.think(&source(1), 0).unwrap();
        assert_eq!(shape.arrival(&source(1), 0, SimTime::ZERO), Some(SimTime::ZERO + first));
        assert_eq!(shape.arrival(&source(1), 1, at(1)), None);
        assert_ne!(shape.think(&source(1), 1), Some(first));
        assert_eq!(Shape::Burst { at: SECOND }.think(&source(1), 0), None);
    }

    #[test]
    fn a_call_depends_on_its_number_and_not_on_what_was_asked_before() {
        let shape = Shape::Poisson { rate: rate(5.0) };
        let gap = |number, start| shape.arrival(&source(1), number, start).unwrap() - start;
        let forward: Vec<Duration> = (0..20).map(|number| gap(number, at(number))).collect();
        let backward: Vec<Duration> = (0..20).rev().map(|number| gap(number, at(0))).collect();
        assert!(forward.iter().eq(backward.iter().rev()));
        assert_ne!(gap(0, at(0)), shape.arrival(&source(2), 0, at(0)).unwrap() - at(0));
    }

    #[test]
    fn times_beyond_the_clock_stop_at_its_end() {
        let never = SimTime::FOREVER;
        let shapes = [
            Shape::Poisson { rate: rate(1e-300) },
            Shape::Periodic { every: Duration::from_nanos(u64::MAX), phase: Phase::Even },
            Shape::Burst { at: Duration::MAX },
            Shape::Ramp { from: rate(0.0), to: rate(1e-300), over: Duration::MAX },
            Shape::Step { steps: vec![(at(0), rate(1e-300))] },
        ];
        for shape in shapes {
            let number = u64::from(!matches!(shape, Shape::Burst { .. }));
            assert_eq!(shape.arrival(&source(1), number, SimTime::ZERO), Some(never), "{shape:?}");
        }
    }
}
