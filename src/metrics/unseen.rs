//! Times that a run was too short to see: they are longer than it was watched, and no number.

use std::time::Duration;

use super::collector::Collector;
use super::names::Metric;

impl Collector {
    /// The times that have a meaning in this run and were not seen, and how long they were
    /// watched for.
    pub(super) fn not_within(&self) -> Vec<(Metric, Duration)> {
        let mut unseen = Vec::new();
        if let Some((_, begins)) = self.plan.burst {
            let watched = self.plan.horizon.saturating_since(begins);
            let drained =
                [(Metric::DrainP95S, self.burst_done.p95), (Metric::DrainS, self.burst_done.all)];
            unseen
                .extend(drained.iter().filter(|(_, at)| at.is_none()).map(|(m, _)| (*m, watched)));
        }
        if let (Some((from, _)), None) = (self.backlog.sought(), self.backlog.first_below()) {
            unseen.push((Metric::FirstBelowS, self.plan.horizon.saturating_since(from)));
        }
        unseen
    }
}
