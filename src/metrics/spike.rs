//! How high is the load after the fault?

use std::time::Duration;

use crate::time::{SimTime, nanos};

/// The spike of arrivals at one service from a moment on.
#[derive(Clone, Debug)]
pub struct Spike {
    from: SimTime,
    width: u64,
    capacity_per_ns: Option<f64>,
    /// The aligned bin of the last arrival, and how many came in it.
    bin: u64,
    count: u64,
    highest: u64,
    /// The highest bin in what the capacity of its time can work off.
    highest_over_capacity: f64,
    /// By how much arrivals outran the capacity, at the last arrival.
    ahead: f64,
    read: SimTime,
    most_ahead: f64,
}

impl Spike {
    /// No arrivals yet. `width` is the bin in which the peak is sought.
    pub fn new(from: SimTime, width: Duration, capacity_per_s: Option<f64>) -> Spike {
        Spike {
            from,
            width: nanos(width).max(1),
            capacity_per_ns: capacity_per_s.map(|per_s| per_s / 1e9),
            bin: 0,
            count: 0,
            highest: 0,
            highest_over_capacity: 0.0,
            ahead: 0.0,
            read: from,
            most_ahead: 0.0,
        }
    }

    /// Counts an arrival; those before the fault's end do not matter.
    pub fn arrive(&mut self, now: SimTime) {
        if now < self.from {
            return;
        }
        let bin = now.as_nanos() / self.width;
        if bin != self.bin {
            (self.bin, self.count) = (bin, 0);
        }
        self.count += 1;
        self.highest = self.highest.max(self.count);
        if let Some(capacity) = self.capacity_per_ns {
            let over = self.count as f64 / (capacity * self.width as f64);
            self.highest_over_capacity = self.highest_over_capacity.max(over);
            self.catch_up(capacity, now);
            self.ahead += 1.0;
            self.most_ahead = self.most_ahead.max(self.ahead);
        }
    }

    /// From now on the service works off so much.
    pub fn set_capacity(&mut self, capacity_per_s: Option<f64>, now: SimTime) {
        if let Some(capacity) = self.capacity_per_ns {
            self.catch_up(capacity, now);
        }
        self.capacity_per_ns = capacity_per_s.map(|per_s| per_s / 1e9);
        self.read = self.read.max(now);
    }

    fn catch_up(&mut self, capacity: f64, now: SimTime) {
        let served = capacity * nanos(now.saturating_since(self.read)) as f64;
        self.ahead = (self.ahead - served).max(0.0);
        self.read = self.read.max(now);
    }

    /// The highest load in any aligned bin over the capacity at its time.
    pub fn over_capacity(&self) -> Option<f64> {
        self.capacity_per_ns.map(|_| self.highest_over_capacity)
    }

    /// The highest load in any aligned bin, per second.
    pub fn peak_per_s(&self) -> f64 {
        self.highest as f64 * 1e9 / self.width as f64
    }

    /// The most by which arrivals outran the capacity over any stretch of time: the maximum over
    /// s < t of arrivals in [s, t) − capacity × (t − s).
    pub fn queue_needed(&self) -> Option<f64> {
        self.capacity_per_ns.map(|_| self.most_ahead)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_sought_in_aligned_bins_and_the_queue_in_none() {
        let at = |ms: u64| SimTime::from_nanos(ms * 1_000_000);
        let mut spike = Spike::new(at(1000), Duration::from_secs(1), Some(10.0));
        for ms in [0, 500, 1900, 1950, 2050, 2100] {
            spike.arrive(at(ms));
        }
        assert_eq!(spike.peak_per_s(), 2.0);
        // Four arrivals from 1.9 s to 2.1 s, of which two are served meanwhile.
        assert!((spike.queue_needed().unwrap() - 2.0).abs() < 1e-9, "{:?}", spike.queue_needed());
    }
}
