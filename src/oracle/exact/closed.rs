//! So many clients, each of whom has one call at a time.

use super::chain::{birth_death, mean};
use crate::oracle::params::Params;

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    match model {
        "M/M/c//N (closed, think time)" => machines(params, metric),
        "Engset M/M/c/c/N" => engset(params, metric),
        "closed N clients with outage (requests wait)" => outage(params, metric),
        _ => None,
    }
}

/// The law of the calls at the servers: births (N − k) / Z, deaths min(k, c) μ.
fn at_servers(clients: usize, c: usize, think: f64, mu: f64) -> Vec<f64> {
    let birth = |k: usize| (clients - k) as f64 / think;
    birth_death(clients + 1, birth, |k| k.min(c) as f64 * mu)
}

/// M/M/c//N, the machine repair model (Palm 1947; Lazowska et al. 1984). It does not depend on
/// the distribution of the time to think. An arriving call finds k with a weight of (N − k) p_k.
fn machines(params: &Params, metric: &str) -> Option<f64> {
    let (clients, c) = (params.int("N")? as usize, params.int("c")? as usize);
    let (think, mu) = (params.num("think_mean")?, params.num("mu")?);
    let law = at_servers(clients, c, think, mu);
    let busy = mean(&law, |k| k.min(c) as f64);
    match metric {
        "throughput X" => Some(mu * busy),
        "mean response R" => Some(mean(&law, |k| k as f64) / (mu * busy)),
        "utilisation" => Some(busy / c as f64),
        "P(wait>0) seen by arrivals" => {
            let waits = mean(&law, |k| if k >= c { (clients - k) as f64 } else { 0.0 });
            Some(waits / mean(&law, |k| (clients - k) as f64))
        }
        _ => None,
    }
}

/// Engset (1918): N sources that call at a rate each while idle, c servers without a queue. The
/// time congestion is p_c of N sources, the call congestion that of N − 1.
fn engset(params: &Params, metric: &str) -> Option<f64> {
    let (sources, c) = (params.int("N")? as usize, params.int("c")? as usize);
    let (idle, mu) = (params.num("idle_rate")?, params.num("mu")?);
    let congestion = |sources: usize| {
        let birth = |k: usize| (sources - k) as f64 * idle;
        birth_death(c + 1, birth, |k| k as f64 * mu)[c]
    };
    match metric {
        "time congestion" => Some(congestion(sources)),
        "call congestion (fraction of attempts blocked)" => Some(congestion(sources - 1)),
        _ => None,
    }
}

/// A pause of M/M/c//N that begins in equilibrium: whoever thinks at its begin has called at its
/// end with probability 1 − e^(−T / Z). From k at the servers the first time with k − 1 takes
/// t_k = (1 + b_k t_(k+1)) / d_k (first passage of a birth-death chain).
fn outage(params: &Params, metric: &str) -> Option<f64> {
    let "E[time after repair until in-system <= ceil(stationary mean)]" = metric else {
        return None;
    };
    let (clients, c) = (params.int("N")? as usize, params.int("c")? as usize);
    let (think, mu) = (params.num("think_mean")?, params.num("mu")?);
    let [from, to] = params.list("outage")?[..] else { return None };
    let bound = params.int("threshold")? as usize;
    let calls = -libm::expm1(-(to - from) / think);
    let before = at_servers(clients, c, think, mu);
    let mut after = vec![0.0; clients + 1];
    for (k, p) in before.iter().enumerate() {
        for (more, q) in binomial(clients - k, calls).iter().enumerate() {
            after[k + more] += p * q;
        }
    }
    let mut step = vec![0.0; clients + 2];
    for k in (1..=clients).rev() {
        let birth = (clients - k) as f64 / think;
        step[k] = (1.0 + birth * step[k + 1]) / (k.min(c) as f64 * mu);
    }
    let way = |k: usize| step.iter().take(k + 1).skip(bound + 1).sum::<f64>();
    Some(mean(&after, way))
}

/// The binomial law of n trials (0 < p < 1).
pub(super) fn binomial(n: usize, p: f64) -> Vec<f64> {
    birth_death(n + 1, |k| (n - k) as f64 * p, |k| k as f64 * (1.0 - p))
}
