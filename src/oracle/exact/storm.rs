//! A complete retry storm: a closed population, an outage that refuses everything, memoryless
//! retries, servers without a queue.

use super::chain::{Chain, mean};
use super::closed::binomial;
use crate::oracle::params::{Params, number_in};

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    match model {
        "closed retry storm: outage rejects all, Exp retries, c servers, no queue"
        | "closed retry storm [DES check]" => Storm::of(params)?.value(metric),
        _ => None,
    }
}

/// All rates are per second. At the start everybody thinks, and the outage begins.
#[derive(Clone, Copy, Debug)]
pub(in crate::oracle) struct Storm {
    pub clients: usize,
    /// Calls of a thinking client.
    pub calls: f64,
    pub mu: f64,
    pub servers: usize,
    /// Attempts of a client that waits to retry.
    pub retries: f64,
    /// Length of the outage.
    pub outage: f64,
    /// It is over when so few wait to retry.
    pub bound: usize,
}

impl Storm {
    /// By names, or as the list `case` of clients, calls, μ, servers, retries, outage and bound.
    pub(in crate::oracle) fn of(params: &Params) -> Option<Storm> {
        if let Some(case) = params.list("case") {
            let [clients, calls, mu, servers, retries, outage, bound] = case[..] else {
                return None;
            };
            let (clients, servers, bound) = (clients as usize, servers as usize, bound as usize);
            return Some(Storm { clients, calls, mu, servers, retries, outage, bound });
        }
        let [from, to] = params.list("outage")?[..] else { return None };
        Some(Storm {
            clients: params.int("N")? as usize,
            calls: 1.0 / params.num("think_mean")?,
            mu: params.num("mu")?,
            servers: params.int("c")? as usize,
            retries: 1.0 / params.num("retry_mean")?,
            outage: to - from,
            bound: params.int("done_when_orbit_le")? as usize,
        })
    }

    /// Clients in orbit at the repair are binomial; each has called at T with probability
    /// 1 − e^(−zT) and tried again at rate σ ever since. From there on the chain of (orbit,
    /// being served) is left when the orbit is at or below its bound: a linear system.
    fn value(&self, metric: &str) -> Option<f64> {
        let n = self.clients as f64;
        let called = -libm::expm1(-self.calls * self.outage);
        if let Some(t) = number_in(metric, "E[orbit] ", "s after repair") {
            return Some(mean(&self.after(t), |s| (s / (self.servers + 1)) as f64));
        }
        if let Some(t) = number_in(metric, "E[busy] ", "s after repair") {
            return Some(mean(&self.after(t), |s| (s % (self.servers + 1)) as f64));
        }
        match metric {
            "E[clients waiting to retry at repair]" => Some(n * called),
            "E[failed attempts during outage]" => {
                Some(n * called + self.retries * n * (self.outage - called / self.calls))
            }
            "E[recovery time after repair]" => Some(self.until_over(|_| 1.0)),
            "E[retry attempts between repair and recovery]" => {
                Some(self.until_over(|orbit| self.retries * orbit))
            }
            "lower bound N_orbit/(c mu)" => Some(n * called / (self.servers as f64 * self.mu)),
            _ => None,
        }
    }

    /// The law of the orbit at the repair.
    fn at_repair(&self) -> Vec<f64> {
        binomial(self.clients, -libm::expm1(-self.calls * self.outage))
    }

    /// The chain on the states (orbit − lowest) × (servers + 1) + busy; it is left below `lowest`.
    fn chain(&self, lowest: usize) -> Chain {
        let width = self.servers + 1;
        let mut chain = Chain::new((self.clients + 1 - lowest) * width, width);
        for orbit in lowest..=self.clients {
            for busy in 0..width.min(self.clients - orbit + 1) {
                let here = (orbit - lowest) * width + busy;
                let thinking = self.clients - orbit - busy;
                if busy > 0 {
                    chain.jump(here, here - 1, busy as f64 * self.mu);
                }
                if thinking > 0 {
                    let to = if busy < self.servers { here + 1 } else { here + width };
                    chain.jump(here, to, thinking as f64 * self.calls);
                }
                let retries = orbit as f64 * self.retries;
                if busy < self.servers && orbit > lowest {
                    chain.jump(here, here - width + 1, retries);
                } else if busy < self.servers && orbit > 0 {
                    chain.leave(here, retries);
                }
            }
        }
        chain
    }

    /// What is gained from the repair until it is over, at a rate that depends on the orbit.
    fn until_over(&self, rate: impl Fn(f64) -> f64) -> f64 {
        let (lowest, width) = (self.bound + 1, self.servers + 1);
        let chain = self.chain(lowest);
        let states = (self.clients + 1 - lowest) * width;
        let reward: Vec<f64> = (0..states).map(|s| rate((s / width + lowest) as f64)).collect();
        let gain = chain.gain(&reward);
        let from = |orbit: usize| orbit.checked_sub(lowest).map_or(0.0, |up| gain[up * width]);
        mean(&self.at_repair(), from)
    }

    /// The law of the chain so many seconds after the repair.
    fn after(&self, time: f64) -> Vec<f64> {
        let width = self.servers + 1;
        let mut law = vec![0.0; (self.clients + 1) * width];
        for (orbit, p) in self.at_repair().iter().enumerate() {
            law[orbit * width] = *p;
        }
        self.chain(0).after(&law, time)
    }
}
