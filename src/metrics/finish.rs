//! From what happened to the measures of a run.

use std::time::Duration;

use super::collector::Collector;
use super::latency::{FAILURE, Latency, SUCCESS};
use super::names::{Measures, Metric};
use super::recovery::{Course, Twin, drained, recovery};
use super::result::{Distributions, Outcome, Recovery, RunResult};
use super::tally::{GroupTally, ServiceTally};
use crate::stats::{Synchrony, synchrony};
use crate::time::{NANOS_PER_SEC, SimTime, nanos, secs};

/// The least synchronization that is told: below it the retries are as good as independent.
const FAINTEST_RHYTHM: f64 = 0.01;

/// What the world still holds at the horizon.
#[derive(Clone, Debug, Default)]
pub struct Leftover {
    /// Calls of client groups that are open: group, begin, and since when it waits to retry.
    pub calls: Vec<(u16, SimTime, Option<SimTime>)>,
    /// Calls by services that are open.
    pub inner_calls: u64,
    /// Waits to retry with which a worker waits: the service of the worker, and since when.
    pub inner_waits: Vec<(u16, SimTime)>,
    /// Attempts not decided: service, and when it arrived, if it has.
    pub attempts: Vec<(u16, Option<SimTime>)>,
}

impl Collector {
    /// What a later run of the same system under faults is measured against.
    pub fn into_twin(mut self) -> Twin {
        self.close(self.plan.horizon);
        let calls: u64 = self.groups.iter().map(|group| group.calls).sum();
        let succeeded: u64 = self.groups.iter().map(|group| group.succeeded).sum();
        Twin {
            succeeded_share: succeeded as f64 / calls.max(1) as f64,
            succeeded: self.good_series,
            backlog: self.backlog.quantile(0.99),
            crashes: self.crashes.len() as u64,
        }
    }

    /// The measures of the run, which has come to its horizon.
    ///
    /// # Panics
    /// When calls or attempts are not conserved: a bug of the simulator.
    pub fn finish(mut self, leftover: &Leftover, events: u64) -> RunResult {
        self.close(self.plan.horizon);
        self.count_leftover(leftover);
        self.check_conservation(leftover);
        let recovery = self.recovery();
        let end = self.recovered_at(recovery);
        let clients = self.group_measures(leftover);
        let services = self.service_measures(end);
        let overall = self.overall(leftover, recovery, end);
        let peak_service = self.peak_service();
        let distributions = self.distributions();
        let not_within = self.not_within();
        let mut timeline = self.timeline;
        timeline.services = self.services.into_iter().map(|service| service.series).collect();
        RunResult {
            overall,
            clients,
            services,
            peak_service,
            recovery,
            not_within,
            timeline,
            distributions,
            raster: self.marks.map(super::marks::Marks::finish).unwrap_or_default(),
            crashes: self.crashes,
            twin_crashes: self.plan.twin.as_ref().map_or(0, |twin| twin.crashes),
            twin_succeeded: self.plan.twin.as_ref().map(|twin| twin.succeeded_share),
            events,
        }
    }

    fn close(&mut self, horizon: SimTime) {
        self.close_bins(horizon);
        self.close_bin();
    }

    /// Attempts that are not decided belong to the load of the bin in which they arrived; calls
    /// too young for the objective are not judged.
    fn count_leftover(&mut self, leftover: &Leftover) {
        for (holder, since) in &leftover.inner_waits {
            self.services[*holder as usize].held_workers += self.plan.horizon - *since;
        }
        for (service, arrived) in &leftover.attempts {
            let tally = &mut self.services[*service as usize];
            tally.decided[Outcome::Waiting as usize] += 1;
            if let Some(arrived) = arrived {
                let bin = self.plan.bin_of(*arrived);
                tally.series.arrivals[Outcome::Waiting as usize][bin] += 1;
            }
        }
        let Some((longest, _)) = self.plan.slo else { return };
        for (_, began, _) in &leftover.calls {
            if self.plan.horizon - *began < longest {
                self.minutes.forget(*began);
            }
        }
    }

    /// Every call and every attempt is accounted for, in every run.
    fn check_conservation(&self, leftover: &Leftover) {
        for (index, group) in self.groups.iter().enumerate() {
            let open = leftover.calls.iter().filter(|(g, ..)| *g as usize == index).count() as u64;
            let ended = group.succeeded + group.failed;
            assert_eq!(group.calls, ended + open, "calls of group {index} are not conserved");
        }
        let (begun, ended) = self.inner;
        assert_eq!(begun, ended + leftover.inner_calls, "calls by services are not conserved");
        for (index, service) in self.services.iter().enumerate() {
            let decided: u64 = service.decided.iter().sum();
            assert_eq!(service.attempts, decided, "attempts at service {index} are not conserved");
            let served = service.count(Outcome::Served);
            assert!(service.came_late <= served, "more answers came late than were given");
        }
    }

    fn recovery(&self) -> Recovery {
        let (from, horizon) = (self.plan.trigger_end, self.plan.horizon);
        let burst = || match self.plan.burst {
            None => Recovery::NotAsked,
            Some((_, begins)) => drained(self.burst_done.over, from.max(begins), horizon),
        };
        let Some(twin) = &self.plan.twin else { return burst() };
        let course = Course {
            succeeded: &self.good_series,
            initial: self.backlog.initial(),
            backlog: &self.backlog_series,
            above: &self.above_series,
        };
        recovery(&self.plan, twin, course).unwrap_or_else(burst)
    }

    /// The end of the cohort that amplification looks at.
    fn recovered_at(&self, recovery: Recovery) -> SimTime {
        match recovery {
            Recovery::After(took) => self.plan.trigger_end.saturating_add(took),
            Recovery::NotAsked | Recovery::NotWithin(_) => self.plan.horizon,
        }
    }

    fn group_measures(&self, leftover: &Leftover) -> Vec<(String, Measures)> {
        let measure = |(index, group): (usize, &GroupTally)| {
            let mut m = Measures::default();
            let open: Vec<_> =
                leftover.calls.iter().filter(|(g, ..)| *g as usize == index).collect();
            m.set(Metric::Calls, group.calls as f64);
            m.set(Metric::Succeeded, group.succeeded as f64);
            m.set(Metric::Failed, group.failed as f64);
            m.set(Metric::Open, open.len() as f64);
            m.set(Metric::Attempts, group.attempts as f64);
            m.set(Metric::TimedOut, group.timed_out as f64);
            m.set(Metric::AmplificationTotal, group.attempts as f64 / group.calls as f64);
            m.set_some(Metric::GoodputPerS, self.per_second(group.good));
            m.set_some(Metric::OfferedPerS, self.per_second(group.offered));
            group.latency.measure(SUCCESS, &mut m);
            group.error_latency.measure(FAILURE, &mut m);
            m.set_some(Metric::OrbitMean, group.orbit.mean(self.plan.horizon, self.plan.warmup));
            let waits = open.iter().filter_map(|(_, _, since)| *since);
            m.set(Metric::HeldClients, secs(group.held + self.going_on(waits)));
            if group.tokens.lowest.is_some() {
                m.set(Metric::QuotaRefused, group.quota_refused as f64);
            }
            (self.plan.groups[index].0.clone(), m)
        };
        self.groups.iter().enumerate().map(measure).collect()
    }

    /// Time spent in waits that go on at the horizon, by their begins.
    fn going_on(&self, waits: impl Iterator<Item = SimTime>) -> Duration {
        waits.map(|since| self.plan.horizon - since).sum()
    }

    fn per_second(&self, count: u64) -> Option<f64> {
        let span = secs(self.plan.horizon.saturating_since(self.plan.warmup));
        (span > 0.0).then(|| count as f64 / span)
    }

    fn service_measures(&self, end: SimTime) -> Vec<(String, Measures)> {
        let calls = self.cohort(&self.timeline.calls, end);
        let all_calls: u64 = self.groups.iter().map(|group| group.calls).sum();
        let measure = |(index, service): (usize, &ServiceTally)| {
            let mut m = Measures::default();
            self.count_attempts(&[service], &mut m);
            let born = self.cohort(&service.born, end);
            m.set(Metric::Amplification, born as f64 / calls as f64);
            let attempts = service.attempts - service.inherited;
            m.set(Metric::AmplificationTotal, attempts as f64 / all_calls as f64);
            m.set_some(Metric::OfferedPerS, self.per_second(service.offered));
            spike_measures(service, &mut m);
            m.set(Metric::Relapses, service.relapses as f64);
            self.level_measures(&[service], &mut m);
            m.set(Metric::HeldWorkers, secs(service.held_workers));
            (self.plan.services[index].0.clone(), m)
        };
        self.services.iter().enumerate().map(measure).collect()
    }

    fn count_attempts(&self, services: &[&ServiceTally], m: &mut Measures) {
        let sum = |count: fn(&ServiceTally) -> u64| {
            services.iter().map(|service| count(service)).sum::<u64>() as f64
        };
        m.set(Metric::Attempts, sum(|s| s.attempts));
        m.set(Metric::Served, sum(|s| s.served()));
        m.set(Metric::Rejected, sum(|s| s.count(Outcome::Rejected)));
        m.set(Metric::Errored, sum(|s| s.count(Outcome::Errored)));
        m.set(Metric::Lost, sum(|s| s.count(Outcome::Lost)));
        m.set(Metric::Waiting, sum(|s| s.count(Outcome::Waiting)));
        m.set(Metric::TimedOut, sum(|s| s.timed_out));
        m.set(Metric::Wasted, sum(|s| s.count(Outcome::Wasted) + s.came_late));
    }

    fn level_measures(&self, services: &[&ServiceTally], m: &mut Measures) {
        let (end, warmup) = (self.plan.horizon, self.plan.warmup);
        let mean = |gauge: fn(&ServiceTally) -> &super::gauge::Gauge| -> Option<f64> {
            services.iter().map(|service| gauge(service).mean(end, warmup)).sum()
        };
        m.set_some(Metric::InSystemMean, mean(|s| &s.in_system));
        m.set_some(Metric::QueueMean, mean(|s| &s.queue));
        m.set_some(Metric::OrbitMean, mean(|s| &s.orbit));
        let started: u64 = services.iter().map(|s| s.started).sum();
        let waited: u64 = services.iter().map(|s| s.waited).sum();
        let wait: u128 = services.iter().map(|s| s.wait_sum).sum();
        m.set(Metric::WaitMeanMs, wait as f64 / 1e6 / started as f64);
        m.set(Metric::Waited, waited as f64 / started as f64);
    }

    fn overall(&self, leftover: &Leftover, recovery: Recovery, end: SimTime) -> Measures {
        let mut m = Measures::default();
        let services: Vec<&ServiceTally> = self.services.iter().collect();
        let sum = |count: fn(&GroupTally) -> u64| self.groups.iter().map(count).sum::<u64>();
        let calls = sum(|g| g.calls);
        m.set(Metric::Calls, calls as f64);
        m.set(Metric::Succeeded, sum(|g| g.succeeded) as f64);
        m.set(Metric::Failed, sum(|g| g.failed) as f64);
        m.set(Metric::Open, leftover.calls.len() as f64);
        self.count_attempts(&services, &mut m);
        let attempts: u64 = services.iter().map(|s| s.attempts - s.inherited).sum();
        let born: u64 = services.iter().map(|s| self.cohort(&s.born, end)).sum();
        let cohort = self.cohort(&self.timeline.calls, end);
        m.set(Metric::Amplification, born as f64 / cohort as f64);
        m.set(Metric::AmplificationTotal, attempts as f64 / calls as f64);
        m.set_some(Metric::GoodputPerS, self.per_second(sum(|g| g.good)));
        m.set_some(Metric::OfferedPerS, self.per_second(services.iter().map(|s| s.offered).sum()));
        self.level_measures(&services, &mut m);
        spike_measures(&self.services[self.peak_index()], &mut m);
        m.set(Metric::Relapses, services.iter().map(|s| s.relapses).sum::<u64>() as f64);
        self.after_the_fault(recovery, end, &mut m);
        self.user_measures(leftover, &mut m);
        m
    }

    /// Recovery, drain, synchronization.
    fn after_the_fault(&self, recovery: Recovery, end: SimTime, m: &mut Measures) {
        if let Recovery::After(took) = recovery {
            m.set(Metric::RecoveryS, secs(took));
        }
        if let Some((_, begins)) = self.plan.burst {
            let took = |at: SimTime| secs(at.saturating_since(begins));
            m.set_some(Metric::DrainP95S, self.burst_done.p95.map(took));
            m.set_some(Metric::DrainS, self.burst_done.all.map(took));
        }
        m.set_some(Metric::FirstBelowS, self.backlog.first_below().map(secs));
        m.set_some(Metric::FirstAboveS, self.backlog.first_above().map(secs));
        // A rhythm may be significant and yet carry next to none of the retries.
        let rhythm = self.synchrony(end).filter(|rhythm| rhythm.index >= FAINTEST_RHYTHM);
        let Some(Synchrony { index, period_s, half_life_rounds }) = rhythm else { return };
        m.set(Metric::SyncIndex, index);
        m.set(Metric::SyncPeriodS, period_s);
        m.set_some(Metric::HalfLifeRounds, half_life_rounds);
    }

    /// How far the retries between the fault and recovery are in step.
    fn synchrony(&self, end: SimTime) -> Option<Synchrony> {
        let width = self.retries.width;
        let bins = (nanos(end.saturating_since(self.retries.from)) / width) as usize + 1;
        let counts = &self.retries.counts[..bins.min(self.retries.counts.len())];
        synchrony(counts, width as f64 / NANOS_PER_SEC as f64)
    }

    /// What users and callers feel.
    fn user_measures(&self, leftover: &Leftover, m: &mut Measures) {
        let mut latency = Latency::default();
        let mut error_latency = Latency::default();
        for group in &self.groups {
            latency.merge(&group.latency);
            error_latency.merge(&group.error_latency);
        }
        latency.measure(SUCCESS, m);
        error_latency.measure(FAILURE, m);
        if let Some((_, share)) = self.plan.slo {
            m.set(Metric::BadMinutes, self.minutes.bad(share) as f64);
        }
        if self.plan.budgets > 0 || self.tokens.lowest.is_some() {
            let refused: u64 = self.groups.iter().map(|group| group.quota_refused).sum();
            m.set(Metric::QuotaRefused, refused as f64);
            let mean = |sum: i64| sum as f64 / self.plan.budgets as f64;
            m.set_some(Metric::QuotaMin, self.tokens.lowest.map(mean));
            m.set(Metric::QuotaEnd, mean(self.tokens.sum));
        }
        // Summed as whole nanoseconds: floats would depend on the order of the groups.
        let held: Duration = self.groups.iter().map(|group| group.held).sum();
        let waits = leftover.calls.iter().filter_map(|(_, _, since)| *since);
        m.set(Metric::HeldClients, secs(held + self.going_on(waits)));
        let workers: Duration = self.services.iter().map(|service| service.held_workers).sum();
        m.set(Metric::HeldWorkers, secs(workers));
    }

    /// The count of those born from the first fault until `end`, at the borders of bins; of all,
    /// when there is no fault.
    fn cohort(&self, by_birth: &[u32], end: SimTime) -> u64 {
        let Some(start) = self.plan.trigger_start else {
            return by_birth.iter().map(|n| u64::from(*n)).sum();
        };
        let first = self.plan.bin_of(start);
        // A bin that begins at the end is no part of it.
        let mut last = self.plan.bin_of(end);
        if last > first && self.plan.bin_end(last - 1) == end {
            last -= 1;
        }
        by_birth[first..=last].iter().map(|n| u64::from(*n)).sum()
    }

    /// The service whose spike is highest for its capacity.
    fn peak_index(&self) -> usize {
        let height = |service: &ServiceTally| service.spike.over_capacity().unwrap_or(0.0);
        let heights = self.services.iter().map(height).enumerate();
        heights.fold((0, 0.0), |best, next| if next.1 > best.1 { next } else { best }).0
    }

    fn peak_service(&self) -> String {
        self.plan.services[self.peak_index()].0.clone()
    }

    fn distributions(&self) -> Distributions {
        let mut latency = Latency::default();
        let mut error_latency = Latency::default();
        let mut attempts = std::collections::BTreeMap::new();
        for group in &self.groups {
            latency.merge(&group.latency);
            error_latency.merge(&group.error_latency);
            for (number, calls) in group.by_attempts() {
                *attempts.entry(number).or_insert(0) += calls;
            }
        }
        Distributions {
            latency: latency.cells(),
            error_latency: error_latency.cells(),
            attempts: attempts.into_iter().collect(),
        }
    }
}

fn spike_measures(service: &ServiceTally, m: &mut Measures) {
    let peak = service.spike.peak_per_s();
    m.set(Metric::PeakPerS, peak);
    m.set_some(Metric::PeakOverCapacity, service.spike.over_capacity());
    m.set_some(Metric::QueueNeeded, service.spike.queue_needed());
}
