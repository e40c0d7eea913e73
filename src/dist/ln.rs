//! The natural logarithm of a random number, quickly and the same to the bit on every machine.
//!
//! Work, thinking and arrivals are mostly exponential: a storm takes two logarithms an attempt.

use std::f64::consts::LN_2;

/// Intervals of the mantissa: a power of two.
const BITS: u32 = 7;
const INTERVALS: usize = 1 << BITS;

/// Of each interval of [1, 2) the inverse of its middle, and the logarithm of the middle.
const TABLE: [(f64, f64); INTERVALS] = table();

/// −ln(u) for u in (0, 1], that is, an exponential number with mean 1 for a uniform u.
///
/// The exponent counts by itself; the mantissa is near the middle c of its interval, and the
/// logarithm of m / c, which is less than 1/256 away from 1, has a short series. The result is
/// off by less than 10^-14, never negative, and made of `+ − ×` only.
#[inline]
pub fn minus_ln(u: f64) -> f64 {
    let bits = u.to_bits();
    let exponent = (bits >> 52) as i64 - 1023;
    let mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    let (inverse, logarithm) = TABLE[(bits >> (52 - BITS)) as usize % INTERVALS];
    let x = mantissa * inverse - 1.0;
    let square = x * x;
    let series = x - square * (0.5 - x * (1.0 / 3.0) + square * (0.25 - x * 0.2));
    -(exponent as f64 * LN_2 + logarithm + series).min(0.0)
}

/// Computed by the compiler, which uses the arithmetic of IEEE 754 wherever it runs.
const fn table() -> [(f64, f64); INTERVALS] {
    let mut table = [(0.0, 0.0); INTERVALS];
    let mut interval = 0;
    while interval < INTERVALS {
        let middle = 1.0 + (interval as f64 + 0.5) / INTERVALS as f64;
        // The logarithm is that of the inverse as it was rounded.
        let inverse = 1.0 / middle;
        table[interval] = (inverse, -ln(inverse));
        interval += 1;
    }
    table
}

/// ln x = 2 artanh z with z = (x − 1) / (x + 1), for x in [1/2, 2]: |z| ≤ 1/3, so that thirty
/// terms are more than a float can hold.
const fn ln(x: f64) -> f64 {
    let z = (x - 1.0) / (x + 1.0);
    let mut term = 30;
    let mut sum = 0.0;
    while term > 0 {
        term -= 1;
        sum = sum * z * z + 1.0 / (2 * term + 1) as f64;
    }
    2.0 * z * sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, Seed};

    #[test]
    fn it_is_the_logarithm_to_fourteen_places() {
        let seed = Seed::new(3);
        // Of every exponent that a uniform number of 53 bits has, and the smallest of them all.
        let unit = 1.0 / (1u64 << 53) as f64;
        let random = (0..200_000u64)
            .map(|i| (seed.stream(Purpose::Demand, i, 1).draw() >> 11 >> (i % 53)) as f64 * unit);
        let small = (1..=4096).map(|i| f64::from(i) * unit);
        // Where one interval ends and the next begins.
        let edges = (0..=4096).map(|i| 1.0 - f64::from(i) / 8192.0);
        let edges = edges.flat_map(|u| [u, u - unit]);
        let last = [1.0 - f64::EPSILON / 2.0, 0.5, 0.5 - f64::EPSILON / 4.0, 1.0 / 3.0];
        for u in random.chain(small).chain(edges).chain(last).filter(|u| *u > 0.0) {
            let (ours, exact) = (minus_ln(u), -libm::log(u));
            assert!((ours - exact).abs() < 1e-14, "{u}: {ours} not {exact}");
            assert!(ours >= 0.0, "{u}: {ours}");
        }
        assert_eq!(minus_ln(1.0), 0.0);
    }
}
