//! Retries after the fault: are they in step?

use super::plan::Plan;
use crate::time::{SimTime, nanos};

/// Bins in which retries after a fault are counted, to see whether they are in step.
const SYNC_BINS: u64 = 1 << 16;

/// Retries after the fault, in fine bins.
#[derive(Clone, Debug)]
pub struct Retries {
    pub from: SimTime,
    /// Width of a bin in nanoseconds.
    pub width: u64,
    pub counts: Vec<u32>,
}

impl Retries {
    /// None yet.
    pub fn new(plan: &Plan) -> Retries {
        let span = nanos(plan.horizon.saturating_since(plan.trigger_end));
        let width = span.div_ceil(SYNC_BINS).max(1_000_000);
        Retries { from: plan.trigger_end, width, counts: Vec::new() }
    }

    /// Counts one.
    pub fn add(&mut self, now: SimTime) {
        if now < self.from {
            return;
        }
        let bin = (nanos(now - self.from) / self.width) as usize;
        if self.counts.len() <= bin {
            self.counts.resize(bin + 1, 0);
        }
        self.counts[bin] += 1;
    }
}
