//! From the replications of one policy to estimates.

use super::result::{Estimate, Estimates, RecoveryTime};
use crate::metrics::{Measures, Metric, Recovery};
use crate::stats::{self, kaplan_meier, mean_interval};
use crate::time::secs;

/// A mean with its interval for every measure that has a meaning in at least one replication.
///
/// The recovery time is left out: a mean of those that did recover would flatter those that
/// mostly did not. For the same reason other times that a run may not live to see have an
/// estimate only when every replication has seen them.
pub fn estimates(replications: &[&Measures]) -> Estimates {
    let metrics = Metric::ALL.into_iter().filter(|metric| *metric != Metric::RecoveryS);
    let entries = metrics.filter_map(|metric| {
        let values: Vec<f64> = replications.iter().filter_map(|m| m.get(metric)).collect();
        if is_censored(metric) && values.len() < replications.len() {
            return None;
        }
        let interval = mean_interval(&values)?;
        let n = values.len() as u32;
        Some((metric, Estimate { mean: interval.mean, lo: interval.lo, hi: interval.hi, n }))
    });
    Estimates::new(entries.collect())
}

/// Whether a measure is a time that a run may end before.
fn is_censored(metric: Metric) -> bool {
    matches!(metric, Metric::DrainP95S | Metric::DrainS | Metric::FirstBelowS)
}

/// Quantiles of the recovery time, replications that did not recover included as censored.
pub fn recovery_time(recoveries: &[Recovery]) -> Option<RecoveryTime> {
    let time = |seconds: f64, observed| stats::Recovery { seconds, observed };
    let times: Vec<stats::Recovery> = recoveries
        .iter()
        .filter_map(|recovery| match recovery {
            Recovery::NotAsked => None,
            Recovery::After(took) => Some(time(secs(*took), true)),
            Recovery::NotWithin(seen) => Some(time(secs(*seen), false)),
        })
        .collect();
    let survival = kaplan_meier(&times)?;
    // One replication has no interval: its curve falls from 1 to 0 in one step.
    let (lo, hi) = if survival.n == 1 {
        (survival.p50, survival.p50)
    } else {
        (survival.p50_lo, survival.p50_hi)
    };
    let censored = (survival.n - survival.observed) as u32;
    Some(RecoveryTime { p50: survival.p50, p95: survival.p95, lo, hi, censored })
}
