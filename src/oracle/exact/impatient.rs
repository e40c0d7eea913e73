//! Queues whose customers leave when they have waited too long.

use super::chain::{birth_death_endless, mean};
use super::queue::erlang_b;
use crate::oracle::params::Params;

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    match model {
        "M/M/c+M (Erlang-A)" => memoryless(params, metric),
        "M/M/1+D" => Constant::of(params, 1)?.value(metric),
        "M/M/c+D" => Constant::of(params, params.int("c")?)?.value(metric),
        _ => None,
    }
}

/// Erlang-A (Palm 1957): a birth-death chain with births λ and deaths min(k, c) μ + (k − c)⁺ θ.
/// P(wait > 0) = P(k ≥ c), P(abandon) = θ E(k − c)⁺ / λ, and Little's law.
fn memoryless(params: &Params, metric: &str) -> Option<f64> {
    let (rate, mu, theta) = (params.num("lam")?, params.num("mu")?, params.num("theta")?);
    let c = params.int("c")? as usize;
    let death = |k: usize| k.min(c) as f64 * mu + k.saturating_sub(c) as f64 * theta;
    let law = birth_death_endless(|_| rate, death)?;
    let queued = mean(&law, |k| k.saturating_sub(c) as f64);
    match metric {
        "P(wait>0)" => Some(law.iter().skip(c).sum()),
        "P(abandon)" => Some(theta * queued / rate),
        "mean time in queue (all)" => Some(queued / rate),
        "L" => Some(mean(&law, |k| k as f64)),
        _ => None,
    }
}

/// M/M/c+D: everybody waits for τ at most (Barrer 1957; Baccelli & Hebuterne 1981; Zeltyn &
/// Mandelbaum 2005). While all are busy the virtual wait has the density
/// v(x) = λ P(c − 1 busy) e^(−d x) below τ, d = cμ − λ, and a tail e^(−dτ) / (cμ) above, where
/// everybody leaves. The unit here is P(c − 1 busy), in which P(fewer than c) = 1 / B(c − 1).
struct Constant {
    rate: f64,
    /// Rate of all servers.
    full: f64,
    /// 1 / B(c − 1).
    free: f64,
    patience: f64,
}

impl Constant {
    fn of(params: &Params, servers: u64) -> Option<Constant> {
        let rate = params.num("lam")?;
        let mu = params.num("mu")?;
        let free = 1.0 / erlang_b(servers.checked_sub(1)?, rate / mu);
        Some(Constant { rate, full: servers as f64 * mu, free, patience: params.num("tau")? })
    }

    /// ∫ e^(−d x) from 0 to τ.
    fn within(&self) -> f64 {
        let d = self.full - self.rate;
        if d == 0.0 { self.patience } else { -libm::expm1(-d * self.patience) / d }
    }

    /// ∫ x e^(−d x) from 0 to τ.
    fn moment(&self) -> f64 {
        let (d, tau) = (self.full - self.rate, self.patience);
        if d == 0.0 {
            return tau * tau / 2.0;
        }
        (self.within() - tau * libm::exp(-d * tau)) / d
    }

    fn value(&self, metric: &str) -> Option<f64> {
        let beyond = libm::exp(-(self.full - self.rate) * self.patience) / self.full;
        let busy = self.rate * (self.within() + beyond);
        let whole = self.free + busy;
        match metric {
            "P(all busy)" => Some(busy / whole),
            "P(server idle)" => Some(self.free / whole),
            "P(abandon)" => Some(self.rate * beyond / whole),
            "mean wait of served" => {
                let served = self.free + self.rate * self.within();
                Some(self.rate * self.moment() / served)
            }
            _ => None,
        }
    }
}
