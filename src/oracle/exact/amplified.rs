//! Closed forms of amplification: backlogs of zombies, livelock, attempts per call.

use super::numeric::powers;
use crate::oracle::params::Params;

const CLOSED: &str = "closed N clients, FCFS, fixed timeout tau, no cancellation, immediate \
    re-send, late answers discarded";
const BACKLOG: &str = "FCFS infinite queue, outage T (rate 0), zombies, M attempts spaced gap";

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    match model {
        // Livelock is possible iff every client's wait can exceed the timeout: at most N jobs are
        // ahead, so N > μτ.
        CLOSED => metric
            .starts_with("livelock possible iff N > mu tau")
            .then(|| Some(params.num("N")? / (params.num("mu")? * params.num("tau")?)))
            .flatten(),
        BACKLOG => Backlog::of(params)?.value(metric),
        "amplification criterion" => metric
            .starts_with("lam A_max/mu")
            .then(|| Some(params.num("lam")? * params.num("A_max")? / params.num("mu")?))
            .flatten(),
        // 1 + p + … + p^(M − 1): attempt k + 1 is made when the first k have failed.
        "amplification, iid failure p, max M attempts" => (metric == "E[attempts per operation]")
            .then(|| Some(powers(params.num("p")?, 0, params.int("M")?.checked_sub(1)?)))
            .flatten(),
        _ => None,
    }
}

/// An open load whose attempts, one every `gap` and M at most, pile up over an outage; nothing is
/// cancelled.
struct Backlog {
    lam: f64,
    mu: f64,
    outage: f64,
    most: u64,
    gap: f64,
    tau: f64,
}

impl Backlog {
    fn of(params: &Params) -> Option<Backlog> {
        Some(Backlog {
            lam: params.num("lam")?,
            mu: params.num("mu")?,
            outage: params.num("outage")?,
            most: params.int("max_attempts")?,
            gap: params.num("gap_between_attempts")?,
            tau: params.num("tau")?,
        })
    }

    /// Attempt j of the calls of the outage joins the queue once j gaps have passed:
    /// λ Σ_j (T − j gap)₊. The queue then works off μ and takes in λM, so that waits are below the
    /// timeout after (backlog − μτ) / (μ − λM), if λM < μ, and never otherwise.
    fn value(&self, metric: &str) -> Option<f64> {
        let behind = |j: u64| (self.outage - j as f64 * self.gap).max(0.0);
        let backlog = self.lam * (0..self.most).map(behind).sum::<f64>();
        let growth = self.lam * self.most as f64 - self.mu;
        match metric {
            "work backlog at end of outage" => Some(backlog),
            "fluid time after repair until wait<tau" => {
                (growth < 0.0).then(|| (backlog - self.mu * self.tau).max(0.0) / -growth)
            }
            _ if metric.starts_with("never recovers") => (growth > 0.0).then_some(growth),
            _ => None,
        }
    }
}
