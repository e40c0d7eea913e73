//! Herds of independent retries in a window, and how long they stay in phase.

use super::numeric::{binomial, number_after, power};
use crate::oracle::params::Params;

const WINDOW: &str = "N full-jitter retries over [0,W]";
const SINGLE: &str = "N full-jitter retries, single server, service s, no queue";
const SCAN: &str = "scan statistic: N uniform retries, sliding window p=w/W";
const ROUNDS: &str = "resultant length |E e^{2 pi i t/P}| after k constant-delay rounds";
const UNIFORM: &str = "Kuramoto/resultant length of N independent uniform phases";
const FANO: &str = "Fano factor of bin counts, N clients, m bins per period";

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    let n = params.num("N");
    match model {
        WINDOW => order(n?, params.num("W")?, metric),
        SINGLE => (metric == "P(all admitted at first try)")
            .then(|| no_overlap(params.int("N")?, params.num("s")? / params.num("W")?))
            .flatten(),
        SCAN => scan(params.int("N")?, params.num("p")?, params.int("k")?),
        ROUNDS => (metric == "R_inf").then(|| resultant(params)).flatten(),
        UNIFORM if metric == "E[R^2]" => Some(1.0 / n?),
        UNIFORM if metric.starts_with("E[R] ~") => Some((std::f64::consts::PI / (4.0 * n?)).sqrt()),
        FANO => fano(n?, params.num("m")?, metric),
        _ => jittered_rounds(model, n?, metric),
    }
}

/// The first and the last of N independent uniform moments in [0, W]: W / (N + 1) and
/// N W / (N + 1) (order statistics of the uniform law).
fn order(n: f64, window: f64, metric: &str) -> Option<f64> {
    match metric {
        "E[first retry]" => Some(window / (n + 1.0)),
        "E[last retry]" => Some(n * window / (n + 1.0)),
        _ => None,
    }
}

/// No two of N uniform moments lie closer than a share s of the window: (1 − (N − 1) s)^N
/// (spacings of the uniform law).
fn no_overlap(n: u64, share: f64) -> Option<f64> {
    let room = 1.0 - n.checked_sub(1)? as f64 * share;
    Some(power(room.max(0.0), n))
}

/// P(some window of the share p of the interval holds k of N uniform moments), for k > N/2 and
/// p ≤ 1/2: (k/p − N − 1) b(k) + 2 Σ_(i ≥ k) b(i), b the binomial law with N and p (Naus 1965).
fn scan(n: u64, p: f64, k: u64) -> Option<f64> {
    let known = 2 * k > n && k <= n && p > 0.0 && p <= 0.5;
    let tail = || (k..=n).map(|i| binomial(n, p, i)).sum::<f64>();
    known.then(|| (k as f64 / p - n as f64 - 1.0) * binomial(n, p, k) + 2.0 * tail())
}

/// The length of the mean of e^(2πi t/P) after k rounds of waits that are uniform over a share w
/// of the period P: |sin(πw) / (πw)|^k, the product of characteristic functions (Mardia and Jupp,
/// "Directional statistics").
fn resultant(params: &Params) -> Option<f64> {
    let rounds = params.int("k")?;
    let width = match params.text("jitter")? {
        "none" => 0.0,
        "full" => 1.0,
        "equal" => 0.5,
        "pm" => 2.0 * params.num("w")?,
        _ => return None,
    };
    Some(power(sinc(width), rounds))
}

/// |sin(πw) / (πw)|, exactly zero at whole w.
fn sinc(w: f64) -> f64 {
    if w == 0.0 {
        return 1.0;
    }
    if w.fract() == 0.0 {
        return 0.0;
    }
    let angle = std::f64::consts::PI * w;
    (libm::sin(angle) / angle).abs()
}

/// `E[R^2] after k=3 rounds of +-10% jitter`: with N clients, 1/N + (1 − 1/N) R², R that of
/// infinitely many.
fn jittered_rounds(model: &str, n: f64, metric: &str) -> Option<f64> {
    let rounds = number_after(model.strip_prefix("E[R^2] after")?, "k=")?;
    let share = number_after(model, "+-")? / 100.0;
    let limit = power(sinc(2.0 * share), 2 * rounds as u64);
    (metric == "E[R^2]").then_some(1.0 / n + (1.0 - 1.0 / n) * limit)
}

/// Variance over mean of the numbers in the bins of a period: 1 − 1/m where N clients are
/// independent, N (1 − 1/m) where all are in one bin.
fn fano(n: f64, m: f64, metric: &str) -> Option<f64> {
    let spread = 1.0 - 1.0 / m;
    match metric {
        "independent uniform (multinomial)" => Some(spread),
        "fully synchronised" => Some(n * spread),
        _ => None,
    }
}
