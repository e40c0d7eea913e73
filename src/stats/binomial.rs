//! How many of n independent trials succeed?

use super::beta::{Tails, beta_tails};

/// The probability [0 … 1] that at most `k` of `n` independent trials succeed, each of which does
/// with probability `share` [0 … 1].
pub fn binomial_at_most(k: usize, n: usize, share: f64) -> f64 {
    binomial_tails(k, n, share).lower
}

/// The smallest number of successes that is not exceeded with probability `probability` [0 … 1]
/// or more.
pub fn binomial_quantile(probability: f64, n: usize, share: f64) -> usize {
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low + (high - low) / 2;
        if binomial_at_most(middle, n, share) < probability {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The probabilities of at most `k` successes and of more: DLMF 8.17.5.
pub(super) fn binomial_tails(k: usize, n: usize, share: f64) -> Tails {
    if k >= n {
        return Tails { lower: 1.0, upper: 0.0 };
    }
    beta_tails((n - k) as f64, (k + 1) as f64, 1.0 - share, share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_those_of_the_sum() {
        // Ten tosses of a fair coin: 1, 11, 56, 176, … of 1024.
        for (k, ways) in [(0, 1.0), (1, 11.0), (2, 56.0), (3, 176.0), (9, 1023.0), (10, 1024.0)] {
            assert!((binomial_at_most(k, 10, 0.5) - ways / 1024.0).abs() < 1e-15, "{k}");
        }
        assert!((binomial_at_most(3, 10, 0.3) - 0.6496107184).abs() < 1e-14);
        assert!((binomial_at_most(926, 1000, 0.95) / 0.0006476167399958361 - 1.0).abs() < 1e-12);
        assert_eq!((binomial_at_most(3, 10, 0.0), binomial_at_most(3, 10, 1.0)), (1.0, 0.0));
    }

    #[test]
    fn the_quantile_is_the_first_count_that_is_reached() {
        for probability in [0.0005, 0.025, 0.5, 0.975, 0.9995] {
            let k = binomial_quantile(probability, 400, 0.95);
            assert!(binomial_at_most(k, 400, 0.95) >= probability);
            assert!(binomial_at_most(k - 1, 400, 0.95) < probability);
        }
        assert_eq!((binomial_quantile(0.0, 9, 0.5), binomial_quantile(1.0, 9, 0.5)), (0, 9));
    }
}
