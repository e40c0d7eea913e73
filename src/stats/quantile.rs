//! Quantiles of weighted values: how long a queue was for 99 % of the time.

/// The smallest value that together with the smaller ones carries at least the share `p` (0 … 1)
/// of the weight (nearest rank: always one of the values, never one between two); `None` when
/// nothing weighs anything.
///
/// `cells` are values in rising order, each with its weight: a count, or nanoseconds.
pub fn weighted_quantile<T: Copy>(cells: &[(T, u64)], p: f64) -> Option<T> {
    let total: u128 = cells.iter().map(|(_, weight)| u128::from(*weight)).sum();
    // 7 % of 100 is 7.000000000000001 in floats, and must not become rank 8.
    let rank = (p * total as f64 * (1.0 - 1e-12)).ceil() as u128;
    let rank = rank.clamp(1, total.max(1));
    let mut below = 0;
    for (value, weight) in cells {
        below += u128::from(*weight);
        if below >= rank {
            return Some(*value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_percentile_of_a_hundred_values_is_the_value_of_that_rank() {
        let cells: Vec<(u32, u64)> = (1..=100).map(|value| (value, 1)).collect();
        for percent in 1..=100u32 {
            let p = f64::from(percent) / 100.0;
            assert_eq!(weighted_quantile(&cells, p), Some(percent));
        }
        assert_eq!(weighted_quantile(&cells, 0.0), Some(1));
    }

    #[test]
    fn weights_count_like_repeated_values() {
        let cells = [(1.5, 3), (2.5, 0), (4.0, 1)];
        assert_eq!(weighted_quantile(&cells, 0.75), Some(1.5));
        assert_eq!(weighted_quantile(&cells, 0.76), Some(4.0));
        assert_eq!(weighted_quantile(&cells, 1.0), Some(4.0));
    }

    #[test]
    fn nothing_has_no_quantile() {
        assert_eq!(weighted_quantile::<f64>(&[], 0.5), None);
        assert_eq!(weighted_quantile(&[(1.0, 0)], 0.5), None);
    }
}
