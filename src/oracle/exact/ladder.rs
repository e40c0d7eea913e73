//! Attempts of one client in a total outage: how many rungs of its ladder of waits fit into it?

use std::f64::consts::PI;

use super::ladder_decorrelated;
use crate::oracle::params::Params;

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    let "attempts per client in a total outage of length T (instant failure, unlimited attempts)" =
        model
    else {
        return None;
    };
    let (base, cap, span) = (params.num("base")?, params.num("cap")?, params.num("T")?);
    match (params.text("policy")?, metric) {
        ("no jitter", "attempts") => Some(rungs(base, cap, span)),
        ("full", "E[attempts]") => Some(spread(base, cap, span, 0.0)),
        ("equal", "E[attempts]") => Some(spread(base, cap, span, 0.5)),
        ("decorr", "E[attempts]") => ladder_decorrelated::attempts(base, cap, span),
        _ => None,
    }
}

/// Waits min(cap, base 2^k): the attempts before T, which may fail to fall on it by rounding.
fn rungs(base: f64, cap: f64, span: f64) -> f64 {
    let (mut at, mut wait, mut attempts) = (0.0, base, 0.0);
    while at < span * (1.0 - 1e-12) {
        attempts += 1.0;
        at += wait.min(cap);
        wait *= 2.0;
    }
    attempts
}

/// Wait k is at least the share `least` of w_k = min(cap, base 2^k), and spread evenly up to it.
/// Attempt m + 1 is made before T when the sum of m such waits is below T.
fn spread(base: f64, cap: f64, span: f64, least: f64) -> f64 {
    let (mut wait, mut certain, mut widths) = (base, 0.0, Vec::new());
    let mut attempts = 1.0;
    loop {
        certain += wait.min(cap) * least;
        widths.push(wait.min(cap) * (1.0 - least));
        let more = sum_below(&widths, span - certain);
        attempts += more;
        if more < 1e-15 {
            return attempts;
        }
        wait *= 2.0;
    }
}

/// P(U₁ + … + U_m < t), U_i uniform between 0 and w_i. For two at most by areas; for more by the
/// Fourier series of the density on its support, whose length P is the sum of the widths:
/// t / P + Σ_(n ≥ 1) (−1)^n sin(2πnt / P) / (πn) Π sinc(n w_i / P).
fn sum_below(widths: &[f64], t: f64) -> f64 {
    let period: f64 = widths.iter().sum();
    if t <= 0.0 || t >= period {
        return if t <= 0.0 { 0.0 } else { 1.0 };
    }
    if let [w] = widths {
        return t / w;
    }
    if let [a, b] = widths {
        let over = |w: f64| (t - w).max(0.0) * (t - w).max(0.0);
        return (t * t - over(*a) - over(*b)) / (2.0 * a * b);
    }
    let (mut sum, mut n) = (t / period, 1.0);
    loop {
        let turn = n * t / period;
        let wave = libm::sin(2.0 * PI * (turn - turn.floor())) / (PI * n);
        let (mut factor, mut bound) = (1.0, 1.0 / (PI * n));
        for w in widths {
            let x = PI * n * w / period;
            factor *= libm::sin(x) / x;
            bound *= (1.0 / x).min(1.0);
        }
        sum += if n % 2.0 == 0.0 { wave * factor } else { -wave * factor };
        // The terms fall at least as 1 / n⁴ from where the bound is that small.
        if bound * n < 1e-17 {
            return sum.clamp(0.0, 1.0);
        }
        n += 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_uniform_numbers_have_their_known_laws() {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-13, "{a} is not {b}");
        near(sum_below(&[50.0, 100.0], 120.0), 0.91);
        near(sum_below(&[1.0, 1.0, 1.0], 1.5), 0.5);
        near(sum_below(&[1.0, 1.0, 1.0], 1.0), 1.0 / 6.0);
        near(sum_below(&[1.0, 2.0, 4.0, 8.0], 1.0), 1.0 / (24.0 * 64.0));
        // Waits U1, U2, U4, U8 and U16 that end within ten seconds.
        let found = sum_below(&[1.0, 2.0, 4.0, 8.0, 16.0], 10.0);
        assert!((found - 0.171_622_721_4).abs() < 1e-10, "{found}");
    }
}
