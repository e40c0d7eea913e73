//! Are these p-values what they would be if every hypothesis held, that is uniform?

use std::f64::consts::PI;

/// Up to so many values the probability is exact.
const EXACT: usize = 1_000;

/// Where n D² is larger, the p-value is below 1.1e-6 and a bound stands for it.
const FAR: f64 = 7.24;

/// A Kolmogorov-Smirnov test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uniformity {
    /// D [0 … 1]: the largest distance between the shares below a point and the point.
    pub distance: f64,
    /// The probability [0 … 1] that uniform values stray as far.
    pub p_value: f64,
    /// Values (≥ 1).
    pub n: usize,
}

/// The test of Kolmogorov (1933) and Smirnov that `values` [0 … 1] are independent and uniform;
/// `None` without values.
///
/// The p-value is exact up to 1,000 values (Marsaglia, Tsang and Wang 2003). With more it is
/// Kolmogorov's limit at Vrbik's (2018) corrected distance, which at 1,000 values is off by 2e-5
/// at most. A p-value below 1.1e-6 is the bound 2 exp(−2 n D²) (Massart 1990), never too small.
pub fn uniformity(values: &[f64]) -> Option<Uniformity> {
    let n = values.len();
    if n == 0 {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut distance = 0.0f64;
    for (i, value) in sorted.iter().enumerate() {
        let (before, after) = (i as f64 / n as f64, (i + 1) as f64 / n as f64);
        distance = distance.max(value - before).max(after - value);
    }
    Some(Uniformity { distance, p_value: kolmogorov_p_value(n, distance), n })
}

/// The probability that the distance D of `n` uniform values is `distance` or more.
fn kolmogorov_p_value(n: usize, distance: f64) -> f64 {
    let scaled = n as f64 * distance * distance;
    let p = if scaled > FAR {
        2.0 * libm::exp(-2.0 * scaled)
    } else if n <= EXACT {
        1.0 - exact_below(n, distance)
    } else {
        let root = (n as f64).sqrt();
        let s = root * distance;
        1.0 - limit_below(s + 1.0 / (6.0 * root) + (s - 1.0) / (4.0 * n as f64))
    };
    p.clamp(0.0, 1.0)
}

/// P(√n D < s) for very many values: √(2π) / s Σ exp(−(2k − 1)² π² / 8 s²).
fn limit_below(s: f64) -> f64 {
    let term = |k: i32| {
        let odd = f64::from(2 * k - 1) * PI / s;
        libm::exp(-odd * odd / 8.0)
    };
    // 20 terms are enough up to s = 10, and the callers stay below 3.
    (2.0 * PI).sqrt() / s * (1..=20).map(term).sum::<f64>()
}

/// P(D < distance) of `n` values: n! / nⁿ times the middle of the n-th power of a matrix.
fn exact_below(n: usize, distance: f64) -> f64 {
    let scaled = n as f64 * distance;
    let k = scaled as usize + 1;
    let power = Matrix::of_distance(k, k as f64 - scaled).power(n);
    let mut result = power.at(k - 1, k - 1);
    // n! / nⁿ, with the tens that the power left out put back where they keep it in range.
    let mut tens = power.tens;
    for i in 1..=n {
        result *= i as f64 / n as f64;
        if result < 1e-140 {
            result *= 1e140;
            tens -= 140;
        }
    }
    result * libm::exp10(f64::from(tens))
}

/// A square matrix times a power of ten.
#[derive(Clone)]
struct Matrix {
    size: usize,
    cells: Vec<f64>,
    tens: i32,
}

impl Matrix {
    /// The matrix H of Marsaglia, Tsang and Wang for k and h = k − n D (0 … 1].
    fn of_distance(k: usize, h: f64) -> Self {
        let size = 2 * k - 1;
        let mut matrix = Self { size, cells: vec![0.0; size * size], tens: 0 };
        // Powers of h, h¹ first.
        let powers: Vec<f64> = std::iter::successors(Some(h), |p| Some(p * h)).take(size).collect();
        for row in 0..size {
            for column in 0..size.min(row + 2) {
                *matrix.cell(row, column) = 1.0;
            }
        }
        for i in 0..size {
            *matrix.cell(i, 0) -= powers[i];
            *matrix.cell(size - 1, i) -= powers[size - 1 - i];
        }
        if 2.0 * h > 1.0 {
            *matrix.cell(size - 1, 0) += libm::pow(2.0 * h - 1.0, size as f64);
        }
        for row in 0..size {
            for column in 0..=row {
                for factor in 1..=row - column + 1 {
                    *matrix.cell(row, column) /= factor as f64;
                }
            }
        }
        matrix
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    fn cell(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.cells[row * self.size + column]
    }

    /// The product, with its middle kept below 1e140.
    fn times(&self, other: &Self) -> Self {
        let size = self.size;
        let mut cells = vec![0.0; size * size];
        for (row, out) in cells.chunks_exact_mut(size).enumerate() {
            for inner in 0..size {
                let factor = self.at(row, inner);
                let line = &other.cells[inner * size..(inner + 1) * size];
                out.iter_mut().zip(line).for_each(|(sum, x)| *sum += factor * x);
            }
        }
        let mut product = Self { size, cells, tens: self.tens + other.tens };
        if product.at(size / 2, size / 2) > 1e140 {
            product.cells.iter_mut().for_each(|x| *x *= 1e-140);
            product.tens += 140;
        }
        product
    }

    /// The n-th power (n ≥ 1), by squaring.
    fn power(&self, n: usize) -> Self {
        if n == 1 {
            return self.clone();
        }
        let half = self.power(n / 2);
        let square = half.times(&half);
        if n.is_multiple_of(2) { square } else { square.times(self) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_are_scipys_exact_ones() {
        let values = [0.02, 0.11, 0.23, 0.31, 0.48, 0.55, 0.61, 0.72, 0.77, 0.93, 0.95, 0.99];
        let flat = uniformity(&values).unwrap();
        assert!((flat.distance - 0.18).abs() < 1e-15 && flat.n == 12);
        assert!((flat.p_value - 0.7696441403058344).abs() < 1e-12, "{flat:?}");
        let skewed = uniformity(&values.map(|x| x * x * x)).unwrap();
        assert!((skewed.p_value - 0.07199009426364178).abs() < 1e-12, "{skewed:?}");
    }

    #[test]
    fn one_value_strays_as_the_formula_says() {
        // P(D ≥ d) = 2 (1 − d) for d ≥ ½.
        for value in [0.5, 0.3, 0.9] {
            let one = uniformity(&[value]).unwrap();
            assert!((one.p_value - 2.0 * (1.0 - one.distance)).abs() < 1e-15, "{one:?}");
        }
        assert_eq!(uniformity(&[]), None);
    }

    #[test]
    fn the_exact_probability_meets_published_values() {
        // Marsaglia, Tsang and Wang: K(10, 0.274) = 0.6284796154565.
        assert!((exact_below(10, 0.274) - 0.6284796154565).abs() < 1e-12);
        // The limit has 0.95 at 1.3581 (Smirnov's table).
        assert!((limit_below(1.3581) - 0.95).abs() < 1e-5);
    }

    #[test]
    fn the_formula_for_many_values_joins_the_exact_one() {
        let corrected = |s: f64| {
            let root = (EXACT as f64).sqrt();
            limit_below(s + 1.0 / (6.0 * root) + (s - 1.0) / (4.0 * EXACT as f64))
        };
        for s in [0.5, 0.8, 1.0, 1.358, 1.63, 2.0] {
            let exact = exact_below(EXACT, s / (EXACT as f64).sqrt());
            assert!((corrected(s) - exact).abs() < 2.1e-5, "{s}: {exact}");
        }
    }

    #[test]
    fn a_heap_of_equal_values_is_not_uniform() {
        let heap = uniformity(&[0.5; 100]).unwrap();
        assert_eq!(heap.distance, 0.5);
        assert!(heap.p_value < 1e-20 && heap.p_value > 0.0);
        let even: Vec<f64> = (0..5000).map(|i| (f64::from(i) + 0.5) / 5000.0).collect();
        assert!(uniformity(&even).unwrap().p_value > 0.999_999);
    }
}
