//! Counts by client group and by service.

use std::collections::BTreeMap;
use std::time::Duration;

use super::gauge::Gauge;
use super::latency::Latency;
use super::plan::Plan;
use super::result::{Outcome, ServiceSeries};
use super::spike::Spike;
use crate::time::SimTime;

/// What is counted for a client group.
#[derive(Clone, Debug)]
pub struct GroupTally {
    pub calls: u64,
    pub succeeded: u64,
    pub failed: u64,
    pub attempts: u64,
    /// Attempts sent after the warm-up.
    pub offered: u64,
    /// Calls that succeeded within the objective after the warm-up.
    pub good: u64,
    pub timed_out: u64,
    pub quota_refused: u64,
    /// Caller time spent waiting to retry, of waits that have ended.
    pub held: Duration,
    pub orbit: Gauge,
    pub latency: Latency,
    pub error_latency: Latency,
    /// Ended calls by the attempts they took: of few attempts, and of many.
    few_attempts: [u64; FEW],
    many_attempts: BTreeMap<u32, u64>,
    pub tokens: Tokens,
}

impl GroupTally {
    pub fn new(plan: &Plan) -> GroupTally {
        GroupTally {
            calls: 0,
            succeeded: 0,
            failed: 0,
            attempts: 0,
            offered: 0,
            good: 0,
            timed_out: 0,
            quota_refused: 0,
            held: Duration::ZERO,
            orbit: Gauge::new(plan.warmup),
            latency: Latency::default(),
            error_latency: Latency::default(),
            few_attempts: [0; FEW],
            many_attempts: BTreeMap::new(),
            tokens: Tokens::default(),
        }
    }

    /// Counts a call that has ended by the attempts that it took.
    #[inline]
    pub fn count_attempts(&mut self, attempts: u32) {
        match self.few_attempts.get_mut(attempts as usize) {
            Some(calls) => *calls += 1,
            None => *self.many_attempts.entry(attempts).or_default() += 1,
        }
    }

    /// Ended calls by the attempts they took, rising.
    pub fn by_attempts(&self) -> impl Iterator<Item = (u32, u64)> {
        let few = self.few_attempts.iter().enumerate().filter(|(_, calls)| **calls > 0);
        let few = few.map(|(attempts, calls)| (attempts as u32, *calls));
        few.chain(self.many_attempts.iter().map(|(attempts, calls)| (*attempts, *calls)))
    }
}

/// Calls of fewer attempts than this are counted in an array.
const FEW: usize = 16;

/// Tokens of shared retry budgets, in sum.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tokens {
    /// The sum now.
    pub sum: i64,
    /// The lowest sum so far; `None` before there were any.
    pub lowest: Option<i64>,
}

impl Tokens {
    /// Further budgets are there when the run begins: what is in them is no lowest sum yet.
    pub fn begin(&mut self, tokens: i64) {
        self.sum += tokens;
        self.lowest = Some(self.sum);
    }

    /// The sum changes.
    pub fn add(&mut self, change: i64) {
        self.sum += change;
        self.lowest = Some(self.lowest.map_or(self.sum, |lowest| lowest.min(self.sum)));
    }
}

/// What is counted for a service.
#[derive(Clone, Debug)]
pub struct ServiceTally {
    pub attempts: u64,
    /// Those of them that no client's call of the run stands behind.
    pub inherited: u64,
    pub offered: u64,
    /// Attempts decided, by [`Outcome`].
    pub decided: [u64; Outcome::ALL.len()],
    /// Answers that came too late for their caller; counted as wasted.
    pub came_late: u64,
    pub timed_out: u64,
    pub started: u64,
    pub waited: u64,
    pub wait_sum: u128,
    pub queue: Gauge,
    pub in_system: Gauge,
    pub orbit: Gauge,
    pub spike: Spike,
    pub relapses: u64,
    /// Whether it is down after a crash.
    pub down: bool,
    /// Time of its workers spent waiting for retries downstream.
    pub held_workers: Duration,
    pub series: ServiceSeries,
    /// Attempts by the bin in which the client's call behind them began.
    pub born: Vec<u32>,
}

impl ServiceTally {
    pub fn new(plan: &Plan, service: usize) -> ServiceTally {
        let (name, capacity_per_s) = plan.services[service].clone();
        let bins = plan.bins();
        ServiceTally {
            attempts: 0,
            inherited: 0,
            offered: 0,
            decided: [0; Outcome::ALL.len()],
            came_late: 0,
            timed_out: 0,
            started: 0,
            waited: 0,
            wait_sum: 0,
            queue: Gauge::new(plan.warmup),
            in_system: Gauge::new(plan.warmup),
            orbit: Gauge::new(plan.warmup),
            spike: Spike::new(plan.trigger_end, plan.peak_width, capacity_per_s),
            relapses: 0,
            down: false,
            held_workers: Duration::ZERO,
            series: ServiceSeries {
                name,
                capacity_per_s,
                arrivals: std::array::from_fn(|_| vec![0; bins]),
                queued: Vec::with_capacity(bins),
                down: vec![false; bins],
            },
            born: vec![0; bins],
        }
    }

    /// Counts an attempt by the birth, in this bin, of the client's call behind it, if there is
    /// one.
    #[inline]
    pub fn count_born(&mut self, born: SimTime, bin: usize) {
        if born == SimTime::FOREVER {
            self.inherited += 1;
        } else {
            self.born[bin] += 1;
        }
    }

    /// Attempts decided so.
    pub fn count(&self, outcome: Outcome) -> u64 {
        self.decided[outcome as usize]
    }

    /// Attempts that were worked off, for whomever.
    pub fn served(&self) -> u64 {
        self.count(Outcome::Served) + self.count(Outcome::Wasted)
    }
}

/// Minutes in which the service level objective was kept or missed, by the minute of birth.
#[derive(Clone, Debug, Default)]
pub struct Minutes {
    born: Vec<u64>,
    good: Vec<u64>,
}

impl Minutes {
    /// A call was born.
    pub fn born(&mut self, at: SimTime) {
        *Self::entry(&mut self.born, at) += 1;
    }

    /// A call kept the objective.
    pub fn good(&mut self, born: SimTime) {
        *Self::entry(&mut self.good, born) += 1;
    }

    /// A call is too young to judge.
    pub fn forget(&mut self, born: SimTime) {
        *Self::entry(&mut self.born, born) -= 1;
    }

    /// Minutes in which less than `share` of the calls kept the objective.
    pub fn bad(&self, share: f64) -> u64 {
        let good = |minute: usize| self.good.get(minute).copied().unwrap_or(0);
        let missed = |(minute, born): (usize, &u64)| {
            *born > 0 && (good(minute) as f64) < share * *born as f64
        };
        self.born.iter().enumerate().filter(|entry| missed(*entry)).count() as u64
    }

    fn entry(counts: &mut Vec<u64>, at: SimTime) -> &mut u64 {
        let minute = (at.as_nanos() / (60 * crate::time::NANOS_PER_SEC)) as usize;
        if counts.len() <= minute {
            counts.resize(minute + 1, 0);
        }
        &mut counts[minute]
    }
}
