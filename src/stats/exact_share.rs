//! What can be said for certain of a share of yes-or-no replications, above all when none or all
//! of them say yes?

use super::Interval;
use super::beta::beta_quantile;

/// The share of `hits` (≤ n) among `n` replications with the interval that covers the true share
/// with at least probability `level` (0 … 1), whatever it is (Clopper and Pearson 1934); `None`
/// for no replications.
///
/// Wider than Wilson's, which covers with that probability on average over the shares.
pub fn clopper_pearson_interval(hits: usize, n: usize, level: f64) -> Option<Interval> {
    if n == 0 {
        return None;
    }
    let hits = hits.min(n);
    let tail = 0.5 * (1.0 - level);
    let (yes, no) = (hits as f64, (n - hits) as f64);
    // The smallest share that gives `hits` or more often enough, and the same for the others.
    let lo = if hits == 0 { 0.0 } else { beta_quantile(yes, no + 1.0, tail) };
    let hi = if hits == n { 1.0 } else { 1.0 - beta_quantile(no, yes + 1.0, tail) };
    Some(Interval { mean: yes / n as f64, lo, hi, n })
}

/// A share as it may be told: never a bare 0 % or 100 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Share {
    /// None of n: the true share is at most this (0 … 1).
    AtMost(f64),
    /// Some of n, with the Clopper-Pearson interval.
    Between(Interval),
    /// All of n: the true share is at least this (0 … 1).
    AtLeast(f64),
}

/// What `hits` (≤ n) of `n` replications say of the true share with confidence `level` (0 … 1);
/// `None` for no replications.
///
/// With none of n it is the one-sided bound 1 − α^(1/n), where α = 1 − level: the largest share
/// that still gives no hit with probability α. At 95 % that is close to 3 / n, the "rule of
/// three" (Hanley and Lippman-Hand 1983). All of n is the mirror of none. The upper end of the
/// two-sided Clopper-Pearson interval of none of n is larger: it spends α / 2 on a lower end that
/// cannot be missed.
pub fn share(hits: usize, n: usize, level: f64) -> Option<Share> {
    let interval = clopper_pearson_interval(hits, n, level)?;
    let log = libm::log(1.0 - level) / n as f64;
    Some(match hits.min(n) {
        0 => Share::AtMost(-libm::expm1(log)),
        all if all == n => Share::AtLeast(libm::exp(log)),
        _ => Share::Between(interval),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_binomial_sums() {
        // mpmath, with 40 digits; SciPy is off by 5e-13 here.
        let cases = [
            (0, 100, 0.95, 0.0, 0.03621669264517641),
            (3, 100, 0.95, 0.006229971538306397, 0.08517605297428002),
            (50, 100, 0.95, 0.398321129503301, 0.601678870496699),
            (998, 1000, 0.95, 0.9927941610885425, 0.9997576988831228),
            (1, 10, 0.99, 0.0005011285754646343, 0.5442870568996868),
            (10, 10, 0.9, 0.7411344491069477, 1.0),
        ];
        for (hits, n, level, lo, hi) in cases {
            let interval = clopper_pearson_interval(hits, n, level).unwrap();
            assert!((interval.lo - lo).abs() < 1e-15, "{hits} of {n}: {interval:?}");
            assert!((interval.hi - hi).abs() < 1e-15, "{hits} of {n}: {interval:?}");
        }
        assert_eq!(clopper_pearson_interval(0, 0, 0.95), None);
    }

    #[test]
    fn none_of_n_still_allows_about_three_in_n() {
        let Some(Share::AtMost(bound)) = share(0, 1000, 0.95) else { panic!("not a bound") };
        // (1 − bound)^1000 = 0.05.
        assert!((libm::pow(1.0 - bound, 1000.0) - 0.05).abs() < 1e-14, "{bound}");
        assert!((bound - 0.003).abs() < 1e-5, "{bound}");
        assert!(bound < clopper_pearson_interval(0, 1000, 0.95).unwrap().hi);
    }

    #[test]
    fn all_of_n_is_the_mirror_of_none() {
        let Some(Share::AtMost(most)) = share(0, 7, 0.9) else { panic!("not a bound") };
        let Some(Share::AtLeast(least)) = share(7, 7, 0.9) else { panic!("not a bound") };
        assert!((most + least - 1.0).abs() < 1e-15);
        assert!(matches!(share(1, 7, 0.9), Some(Share::Between(i)) if i.n == 7));
        assert_eq!(share(0, 0, 0.9), None);
    }
}
