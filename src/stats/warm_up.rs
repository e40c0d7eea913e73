//! How much of the start of a series must be left out before its mean says something?

/// Values in a group: MSER-5 looks at means of five.
const GROUP: usize = 5;

/// Where a series settles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WarmUp {
    /// Values (≥ 0) to leave out at the start: a multiple of five, at most half of them.
    pub values: usize,
    /// Mean of what stays, whole groups of five only.
    pub mean: f64,
    /// Whether all that may be left out was: the series is then too short to tell.
    pub too_short: bool,
}

/// How many values at the start of a series (finite values at equal distances) hide its mean, by
/// MSER-5 (White, Cobb and Spratt 2000); `None` with fewer than ten values.
///
/// It leaves out as many groups of five as make the squared standard error of the mean of the
/// others, Σ(y − mean)² / (groups left)², smallest: of equals the fewest, and at most half of
/// them. Values after the last whole group are not looked at. When policies are compared, all
/// get the same warm-up: the longest.
pub fn warm_up(series: &[f64]) -> Option<WarmUp> {
    let groups: Vec<f64> =
        series.chunks_exact(GROUP).map(|five| five.iter().sum::<f64>() / GROUP as f64).collect();
    if groups.len() < 2 {
        return None;
    }
    let half = groups.len() / 2;
    // From the end, so that mean and squares grow by one group at a time (Welford 1962).
    let (mut mean, mut squares) = (0.0, 0.0);
    let mut best = (f64::INFINITY, half, 0.0);
    for (left_out, y) in groups.iter().enumerate().rev() {
        let left = (groups.len() - left_out) as f64;
        let step = y - mean;
        mean += step / left;
        squares += step * (y - mean);
        let error = squares / (left * left);
        if left_out <= half && error <= best.0 {
            best = (error, left_out, mean);
        }
    }
    let (_, left_out, mean) = best;
    Some(WarmUp { values: left_out * GROUP, mean, too_short: left_out == half })
}

/// The mean over replications at every moment, for [`warm_up`]: what is random differs from one
/// to the next, what is warm-up does not. As long as the shortest of the series.
pub fn mean_series(replications: &[Vec<f64>]) -> Vec<f64> {
    let length = replications.iter().map(Vec::len).min().unwrap_or(0);
    let mean = |moment: usize| {
        replications.iter().map(|series| series[moment]).sum::<f64>() / replications.len() as f64
    };
    (0..length).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_at_the_start_is_left_out_and_nothing_else() {
        let mut series = vec![100.0; 15];
        series.extend((0..85).map(|i| f64::from(i % 5)));
        let settled = warm_up(&series).unwrap();
        assert_eq!(settled, WarmUp { values: 15, mean: 2.0, too_short: false });
    }

    #[test]
    fn a_steady_series_keeps_every_value() {
        let settled = warm_up(&[0.1; 100]).unwrap();
        assert_eq!((settled.values, settled.too_short), (0, false));
        assert!((settled.mean - 0.1).abs() < 1e-15);
    }

    #[test]
    fn a_series_that_never_settles_is_too_short() {
        let climbs: Vec<f64> = (0..101).map(f64::from).collect();
        let settled = warm_up(&climbs).unwrap();
        assert_eq!((settled.values, settled.too_short), (50, true));
        assert_eq!(warm_up(&[1.0; 9]), None);
    }

    #[test]
    fn replications_are_averaged_as_far_as_all_of_them_go() {
        let mean = mean_series(&[vec![1.0, 2.0, 3.0], vec![3.0, 6.0]]);
        assert_eq!(mean, [2.0, 4.0]);
        assert_eq!(mean_series(&[]), Vec::<f64>::new());
    }
}
