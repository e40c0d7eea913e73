//! Do intervals of 95 % cover the truth in 95 of 100 cases?

use super::binomial::binomial_quantile;

/// How many of some experiments may cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptanceBand {
    /// Fewest that are accepted.
    pub lo: usize,
    /// Most that are accepted.
    pub hi: usize,
}

impl AcceptanceBand {
    /// Whether so many are neither too few nor too many.
    pub fn accepts(&self, covered: usize) -> bool {
        self.lo <= covered && covered <= self.hi
    }
}

/// The numbers of `experiments` (≥ 1) whose interval of confidence `level` (0 … 1) may cover the
/// known truth, if the intervals keep their word, but for the probability `error` (0 … 1): the
/// quantiles error / 2 and 1 − error / 2 of the binomial distribution.
///
/// Intervals that cover too often are rejected too: they are wider than they say.
pub fn acceptance_band(experiments: usize, level: f64, error: f64) -> AcceptanceBand {
    AcceptanceBand {
        lo: binomial_quantile(0.5 * error, experiments, level),
        hi: binomial_quantile(1.0 - 0.5 * error, experiments, level),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bands_are_the_published_ones() {
        for (experiments, lo, hi) in [(400, 364, 393), (1000, 926, 971), (2000, 1867, 1931)] {
            let band = acceptance_band(experiments, 0.95, 0.001);
            assert_eq!(band, AcceptanceBand { lo, hi });
            assert!(band.accepts(lo) && band.accepts(hi));
            assert!(!band.accepts(lo - 1) && !band.accepts(hi + 1));
        }
    }
}
