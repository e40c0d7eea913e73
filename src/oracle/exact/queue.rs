//! Queues in equilibrium, without retries and without impatience.

use super::chain::{birth_death, mean, poisson};
use super::roots;
use crate::oracle::params::{Params, number_in};

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    match model {
        "M/M/1" => one_server(params.num("lam")?, params.num("mu")?, metric),
        "M/M/c/c (Erlang B)" if metric == "blocking" => {
            Some(erlang_b(params.int("c")?, params.num("a")?))
        }
        "M/M/c (Erlang C)" => erlang_c(params, metric),
        "M/M/c/K" => bounded(params, metric),
        "M/D/1" => constant_work(params.num("lam")?, params.num("D")?, metric),
        "M/D/c" => constant_work_many(params, metric),
        "M/G/1 (P-K)" if metric == "Wq" => {
            let (rate, m1, m2) = (params.num("lam")?, params.num("m1")?, params.num("m2")?);
            Some(pollaczek_khinchine(rate, m1, m2))
        }
        "D/M/1" => regular_arrivals(params.num("lam")?, params.num("mu")?, metric),
        "M/M/1 with breakdowns" if metric == "L" => breakdowns(params),
        _ => None,
    }
}

/// M/M/1 (Erlang 1909; Gross et al., Fundamentals of Queueing Theory). The asymptotic variances:
/// σ² = 2ρ(1 + ρ) / (μ(1 − ρ)⁴) of the time mean of L (Whitt 1989), and
/// ρ(2 + 5ρ − 4ρ² + ρ³) / (μ²(1 − ρ)⁴) of the mean wait (Blomqvist 1967).
fn one_server(rate: f64, mu: f64, metric: &str) -> Option<f64> {
    let (rho, gap) = (rate / mu, mu - rate);
    let fourth = libm::pow(1.0 - rho, 4.0);
    let level = rho / (1.0 - rho);
    let variance = 2.0 * rho * (1.0 + rho) / (mu * fourth);
    if let Some(x) = number_in(metric, "P(W>", ")") {
        return Some(libm::exp(-gap * x));
    }
    if let Some(percent) = number_in(metric, "p", " sojourn") {
        return Some(-libm::log1p(-percent / 100.0) / gap);
    }
    Some(match metric {
        "L" => level,
        "W (sojourn mean)" => 1.0 / gap,
        "asymptotic variance of time-average L (sigma^2: Var(Lbar_T)~sigma^2/T)" => variance,
        "asymptotic variance of mean Wq per customer (Var(Wqbar_n)~s2/n)" => {
            rho * (2.0 + 5.0 * rho - 4.0 * rho * rho + rho * rho * rho) / (mu * mu * fourth)
        }
        "run length T for 1% relative 95% half-width on L" => {
            let width = NORMAL_975 / (0.01 * level);
            width * width * variance
        }
        _ => return None,
    })
}

/// The 97.5 % quantile of the normal distribution.
const NORMAL_975: f64 = 1.959_963_984_540_054;

/// Erlang's loss formula (1917): B₀ = 1, B_k = a B_(k−1) / (k + a B_(k−1)).
pub(super) fn erlang_b(servers: u64, load: f64) -> f64 {
    (1..=servers).fold(1.0, |b, k| load * b / (k as f64 + load * b))
}

/// Erlang's wait formula (1917): C = c B / (c − a (1 − B)); P(Wq > x) = C e^(−μ(c − a) x).
fn erlang_c(params: &Params, metric: &str) -> Option<f64> {
    let (servers, load, mu) = (params.int("c")?, params.num("a")?, params.num("mu")?);
    let (c, b) = (servers as f64, erlang_b(servers, load));
    let waits = c * b / (c - load * (1.0 - b));
    let gap = mu * (c - load);
    if let Some(x) = number_in(metric, "P(Wq>", ")") {
        return Some(waits * libm::exp(-gap * x));
    }
    match metric {
        "P(wait>0)" => Some(waits),
        "Wq" => Some(waits / gap),
        _ => None,
    }
}

/// M/M/c/K by its product form (Gross et al.).
fn bounded(params: &Params, metric: &str) -> Option<f64> {
    let (rate, mu) = (params.num("lam")?, params.num("mu")?);
    let (c, places) = (params.int("c")? as usize, params.int("K")? as usize);
    let law = birth_death(places + 1, |_| rate, |k| k.min(c) as f64 * mu);
    let busy = mean(&law, |k| k.min(c) as f64);
    match metric {
        "P(loss)" => Some(law[places]),
        "L" => Some(mean(&law, |k| k as f64)),
        "Wq of accepted" => Some(mean(&law, |k| k.saturating_sub(c) as f64) / (mu * busy)),
        "goodput" => Some(mu * busy),
        _ => None,
    }
}

/// M/D/1: the mean wait by Pollaczek and Khinchine, P(Wq > x) by Franx (2001).
fn constant_work(rate: f64, work: f64, metric: &str) -> Option<f64> {
    if metric == "Wq" {
        return Some(pollaczek_khinchine(rate, work, work * work));
    }
    let x = number_in(metric, "P(Wq>", ")")?;
    Some(1.0 - waits_at_most(rate, work, x))
}

/// P(Wq ≤ x) of M/D/1 without the alternating sum of Erlang: with (k − 1) D ≤ x < k D and
/// u = λ(k D − x) it is e^(−u) Σ_(j < k) Q_(k−1−j) u^j / j!, Q_m the probability that at most m
/// wait (Franx 2001). The law of the number in system comes from the cuts of the embedded chain:
/// a₀ p_(j+1) = p₀ P(A > j) + Σ_(1 ≤ i ≤ j) p_i P(A > j − i + 1), A the arrivals during D.
fn waits_at_most(rate: f64, work: f64, x: f64) -> f64 {
    let k = (x / work).floor() as usize + 1;
    let arrivals = poisson(rate * work);
    let above = |m: usize| arrivals.iter().skip(m + 1).sum::<f64>();
    let tails: Vec<f64> = (0..=k).map(above).collect();
    let mut law = vec![1.0 - rate * work];
    for j in 0..k {
        let through = (1..=j).map(|i| law[i] * tails[j - i + 1]).sum::<f64>();
        law.push((law[0] * tails[j] + through) / arrivals[0]);
    }
    let mut sum = law[0];
    let at_most: Vec<f64> = law[1..]
        .iter()
        .map(|p| {
            sum += p;
            sum
        })
        .collect();
    let u = rate * (k as f64 * work - x);
    let mut weight = libm::exp(-u);
    let mut found = 0.0;
    for j in 0..k {
        found += at_most[k - 1 - j] * weight;
        weight *= u / (j + 1) as f64;
    }
    found
}

/// M/D/c (Crommelin 1932; Tijms, A First Course in Stochastic Models):
/// L = a / (2(c − a)) + a / 2 − (c − 1) / 2 + Σ 1 / (1 − z_k), z_k the roots of z^c = e^(a(z − 1))
/// within the unit circle, other than 1.
fn constant_work_many(params: &Params, metric: &str) -> Option<f64> {
    let (servers, load, work) = (params.int("c")?, params.num("a")?, params.num("D")?);
    let c = servers as f64;
    let sum: f64 = (1..servers).map(|k| roots::real_of_inverse_gap(k, servers, load)).sum();
    let level = load / (2.0 * (c - load)) + load / 2.0 - (c - 1.0) / 2.0 + sum;
    match metric {
        "L" => Some(level),
        "Wq" => Some((level - load) * work / load),
        _ => None,
    }
}

/// Mean wait of M/G/1 (Pollaczek 1930, Khinchine 1932): λ E S² / (2(1 − ρ)).
fn pollaczek_khinchine(rate: f64, m1: f64, m2: f64) -> f64 {
    rate * m2 / (2.0 * (1.0 - rate * m1))
}

/// D/M/1 (Kendall 1953): σ = P(wait > 0) is the root of σ = e^(−(1 − σ) μ / λ) below 1, and
/// Wq = σ / (μ(1 − σ)).
fn regular_arrivals(rate: f64, mu: f64, metric: &str) -> Option<f64> {
    let mut sigma = 0.0;
    // From the left Newton's method comes nearer without passing the root.
    for _ in 0..200 {
        let image = libm::exp(-(1.0 - sigma) * mu / rate);
        sigma -= (sigma - image) / (1.0 - image * mu / rate);
    }
    match metric {
        "sigma=P(wait>0)" => Some(sigma),
        "Wq" => Some(sigma / (mu * (1.0 - sigma))),
        _ => None,
    }
}

/// M/M/1 whose server fails at rate f, busy or idle, and is repaired at rate r (White & Christie
/// 1958): L = λ((f + r)² + μ f) / ((f + r)(μ r − λ(f + r))).
fn breakdowns(params: &Params) -> Option<f64> {
    let (rate, mu) = (params.num("lam")?, params.num("mu")?);
    let (fail, repair) = (params.num("fail")?, params.num("repair")?);
    let both = fail + repair;
    Some(rate * (both * both + mu * fail) / (both * (mu * repair - rate * both)))
}
