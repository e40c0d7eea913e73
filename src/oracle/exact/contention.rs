//! Optimistic concurrency: clients that read a version, write it, and try again on a conflict.
//!
//! The model is that of the AWS Architecture Blog ("Exponential Backoff and Jitter", Brooker 2015;
//! github.com/aws-samples/aws-arch-backoff-simulator): four hops a try. Its simulated figures with
//! random hops are references, not formulas, and have no value here.

use super::numeric::power;
use crate::oracle::params::Params;

const PLAIN: &str = "OCC, N clients, constant one-way delay d, no backoff";
const LADDER: &str = "OCC, N clients, constant one-way delay d, exponential backoff without jitter \
    (base 5, cap 2000)";

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    match model {
        PLAIN => constant(params, metric, |_| 0.0),
        LADDER => constant(params, metric, |k| (5.0 * power(2.0, k)).min(2000.0)),
        "OCC network hop |N(10,2)|" => (metric == "E[hop] ms").then(|| folded(10.0, 2.0)),
        "OCC two clients, hops N(10,2)" => {
            (metric == "P(no conflict at all)").then(|| no_conflict(10.0, 2.0))
        }
        // Three writes where the two conflict, as the loser then is alone; else two.
        "OCC two clients, hops N(10,2), no backoff" => {
            (metric == "E[write calls]").then(|| 3.0 - no_conflict(10.0, 2.0))
        }
        _ => None,
    }
}

/// With constant hops all who are left read the same version and write in the same instant, and
/// one of them wins: N (N + 1)/2 writes in N rounds of four hops. Waits without jitter, of k = 1 …
/// N − 1 for those who lose so often, keep them together.
fn constant(params: &Params, metric: &str, wait: impl Fn(u64) -> f64) -> Option<f64> {
    let (n, hop) = (params.int("N")?, params.num("d_ms")?);
    match metric {
        "write calls" => Some((n * (n + 1)) as f64 / 2.0),
        "completion time ms" => Some(4.0 * n as f64 * hop + (1..n).map(wait).sum::<f64>()),
        _ => None,
    }
}

/// E |X| of a normal X: σ √(2/π) e^(−μ²/2σ²) + μ erf(μ / σ√2).
fn folded(mean: f64, sd: f64) -> f64 {
    let density = sd * (2.0 / std::f64::consts::PI).sqrt();
    let ratio = mean / sd;
    density * libm::exp(-ratio * ratio / 2.0) + mean * libm::erf(ratio / 2.0_f64.sqrt())
}

/// Two clients do not conflict when the second read reaches the store after the first write:
/// X₂ > X₁ + Y₁ + Z₁ with normal hops, or the other way round: 2 Φ(−mean / sd).
fn no_conflict(mean: f64, sd: f64) -> f64 {
    libm::erfc(mean / sd / 2.0_f64.sqrt())
}
