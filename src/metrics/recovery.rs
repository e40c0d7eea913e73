//! When is a system back to normal after a fault?
//!
//! Not "when it is empty": a healthy system is never empty for long. A run is compared with its
//! *twin*, the same run on the same random numbers without the faults. It has recovered at the
//! first moment t after the last scheduled fault from which on, for a time `hold`,
//!
//! * the backlog (calls queued or waiting to retry) is at or below what the twin exceeds 1 % of
//!   the time, at t itself and for 95 % of the hold, and
//! * the goodput of every window that begins within the hold is at most `within` below the twin's.
//!
//! Simplifies: t is sought at the borders of bins, so that it is late by less than one bin.

use std::time::Duration;

use super::plan::{Plan, RecoveryRule};
use super::result::Recovery;
use crate::time::{SimTime, from_secs, nanos, secs};

/// What is kept of a run without faults.
#[derive(Clone, Debug, PartialEq)]
pub struct Twin {
    /// Calls that succeeded within the objective, by bin.
    pub succeeded: Vec<u32>,
    /// The backlog that it exceeds 1 % of the time.
    pub backlog: u64,
    /// How often a service fell all the same.
    pub crashes: u64,
    /// The share of its calls that succeeded by the horizon (0 … 1).
    pub succeeded_share: f64,
}

/// What is needed of the run itself.
#[derive(Clone, Copy, Debug)]
pub struct Course<'a> {
    /// Calls that succeeded within the objective, by bin.
    pub succeeded: &'a [u32],
    /// Backlog at time zero.
    pub initial: u64,
    /// Backlog at the end of each bin.
    pub backlog: &'a [u64],
    /// Nanoseconds of each bin in which the backlog exceeded the twin's bound.
    pub above: &'a [u64],
}

/// Noise alone lets a window of Poisson counts miss the mean of such a window by `within` unless
/// it is at least (3 / within)² / rate long; a difference of two such counts has twice the
/// variance, so that a window must be twice as long.
const OWN_NOISE: f64 = 2.0;

/// Where calls begin at the same moments in both runs, common random numbers take nearly all of
/// that noise away, and the window may be this much shorter (tests/recovery.rs counts the false
/// alarms).
const SHARED_NOISE: f64 = 0.1;

/// No window is longer than this share of the time left after the fault: a horizon must be able
/// to hold it.
const LONGEST_WINDOW: f64 = 0.25;

/// The share of the hold in which the backlog may exceed the twin's bound.
const ABOVE_ALLOWED: f64 = 0.05;

/// When the run recovered; `None` when the twin has no success after the fault, so that there is
/// no goodput to come back to.
pub fn recovery(plan: &Plan, twin: &Twin, course: Course<'_>) -> Option<Recovery> {
    let first = u128::from(plan.trigger_end.as_nanos()).div_ceil(plan.bin.as_nanos()) as usize;
    let bins = course.succeeded.len();
    let left = plan.horizon.saturating_since(plan.trigger_end);
    if first >= bins {
        return Some(Recovery::NotWithin(left));
    }
    let after: u64 = twin.succeeded.iter().skip(first).map(|n| u64::from(*n)).sum();
    if after == 0 {
        return None;
    }
    let rate = after as f64 / secs(left);
    let hold = bins_of(plan.recovery.hold, plan.bin);
    let longest = secs(left) * LONGEST_WINDOW;
    let window = window(plan.recovery, rate, longest, plan.bin);
    let misses = missed_windows(twin, course.succeeded, window, plan.recovery.within);
    let above = prefix_sums(course.above.iter().copied());
    let allowed = (ABOVE_ALLOWED * (hold as f64) * nanos(plan.bin) as f64) as u64;
    let back = |t: usize| {
        let before = t.checked_sub(1).map_or(course.initial, |last| course.backlog[last]);
        before <= twin.backlog
            && above[t + hold] - above[t] <= allowed
            && misses[t + hold + 1] == misses[t]
    };
    // The last moment from which a whole hold and a whole window can still be seen.
    let last = bins.saturating_sub(hold + window);
    let found = (first..=last).find(|t| t + hold + window <= bins && back(*t));
    let watched = plan.bin_end(last.max(first)).saturating_since(plan.trigger_end).min(left);
    Some(match found {
        None => Recovery::NotWithin(watched),
        Some(t) if t == first => Recovery::After(Duration::ZERO),
        Some(t) => Recovery::After(plan.bin_end(t - 1) - plan.trigger_end),
    })
}

/// Sums of all windows that begin before bin i and whose goodput is too low, for every i.
fn missed_windows(twin: &Twin, succeeded: &[u32], window: usize, within: f64) -> Vec<u64> {
    let own = prefix_sums(succeeded.iter().map(|n| u64::from(*n)));
    let twins = prefix_sums(twin.succeeded.iter().map(|n| u64::from(*n)));
    let windows = (own.len() - 1).saturating_sub(window) + 1;
    let missed = |s: usize| {
        let wanted = (twins[s + window] - twins[s]) as f64 * (1.0 - within);
        u64::from(((own[s + window] - own[s]) as f64) < wanted)
    };
    let complete = if window < own.len() { windows } else { 0 };
    prefix_sums((0..complete).map(missed))
}

/// The width of the goodput window in bins.
fn window(rule: RecoveryRule, rate: f64, longest: f64, bin: Duration) -> usize {
    let within = rule.within.max(1e-3);
    let noise = if rule.same_arrivals { SHARED_NOISE } else { OWN_NOISE };
    let for_noise = noise * (3.0 / within) * (3.0 / within) / rate;
    let seconds = (secs(rule.hold) / 6.0).max(for_noise).min(longest);
    bins_of(from_secs(seconds), bin)
}

fn bins_of(length: Duration, bin: Duration) -> usize {
    (length.as_nanos().div_ceil(bin.as_nanos()) as usize).max(1)
}

/// Sums of the first 0, 1, 2, … numbers.
fn prefix_sums(numbers: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut sum = 0;
    let sums = numbers.map(|number| {
        sum += number;
        sum
    });
    std::iter::once(0).chain(sums.collect::<Vec<_>>()).collect()
}

/// Recovery of a burst: it is over when all of its calls have ended, well or not.
pub fn drained(drained_at: Option<SimTime>, from: SimTime, horizon: SimTime) -> Recovery {
    match drained_at {
        Some(at) => Recovery::After(at.saturating_since(from)),
        None => Recovery::NotWithin(horizon.saturating_since(from)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(horizon_s: u64, trigger_end_s: u64) -> Plan {
        let secs = |s: u64| SimTime::from_nanos(s * 1_000_000_000);
        Plan {
            horizon: secs(horizon_s),
            warmup: SimTime::ZERO,
            bin: Duration::from_secs(1),
            groups: Vec::new(),
            services: Vec::new(),
            budgets: 0,
            trigger_start: None,
            trigger_end: secs(trigger_end_s),
            burst: None,
            peak_width: Duration::from_secs(1),
            first_below: 0,
            first_above: None,
            slo: None,
            recovery: RecoveryRule {
                within: 0.05,
                hold: Duration::from_secs(60),
                same_arrivals: true,
            },
            twin: None,
            raster: false,
        }
    }

    /// A run of 600 s at 100/s whose goodput is zero in 100 … 130 s and at `level` from 130 s for
    /// `low` seconds, and whose backlog is gone at once.
    fn recovered(level: u32, low: usize) -> Option<Recovery> {
        let twin = Twin { succeeded: vec![100; 600], backlog: 3, crashes: 0, succeeded_share: 1.0 };
        let mut succeeded = vec![100; 600];
        succeeded[100..130].fill(0);
        succeeded[130..130 + low].fill(level);
        let (backlog, above) = (vec![0; 600], vec![0; 600]);
        let course = Course { succeeded: &succeeded, initial: 0, backlog: &backlog, above: &above };
        recovery(&plan(600, 130), &twin, course)
    }

    #[test]
    fn a_healthy_run_recovers_at_once() {
        assert_eq!(recovered(100, 0), Some(Recovery::After(Duration::ZERO)));
    }

    #[test]
    fn a_dip_of_known_length_takes_that_long_less_what_the_window_forgives() {
        // A window of 10 s may miss 5 %: it may still hold half a second of nothing, so that it
        // begins at 169 s at the earliest, when one second of it is at half the twin's goodput.
        let Some(Recovery::After(took)) = recovered(0, 40) else { panic!("not recovered") };
        assert_eq!(took, Duration::from_secs(40));
        let Some(Recovery::After(took)) = recovered(50, 40) else { panic!("not recovered") };
        assert_eq!(took, Duration::from_secs(39));
    }

    #[test]
    fn a_run_that_stays_low_is_censored_and_not_counted_as_fast() {
        // 470 s are left, of which the last 70 s are hold and window.
        let Some(Recovery::NotWithin(watched)) = recovered(90, 470) else { panic!("recovered") };
        assert_eq!(watched, Duration::from_secs(401));
    }

    #[test]
    fn a_backlog_above_the_twins_is_not_a_recovery() {
        let twin = Twin { succeeded: vec![100; 600], backlog: 3, crashes: 0, succeeded_share: 1.0 };
        let succeeded = vec![100; 600];
        let mut backlog = vec![0; 600];
        let mut above = vec![0; 600];
        backlog[130..149].fill(4);
        above[130..150].fill(1_000_000_000);
        let course = Course { succeeded: &succeeded, initial: 0, backlog: &backlog, above: &above };
        // 5 % of the hold of 60 s may be above the bound, but not the moment itself.
        let took = recovery(&plan(600, 130), &twin, course);
        assert_eq!(took, Some(Recovery::After(Duration::from_secs(20))));
    }

    #[test]
    fn a_run_that_begins_full_has_not_recovered_when_it_begins() {
        let twin = Twin { succeeded: vec![100; 600], backlog: 3, crashes: 0, succeeded_share: 1.0 };
        let (zeros, succeeded) = (vec![0; 600], vec![100; 600]);
        let took = |initial| {
            let course = Course { succeeded: &succeeded, initial, backlog: &zeros, above: &zeros };
            recovery(&plan(600, 0), &twin, course)
        };
        assert_eq!(took(3), Some(Recovery::After(Duration::ZERO)));
        assert_eq!(took(4), Some(Recovery::After(Duration::from_secs(1))));
    }

    #[test]
    fn a_horizon_too_short_to_hold_is_not_a_recovery() {
        let twin = Twin { succeeded: vec![100; 150], backlog: 3, crashes: 0, succeeded_share: 1.0 };
        let (zeros, succeeded) = (vec![0; 150], vec![100; 150]);
        let course = Course { succeeded: &succeeded, initial: 0, backlog: &zeros, above: &zeros };
        let took = recovery(&plan(150, 130), &twin, course);
        assert_eq!(took, Some(Recovery::NotWithin(Duration::from_secs(1))));
    }

    #[test]
    fn a_fault_that_lasts_to_the_horizon_is_not_recovered_from() {
        let twin = Twin { succeeded: vec![100; 130], backlog: 3, crashes: 0, succeeded_share: 1.0 };
        let (zeros, none) = (vec![0; 130], vec![0; 130]);
        let course = Course { succeeded: &none, initial: 0, backlog: &zeros, above: &zeros };
        let took = recovery(&plan(130, 130), &twin, course);
        assert_eq!(took, Some(Recovery::NotWithin(Duration::ZERO)));
    }

    #[test]
    fn without_goodput_in_the_twin_there_is_nothing_to_compare_with() {
        let twin = Twin { succeeded: vec![0; 600], backlog: 0, crashes: 0, succeeded_share: 1.0 };
        let (zeros, none) = (vec![0; 600], vec![0; 600]);
        let course = Course { succeeded: &none, initial: 0, backlog: &zeros, above: &zeros };
        assert_eq!(recovery(&plan(600, 130), &twin, course), None);
    }
}
