//! What is to be measured, and against what.

use std::sync::Arc;
use std::time::Duration;

use super::recovery::Twin;
use crate::time::{SimTime, nanos};

/// What is to be measured in one run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// End of the run.
    pub horizon: SimTime,
    /// Until when rates, means and latencies are not counted.
    pub warmup: SimTime,
    /// Width of a bin of the time series (> 0).
    pub bin: Duration,
    /// The client groups: name and clients.
    pub groups: Vec<(String, u32)>,
    /// The services: name and attempts per second that each can serve.
    pub services: Vec<(String, Option<f64>)>,
    /// Retry budgets that several calls share.
    pub budgets: u64,
    /// Begin of the first scheduled fault; `None` without faults.
    pub trigger_start: Option<SimTime>,
    /// End of the last scheduled fault; the start of the run without faults.
    pub trigger_end: SimTime,
    /// Calls that bursts will make, and when the first of them begins.
    pub burst: Option<(u64, SimTime)>,
    /// Width of the bins in which the peak load is sought (> 0).
    pub peak_width: Duration,
    /// Calls queued or waiting to retry at which `first_below_s` stops the clock.
    pub first_below: u64,
    /// The same above which `first_above_s` stops the clock; `None` where nobody asks.
    pub first_above: Option<u64>,
    /// Service level objective: latency and share.
    pub slo: Option<(Duration, f64)>,
    /// When a run counts as recovered.
    pub recovery: RecoveryRule,
    /// The twin run without faults; `None` where there is none, or this is it.
    pub twin: Option<Arc<Twin>>,
    /// Whether the attempts of a sample of clients are kept.
    pub raster: bool,
}

/// When a run counts as recovered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecoveryRule {
    /// How far below the twin's goodput still counts, as a share (0 … 1).
    pub within: f64,
    /// How long it must last (> 0).
    pub hold: Duration,
    /// Whether calls begin at the same moments in the twin, as they do unless a closed loop waits
    /// for the end of one call before the next.
    pub same_arrivals: bool,
}

impl Plan {
    /// The number of bins of the time series (≥ 1).
    pub fn bins(&self) -> usize {
        let bin = self.bin.as_nanos();
        (u128::from(self.horizon.as_nanos()).div_ceil(bin) as usize).max(1)
    }

    /// The bin of a moment; the horizon itself belongs to the last one.
    pub fn bin_of(&self, time: SimTime) -> usize {
        let bin = nanos(self.bin);
        let bins = self.horizon.as_nanos().div_ceil(bin).max(1);
        (time.as_nanos() / bin).min(bins - 1) as usize
    }

    /// The end of a bin.
    pub fn bin_end(&self, bin: usize) -> SimTime {
        let end = self.bin.as_nanos().saturating_mul(bin as u128 + 1);
        SimTime::from_nanos(u64::try_from(end).unwrap_or(u64::MAX)).min(self.horizon)
    }
}
