//! Other budgets of retries, and a limit of tokens at the door of a service.

use super::chain::Chain;
use super::numeric::{poisson_law, power, powers, root};
use crate::oracle::params::Params;

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    match (model, metric) {
        ("Brooker adaptive retry bucket", "p* drain threshold") => Some(adaptive(
            params.num("deposit")?,
            params.num("retry_cost")?,
            params.int("max_attempts")?,
        )),
        ("gRPC retry throttling (A6)", _) => throttled(params, metric),
        ("SRE per-client retry ratio", "max sustained amplification") => {
            Some(1.0 + params.num("ratio")?)
        }
        ("SRE adaptive throttling (client side)", "sent/capacity") => {
            Some(throttle(params.num("K")?, params.num("demand_over_capacity")?))
        }
        ("server token bucket limiter (Poisson, refill r, depth b)", "fraction rejected") => {
            limiter(params.num("lam")?, params.num("r")?, params.int("b")?)
        }
        _ => None,
    }
}

/// A bucket into which a success pays `deposit` and from which a retry takes `cost`: it drains
/// above the root of d (1 − p^M) = cost (p + … + p^(M−1)) (Brooker, "Fixing retries with token
/// buckets and circuit breakers", 2022).
fn adaptive(deposit: f64, cost: f64, attempts: u64) -> f64 {
    let gain = |p| cost * powers(p, 1, attempts - 1) - deposit * (1.0 - power(p, attempts));
    root(gain, 0.0, 1.0)
}

/// gRPC: a failure takes a token, a success gives r, and retries stop at half of the tokens
/// (gRPC proposal A6).
fn throttled(params: &Params, metric: &str) -> Option<f64> {
    match metric {
        "p* drain threshold (attempt failure prob)" => {
            let ratio = params.num("tokenRatio")?;
            Some(ratio / (1.0 + ratio))
        }
        "consecutive failures from full until retries stop" => {
            Some((params.num("maxTokens")? / 2.0).ceil())
        }
        _ => None,
    }
}

/// Clients that send at most K times what is accepted (Google SRE book, chapter 21), in the
/// fluid limit: min(demand, K) of an overloaded service.
fn throttle(k: f64, demand: f64) -> f64 {
    if demand <= 1.0 { demand } else { demand.min(k) }
}

/// Poisson arrivals at a bucket of b tokens filled at rate r. The tokens that are missing are the
/// work in a queue of constant work 1/r: M/D/1 with b places, whose loss is 1 − 1 / (π₀ + ρ), π
/// being the law that departures leave behind.
fn limiter(rate: f64, r: f64, places: u64) -> Option<f64> {
    if places == 0 {
        return Some(1.0);
    }
    let places = places as usize;
    let rho = rate / r;
    let arrivals = poisson_law(rho, places);
    let mut chain = Chain::new(places, places);
    for from in 0..places {
        // After a departure that leaves `from`, the next takes one away and finds new ones.
        let first = from.saturating_sub(1);
        let mut rest = 1.0;
        for (to, chance) in (first..places - 1).zip(&arrivals) {
            rest -= chance;
            if to != from {
                chain.jump(from, to, *chance);
            }
        }
        if from != places - 1 {
            chain.jump(from, places - 1, rest.max(0.0));
        }
    }
    let law = chain.stationary();
    Some(1.0 - 1.0 / (law[0] + rho))
}
