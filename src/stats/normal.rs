//! How many standard deviations hold a given share of a normal distribution?

use std::f64::consts::SQRT_2;

use super::beta::bisect;

/// The z for which a standard normal variable lies in ±z with probability `level` (0 … 1).
///
/// By bisection of erfc(z / √2) = 1 − level, which is exact far out where erf is not.
pub fn normal_quantile(level: f64) -> f64 {
    let outside = 1.0 - level;
    bisect(0.0, 40.0, |z| libm::erfc(z / SQRT_2) > outside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        let cases = [
            (0.5, 0.6744897501960817),
            (0.8, 1.2815515655446004),
            (0.9, 1.6448536269514729),
            (0.95, super::super::Z95),
            (0.99, 2.5758293035489004),
            (0.999, 3.2905267314918945),
            (0.9999, 3.8905918864131204),
        ];
        for (level, expected) in cases {
            let z = normal_quantile(level);
            assert!((z - expected).abs() < 2e-13, "{level}: {z} not {expected}");
        }
    }
}
