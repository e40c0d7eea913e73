//! Between which of the sorted values does a quantile lie?

use super::binomial::{binomial_quantile, binomial_tails};

/// The sorted values, counted from 1, between which a quantile lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranks {
    /// The value that is the lower end; 0 when even the smallest is not surely below.
    pub lower: usize,
    /// The value that is the upper end; n + 1 when even the largest is not surely above.
    pub upper: usize,
    /// The probability [level … 1] that the quantile of a continuous distribution lies between
    /// them: P(lower ≤ B < upper) for the number B of values below the quantile.
    pub coverage: f64,
}

/// A quantile of a sample with its interval, which assumes nothing about the distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuantileInterval {
    /// The smallest value that at least the share `p` of the values does not exceed.
    pub estimate: f64,
    /// Lower end; `None` when the sample is too small for one.
    pub lo: Option<f64>,
    /// Upper end; `None` when the sample is too small for one.
    pub hi: Option<f64>,
    /// The exact probability [level … 1] that it covers; of a continuous distribution, otherwise
    /// at least that.
    pub coverage: f64,
    /// Values (≥ 1).
    pub n: usize,
}

/// The ranks among `n` (≥ 1) independent values that hold the quantile `p` (0 … 1) with at least
/// probability `level` (0 … 1).
///
/// Equal tails: the lower rank is the (1 − level) / 2 quantile of the binomial distribution of n
/// and p, the upper one is the (1 + level) / 2 quantile plus one, so that neither side is missed
/// with more than (1 − level) / 2 (Conover, Practical Nonparametric Statistics, section 3.2).
pub fn quantile_ranks(n: usize, p: f64, level: f64) -> Ranks {
    let lower = binomial_quantile(0.5 * (1.0 - level), n, p);
    let last = binomial_quantile(0.5 * (1.0 + level), n, p);
    let below = if lower == 0 { 0.0 } else { binomial_tails(lower - 1, n, p).lower };
    let above = binomial_tails(last, n, p).upper;
    Ranks { lower, upper: last + 1, coverage: 1.0 - below - above }
}

/// The quantile `p` (0 … 1) of independent values (not NaN) with its interval of confidence
/// `level` (0 … 1); `None` without values.
///
/// Values that depend on each other, such as the latencies of one run, make it too narrow: take a
/// quantile per replication and [`super::mean_interval`] over them.
pub fn quantile_interval(values: &[f64], p: f64, level: f64) -> Option<QuantileInterval> {
    let n = values.len();
    if n == 0 {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let ranks = quantile_ranks(n, p, level);
    let at = |rank: usize| rank.checked_sub(1).and_then(|index| sorted.get(index).copied());
    // A product such as 0.95 × 20 may be rounded upwards.
    let rank = (p * n as f64 - 1e-9).ceil().clamp(1.0, n as f64) as usize;
    Some(QuantileInterval {
        estimate: sorted[rank - 1],
        lo: at(ranks.lower),
        hi: at(ranks.upper),
        coverage: ranks.coverage,
        n,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_and_coverage_are_those_of_the_binomial_distribution() {
        let cases = [
            (100, 0.5, 40, 61, 0.9647997997822952),
            (100, 0.95, 90, 100, 0.9826070607121812),
            (1000, 0.5, 469, 532, 0.9537088026395018),
            (1000, 0.95, 936, 964, 0.9580952682226541),
            (1000, 0.99, 983, 997, 0.976094763497977),
            (10_000, 0.99, 9880, 9920, 0.9557546828065552),
        ];
        for (n, p, lower, upper, coverage) in cases {
            let ranks = quantile_ranks(n, p, 0.95);
            assert_eq!((ranks.lower, ranks.upper), (lower, upper), "{n} {p}");
            assert!((ranks.coverage - coverage).abs() < 1e-12, "{n} {p}: {ranks:?}");
        }
    }

    #[test]
    fn a_small_sample_has_no_upper_end_for_a_high_quantile() {
        let values: Vec<f64> = (1..=10).rev().map(f64::from).collect();
        let interval = quantile_interval(&values, 0.9, 0.95).unwrap();
        assert_eq!((interval.estimate, interval.lo, interval.hi), (9.0, Some(7.0), None));
        // The quantile lies below the 7th of 10 when at most 6 values do: 0.0127951984.
        assert!((interval.coverage - (1.0 - 0.0127951984)).abs() < 1e-12, "{interval:?}");
        assert_eq!(quantile_interval(&[], 0.5, 0.95), None);
    }

    #[test]
    fn the_median_of_a_hundred_lies_between_the_40th_and_the_61st() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        let interval = quantile_interval(&values, 0.5, 0.95).unwrap();
        assert_eq!((interval.lo, interval.hi, interval.n), (Some(40.0), Some(61.0), 100));
        assert_eq!(interval.estimate, 50.0);
    }
}
