//! Times that some runs ended before: their quantiles, with those runs counted as longer.

use super::result::RecoveryTime;
use crate::metrics::{Metric, Recovery, RunResult};
use crate::stats::{self, kaplan_meier};
use crate::time::secs;

/// The quantiles of the recovery time; `None` when there is nothing to recover from.
pub fn recovery_time(runs: &[RunResult]) -> Option<RecoveryTime> {
    let times = runs.iter().filter_map(|run| match run.recovery {
        Recovery::NotAsked => None,
        Recovery::After(took) => Some(time(secs(took), true)),
        Recovery::NotWithin(watched) => Some(time(secs(watched), false)),
    });
    quantiles(&times.collect::<Vec<_>>())
}

/// The quantiles of every other time that at least one run ended before.
///
/// A mean of the runs that lived to see it would be too short, so there is none.
pub fn censored(runs: &[RunResult]) -> Vec<(Metric, RecoveryTime)> {
    let of = |metric: Metric| {
        let one = |run: &RunResult| {
            let unseen = run.not_within.iter().find(|(other, _)| *other == metric);
            let unseen = unseen.map(|(_, watched)| time(secs(*watched), false));
            unseen.or_else(|| run.overall.get(metric).map(|seconds| time(seconds, true)))
        };
        let times: Vec<stats::Recovery> = runs.iter().filter_map(one).collect();
        let some = times.iter().any(|time| !time.observed);
        some.then(|| quantiles(&times)).flatten().map(|time| (metric, time))
    };
    Metric::ALL.into_iter().filter_map(of).collect()
}

fn time(seconds: f64, observed: bool) -> stats::Recovery {
    stats::Recovery { seconds, observed }
}

fn quantiles(times: &[stats::Recovery]) -> Option<RecoveryTime> {
    let survival = kaplan_meier(times)?;
    // One replication has no interval: its curve falls from 1 to 0 in one step.
    let (lo, hi) = if survival.n == 1 {
        (survival.p50, survival.p50)
    } else {
        (survival.p50_lo, survival.p50_hi)
    };
    let (n, censored) = (survival.n as u32, (survival.n - survival.observed) as u32);
    Some(RecoveryTime { p50: survival.p50, p95: survival.p95, lo, hi, censored, n })
}
