//! M/M/c/K in the order of arrival, whose callers stop waiting after a time, unnoticed.

use super::numeric::poisson_law;
use crate::oracle::params::Params;

/// The queue, with the chance to be served in time for every number met on arrival.
pub(super) struct Deadline {
    mu: f64,
    servers: usize,
    places: usize,
    /// P(served within τ) of an attempt that meets 0, 1, … K − 1 others.
    in_time: Vec<f64>,
}

impl Deadline {
    pub(super) fn of(params: &Params) -> Option<Deadline> {
        let mut queue = Deadline::patient(params)?;
        queue.in_time = queue.sojourns(params.num("tau")?);
        Some(queue)
    }

    /// Callers that wait for ever.
    pub(super) fn patient(params: &Params) -> Option<Deadline> {
        let (servers, places) = (params.int("c")? as usize, params.int("K")? as usize);
        let known = servers > 0 && places >= servers;
        let in_time = vec![1.0; places];
        known.then_some(Deadline { mu: params.num("mu")?, servers, places, in_time })
    }

    /// Attempts worked off per second when all are busy.
    pub(super) fn capacity(&self) -> f64 {
        self.mu * self.servers as f64
    }

    /// P(E + S ≤ τ), E the Erlang time of `met` − c + 1 departures at rate cμ, S the service.
    ///
    /// Every event of a Poisson process of rate cμ is a departure until the attempt is in service,
    /// and then its own end with probability 1/c: P is the sum over m > k of
    /// Poisson(cμτ; m) (1 − (1 − 1/c)^(m − k)), whose terms are positive.
    fn sojourns(&self, tau: f64) -> Vec<f64> {
        let mean = self.capacity() * tau;
        let last = self.places + mean as usize + (20.0 * mean.sqrt()) as usize + 100;
        let events = poisson_law(mean, last);
        let stays = libm::log1p(-1.0 / self.servers as f64);
        let ended = |n: usize| -libm::expm1(stays * n as f64);
        let within = |met: usize| -> f64 {
            let k = (met + 1).saturating_sub(self.servers);
            (k + 1..=last).rev().map(|m| events[m] * ended(m - k)).sum()
        };
        (0..self.places).map(within).collect()
    }

    /// The stationary law of the number in the system, x attempts arriving per second.
    fn law(&self, x: f64) -> Vec<f64> {
        // From the top or the bottom, whichever is likelier, so that nothing overflows.
        let mut law = vec![1.0; self.places + 1];
        let ratio = |n: usize| x / (self.mu * n.min(self.servers) as f64);
        if x < self.capacity() {
            (1..=self.places).for_each(|n| law[n] = law[n - 1] * ratio(n));
        } else {
            (0..self.places).rev().for_each(|n| law[n] = law[n + 1] / ratio(n + 1));
        }
        let sum: f64 = law.iter().sum();
        law.iter().map(|p| p / sum).collect()
    }

    /// P(an attempt is served within τ), rejection counted as failure.
    pub(super) fn in_time(&self, x: f64) -> f64 {
        self.law(x).iter().zip(&self.in_time).map(|(p, within)| p * within).sum()
    }

    /// P(an attempt is rejected).
    pub(super) fn full(&self, x: f64) -> f64 {
        self.law(x)[self.places]
    }
}
