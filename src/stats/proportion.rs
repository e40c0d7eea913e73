//! How surely is a share of yes-or-no replications known?

use super::{Interval, Z95, normal_quantile};

/// The share of `hits` (≤ n) among `n` replications with its 95 % interval (Wilson 1927); `None`
/// for no replications.
///
/// Never empty at the ends: 0 of 10 gives 0 … 28 %, for ten runs cannot rule out a rare failure.
pub fn wilson_interval(hits: usize, n: usize) -> Option<Interval> {
    wilson(hits, n, Z95)
}

/// The same with confidence `level` (0 … 1).
pub fn wilson_interval_at(hits: usize, n: usize, level: f64) -> Option<Interval> {
    wilson(hits, n, normal_quantile(level))
}

/// The shares that lie within `z` of their own standard errors from the one seen.
fn wilson(hits: usize, n: usize, z: f64) -> Option<Interval> {
    if n == 0 {
        return None;
    }
    let (count, hits) = (n as f64, hits.min(n) as f64);
    let share = hits / count;
    let z2 = z * z;
    let scale = 1.0 + z2 / count;
    let centre = (share + z2 / (2.0 * count)) / scale;
    let spread = (share * (1.0 - share) / count + z2 / (4.0 * count * count)).sqrt();
    let half = z * spread / scale;
    // At the ends the formula is exactly 0 and 1, but its rounding is not.
    let lo = if hits == 0.0 { 0.0 } else { centre - half };
    let hi = if hits == count { 1.0 } else { centre + half };
    Some(Interval { mean: share, lo, hi, n })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_formula() {
        let cases = [
            (0, 0.0, 0.03699349820698568),
            (3, 0.010254524024038925, 0.0845193642905276),
            (50, 0.4038315303659956, 0.5961684696340044),
        ];
        for (hits, lo, hi) in cases {
            let interval = wilson_interval(hits, 100).unwrap();
            assert!((interval.lo - lo).abs() < 1e-15, "{hits}: {interval:?}");
            assert!((interval.hi - hi).abs() < 1e-15, "{hits}: {interval:?}");
        }
    }

    #[test]
    fn at_another_level_it_is_scipys() {
        let interval = wilson_interval_at(1, 10, 0.99).unwrap();
        assert!((interval.lo - 0.011851503411032915).abs() < 1e-15, "{interval:?}");
        assert!((interval.hi - 0.5072317712328935).abs() < 1e-15, "{interval:?}");
        let (given, usual) = (wilson_interval_at(3, 9, 0.95), wilson_interval(3, 9));
        assert!((given.unwrap().lo - usual.unwrap().lo).abs() < 1e-15);
    }

    #[test]
    fn all_is_the_mirror_of_none() {
        let (none, all) = (wilson_interval(0, 10).unwrap(), wilson_interval(10, 10).unwrap());
        assert_eq!((none.mean, none.lo, all.mean, all.hi), (0.0, 0.0, 1.0, 1.0));
        assert!((none.hi + all.lo - 1.0).abs() < 1e-15);
        assert_eq!(wilson_interval(0, 0), None);
    }
}
