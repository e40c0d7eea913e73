//! M/M/c/K whose service pauses for a while.

use super::chain::{Chain, birth_death, mean};
use crate::oracle::params::{Params, number_in};

/// M/M/c/K in equilibrium whose service pauses from the first to the second moment of `outage`:
/// `E[in system] at t=…` by uniformization, and `E[time after repair to no queue]`, the first time
/// with at most c, by the first passage t_k = (1 + λ t_(k+1)) / (cμ).
pub(super) fn value(params: &Params, metric: &str) -> Option<f64> {
    let (rate, mu) = (params.num("lam")?, params.num("mu")?);
    let (c, places) = (params.int("c")? as usize, params.int("K")? as usize);
    let [from, to] = params.list("outage")?[..] else { return None };
    let chain = |mu: f64| {
        let mut chain = Chain::new(places + 1, 1);
        for k in 0..places {
            chain.jump(k, k + 1, rate);
            chain.jump(k + 1, k, (k + 1).min(c) as f64 * mu);
        }
        chain
    };
    let still = birth_death(places + 1, |_| rate, |k| k.min(c) as f64 * mu);
    if let Some(t) = number_in(metric, "E[in system] at t=", "") {
        let paused = chain(0.0).after(&still, (t.min(to) - from).max(0.0));
        let law = chain(mu).after(&paused, (t - to).max(0.0));
        return Some(mean(&law, |k| k as f64));
    }
    let "E[time after repair to no queue]" = metric else { return None };
    let law = chain(0.0).after(&still, to - from);
    let mut step = vec![0.0; places + 2];
    for k in (c + 1..=places).rev() {
        let birth = if k < places { rate } else { 0.0 };
        step[k] = (1.0 + birth * step[k + 1]) / (c as f64 * mu);
    }
    Some(mean(&law, |k| step.iter().take(k + 1).sum()))
}
