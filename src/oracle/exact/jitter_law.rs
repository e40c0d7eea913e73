//! The stationary law of decorrelated jitter with a cap.

use crate::oracle::params::Params;

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    if model != "decorrelated jitter d'=min(cap,U(base,3d)), stationary" {
        return None;
    }
    let (base, cap) = (params.num("base")?, params.num("cap")?);
    let law = (base > 0.0 && cap > 3.0 * base).then(|| Law::new(base, cap))?;
    match metric {
        "E[delay]" => Some(law.mean()),
        "P(delay=cap)" => Some(law.at_cap()),
        _ => None,
    }
}

/// Points of the Gauss and Chebyshev rules of a piece.
const POINTS: usize = 48;

/// The law of d' = min(cap, uniform between b and 3d), where it reproduces itself.
///
/// It has a density f between b and the cap, and an atom A at the cap. Whoever waited d reaches y
/// when 3d > y: f(y) = ∫_(d > y/3) f(d) / (3d − b) dd + A / (3 cap − b), whose derivative is
/// f'(y) = −f(y/3) / (3 (y − b)) above 3b; below it f is constant. So f is known up to a factor
/// from one piece [3^k b, 3^(k+1) b] to the next, each a Chebyshev series in log y, and A follows
/// from the equation itself at the cap (waits: Brooker, AWS Architecture Blog 2015).
struct Law {
    base: f64,
    cap: f64,
    /// Chebyshev coefficients of f on every piece, in z where y = 3^(k + (z + 1)/2) b.
    pieces: Vec<Vec<f64>>,
    /// A, where f is 1 just above b.
    atom: f64,
    /// The mass of all.
    mass: f64,
}

impl Law {
    fn new(base: f64, cap: f64) -> Law {
        let mut law = Law { base, cap, pieces: vec![vec![1.0]], atom: 0.0, mass: 0.0 };
        while base * libm::pow(3.0, law.pieces.len() as f64) < cap {
            law.pieces.push(law.next());
        }
        let reached = law.integral(cap / 3.0, |d| 1.0 / (3.0 * d - base));
        law.atom = (law.density(cap) - reached) * (3.0 * cap - base);
        law.mass = law.atom + law.integral(base, |_| 1.0);
        law
    }

    /// f on the piece after those that are known: its value at the end of the last, less the
    /// integral of its derivative.
    fn next(&self) -> Vec<f64> {
        let k = self.pieces.len();
        let last = &self.pieces[k - 1];
        let slope = |z: f64| {
            let y = self.base * libm::pow(3.0, k as f64 + (z + 1.0) / 2.0);
            -chebyshev(last, z) / (3.0 * (y - self.base)) * y * libm::log(3.0) / 2.0
        };
        let mut series = integrated(&fitted(slope));
        series[0] += chebyshev(last, 1.0) - chebyshev(&series, -1.0);
        series
    }

    /// f(y), where f is 1 just above b.
    fn density(&self, y: f64) -> f64 {
        let place = libm::log(y / self.base) / libm::log(3.0);
        let k = (place.max(0.0) as usize).min(self.pieces.len() - 1);
        chebyshev(&self.pieces[k], 2.0 * (place - k as f64) - 1.0)
    }

    /// ∫ f g from `from` to the cap, piece by piece.
    fn integral(&self, from: f64, g: impl Fn(f64) -> f64) -> f64 {
        let edge = |k: usize| self.base * libm::pow(3.0, k as f64);
        let piece = |k: usize| {
            let (lo, hi) = (edge(k).max(from), edge(k + 1).min(self.cap));
            if lo < hi { between(lo, hi, |y| self.density(y) * g(y)) } else { 0.0 }
        };
        (0..self.pieces.len()).map(piece).sum()
    }

    fn mean(&self) -> f64 {
        (self.cap * self.atom + self.integral(self.base, |y| y)) / self.mass
    }

    fn at_cap(&self) -> f64 {
        self.atom / self.mass
    }
}

/// Where Chebyshev's polynomials are sampled.
fn node(j: usize) -> f64 {
    libm::cos(std::f64::consts::PI * (j as f64 + 0.5) / POINTS as f64)
}

/// Chebyshev coefficients of a function on [−1, 1].
fn fitted(f: impl Fn(f64) -> f64) -> Vec<f64> {
    let values: Vec<f64> = (0..POINTS).map(|j| f(node(j))).collect();
    let coefficient = |k: usize| {
        let angle = |j: usize| std::f64::consts::PI * k as f64 * (j as f64 + 0.5) / POINTS as f64;
        let sum: f64 = values.iter().enumerate().map(|(j, v)| v * libm::cos(angle(j))).sum();
        sum * if k == 0 { 1.0 } else { 2.0 } / POINTS as f64
    };
    (0..POINTS).map(coefficient).collect()
}

/// A primitive of a Chebyshev series: (c_(k−1) − c_(k+1)) / 2k, c₀ counted twice.
fn integrated(series: &[f64]) -> Vec<f64> {
    let c = |k: usize| series.get(k).copied().unwrap_or(0.0) * if k == 0 { 2.0 } else { 1.0 };
    let term = |k: usize| if k == 0 { 0.0 } else { (c(k - 1) - c(k + 1)) / (2.0 * k as f64) };
    (0..=series.len()).map(term).collect()
}

/// The value of a Chebyshev series (Clenshaw 1955).
fn chebyshev(series: &[f64], z: f64) -> f64 {
    let (mut b, mut b2) = (0.0, 0.0);
    for c in series.iter().skip(1).rev() {
        (b, b2) = (2.0 * z * b - b2 + c, b);
    }
    series[0] + z * b - b2
}

/// ∫ f from lo to hi, by the integral of its Chebyshev series in log y.
fn between(lo: f64, hi: f64, f: impl Fn(f64) -> f64) -> f64 {
    let half = libm::log(hi / lo) / 2.0;
    let of_z = |z: f64| {
        let y = lo * libm::exp(half * (z + 1.0));
        f(y) * y * half
    };
    let series = integrated(&fitted(of_z));
    chebyshev(&series, 1.0) - chebyshev(&series, -1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_law_reproduces_its_own_mean() {
        // E min(cap, U(b, 3d)) given d is (b + 3d)/2 below cap/3, and else
        // cap − (cap − b)² / 2 (3d − b).
        let law = Law::new(0.05, 20.0);
        let (b, cap) = (0.05, 20.0);
        let next = |d: f64| {
            if 3.0 * d <= cap {
                (b + 3.0 * d) / 2.0
            } else {
                cap - (cap - b) * (cap - b) / 2.0 / (3.0 * d - b)
            }
        };
        let low = law.integral(b, |d| (b + 3.0 * d) / 2.0);
        let high = law.integral(cap / 3.0, |d| next(d) - (b + 3.0 * d) / 2.0);
        let mean = (low + high + law.atom * next(cap)) / law.mass;
        assert!((mean / law.mean() - 1.0).abs() < 1e-12, "{mean} {}", law.mean());
    }
}
