//! Does one policy differ from another, and what did common random numbers give?

use super::{Interval, mean_and_variance, t_p_value, t_quantile, t_quantile_real};

/// A difference of two means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// First mean less second, with its interval; `n` is the number of values of the smaller
    /// sample.
    pub interval: Interval,
    /// Two-sided p-value [0 … 1] of no difference; 1 with a single value on a side.
    pub p_value: f64,
}

impl Difference {
    /// Whether the interval leaves out zero. One pair never distinguishes anything.
    pub fn distinguishable(&self) -> bool {
        self.interval.n > 1 && !self.interval.contains(0.0)
    }
}

/// Two policies on the same random numbers, compared pair by pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paired {
    /// The difference, with a t-interval over the differences of the pairs.
    pub difference: Difference,
    /// Correlation [−1 … 1] of the pairs; `None` when one side does not vary.
    pub correlation: Option<f64>,
    /// Variance (≥ 0) of the difference against that of independent runs, 1 − correlation for
    /// equal spreads: 0.1 says that ten times as many independent runs would be needed. `None`
    /// when neither side varies.
    pub variance_ratio: Option<f64>,
}

impl Paired {
    /// Whether the pairs made the difference surer. They need not: chaotic herds can be
    /// correlated the other way. Then the next runs had better have seeds of their own, for
    /// [`independent_difference`]. On *these* runs the paired interval is the right one even so:
    /// the other would take the variance to be smaller than it is, and miss the truth too often.
    pub fn helped(&self) -> bool {
        self.variance_ratio.is_some_and(|ratio| ratio < 1.0)
    }
}

/// The difference of the means of `first` and `second`, value i of both from the same random
/// numbers, with confidence `level` (0 … 1); `None` without pairs. Values without a partner are
/// left out.
pub fn paired_difference(first: &[f64], second: &[f64], level: f64) -> Option<Paired> {
    let n = first.len().min(second.len());
    let (first, second) = (&first[..n], &second[..n]);
    let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| a - b).collect();
    let (mean, variance) = mean_and_variance(&differences)?;
    let (one, other) = (mean_and_variance(first)?, mean_and_variance(second)?);
    let t = if n > 1 { t_quantile(n as u64 - 1, level) } else { 0.0 };
    let difference = difference(mean, variance / n as f64, n as f64 - 1.0, t, n);
    let independent = one.1 + other.1;
    let both = first.iter().zip(second).map(|(a, b)| (a - one.0) * (b - other.0));
    let covariance = both.sum::<f64>() / (n as f64 - 1.0);
    let scale = (one.1 * other.1).sqrt();
    Some(Paired {
        difference,
        correlation: (scale > 0.0).then(|| (covariance / scale).clamp(-1.0, 1.0)),
        variance_ratio: (independent > 0.0).then(|| variance / independent),
    })
}

/// The difference of the means of two independent samples with confidence `level` (0 … 1), whose
/// spreads may differ (Welch 1947); `None` when one is empty.
pub fn independent_difference(first: &[f64], second: &[f64], level: f64) -> Option<Difference> {
    let (one, other) = (mean_and_variance(first)?, mean_and_variance(second)?);
    let n = first.len().min(second.len());
    if n == 1 {
        return Some(difference(one.0 - other.0, 0.0, 0.0, 0.0, 1));
    }
    let (a, b) = (one.1 / first.len() as f64, other.1 / second.len() as f64);
    let squares = a * a / (first.len() - 1) as f64 + b * b / (second.len() - 1) as f64;
    // Equal values on both sides have no spread to divide by, and no width that t would stretch.
    let df = if squares > 0.0 { (a + b) * (a + b) / squares } else { 1.0 };
    Some(difference(one.0 - other.0, a + b, df, t_quantile_real(df, level), n))
}

/// The variance of a paired difference against that of independent runs, for standard deviations
/// `sd1` and `sd2` (> 0) and the correlation `rho` [−1 … 1]: 1 − 2 ρ σ₁ σ₂ / (σ₁² + σ₂²).
pub fn variance_ratio(sd1: f64, sd2: f64, rho: f64) -> f64 {
    1.0 - 2.0 * rho * sd1 * sd2 / (sd1 * sd1 + sd2 * sd2)
}

/// A difference of `mean`, whose estimate has the variance `error2` and `df` degrees of freedom.
fn difference(mean: f64, error2: f64, df: f64, t: f64, n: usize) -> Difference {
    let error = error2.sqrt();
    let half = t * error;
    let interval = Interval { mean, lo: mean - half, hi: mean + half, n };
    let p_value = match (n, mean == 0.0) {
        (0 | 1, _) | (_, true) => 1.0,
        _ => t_p_value(df, mean / error),
    };
    Difference { interval, p_value }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: [f64; 8] = [5.1, 4.9, 6.3, 5.8, 6.0, 5.5, 4.7, 6.1];
    const SECOND: [f64; 8] = [4.8, 4.7, 5.9, 5.6, 5.5, 5.3, 4.6, 5.7];

    #[test]
    fn a_paired_difference_is_scipys() {
        let paired = paired_difference(&FIRST, &SECOND, 0.95).unwrap();
        let interval = paired.difference.interval;
        assert!((interval.lo - 0.174118618399427).abs() < 1e-14, "{interval:?}");
        assert!((interval.hi - 0.40088138160057296).abs() < 1e-14, "{interval:?}");
        assert!((paired.difference.p_value / 0.0005444515450986958 - 1.0).abs() < 1e-11);
        assert!((paired.correlation.unwrap() - 0.984801951275253).abs() < 1e-13);
        assert!((paired.variance_ratio.unwrap() - 0.03051851851851839).abs() < 1e-14);
        assert!(paired.helped() && paired.difference.distinguishable());
    }

    #[test]
    fn an_independent_difference_is_scipys_and_sees_nothing_here() {
        let cases = [
            (8, -0.30289323564609905, 0.8778932356461001, 0.313169715160143),
            (5, -0.456999981720272, 0.9569999817202738, 0.44688101770107397),
        ];
        for (n, lo, hi, p) in cases {
            let welch = independent_difference(&FIRST, &SECOND[..n], 0.95).unwrap();
            assert!((welch.interval.lo - lo).abs() < 1e-13, "{welch:?}");
            assert!((welch.interval.hi - hi).abs() < 1e-13, "{welch:?}");
            assert!((welch.p_value / p - 1.0).abs() < 1e-12, "{welch:?}");
            assert!(!welch.distinguishable());
        }
    }

    #[test]
    fn pairs_that_run_against_each_other_do_not_help() {
        let paired = paired_difference(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0], 0.95).unwrap();
        assert_eq!((paired.correlation, paired.variance_ratio), (Some(-1.0), Some(2.0)));
        assert!(!paired.helped());
    }

    #[test]
    fn one_pair_distinguishes_nothing_and_a_constant_difference_everything() {
        let one = paired_difference(&[1.0], &[2.0], 0.95).unwrap();
        assert_eq!((one.difference.p_value, one.correlation), (1.0, None));
        assert!(!one.difference.distinguishable());
        assert!(!independent_difference(&[1.0], &[2.0], 0.95).unwrap().distinguishable());
        let same = paired_difference(&[1.0, 2.0, 4.0], &[0.0, 1.0, 3.0], 0.95).unwrap();
        assert!(same.difference.distinguishable());
        assert_eq!((same.difference.p_value, same.variance_ratio), (0.0, Some(0.0)));
        let none = independent_difference(&[2.0, 2.0], &[2.0, 2.0], 0.95).unwrap();
        assert_eq!((none.p_value, none.distinguishable()), (1.0, false));
        assert_eq!(paired_difference(&[], &[1.0], 0.95), None);
    }

    #[test]
    fn the_variance_ratio_is_one_less_the_correlation_for_equal_spreads() {
        for rho in [-0.5, 0.0, 0.5, 0.9, 0.99] {
            assert!((variance_ratio(2.0, 2.0, rho) - (1.0 - rho)).abs() < 1e-15);
        }
        // 1 − 2 × 0.5 × 3 / 10.
        assert!((variance_ratio(1.0, 3.0, 0.5) - 0.7).abs() < 1e-15);
    }
}
