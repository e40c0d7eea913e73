//! The power spectrum of a series.
//!
//! A radix-2 transform of our own: FFT crates choose SIMD kernels by the machine, which add in
//! another order and so differ in the last bits from one machine to the next.

use std::f64::consts::PI;

/// A complex number.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Complex {
    re: f64,
    im: f64,
}

impl Complex {
    fn plus(self, other: Complex) -> Complex {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }

    fn minus(self, other: Complex) -> Complex {
        Complex { re: self.re - other.re, im: self.im - other.im }
    }

    fn times(self, other: Complex) -> Complex {
        Complex {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

/// |Σ x_k e^(−2πi jk/m)|² for j = 0 … m/2, the series being filled up with zeros to `m` values.
///
/// `m` is the smallest power of two of at least `length` and of at least the length of the
/// series, and at least 2. About 25 ns a value.
pub fn power_spectrum(series: &[f64], length: usize) -> Vec<f64> {
    let m = length.max(series.len()).max(2).next_power_of_two();
    let half = m / 2;
    // Even values as real and odd ones as imaginary parts: one transform of half the length.
    let at = |k: usize| series.get(k).copied().unwrap_or(0.0);
    let mut packed: Vec<Complex> =
        (0..half).map(|k| Complex { re: at(2 * k), im: at(2 * k + 1) }).collect();
    let twiddles = twiddles(m);
    transform(&mut packed, &twiddles);
    let power = |j: usize| {
        let z = packed[j % half];
        let mirror = packed[(half - j) % half];
        let even = Complex { re: (z.re + mirror.re) / 2.0, im: (z.im - mirror.im) / 2.0 };
        let odd = Complex { re: (z.im + mirror.im) / 2.0, im: (mirror.re - z.re) / 2.0 };
        let twiddle = if j == half { Complex { re: -1.0, im: 0.0 } } else { twiddles[j] };
        let sum = even.plus(twiddle.times(odd));
        sum.re * sum.re + sum.im * sum.im
    };
    (0..=half).map(power).collect()
}

/// e^(−2πi j/m) for j < m/2; m is a power of two.
fn twiddles(m: usize) -> Vec<Complex> {
    let step = -2.0 * PI / m as f64;
    let at = |j: usize| {
        let (im, re) = libm::sincos(step * j as f64);
        Complex { re, im }
    };
    (0..m / 2).map(at).collect()
}

/// The discrete Fourier transform in place (Cooley and Tukey 1965); the length is a power of two,
/// and `twiddles` are those of a multiple of it.
fn transform(values: &mut [Complex], twiddles: &[Complex]) {
    let n = values.len();
    let bits = n.trailing_zeros();
    for i in 1..n {
        let mirrored = i.reverse_bits() >> (usize::BITS - bits);
        if i < mirrored {
            values.swap(i, mirrored);
        }
    }
    let mut width = 1;
    while width < n {
        let stride = twiddles.len() / width;
        for block in values.chunks_exact_mut(2 * width) {
            let (left, right) = block.split_at_mut(width);
            for ((a, b), w) in left.iter_mut().zip(right).zip(twiddles.iter().step_by(stride)) {
                let turned = w.times(*b);
                (*a, *b) = (a.plus(turned), a.minus(turned));
            }
        }
        width *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, Seed};

    /// The definition, term by term.
    fn direct(series: &[f64], m: usize, j: usize) -> f64 {
        let (mut re, mut im) = (0.0, 0.0);
        for (k, x) in series.iter().enumerate() {
            let (sin, cos) = libm::sincos(-2.0 * PI * ((j * k) % m) as f64 / m as f64);
            re += x * cos;
            im += x * sin;
        }
        re * re + im * im
    }

    #[test]
    fn the_spectrum_is_that_of_the_direct_sum() {
        for (n, length) in [(0, 0), (1, 1), (2, 2), (3, 4), (8, 8), (100, 512), (257, 300)] {
            let mut stream = Seed::new(9).stream(Purpose::Phase, n, 0);
            let series: Vec<f64> = (0..n).map(|_| stream.unit() - 0.3).collect();
            let power = power_spectrum(&series, length);
            let m = 2 * (power.len() - 1);
            assert!(m >= length && m >= series.len());
            for (j, power) in power.iter().enumerate() {
                let expected = direct(&series, m, j);
                assert!((power - expected).abs() < 1e-9 * (1.0 + expected), "{n} {j}");
            }
        }
    }

    #[test]
    fn a_wave_is_one_line() {
        let wave: Vec<f64> = (0..64).map(|k| libm::cos(2.0 * PI * 5.0 * k as f64 / 64.0)).collect();
        let power = power_spectrum(&wave, 64);
        assert!((power[5] - 1024.0).abs() < 1e-9);
        let rest: f64 = power.iter().sum::<f64>() - power[5];
        assert!(rest < 1e-20, "{rest}");
    }
}
