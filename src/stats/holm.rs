//! Which of several comparisons still count when all of them are made at once?

/// The adjusted p-values [0 … 1] of several tests, in their order: a test whose adjusted p-value
/// is at most α is rejected, and the probability of a single false rejection among all is at most
/// α, however the tests depend on each other (Holm 1979, step-down).
///
/// The smallest of k p-values is multiplied by k, the next by k − 1 and so on; none becomes
/// smaller than the one before.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut floor = 0.0f64;
    for (rank, test) in order.into_iter().enumerate() {
        let times = (p_values.len() - rank) as f64;
        floor = floor.max((times * p_values[test]).min(1.0));
        adjusted[test] = floor;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjusted_p_values_are_those_of_rs_p_adjust() {
        // p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") gives 0.03 0.06 0.06 0.02.
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (got, expected) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((got - expected).abs() < 1e-15, "{adjusted:?}");
        }
    }

    #[test]
    fn one_test_is_left_as_it_is_and_no_p_value_exceeds_one() {
        assert_eq!(holm(&[0.04]), [0.04]);
        assert_eq!(holm(&[0.5, 0.9, 0.6]), [1.0, 1.0, 1.0]);
        assert_eq!(holm(&[0.02, 0.02]), [0.04, 0.04]);
        assert!(holm(&[]).is_empty());
    }
}
