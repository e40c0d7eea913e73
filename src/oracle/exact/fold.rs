//! Where retries without cancellation keep a queue saturated: the limit of slow retries.
//!
//! When waits are long against the queue's own relaxation, the stream of attempts is Poisson with
//! rate x, and x solves x = λ A(f(x)): f the failure probability of an attempt at a stationary
//! queue, A(f) the attempts per call. Two loads at which two of these points meet are the folds.
//! Simplifies: all of this is a limit; with short waits the folds lie elsewhere.

use super::deadline::Deadline;
use super::numeric::{hump, power, powers, root};
use crate::oracle::params::Params;

const GOODPUT: &str =
    "M/M/1 FCFS, client deadline tau, no cancellation, offered attempts x (Poisson)";
const FIXED: &str = "slow-retry limit, FCFS zombies, unlimited attempts, deterministic timeout";
const RANDOM: &str = "slow-retry limit, FCFS zombies, unlimited attempts, Exp(theta) timeout";
const FINITE: &str =
    "slow-retry limit, M/M/c/K FCFS zombies, deterministic timeout, max M attempts";
const REJECTION: &str = "slow-retry limit, M/M/c/K, retry on rejection only, max M attempts";

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    match model {
        GOODPUT => (metric == "goodput")
            .then(|| Some(Single::of(params)?.goodput(params.num("x")?)))
            .flatten(),
        FIXED => Single::of(params)?.fold(params, metric),
        RANDOM => random(params.num("mu")?, params.num("theta")?, params.num("lam"), metric),
        FINITE => {
            let most = params.int("max_attempts").filter(|m| *m > 0)?;
            finite(&Deadline::of(params)?, most, params.num("lam"), metric)
        }
        REJECTION => rejection(params, metric),
        _ => None,
    }
}

/// M/M/1 whose callers stop waiting after τ, unnoticed by the server.
struct Single {
    mu: f64,
    tau: f64,
}

impl Single {
    fn of(params: &Params) -> Option<Single> {
        Some(Single { mu: params.num("mu")?, tau: params.num("tau")? })
    }

    /// Attempts that are answered in time: x (1 − e^(−(μ − x) τ)), the sojourn being exponential.
    fn goodput(&self, x: f64) -> f64 {
        -x * libm::expm1(-(self.mu - x) * self.tau)
    }

    /// The rate of attempts at which goodput is highest: (z − 1)/τ, where z + log z = 1 + μτ,
    /// that is z = W(e^(1 + μτ)) with Lambert's W.
    fn highest(&self) -> f64 {
        let sum = 1.0 + self.mu * self.tau;
        let z = root(|z| z + libm::log(z) - sum, f64::MIN_POSITIVE, sum);
        (z - 1.0) / self.tau
    }

    /// With unlimited attempts the goodput is the load of fresh calls; above its highest value,
    /// (z − 1)² / (τ z), no stationary state is left.
    fn fold(&self, params: &Params, metric: &str) -> Option<f64> {
        let at = self.highest();
        let excess = |x: f64, lam: f64| self.goodput(x) - lam;
        let lam = params.num("lam").filter(|lam| *lam <= self.goodput(at));
        match metric {
            "lambda_c (largest fresh load with a stable good state)" => {
                let z = 1.0 + at * self.tau;
                Some((z - 1.0) * (z - 1.0) / (self.tau * z))
            }
            "attempt rate at the fold x_c" => Some(at),
            "good fixed point x_-" => lam.map(|lam| root(|x| excess(x, lam), 0.0, at)),
            "tipping attempt rate x_+ (unstable)" => {
                lam.map(|lam| root(|x| excess(x, lam), at, self.mu))
            }
            _ => None,
        }
    }
}

/// The same with timeouts of rate θ: goodput is x (μ − x) / (μ − x + θ), highest at
/// μ − x = √(θ² + μθ) − θ with μ + 2θ − 2 √(θ (μ + θ)), and the fixed points are
/// ((μ + λ) ∓ √((μ − λ)² − 4λθ)) / 2.
fn random(mu: f64, theta: f64, lam: Option<f64>, metric: &str) -> Option<f64> {
    let root = (theta * (mu + theta)).sqrt();
    let spread = lam.map(|lam| ((mu - lam) * (mu - lam) - 4.0 * lam * theta, lam));
    let spread = spread.filter(|(square, _)| *square >= 0.0);
    match metric {
        "lambda_c" => Some(mu + 2.0 * theta - 2.0 * root),
        "attempt rate at the fold x_c" => Some(mu + theta - root),
        "good fixed point x_-" => spread.map(|(square, lam)| (mu + lam - square.sqrt()) / 2.0),
        "tipping attempt rate x_+" => spread.map(|(square, lam)| (mu + lam + square.sqrt()) / 2.0),
        _ => None,
    }
}

/// The load of fresh calls that a rate of attempts stands for, over that rate; where it is
/// highest and lowest the number of stationary states changes.
pub(super) struct Curve<'a> {
    /// The queue.
    pub(super) queue: &'a Deadline,
    /// Attempts per call, of the failure and the success probability of an attempt.
    pub(super) attempts: &'a dyn Fn(f64, f64) -> f64,
    /// The highest rate of attempts to look at, in multiples of what the queue works off.
    pub(super) widest: f64,
}

/// Points at which the curve is looked at.
const SCAN: usize = 4000;

impl Curve<'_> {
    /// λ(x) = x / A(f(x)).
    fn load(&self, x: f64) -> f64 {
        let good = self.queue.in_time(x);
        x / (self.attempts)(1.0 - good, good)
    }

    fn at(&self, i: usize) -> f64 {
        self.queue.capacity() * self.widest * i as f64 / SCAN as f64
    }

    /// Rates of attempts at which the load has an extreme, in order: a top, a bottom, a top, …
    pub(super) fn extremes(&self) -> Vec<f64> {
        let loads: Vec<f64> = (0..=SCAN).map(|i| self.load(self.at(i).max(1e-9))).collect();
        let mut found = Vec::new();
        let mut up = true;
        for i in 1..SCAN {
            let next = loads[i + 1] - loads[i];
            // A change of the last digits is no fold.
            let turns = next.abs() > 1e-12 * loads[i] && (next > 0.0) != up;
            if turns {
                let sign = if up { 1.0 } else { -1.0 };
                found.push(hump(|x| sign * self.load(x), self.at(i - 1), self.at(i + 1)));
                up = !up;
            }
        }
        found
    }

    /// The loads of the two folds: below the first the bad state is gone, above the second the
    /// good one; `None` where there is one state at every load.
    pub(super) fn folds(&self) -> Option<(f64, f64)> {
        let extremes = self.extremes();
        let (top, bottom) = (*extremes.first()?, *extremes.get(1)?);
        Some((self.load(bottom), self.load(top)))
    }
}

/// 1 + f + … + f^(M−1) = (1 − f^M) / (1 − f): attempts per call when at most M are made.
pub(super) fn limited(most: u64) -> impl Fn(f64, f64) -> f64 {
    move |failure, _| powers(failure, 0, most - 1)
}

fn finite(queue: &Deadline, most: u64, lam: Option<f64>, metric: &str) -> Option<f64> {
    let attempts = limited(most);
    let widest = most as f64 + 2.0;
    let curve = Curve { queue, attempts: &attempts, widest };
    match metric {
        "lambda_high (good state disappears)" => Some(curve.folds()?.1),
        "lambda_low (bad state disappears)" => Some(curve.folds()?.0),
        "heuristic lambda_low c mu/M" => Some(queue.capacity() / most as f64),
        _ if metric.starts_with("number of folds") => Some(curve.extremes().len() as f64),
        _ => fixed_point(&curve, lam?, metric),
    }
}

/// `attempt rate x at good fixed point` and the like: where λ(x) is the load, on the branch before
/// the top (good), between top and bottom (tipping), or after the bottom (bad).
fn fixed_point(curve: &Curve, lam: f64, metric: &str) -> Option<f64> {
    let (what, branch) = metric.split_once(" at ")?;
    let extremes = curve.extremes();
    let (top, bottom) = (*extremes.first()?, *extremes.get(1)?);
    if lam < curve.load(bottom) || lam > curve.load(top) {
        return None;
    }
    let (lo, hi) = match branch {
        "good fixed point" => (1e-9, top),
        "tipping fixed point" => (top, bottom),
        "bad fixed point" => (bottom, curve.at(SCAN)),
        _ => return None,
    };
    let x = root(|x| curve.load(x) - lam, lo, hi);
    match what {
        "attempt rate x" => Some(x),
        "goodput" => Some(x * curve.queue.in_time(x)),
        _ => None,
    }
}

/// Retries on rejection only, by M/M/c/K with loss P: x (1 − P(x)) = λ (1 − P(x)^M). The left
/// side, the carried load, rises with x, the right side falls: there is one solution, ever.
fn rejection(params: &Params, metric: &str) -> Option<f64> {
    let (lam, most) = (params.num("lam")?, params.int("M").filter(|m| *m > 0)?);
    let queue = Deadline::patient(params)?;
    let lost = |x: f64| queue.full(x);
    let x = root(|x| x - lam * powers(lost(x), 0, most - 1), 0.0, lam * (most as f64 + 1.0));
    match metric {
        "offered attempt rate x (unique)" => Some(x),
        "request failure probability P^M" => Some(power(lost(x), most)),
        "amplification x/lam" => Some(x / lam),
        _ => None,
    }
}
