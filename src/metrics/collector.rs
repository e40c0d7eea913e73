//! Keeps what happened: counts, series, distributions.

use std::time::Duration;

use super::gauge::Backlog;
use super::marks::Marks;
use super::plan::Plan;
use super::record::{Record, Recorder, Who};
use super::result::{Outcome, Timeline};
use super::retries::Retries;
use super::tally::{GroupTally, Minutes, ServiceTally};
use crate::time::SimTime;

/// What happened in one run so far.
#[derive(Clone, Debug)]
pub struct Collector {
    pub(super) plan: Plan,
    pub(super) groups: Vec<GroupTally>,
    pub(super) services: Vec<ServiceTally>,
    pub(super) timeline: Timeline,
    pub(super) backlog: Backlog,
    /// Backlog at the end of each bin, and nanoseconds above the twin's bound in it.
    pub(super) backlog_series: Vec<u64>,
    pub(super) above_series: Vec<u64>,
    /// Calls that succeeded within the objective, by the moment of success.
    pub(super) good_series: Vec<u32>,
    pub(super) minutes: Minutes,
    pub(super) burst_done: BurstDone,
    pub(super) retries: Retries,
    pub(super) marks: Option<Marks>,
    pub(super) crashes: Vec<(SimTime, usize)>,
    /// Calls that services made: begun, ended.
    pub(super) inner: (u64, u64),
    pub(super) tokens: super::tally::Tokens,
    /// The bin that is being filled.
    bin: usize,
    bin_begins: SimTime,
    bin_ends: SimTime,
    /// How many bins there are.
    series_bins: usize,
}

/// Calls of bursts that have ended, and when 95 % and all of them had succeeded.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BurstDone {
    pub(super) succeeded: u64,
    pub(super) ended: u64,
    /// When all had ended, well or not.
    pub(super) over: Option<SimTime>,
    pub(super) p95: Option<SimTime>,
    pub(super) all: Option<SimTime>,
}

impl Collector {
    /// Nothing has happened yet.
    pub fn new(plan: Plan) -> Collector {
        let bins = plan.bins();
        let bound = plan.twin.as_ref().map(|twin| twin.backlog);
        let below = Some((plan.trigger_end, plan.first_below));
        let above = plan.first_above.map(|bound| (plan.trigger_end, bound));
        let marks = plan.raster.then(|| plan.groups.first()).flatten();
        let timeline = Timeline {
            bin: plan.bin,
            services: Vec::new(),
            calls: vec![0; bins],
            succeeded: vec![0; bins],
            failed: vec![0; bins],
            refused: vec![0; bins],
            orbit: Vec::with_capacity(bins),
            quota: Vec::new(),
        };
        Collector {
            groups: plan.groups.iter().map(|_| GroupTally::new(&plan)).collect(),
            services: (0..plan.services.len()).map(|s| ServiceTally::new(&plan, s)).collect(),
            timeline,
            backlog: Backlog::new(plan.warmup, bound, below, above),
            backlog_series: Vec::with_capacity(bins),
            above_series: Vec::with_capacity(bins),
            good_series: vec![0; bins],
            minutes: Minutes::default(),
            burst_done: BurstDone::default(),
            retries: Retries::new(&plan),
            marks: marks.map(|(name, clients)| Marks::new(name, *clients)),
            crashes: Vec::new(),
            inner: (0, 0),
            tokens: Default::default(),
            bin: 0,
            bin_begins: SimTime::ZERO,
            bin_ends: plan.bin_end(0),
            series_bins: bins,
            plan,
        }
    }

    /// Closes every bin that has ended by `now`.
    #[cold]
    #[inline(never)]
    pub(super) fn close_bins(&mut self, now: SimTime) {
        while now >= self.bin_ends && self.bin + 1 < self.plan.bins() {
            self.close_bin();
            self.bin += 1;
            self.bin_begins = self.bin_ends;
            self.bin_ends = self.plan.bin_end(self.bin);
        }
    }

    /// Notes the state at the end of the current bin.
    pub(super) fn close_bin(&mut self) {
        self.backlog.advance(self.bin_ends);
        self.backlog_series.push(self.backlog.value());
        self.above_series.push(self.backlog.take_above());
        let orbit: u64 = self.services.iter().map(|service| service.orbit.value).sum();
        self.timeline.orbit.push(clip(orbit));
        if self.plan.budgets > 0 {
            self.timeline.quota.push((self.tokens.sum as f64 / self.plan.budgets as f64) as f32);
        }
        for service in &mut self.services {
            service.series.queued.push(clip(service.queue.value));
            service.series.down[self.bin] |= service.down;
        }
    }

    /// The bin of a moment up to now: mostly the one that is being filled.
    #[inline]
    fn bin_of(&self, time: SimTime) -> usize {
        if time >= self.bin_begins && time < self.bin_ends {
            self.bin
        } else {
            self.plan.bin_of(time)
        }
    }

    /// Whether a caller is a client group (otherwise a service calls another).
    fn is_group(&self, who: Who) -> bool {
        (who.caller as usize) < self.groups.len()
    }

    fn call_began(&mut self, now: SimTime, who: Who) {
        if !self.is_group(who) {
            self.inner.0 += 1;
            return;
        }
        self.groups[who.caller as usize].calls += 1;
        self.timeline.calls[self.bin] += 1;
        if self.plan.slo.is_some() {
            self.minutes.born(now);
        }
    }

    fn attempt_sent(&mut self, now: SimTime, who: Who, service: u16, number: u32, born: SimTime) {
        let offered = u64::from(now >= self.plan.warmup);
        let bin = self.bin_of(born);
        let service = &mut self.services[service as usize];
        service.attempts += 1;
        service.offered += offered;
        service.count_born(born, bin);
        if let Some(group) = self.groups.get_mut(who.caller as usize) {
            group.attempts += 1;
            group.offered += offered;
        }
        if number > 1 {
            self.retries.add(now);
        }
    }

    fn inherited(&mut self, who: Who, service: u16, born: SimTime) {
        let bin = self.bin_of(born);
        let service = &mut self.services[service as usize];
        service.attempts += 1;
        service.count_born(born, bin);
        if let Some(group) = self.groups.get_mut(who.caller as usize) {
            group.attempts += 1;
        }
    }

    fn decided(&mut self, record: Record) {
        let Record::Decided { who, service, outcome, sent, arrived, .. } = record else { return };
        let bin = self.bin_of(arrived);
        let service = &mut self.services[service as usize];
        service.decided[outcome as usize] += 1;
        if is_load(who, arrived) {
            service.series.arrivals[outcome as usize][bin] += 1;
        }
        if who.caller == 0
            && let Some(marks) = &mut self.marks
        {
            marks.add(who.client, sent, outcome);
        }
    }

    fn came_late(&mut self, who: Who, service: u16, arrived: SimTime) {
        let bin = self.plan.bin_of(arrived);
        let service = &mut self.services[service as usize];
        service.came_late += 1;
        if !is_load(who, arrived) {
            return;
        }
        service.series.arrivals[Outcome::Served as usize][bin] -= 1;
        service.series.arrivals[Outcome::Wasted as usize][bin] += 1;
    }

    fn started(&mut self, now: SimTime, service: u16, waited: Duration) {
        if now < self.plan.warmup {
            return;
        }
        let service = &mut self.services[service as usize];
        service.started += 1;
        service.waited += u64::from(!waited.is_zero());
        service.wait_sum += waited.as_nanos();
    }

    fn level(&mut self, now: SimTime, service: u16, queued: u32, in_system: u32) {
        let service = &mut self.services[service as usize];
        let change = i64::from(queued) - service.queue.value as i64;
        service.queue.set(u64::from(queued), now);
        service.in_system.set(u64::from(in_system), now);
        if change != 0 {
            self.backlog.add(change, now);
        }
    }

    fn backoff_began(&mut self, now: SimTime, who: Who, service: u16) {
        self.services[service as usize].orbit.up(now);
        self.backlog.add(1, now);
        if let Some(group) = self.groups.get_mut(who.caller as usize) {
            group.orbit.up(now);
        }
    }

    fn backoff_ended(&mut self, now: SimTime, record: Record) {
        let Record::BackoffEnded { who, service, waited, held_worker } = record else { return };
        let tally = &mut self.services[service as usize];
        tally.orbit.down(now);
        if let Some(holder) = held_worker {
            self.services[holder as usize].held_workers += waited;
        }
        self.backlog.add(-1, now);
        if let Some(group) = self.groups.get_mut(who.caller as usize) {
            group.orbit.down(now);
            group.held += waited;
        }
    }

    fn tokens(&mut self, now: SimTime, who: Who, change: i64) {
        // At the start each kind of caller tells of its budgets in turn, and no call is meant.
        if now == SimTime::ZERO && who.call == 0 {
            self.tokens.begin(change);
        } else {
            self.tokens.add(change);
        }
        if let Some(group) = self.groups.get_mut(who.caller as usize) {
            group.tokens.add(change);
        }
    }

    fn call_ended(&mut self, now: SimTime, record: Record) {
        let Record::CallEnded { who, failure, began, took, attempts, burst } = record else {
            return;
        };
        if !self.is_group(who) {
            self.inner.1 += 1;
            return;
        }
        if burst {
            self.burst_ended(now, failure.is_none());
        }
        let counts = began >= self.plan.warmup;
        let group = &mut self.groups[who.caller as usize];
        group.count_attempts(attempts);
        if failure.is_some() {
            group.failed += 1;
            self.timeline.failed[self.bin] += 1;
            if counts {
                group.error_latency.count(took);
            }
            return;
        }
        group.succeeded += 1;
        self.timeline.succeeded[self.bin] += 1;
        let good = self.plan.slo.is_none_or(|(longest, _)| took <= longest);
        group.good += u64::from(good && now >= self.plan.warmup);
        if counts {
            group.latency.count(took);
        }
        if good {
            self.good_series[self.bin] += 1;
        }
        if good && self.plan.slo.is_some() {
            self.minutes.good(began);
        }
    }

    fn burst_ended(&mut self, now: SimTime, succeeded: bool) {
        let Some((calls, _)) = self.plan.burst else { return };
        let done = &mut self.burst_done;
        done.ended += 1;
        if done.ended == calls {
            done.over = Some(now);
        }
        if !succeeded {
            return;
        }
        done.succeeded += 1;
        if done.p95.is_none() && done.succeeded * 20 >= calls * 19 {
            done.p95 = Some(now);
        }
        if done.succeeded == calls {
            done.all = Some(now);
        }
    }

    fn crashed(&mut self, now: SimTime, service: u16) {
        let tally = &mut self.services[service as usize];
        tally.down = true;
        tally.series.down[self.bin] = true;
        tally.relapses += u64::from(now >= self.plan.trigger_end);
        self.crashes.push((now, service as usize));
    }
}

impl Recorder for Collector {
    // Where something is recorded its kind is known: inlined, only the arm of that kind is left.
    #[inline(always)]
    fn record(&mut self, now: SimTime, record: Record) {
        if now >= self.bin_ends && self.bin + 1 < self.series_bins {
            self.close_bins(now);
        }
        match record {
            Record::CallBegan { who, .. } => self.call_began(now, who),
            Record::AttemptSent { who, service, number, born } => {
                self.attempt_sent(now, who, service, number, born);
            }
            Record::Arrived { service, .. } => self.services[service as usize].spike.arrive(now),
            Record::Inherited { who, service, born } => self.inherited(who, service, born),
            Record::Accepted { .. } => {}
            Record::Started { service, waited, .. } => self.started(now, service, waited),
            Record::Level { service, queued, in_system } => {
                self.level(now, service, queued, in_system);
            }
            Record::Decided { .. } => self.decided(record),
            Record::TimedOut { who, service, .. } => {
                self.services[service as usize].timed_out += 1;
                if let Some(group) = self.groups.get_mut(who.caller as usize) {
                    group.timed_out += 1;
                }
            }
            Record::CameLate { who, service, arrived, .. } => {
                self.came_late(who, service, arrived);
            }
            Record::BackoffBegan { who, service, .. } => self.backoff_began(now, who, service),
            Record::BackoffEnded { .. } => self.backoff_ended(now, record),
            Record::QuotaRefused { who, .. } => {
                self.timeline.refused[self.bin] += 1;
                if let Some(group) = self.groups.get_mut(who.caller as usize) {
                    group.quota_refused += 1;
                }
            }
            Record::Tokens { who, change } => self.tokens(now, who, change),
            Record::CallEnded { .. } => self.call_ended(now, record),
            Record::Capacity { service, capacity_per_s } => {
                self.services[service as usize].spike.set_capacity(capacity_per_s, now);
            }
            Record::Crashed { service } => self.crashed(now, service),
            Record::Restarted { service } => self.services[service as usize].down = false,
        }
    }
}

/// Whether an attempt has arrived in the run: as load, what a service begins with would be a spike
/// at time zero.
fn is_load(who: Who, arrived: SimTime) -> bool {
    who != Who::NOBODY || arrived > SimTime::ZERO
}

/// A count in a series, which holds four bytes a bin.
fn clip(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
