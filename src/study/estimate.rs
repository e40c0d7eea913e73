//! From the replications of one policy to estimates.

use super::result::{Estimate, Estimates};
use crate::metrics::{Measures, Metric};
use crate::stats::mean_interval;

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
    use Metric::{DrainP95S, DrainS, FirstAboveS, FirstBelowS};
    matches!(metric, DrainP95S | DrainS | FirstBelowS | FirstAboveS)
}
