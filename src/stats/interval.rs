//! How surely is a mean known from independent replications?

use super::t_quantile;

/// An estimate with its confidence interval: of 95 %, where no other level is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub mean: f64,
    /// Lower end (≤ mean).
    pub lo: f64,
    /// Upper end (≥ mean).
    pub hi: f64,
    /// How many independent values it rests on (≥ 1).
    pub n: usize,
}

impl Interval {
    /// Half its width (≥ 0), in the unit of the values.
    pub fn half_width(&self) -> f64 {
        0.5 * (self.hi - self.lo)
    }

    /// Whether `value` lies in it, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.lo <= value && value <= self.hi
    }
}

/// The mean and its 95 % interval; `None` without values. See [`mean_interval_at`].
pub fn mean_interval(values: &[f64]) -> Option<Interval> {
    mean_interval_at(values, 0.95)
}

/// The mean and its interval of confidence `level` (0 … 1), mean ± t(n − 1) s / √n (Student
/// 1908); `None` without values.
///
/// One value says nothing about the spread: its interval is the value itself, and `n` says so.
pub fn mean_interval_at(values: &[f64], level: f64) -> Option<Interval> {
    let (mean, variance) = mean_and_variance(values)?;
    let n = values.len();
    if n == 1 {
        return Some(Interval { mean, lo: mean, hi: mean, n });
    }
    let error = (variance / n as f64).sqrt();
    let half = t_quantile(n as u64 - 1, level) * error;
    Some(Interval { mean, lo: mean - half, hi: mean + half, n })
}

/// The mean and the sample variance, Σ(x − mean)² / (n − 1), of values; the variance of one value
/// is 0. `None` without values.
pub fn mean_and_variance(values: &[f64]) -> Option<(f64, f64)> {
    let n = values.len();
    // Around the first value, so that equal values have a spread of exactly zero.
    let origin = *values.first()?;
    let mean = origin + values.iter().map(|x| x - origin).sum::<f64>() / n as f64;
    let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    Some((mean, if n == 1 { 0.0 } else { squares / (n - 1) as f64 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_worked_example() {
        // Mean 3, s = 1.5811…, t(4) = 2.7764…: half-width 1.9632…
        let interval = mean_interval(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert_eq!((interval.mean, interval.n), (3.0, 5));
        assert!((interval.hi - 3.0 - 1.963_243_161_477_56).abs() < 1e-12, "{interval:?}");
        assert!((interval.hi + interval.lo - 6.0).abs() < 1e-12);
    }

    #[test]
    fn a_higher_level_is_a_wider_interval() {
        // t(4) at 99.9 % is 8.610301581379084.
        let values = [1.0, 2.0, 3.0, 4.0, 5.0];
        let interval = mean_interval_at(&values, 0.999).unwrap();
        assert!((interval.half_width() - 8.610301581379084 / 2f64.sqrt()).abs() < 1e-11);
        assert!(interval.contains(interval.lo) && !interval.contains(interval.hi + 1.0));
        assert_eq!(mean_interval(&values), mean_interval_at(&values, 0.95));
    }

    #[test]
    fn one_value_is_its_own_interval_and_none_has_none() {
        let one = mean_interval(&[0.1]).unwrap();
        assert_eq!((one.lo, one.mean, one.hi, one.n), (0.1, 0.1, 0.1, 1));
        let same = mean_interval(&[0.1; 7]).unwrap();
        assert_eq!((same.lo, same.mean, same.hi), (0.1, 0.1, 0.1));
        assert_eq!(mean_interval(&[]), None);
    }
}
