//! N clients that call at one period, at phases of their own, and a server of constant work.

use crate::oracle::params::{Params, number_in};

/// ΣD_i/D/1 (Roberts & Virtamo 1991; Eckberg 1979), with work 1 and period T: of the n > x calls
/// in a window of length n − x,
/// P(V > x) = Σ_(x < n ≤ N) C(N, n) r^n (1 − r)^(N − n) (T − N + x) / (T − n + x), r = (n − x) / T.
pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    let "sum D_i/D/1 (N periodic clients, uniform phases, service 1)" = model else {
        return None;
    };
    let (clients, period) = (params.int("N")?, params.num("period")?);
    let x = number_in(metric, "P(workload>", ") at random time")?;
    let n = clients as f64;
    let first = x.floor() as u64 + 1;
    let chosen = |k: f64| libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0);
    let term = |k: u64| {
        let k = k as f64;
        let r = (k - x) / period;
        let others = if k < n { (n - k) * libm::log1p(-r) } else { 0.0 };
        let weight = libm::exp(chosen(k) + k * libm::log(r) + others);
        weight * (period - n + x) / (period - k + x)
    };
    // Nothing is more than all of them: an empty sum of floats would be −0.
    Some((first..=clients).map(term).fold(0.0, |sum, p| sum + p))
}
