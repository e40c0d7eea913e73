//! Queues whose blocked customers try again.

use super::chain::{Chain, mean, poisson};
use crate::oracle::params::Params;

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    match model {
        "M/M/1/1 retrial (classical)" => one_server(params, metric),
        "M/D/1/1 retrial (classical)" if metric == "E[orbit]" => constant_work(params),
        "M/M/1/1 retrial (constant rate)" => constant_rate(params, metric),
        "M/M/1/1 retrial with persistence H" => {
            Orbit::of(params, 1, 1, params.num("H")?)?.value(metric)
        }
        "M/M/c/c retrial (classical)" => {
            let c = params.int("c")?;
            Orbit::of(params, c, c, 1.0)?.value(metric)
        }
        "M/M/c/K retrial with persistence H" => {
            let (c, places) = (params.int("c")?, params.int("K")?);
            Orbit::of(params, c, places, params.num("H")?)?.value(metric)
        }
        "M/M/c/K retrial, max 3 attempts (exact CTMC)" => three_attempts(params, metric),
        "finite-source retrial (N clients, think, retry)" => finite_source(params, metric),
        _ => None,
    }
}

/// M/M/1/1 with classical retrials (Falin & Templeton 1997): every customer in orbit tries again
/// at rate σ. E N = ρ(λ + ρσ) / ((1 − ρ)σ), Var N = ρ(λ + ρσ + ρ²σ − ρ³σ) / ((1 − ρ)²σ),
/// P(idle, orbit empty) = (1 − ρ)^(λ/σ + 1).
fn one_server(params: &Params, metric: &str) -> Option<f64> {
    let (rate, mu, sigma) = (params.num("lam")?, params.num("mu")?, params.num("retry_rate")?);
    let rho = rate / mu;
    let free = 1.0 - rho;
    // Falin's formulas are for work of mean 1: rates are taken per mean work.
    let (lam, sig) = (rho, sigma / mu);
    let orbit = rho * (lam + rho * sig) / (free * sig);
    let spread = lam + rho * sig + rho * rho * sig - rho * rho * rho * sig;
    match metric {
        "E[orbit]" => Some(orbit),
        "Var[orbit]" => Some(rho * spread / (free * free * sig)),
        "P(server busy)" => Some(rho),
        "attempts per request (amplification)" => Some(1.0 + sigma * orbit / rate),
        "P(orbit empty & idle)" => Some(libm::pow(free, rate / sigma + 1.0)),
        "mean time in orbit per request" => Some(orbit / rate),
        _ => None,
    }
}

/// M/G/1/1 with constant work (Falin & Templeton 1997):
/// E N = λ² E S² / (2(1 − ρ)) + λρ / (σ(1 − ρ)).
fn constant_work(params: &Params) -> Option<f64> {
    let (rate, work, sigma) = (params.num("lam")?, params.num("D")?, params.num("retry_rate")?);
    let rho = rate * work;
    Some(rho * rho / (2.0 * (1.0 - rho)) + rate * rho / (sigma * (1.0 - rho)))
}

/// M/M/1/1 whose orbit as a whole tries again at rate γ (Fayolle 1986). The cut between n and
/// n + 1 in orbit gives p(idle, n + 1) = r p(idle, n) for n ≥ 1, r = λ(λ + γ) / (γμ), and
/// p(idle, 1) = λ² / (γμ) p(idle, 0); busy is (λ + γ) / μ times idle for n ≥ 1 and λ / μ for 0.
fn constant_rate(params: &Params, metric: &str) -> Option<f64> {
    let (rate, mu, gamma) = (params.num("lam")?, params.num("mu")?, params.num("gamma")?);
    let ratio = rate * (rate + gamma) / (gamma * mu);
    let first = rate * rate / (gamma * mu);
    let both = 1.0 + (rate + gamma) / mu;
    let whole = 1.0 + rate / mu + both * first / (1.0 - ratio);
    match metric {
        "E[orbit]" => Some(both * first / ((1.0 - ratio) * (1.0 - ratio)) / whole),
        "P(server busy)" => Some(rate / mu),
        _ => None,
    }
}

/// The stationary law of (orbit, at the servers) of M/M/c/K with retrials: a level-dependent
/// quasi-birth-death process, truncated where nothing is lost.
struct Orbit {
    rate: f64,
    mu: f64,
    sigma: f64,
    c: usize,
    places: usize,
    /// Probability that a blocked attempt is not the last.
    persists: f64,
    law: Vec<f64>,
}

impl Orbit {
    fn of(params: &Params, c: u64, places: u64, persists: f64) -> Option<Orbit> {
        let (rate, mu, sigma) = (params.num("lam")?, params.num("mu")?, params.num("retry_rate")?);
        let (c, places) = (c as usize, places as usize);
        let mut orbit = Orbit { rate, mu, sigma, c, places, persists, law: Vec::new() };
        let width = places + 1;
        let mut levels = 64;
        // Two million states: more than any model of interest needs.
        while levels * width < 2_000_000 {
            orbit.law = orbit.chain(levels).stationary();
            let last: f64 = orbit.law[(levels - 1) * width..].iter().sum();
            if last * (levels as f64) < 1e-16 {
                return Some(orbit);
            }
            levels *= 2;
        }
        None
    }

    /// States `orbit × (K + 1) + at the servers`.
    fn chain(&self, levels: usize) -> Chain {
        let Orbit { rate, mu, sigma, c, places, persists, .. } = *self;
        let width = places + 1;
        let mut chain = Chain::new(levels * width, width);
        for j in 0..levels {
            let retries = j as f64 * sigma;
            for k in 0..width {
                let here = j * width + k;
                if k > 0 {
                    chain.jump(here, here - 1, k.min(c) as f64 * mu);
                }
                if k < places {
                    chain.jump(here, here + 1, rate);
                }
                if k == places && j + 1 < levels {
                    chain.jump(here, here + width, rate * persists);
                }
                if j > 0 && k < places {
                    chain.jump(here, here - width + 1, retries);
                }
                if j > 0 && k == places {
                    chain.jump(here, here - width, retries * (1.0 - persists));
                }
            }
        }
        chain
    }

    /// Mean of a function of (orbit, at the servers).
    fn mean(&self, f: impl Fn(f64, usize) -> f64) -> f64 {
        let width = self.places + 1;
        mean(&self.law, |s| f((s / width) as f64, s % width))
    }

    fn value(&self, metric: &str) -> Option<f64> {
        let orbit = self.mean(|j, _| j);
        let full = |k: usize| if k == self.places { 1.0 } else { 0.0 };
        let blocked = self.mean(|_, k| full(k));
        let busy = self.mean(|_, k| k.min(self.c) as f64);
        let (tries, retries) = (self.rate, self.sigma * orbit);
        let failed = self.rate * blocked + self.sigma * self.mean(|j, k| j * full(k));
        match metric {
            "E[orbit]" => Some(orbit),
            "P(blocked) primary" => Some(blocked),
            "E[busy]" => Some(busy),
            "P(server busy)" => Some(busy / self.c as f64),
            "P(request lost)" => Some((1.0 - self.persists) * failed / self.rate),
            "attempts per request (amplification)" => Some(1.0 + retries / tries),
            "fraction of attempts that fail" => Some(failed / (tries + retries)),
            _ => None,
        }
    }
}

/// M/M/c/K where a call has three attempts: the chain of (calls before their second attempt,
/// calls before their third, at the servers). Calls come to either orbit at a rate of λ at most,
/// so that a Poisson law bounds them, and tells where they can be cut off.
fn three_attempts(params: &Params, metric: &str) -> Option<f64> {
    let Some(3) = params.int("max_attempts") else { return None };
    let (rate, mu) = (params.num("lam")?, params.num("mu")?);
    let (c, places) = (params.int("c")? as usize, params.int("K")? as usize);
    let (first, second) = (params.num("retry_rate_1")?, params.num("retry_rate_2")?);
    let (m1, m2) = (enough(rate / first), enough(rate / second));
    let width = places + 1;
    let mut chain = Chain::new((m1 + 1) * (m2 + 1) * width, (m2 + 1) * width);
    let index = |n1: usize, n2: usize, k: usize| (n1 * (m2 + 1) + n2) * width + k;
    for s in 0..(m1 + 1) * (m2 + 1) * width {
        let (n1, n2, k) = (s / width / (m2 + 1), s / width % (m2 + 1), s % width);
        if k > 0 {
            chain.jump(s, s - 1, k.min(c) as f64 * mu);
        }
        let (one, two) = (n1 as f64 * first, n2 as f64 * second);
        if k < places {
            chain.jump(s, s + 1, rate);
            if n1 > 0 {
                chain.jump(s, index(n1 - 1, n2, k + 1), one);
            }
            if n2 > 0 {
                chain.jump(s, index(n1, n2 - 1, k + 1), two);
            }
            continue;
        }
        if n1 < m1 {
            chain.jump(s, index(n1 + 1, n2, k), rate);
        }
        if n1 > 0 {
            chain.jump(s, index(n1 - 1, (n2 + 1).min(m2), k), one);
        }
        if n2 > 0 {
            chain.jump(s, index(n1, n2 - 1, k), two);
        }
    }
    let law = chain.stationary();
    let full = |s: usize| if s % width == places { 1.0 } else { 0.0 };
    let (of_first, of_second) =
        (|s: usize| (s / width / (m2 + 1)) as f64, |s: usize| (s / width % (m2 + 1)) as f64);
    let retries = mean(&law, |s| first * of_first(s) + second * of_second(s));
    match metric {
        "P(blocked) primary" => Some(mean(&law, full)),
        "P(request lost)" => Some(mean(&law, |s| full(s) * second * of_second(s)) / rate),
        "attempts per request (amplification)" => Some(1.0 + retries / rate),
        _ => None,
    }
}

/// Where a Poisson law has ended.
fn enough(mean: f64) -> usize {
    let law = poisson(mean);
    law.iter().rposition(|p| *p > 1e-17).unwrap_or(0).max(4)
}

/// N clients that think, and try again while the K places are taken (Falin & Artalejo 1998): the
/// chain of (waiting to retry, at the servers).
fn finite_source(params: &Params, metric: &str) -> Option<f64> {
    let (clients, c) = (params.int("N")? as usize, params.int("c")? as usize);
    let places = (params.int("K")? as usize).min(clients);
    let (think, mu) = (params.num("think_mean")?, params.num("mu")?);
    let sigma = 1.0 / params.num("retry_mean")?;
    let width = places + 1;
    let thinks = |s: usize| clients as f64 - (s / width) as f64 - (s % width) as f64;
    let mut chain = Chain::new((clients + 1) * width, width);
    for s in (0..(clients + 1) * width).filter(|s| thinks(*s) >= 0.0) {
        let (j, k) = (s / width, s % width);
        if k > 0 {
            chain.jump(s, s - 1, k.min(c) as f64 * mu);
        }
        if thinks(s) > 0.0 {
            chain.jump(s, if k < places { s + 1 } else { s + width }, thinks(s) / think);
        }
        if j > 0 && k < places {
            chain.jump(s, s - width + 1, j as f64 * sigma);
        }
    }
    let law = chain.stationary();
    let through = mu * mean(&law, |s| (s % width).min(c) as f64);
    let waiting = mean(&law, |s| (s / width) as f64);
    let attempts = through + sigma * waiting;
    match metric {
        "throughput" => Some(through),
        "E[clients waiting to retry]" => Some(waiting),
        "attempts per request (amplification)" => Some(attempts / through),
        "fraction of attempts rejected" => Some(sigma * waiting / attempts),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chain_gives_the_closed_form_in_any_unit_of_time() {
        let params = Params::of(&[("lam", 1.5), ("mu", 2.5), ("retry_rate", 0.7)]);
        let chain = Orbit::of(&params, 1, 1, 1.0).unwrap();
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-11 * b, "{a} is not {b}");
        for metric in ["E[orbit]", "P(server busy)", "attempts per request (amplification)"] {
            near(chain.value(metric).unwrap(), one_server(&params, metric).unwrap());
        }
        let mean = chain.mean(|j, _| j);
        let variance = chain.mean(|j, _| (j - mean) * (j - mean));
        near(variance, one_server(&params, "Var[orbit]").unwrap());
        let empty = chain.mean(|j, k| if j == 0.0 && k == 0 { 1.0 } else { 0.0 });
        near(empty, one_server(&params, "P(orbit empty & idle)").unwrap());
    }
}
