//! How far from its mean does a Student variable stray?

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

use super::beta::{Tails, beta_tails, bisect};

/// The t for which a Student variable of `df` (≥ 1) degrees of freedom lies in ±t with
/// probability `level` [0 … 1).
///
/// By bisection of the finite sum of `central_probability`; about 1 µs × (1 + df / 20). Not from
/// `statrs`, which uses the platform's `ln` and is off by 3e-6 at 100,000 degrees of freedom.
pub fn t_quantile(df: u64, level: f64) -> f64 {
    let df = df.max(1);
    let angle = bisect(0.0, FRAC_PI_2, |angle| central_probability(df, angle) < level);
    (df as f64).sqrt() * libm::tan(angle)
}

/// The same for any real `df` (> 0), as Welch's test has them, and faster for very many.
pub fn t_quantile_real(df: f64, level: f64) -> f64 {
    let outside = 1.0 - level;
    let angle = bisect(0.0, FRAC_PI_2, |angle| {
        let (sin, cos) = libm::sincos(angle);
        beta_tails(0.5 * df, 0.5, cos * cos, sin * sin).lower > outside
    });
    df.sqrt() * libm::tan(angle)
}

/// The probability [0 … 1] that a Student variable of `df` (> 0) degrees of freedom is at most
/// `t`: its distribution function.
pub fn t_probability(df: f64, t: f64) -> f64 {
    let tails = tails(df, t);
    if t < 0.0 { 0.5 * tails.lower } else { 0.5 + 0.5 * tails.upper }
}

/// The two-sided p-value [0 … 1] of a t statistic of `df` (> 0) degrees of freedom: the
/// probability that chance alone gives a |t| at least as large. Exact in its leading digits
/// however small it is.
pub fn t_p_value(df: f64, t: f64) -> f64 {
    tails(df, t).lower
}

/// Outside and inside of ±t: df / (df + t²) has a beta distribution (DLMF 8.17).
fn tails(df: f64, t: f64) -> Tails {
    // From the ratio, so that a huge t does not overflow to infinity over infinity.
    let ratio = t * t / df;
    let outside = 1.0 / (1.0 + ratio);
    let inside = if ratio > 1.0 { 1.0 / (1.0 + 1.0 / ratio) } else { ratio / (1.0 + ratio) };
    beta_tails(0.5 * df, 0.5, outside, inside)
}

/// The probability that a Student variable lies in ±√df tan(angle): Abramowitz and Stegun 26.7.3
/// (odd degrees of freedom) and 26.7.4 (even).
fn central_probability(df: u64, angle: f64) -> f64 {
    let (sin, cos) = libm::sincos(angle);
    let odd = df % 2 == 1;
    let mut term = if odd { cos } else { 1.0 };
    let mut sum = if df == 1 { 0.0 } else { term };
    // The factors are 2/3, 4/5, … for odd and 1/2, 3/4, … for even degrees of freedom.
    let mut k = if odd { 2 } else { 1 };
    while k + 2 < df {
        term *= cos * cos * (k as f64 / (k + 1) as f64);
        sum += term;
        k += 2;
    }
    if odd { FRAC_2_PI * (angle + sin * sum) } else { sin * sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t_quantiles_are_those_of_the_tables() {
        // SciPy and mpmath agree on these to 15 digits.
        let cases = [
            (1, 0.95, 12.706204736174694),
            (2, 0.95, 4.302652729749462),
            (3, 0.95, 3.182446305283708),
            (4, 0.95, 2.776445105197793),
            (9, 0.95, 2.262157162798204),
            (19, 0.95, 2.0930240544083087),
            (29, 0.95, 2.045229642132703),
            (99, 0.95, 1.9842169515864174),
            (999, 0.95, 1.9623414611334493),
            (9, 0.999, 4.780912585931217),
            (29, 0.99, 2.756385903670605),
        ];
        for (df, level, expected) in cases {
            let t = t_quantile(df, level);
            assert!((t / expected - 1.0).abs() < 1e-12, "{df}, {level}: {t} not {expected}");
            let t = t_quantile_real(df as f64, level);
            assert!((t / expected - 1.0).abs() < 1e-12, "{df}, {level}: {t} not {expected}");
        }
    }

    #[test]
    fn degrees_of_freedom_need_not_be_whole() {
        let cases = [
            (4.7, 0.95, 2.62072607535317),
            (29.3, 0.99, 2.754420171610263),
            (1.5, 0.9, 3.70518082009675),
            (39_189.0, 0.95, 1.960024520487761),
        ];
        for (df, level, expected) in cases {
            let t = t_quantile_real(df, level);
            assert!((t / expected - 1.0).abs() < 1e-12, "{df}, {level}: {t} not {expected}");
        }
    }

    #[test]
    fn with_many_degrees_of_freedom_t_nears_the_normal_quantile() {
        // Cornish and Fisher: z + (z³ + z) / 4 df.
        let z = super::super::Z95;
        let expected = z + (z * z * z + z) / 4.0 / 99_999.0;
        assert!((t_quantile(99_999, 0.95) - expected).abs() < 1e-9);
    }

    #[test]
    fn p_values_are_those_of_scipy_far_out_too() {
        let cases = [
            (2.0, 9.0, 0.07655282377070101),
            (3.2, 4.7, 0.026183869756802793),
            (0.5, 1.0, 0.7048327646991335),
            (10.0, 29.3, 5.906257248931965e-11),
            (40.0, 20.0, 1.457469655431075e-20),
            (1.96, 1e5, 0.04999856319430164),
        ];
        for (t, df, expected) in cases {
            let p = t_p_value(df, t);
            assert!((p / expected - 1.0).abs() < 1e-13, "{t}, {df}: {p} not {expected}");
            assert_eq!(p, t_p_value(df, -t));
            assert!((2.0 * t_probability(df, -t) / expected - 1.0).abs() < 1e-13);
            assert!((t_probability(df, t) + t_probability(df, -t) - 1.0).abs() < 1e-15);
        }
        assert_eq!((t_p_value(7.0, 0.0), t_probability(7.0, 0.0)), (1.0, 0.5));
        assert_eq!(t_p_value(7.0, f64::INFINITY), 0.0);
    }
}
