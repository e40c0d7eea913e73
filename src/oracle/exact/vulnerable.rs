//! Loads at which a service can be stuck, under one budget of retries or another.

use super::deadline::Deadline;
use super::fold::{Curve, limited};
use super::numeric::{number_after, powers};
use super::quota::threshold;
use crate::oracle::params::Params;

const INTERVAL: &str =
    "vulnerable load interval [lambda_low, lambda_high] (slow-retry limit, FCFS, no cancellation)";
const SATURATED: &str = "saturated bad state self-sustaining iff lam A(1) > capacity (deep queue \
    K/(c mu) >> tau, no cancellation)";

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    let policy = Policy::named(params.text("policy")?)?;
    match model {
        INTERVAL => interval(&Deadline::of(params)?, policy, metric),
        SATURATED => metric.starts_with("critical load / capacity").then(|| policy.saturated()),
        _ => None,
    }
}

/// What bounds the attempts of a call.
#[derive(Clone, Copy)]
enum Policy {
    /// So many attempts.
    Attempts(u64),
    /// Three attempts, and so many retries per call on average (Finagle, Google SRE).
    Share(f64),
    /// Three attempts under the retry quota of the AWS SDKs, with this cost of a retry.
    Quota(u64),
}

impl Policy {
    fn named(name: &str) -> Option<Policy> {
        let product = |layers: &str| {
            let digits = layers.split('x').map(|n| n.trim().parse::<u64>().ok());
            digits.product::<Option<u64>>().map(Policy::Attempts)
        };
        if name == "no retries" {
            Some(Policy::Attempts(1))
        } else if let Some(layers) = name.strip_suffix(" layers") {
            product(layers)
        } else if let Some(rest) = name.strip_prefix("no quota, ") {
            product(rest.split(' ').next()?)
        } else if name.contains("budget") && name.contains('%') {
            number_after(name, "budget").map(|percent| Policy::Share(percent / 100.0))
        } else if name.contains("r=") {
            number_after(name, "r=").map(Policy::Share)
        } else if name.contains("cost") {
            number_after(name, "cost").map(|cost| Policy::Quota(cost as u64))
        } else {
            // Budgets that only successes fill: the cost does not matter when nothing succeeds.
            name.contains("success").then_some(Policy::Quota(14))
        }
    }

    /// Attempts per call at a failure probability. Quota: as many as the calls want up to the
    /// threshold, and above it what successes pay for.
    fn attempts(self, failure: f64, success: f64) -> f64 {
        match self {
            Policy::Attempts(most) => limited(most)(failure, success),
            Policy::Share(share) => powers(failure, 0, 2).min(1.0 + share),
            Policy::Quota(cost) if failure <= threshold(cost, 3) => powers(failure, 0, 2),
            Policy::Quota(cost) => 1.0 + success / (cost as f64 * failure),
        }
    }

    /// The load at which a saturated service stays so, in units of its capacity: 1 / A(1).
    fn saturated(self) -> f64 {
        1.0 / self.attempts(1.0, 0.0)
    }
}

fn interval(queue: &Deadline, policy: Policy, metric: &str) -> Option<f64> {
    let most = if let Policy::Attempts(most) = policy { most } else { 3 };
    let attempts = |failure: f64, success: f64| policy.attempts(failure, success);
    let curve = Curve { queue, attempts: &attempts, widest: most as f64 + 2.0 };
    let folds = curve.folds().map(|(low, high)| (low / queue.capacity(), high / queue.capacity()));
    match metric {
        "lambda_low/capacity" => folds.map(|(low, _)| low),
        "lambda_high/capacity" => folds.map(|(_, high)| high),
        "width of the bistable interval / capacity" => {
            Some(folds.map_or(0.0, |(low, high)| high - low))
        }
        _ => None,
    }
}
