//! How long calls took.

use std::time::Duration;

use hdrhistogram::Histogram;

use super::names::{Measures, Metric};
use crate::time::{NANOS_PER_SEC, nanos};

/// Durations of calls: quantiles to three digits, mean and maximum exactly.
#[derive(Clone, Debug)]
pub struct Latency {
    cells: Histogram<u64>,
    sum: u128,
    longest: u64,
}

/// The measures that a latency fills.
pub const SUCCESS: [Metric; 5] = [
    Metric::LatencyMeanMs,
    Metric::LatencyP50Ms,
    Metric::LatencyP95Ms,
    Metric::LatencyP99Ms,
    Metric::LatencyMaxMs,
];

/// The same for calls that failed.
pub const FAILURE: [Metric; 5] = [
    Metric::ErrorLatencyMeanMs,
    Metric::ErrorLatencyP50Ms,
    Metric::ErrorLatencyP95Ms,
    Metric::ErrorLatencyP99Ms,
    Metric::ErrorLatencyMaxMs,
];

impl Default for Latency {
    fn default() -> Latency {
        let cells = Histogram::new(3).expect("three digits are allowed");
        Latency { cells, sum: 0, longest: 0 }
    }
}

impl Latency {
    /// Counts a call.
    pub fn count(&mut self, latency: Duration) {
        let nanos = nanos(latency);
        self.cells.saturating_record(nanos);
        self.sum += u128::from(nanos);
        self.longest = self.longest.max(nanos);
    }

    /// Counts all calls of another.
    pub fn merge(&mut self, other: &Latency) {
        self.cells.add(&other.cells).expect("histograms grow as they must");
        self.sum += other.sum;
        self.longest = self.longest.max(other.longest);
    }

    /// Sets mean, median, 95 %, 99 % and maximum, in this order of `names`.
    pub fn measure(&self, names: [Metric; 5], measures: &mut Measures) {
        let n = self.cells.len();
        if n == 0 {
            return;
        }
        let ms = |nanos: f64| nanos * 1e3 / NANOS_PER_SEC as f64;
        let quantile = |q| ms(self.cells.value_at_quantile(q).min(self.longest) as f64);
        let [mean, p50, p95, p99, max] = names;
        measures.set(mean, ms(self.sum as f64 / n as f64));
        measures.set(p50, quantile(0.50));
        measures.set(p95, quantile(0.95));
        measures.set(p99, quantile(0.99));
        measures.set(max, ms(self.longest as f64));
    }

    /// The filled cells: upper bound and calls, rising.
    pub fn cells(&self) -> Vec<(Duration, u64)> {
        let cells = self.cells.iter_recorded();
        let bound = |nanos: u64| Duration::from_nanos(nanos.min(self.longest));
        cells.map(|cell| (bound(cell.value_iterated_to()), cell.count_at_value())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_within_a_thousandth_and_the_maximum_is_exact() {
        let mut latency = Latency::default();
        (1..=1000).for_each(|ms| latency.count(Duration::from_millis(ms)));
        let mut measures = Measures::default();
        latency.measure(SUCCESS, &mut measures);
        let get = |metric| measures.get(metric).unwrap();
        assert_eq!(get(Metric::LatencyMeanMs), 500.5);
        assert_eq!(get(Metric::LatencyMaxMs), 1000.0);
        assert!((get(Metric::LatencyP50Ms) / 500.0 - 1.0).abs() < 1e-3);
        assert!((get(Metric::LatencyP99Ms) / 990.0 - 1.0).abs() < 1e-3);
        assert_eq!(latency.cells().iter().map(|(_, calls)| calls).sum::<u64>(), 1000);
    }

    #[test]
    fn no_calls_have_no_latency() {
        let mut measures = Measures::default();
        Latency::default().measure(SUCCESS, &mut measures);
        assert_eq!(measures, Measures::default());
    }
}
