//! The usual shape of service times: most are fast, a few are slow.

use std::time::Duration;

use rand::Rng;

use super::standard_normal;
use crate::time::from_secs;

/// The 99 % quantile of the standard normal distribution.
const Z99: f64 = 2.326_347_874_040_841;

/// Log-normal, given by two quantiles that people measure.
#[derive(Clone, Debug, PartialEq)]
pub struct LogNormal {
    /// Median (> 0).
    pub p50: Duration,
    /// 99 % quantile (≥ p50).
    pub p99: Duration,
    /// Standard deviation of the logarithm: ln(p99 / p50) / z(0.99).
    sigma: f64,
}

impl LogNormal {
    /// The distribution with this median and this 99 % quantile.
    pub fn new(p50: Duration, p99: Duration) -> LogNormal {
        let sigma = libm::log(p99.as_secs_f64() / p50.as_secs_f64()) / Z99;
        LogNormal { p50, p99, sigma }
    }

    /// The mean in seconds: p50 × e^(sigma² / 2).
    pub fn mean_s(&self) -> f64 {
        self.p50.as_secs_f64() * libm::exp(self.sigma * self.sigma / 2.0)
    }

    /// p50 × e^(sigma × z), z standard normal.
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Duration {
        from_secs(self.p50.as_secs_f64() * libm::exp(self.sigma * standard_normal(rng)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, Seed};

    #[test]
    fn half_lie_below_the_median_and_one_in_a_hundred_above_the_p99() {
        let dist = LogNormal::new(Duration::from_millis(40), Duration::from_millis(150));
        let n = 100_000;
        let seed = Seed::new(3);
        let samples: Vec<Duration> =
            (0..n).map(|i| dist.sample(&mut seed.stream(Purpose::Demand, i, 1))).collect();
        let above = |bound: Duration| samples.iter().filter(|s| **s > bound).count();
        assert!((49_000..51_000).contains(&above(dist.p50)), "{}", above(dist.p50));
        assert!((900..1_100).contains(&above(dist.p99)), "{}", above(dist.p99));
    }
}
