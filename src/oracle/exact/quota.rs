//! The retry quota of the AWS SDKs: when it drains, and what it leaves of the retries.
//!
//! Semantics: AWS SDKs and Tools Reference Guide, "Retry behavior" (2026), as botocore and
//! smithy-rs have them. Operations of one client follow one another, and every attempt fails with
//! probability p.
//! Simplifies: failures are independent; no two operations are under way at once.

use super::chain::{Chain, mean};
use super::numeric::{power, powers, root};
use crate::oracle::params::Params;

const ROOT: &str = "AWS retry quota drain threshold (iid failure prob p per attempt)";
const STATIONARY: &str = "AWS retry quota, stationary, sequential ops";
const DRAIN: &str = "AWS retry quota, drain from full";
const ABOVE: &str =
    "AWS retry quota ABOVE threshold: amplification = 1+(1-p)/(c p), independent of max_attempts";
const LARGEST: &str = "AWS retry quota: largest sustained amplification (attained at p=p*)";

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    let model = model.trim_end_matches(" [MC check]");
    let (cost, attempts) = (params.int("cost")?, params.int("max_attempts")?);
    if cost == 0 || attempts == 0 {
        return None;
    }
    match model {
        ROOT => (metric == "p*").then(|| threshold(cost, attempts)),
        LARGEST => (metric == "A_max").then(|| powers(threshold(cost, attempts), 0, attempts - 1)),
        "AWS retry quota, total outage p=1" => outage(cost, params.int("capacity")?, metric),
        _ => {
            let p = params.num("p").filter(|p| (0.0..=1.0).contains(p))?;
            let capacity = params.int("capacity").unwrap_or(500);
            let quota = Quota { cost, attempts, p, capacity };
            match model {
                "AWS retry quota" => metric.starts_with("token drift").then(|| quota.drift()),
                STATIONARY => quota.stationary(metric),
                DRAIN => quota.drain(metric),
                ABOVE => quota.above(metric),
                _ => None,
            }
        }
    }
}

/// The failure probability at which a bucket that is neither full nor empty keeps its level: the
/// root of 1 − p = c (p² + … + p^M). A success gives back what the last retry took, so only
/// retries before the last one cost tokens, and a success at the first attempt earns one.
pub(super) fn threshold(cost: u64, attempts: u64) -> f64 {
    root(|p| cost as f64 * powers(p, 2, attempts) - (1.0 - p), 0.0, 1.0)
}

/// What a full bucket buys when nothing succeeds.
fn outage(cost: u64, capacity: u64, metric: &str) -> Option<f64> {
    match metric {
        "retries allowed before first denial" => Some((capacity / cost) as f64),
        "tokens left" => Some((capacity % cost) as f64),
        _ => None,
    }
}

/// One client under a quota.
struct Quota {
    cost: u64,
    attempts: u64,
    p: f64,
    capacity: u64,
}

/// How an operation may end.
struct End {
    chance: f64,
    /// The level it leaves.
    tokens: usize,
    /// Retries it made.
    retries: u64,
    denied: bool,
    failed: bool,
}

impl Quota {
    /// Tokens gained by an operation where the bucket is neither full nor empty.
    fn drift(&self) -> f64 {
        (1.0 - self.p) - self.cost as f64 * powers(self.p, 2, self.attempts)
    }

    /// The ways in which an operation that begins with so many tokens may end.
    fn ends(&self, tokens: u64) -> Vec<End> {
        let bought = (tokens / self.cost).min(self.attempts - 1);
        let mut ends: Vec<End> = (0..=bought).map(|n| self.success(tokens, n)).collect();
        ends.push(End {
            chance: power(self.p, bought + 1),
            tokens: (tokens - bought * self.cost) as usize,
            retries: bought,
            denied: bought < self.attempts - 1,
            failed: true,
        });
        ends
    }

    /// Success after so many retries: the last cost comes back, or one token where there was none.
    fn success(&self, tokens: u64, retries: u64) -> End {
        let back = if retries > 0 { self.cost } else { 1 };
        End {
            chance: power(self.p, retries) * (1.0 - self.p),
            tokens: (tokens - retries * self.cost + back).min(self.capacity) as usize,
            retries,
            denied: false,
            failed: false,
        }
    }

    /// The chain of the levels at which operations begin, one operation per unit of time; it is
    /// left where a retry is denied, if that is where it ends.
    fn chain(&self, ends_denied: bool) -> Chain {
        let reach = (self.attempts * self.cost).min(self.capacity).max(1);
        let mut chain = Chain::new(self.capacity as usize + 1, reach as usize);
        for tokens in 0..=self.capacity {
            for end in self.ends(tokens) {
                if end.denied && ends_denied {
                    chain.leave(tokens as usize, end.chance);
                } else if end.tokens != tokens as usize {
                    chain.jump(tokens as usize, end.tokens, end.chance);
                }
            }
        }
        chain
    }

    /// Long-run means, from the stationary law of the level.
    fn stationary(&self, metric: &str) -> Option<f64> {
        // With p = 0 or 1 the level no longer moves.
        if self.p <= 0.0 || self.p >= 1.0 {
            return None;
        }
        let law = self.chain(false).stationary();
        let all = |of: &dyn Fn(&End) -> f64| {
            let at = |tokens| self.ends(tokens).iter().map(|end| end.chance * of(end)).sum::<f64>();
            mean(&law, |tokens| at(tokens as u64))
        };
        let denied = all(&|end| f64::from(u8::from(end.denied)));
        let retries = all(&|end| end.retries as f64);
        match metric {
            "attempts per operation" => Some(1.0 + retries),
            "P(operation fails)" => Some(all(&|end| f64::from(u8::from(end.failed)))),
            "fraction of wanted retries denied by quota" => Some(denied / (denied + retries)),
            "mean tokens at op start" => Some(mean(&law, |tokens| tokens as f64)),
            _ => None,
        }
    }

    /// From a full bucket to the first retry that is denied, in operations.
    fn drain(&self, metric: &str) -> Option<f64> {
        if metric.starts_with("fluid drain time") {
            return Some(self.capacity as f64 / self.drift().abs());
        }
        if self.p <= 0.0 {
            return None;
        }
        let (mean, sd) = self.first_denial();
        if metric.starts_with("E[operations until first denied retry]") {
            Some(mean)
        } else {
            (metric == "SD[operations until first denied retry]").then_some(sd)
        }
    }

    /// Mean and standard deviation of the operations until the first denied retry, that
    /// operation counted.
    fn first_denial(&self) -> (f64, f64) {
        let chain = self.chain(true);
        let full = self.capacity as usize;
        let mean = chain.gain(&vec![1.0; full + 1]);
        // The variance is the sum, along the walk, of the variance of one step of the martingale
        // "operations so far and expected": nothing is subtracted from a second moment.
        let step = |from: u64| -> f64 {
            let after = |end: &End| if end.denied { 0.0 } else { mean[end.tokens] };
            let square = |end: &End| {
                let off = after(end) + 1.0 - mean[from as usize];
                end.chance * off * off
            };
            self.ends(from).iter().map(square).sum()
        };
        let steps: Vec<f64> = (0..=self.capacity).map(step).collect();
        (mean[full], chain.gain(&steps)[full].sqrt())
    }

    /// Above the threshold every token earned is spent: of N operations (1 − p) A N attempts
    /// succeed, and as the retries cost c each, A = 1 + (1 − p) / (c p), whatever the attempts
    /// allowed. Exact up to the chance that the bucket is full.
    fn above(&self, metric: &str) -> Option<f64> {
        let attempts = 1.0 + (1.0 - self.p) / (self.cost as f64 * self.p);
        match metric {
            "attempts per operation" => Some(attempts),
            "P(operation fails)" => Some(1.0 - (1.0 - self.p) * attempts),
            _ => None,
        }
    }
}
