//! How long until what stands in a queue is worked off?

use crate::oracle::params::{Params, number_in};

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    match model {
        "M/M/1 drain" => from_so_many(params, metric),
        "M/M/1 outage [0,T) then drain (arrivals queue, start empty)" => outage(params, metric),
        "M/D/1 drain (Borel-Tanner)" => constant_work(params, metric),
        "M/M/c drain" => many_servers(params, metric),
        "N simultaneous requests, c servers, deterministic service s, infinite FIFO" => {
            waves(params, metric)
        }
        "N simultaneous requests, c servers, exp(mu) service, no arrivals" => {
            stages(params, metric)
        }
        "open M/M/c/K with outage (service paused)" => super::pause::value(params, metric),
        _ => None,
    }
}

/// M/M/1 from n: n busy periods, of mean 1 / (μ − λ) and variance (μ + λ) / (μ − λ)³ each.
fn from_so_many(params: &Params, metric: &str) -> Option<f64> {
    let (n, rate, mu) = (params.num("n0")?, params.num("lam")?, params.num("mu")?);
    match metric {
        "E[time to empty]" => Some(n / (mu - rate)),
        "SD[time to empty]" => Some(busy_periods_sd(n, rate, mu)),
        _ => None,
    }
}

/// Standard deviation of the length of n busy periods of M/M/1.
fn busy_periods_sd(n: f64, rate: f64, mu: f64) -> f64 {
    (n * (mu + rate) / libm::pow(mu - rate, 3.0)).sqrt()
}

/// The same from a Poisson number of mean λT: mean λT / (μ − λ), and
/// variance λT (μ + λ) / (μ − λ)³ + λT / (μ − λ)² = 2μλT / (μ − λ)³.
fn outage(params: &Params, metric: &str) -> Option<f64> {
    let (span, rate, mu) = (params.num("T")?, params.num("lam")?, params.num("mu")?);
    let gap = mu - rate;
    match metric {
        "E[time from repair to empty]" => Some(rate * span / gap),
        "SD[time from repair to empty]" => {
            Some((2.0 * mu * rate * span / (gap * gap * gap)).sqrt())
        }
        _ => None,
    }
}

/// M/D/1 from n (Borel 1942, Tanner 1961): k customers are served until it is empty with
/// probability n / k e^(−ρk) (ρk)^(k−n) / (k − n)!, of mean n / (1 − ρ) and variance
/// nρ / (1 − ρ)³.
fn constant_work(params: &Params, metric: &str) -> Option<f64> {
    let (n, rate, work) = (params.num("n0")?, params.num("lam")?, params.num("D")?);
    let rho = rate * work;
    if let Some(most) = number_in(metric, "P(served until empty <= ", ")") {
        let probability = |k: f64| {
            let power = -rho * k + (k - n) * libm::log(rho * k) - libm::lgamma(k - n + 1.0);
            n / k * libm::exp(power)
        };
        return Some((n as u64..=most as u64).map(|k| probability(k as f64)).sum());
    }
    match metric {
        "E[time to empty]" => Some(n * work / (1.0 - rho)),
        "SD[time to empty]" => Some(work * (n * rho / libm::pow(1.0 - rho, 3.0)).sqrt()),
        "E[customers served until empty]" => Some(n / (1.0 - rho)),
        _ => None,
    }
}

/// M/M/c: above c it is an M/M/1 of rate cμ; below, from k down to k − 1 takes
/// t_k = (1 + λ t_(k+1)) / (kμ).
fn many_servers(params: &Params, metric: &str) -> Option<f64> {
    let (n, c) = (params.num("n0")?, params.num("c")?);
    let (rate, mu) = (params.num("lam")?, params.num("mu")?);
    match metric {
        "E[first time number in system <= c from n0]" => Some((n - c) / (c * mu - rate)),
        "SD[first time number in system <= c from n0]" => {
            Some(busy_periods_sd(n - c, rate, c * mu))
        }
        "E[time 1 -> 0] (why 'system empty' is not a recovery metric)" => {
            let down = |t: f64, k: u64| (1.0 + rate * t) / (k as f64 * mu);
            Some((1..c as u64).rev().fold(1.0 / (c * mu - rate), down))
        }
        _ => None,
    }
}

/// N calls at once, each of the same work: ⌈N / c⌉ waves.
fn waves(params: &Params, metric: &str) -> Option<f64> {
    let (n, c, work) = (params.int("N")?, params.int("c")?, params.num("s")?);
    match metric {
        "makespan" => Some(n.div_ceil(c) as f64 * work),
        "mean response" => {
            let sum: u64 = (1..=n).map(|i| i.div_ceil(c)).sum();
            Some(work * sum as f64 / n as f64)
        }
        _ => None,
    }
}

/// N calls at once, of memoryless work: a sum of stages with c, …, c, c − 1, …, 1 busy servers.
fn stages(params: &Params, metric: &str) -> Option<f64> {
    let (n, c, mu) = (params.int("N")?, params.int("c")?, params.num("mu")?);
    let stage = |left: u64| 1.0 / (left.min(c) as f64 * mu);
    match metric {
        "E[makespan]" => Some((1..=n).map(stage).sum()),
        "SD[makespan]" => {
            let variance: f64 = (1..=n).map(|left| stage(left) * stage(left)).sum();
            Some(variance.sqrt())
        }
        _ => None,
    }
}
