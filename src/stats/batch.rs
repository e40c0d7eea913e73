//! How surely is a mean known from one long run, whose values depend on each other?

use super::{Interval, Z95, mean_and_variance, mean_interval_at};

/// The mean of a run by means of its batches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchMeans {
    /// The mean with its interval; `n` is the number of batches.
    pub interval: Interval,
    /// Values in a batch (≥ 1).
    pub size: usize,
    /// Whether the batches look independent; `None` when all have the same mean. Where they do
    /// not, the interval is too narrow: the run is too short.
    pub independence: Option<VonNeumann>,
}

/// The von Neumann ratio of a series with the band that it lies in with 95 % when its values are
/// independent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VonNeumann {
    /// Σ(x(i+1) − x(i))² / Σ(x(i) − mean)² (0 … 4): 2 for independent values, less when
    /// neighbours are alike.
    pub ratio: f64,
    /// Lower end of the band.
    pub lo: f64,
    /// Upper end of the band.
    pub hi: f64,
}

impl VonNeumann {
    /// Whether the ratio lies in the band: nothing speaks against independence.
    pub fn accepts(&self) -> bool {
        self.lo <= self.ratio && self.ratio <= self.hi
    }
}

/// The mean of a settled series (see [`super::warm_up`]) and its interval of confidence `level`
/// (0 … 1) from `batches` (≥ 2; 20 to 30 are usual) batches of equal size, mean ± t(b − 1) s / √b
/// over the means of the batches; `None` when there are fewer values than batches.
///
/// Values that do not fill a batch are left out at the start, where what is left of the warm-up
/// would be.
pub fn batch_means(series: &[f64], batches: usize, level: f64) -> Option<BatchMeans> {
    if batches < 2 || series.len() < batches {
        return None;
    }
    let size = series.len() / batches;
    let whole = &series[series.len() - size * batches..];
    let means: Vec<f64> =
        whole.chunks_exact(size).map(|batch| batch.iter().sum::<f64>() / size as f64).collect();
    let interval = mean_interval_at(&means, level)?;
    Some(BatchMeans { interval, size, independence: von_neumann(&means) })
}

/// The von Neumann ratio of values in their order, with its 95 % band
/// 2 ± 1.96 × 2 √((n − 2) / (n² − 1)) (von Neumann 1941; Young 1941 for the variance); `None` with
/// fewer than three values, and when all are equal.
pub fn von_neumann(values: &[f64]) -> Option<VonNeumann> {
    let (mean, _) = mean_and_variance(values)?;
    let spread: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    if values.len() < 3 || spread == 0.0 {
        return None;
    }
    let steps: f64 = values.windows(2).map(|two| (two[1] - two[0]) * (two[1] - two[0])).sum();
    let n = values.len() as f64;
    let half = Z95 * 2.0 * ((n - 2.0) / (n * n - 1.0)).sqrt();
    Some(VonNeumann { ratio: steps / spread, lo: 2.0 - half, hi: 2.0 + half })
}

/// The asymptotic variance n Var(mean of n values) of a settled series, from the means of all
/// overlapping batches of `size` values (1 … n − 1): n m Σ(batch mean − mean)² /
/// ((n − m + 1)(n − m)) for batches of m (Meketon and Schmeiser 1984); `None` for another size.
///
/// Divided by the variance of the values it is the autocorrelation time: so many values say as
/// much as one that is independent. A twentieth of the series is a usual size.
pub fn overlapping_variance(series: &[f64], size: usize) -> Option<f64> {
    let n = series.len();
    if size == 0 || size >= n {
        return None;
    }
    let (mean, _) = mean_and_variance(series)?;
    // Sums of distances to the mean, which stay small, from the start to every value.
    let mut sums = vec![0.0; n + 1];
    for (i, x) in series.iter().enumerate() {
        sums[i + 1] = sums[i] + (x - mean);
    }
    let batches = sums.iter().zip(&sums[size..]).map(|(from, to)| (to - from) / size as f64);
    let squares: f64 = batches.map(|distance| distance * distance).sum();
    let (n, m) = (n as f64, size as f64);
    Some(n * m / ((n - m + 1.0) * (n - m)) * squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worked_example_of_batches() {
        // The first value fills no batch; means 2, 4, 3, 7: mean 4, s² = 14/3, t(3) = 3.1824….
        let series = [9.0, 1.0, 3.0, 3.0, 5.0, 2.0, 4.0, 8.0, 6.0];
        let means = batch_means(&series, 4, 0.95).unwrap();
        assert_eq!((means.size, means.interval.n, means.interval.mean), (2, 4, 4.0));
        let half = 3.182446305283708 * (14.0f64 / 3.0 / 4.0).sqrt();
        assert!((means.interval.half_width() - half).abs() < 1e-12);
        // Steps 2, −1, 4: 21 over 14.
        assert_eq!(means.independence.unwrap().ratio, 1.5);
        assert_eq!(batch_means(&series, 1, 0.95), None);
        assert_eq!(batch_means(&series, 10, 0.95), None);
    }

    #[test]
    fn neighbours_that_are_alike_are_not_independent() {
        let climbs: Vec<f64> = (0..20).map(f64::from).collect();
        let trend = von_neumann(&climbs).unwrap();
        assert!((trend.ratio - 19.0 / 665.0).abs() < 1e-15 && !trend.accepts());
        let zigzag = von_neumann(&[1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0]).unwrap();
        assert!(zigzag.ratio == 3.5 && !zigzag.accepts());
        assert_eq!((von_neumann(&[3.0; 9]), von_neumann(&[1.0, 2.0])), (None, None));
    }

    #[test]
    fn the_band_of_twenty_is_that_of_the_formula() {
        let climbs: Vec<f64> = (0..20).map(f64::from).collect();
        let band = von_neumann(&climbs).unwrap();
        assert!((band.hi - 2.0 - 3.919927969080108 * (18.0f64 / 399.0).sqrt()).abs() < 1e-14);
        assert!((band.hi + band.lo - 4.0).abs() < 1e-15);
    }

    #[test]
    fn batches_of_one_give_the_variance_of_the_values() {
        // n × 1 / (n (n − 1)) Σ(x − mean)².
        let variance = overlapping_variance(&[1.0, 2.0, 3.0, 4.0, 5.0], 1).unwrap();
        assert!((variance - 2.5).abs() < 1e-15);
        // Batches of two: means 1.5, 2.5, 3.5, 4.5; 5 × 2 / (4 × 3) × 5 = 4.1666….
        let variance = overlapping_variance(&[1.0, 2.0, 3.0, 4.0, 5.0], 2).unwrap();
        assert!((variance - 50.0 / 12.0).abs() < 1e-14);
        assert_eq!(overlapping_variance(&[1.0, 2.0], 2), None);
        assert_eq!(overlapping_variance(&[1.0, 2.0], 0), None);
    }
}
