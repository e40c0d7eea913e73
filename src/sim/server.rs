//! What a service does: let in or refuse, work, call others, answer, fall and get up.

use std::time::Duration;

use super::call::{Call, CallMore, Job, Phase, Reply};
use super::event::{Class, Happening};
use super::table::Id;
use super::world::{Agenda, RetryWorld, Wait};
use crate::failure::FailureClass;
use crate::fault::{self, OutageMode};
use crate::metrics::{Outcome, Record, Recorder, Who};
use crate::rng::{Purpose, combine};
use crate::service::{Limiter, Refusal, StaleWork, Station, Watch};
use crate::time::{SimTime, nanos};

/// The state of a service.
#[derive(Debug)]
pub struct Server {
    /// Workers and queue.
    pub station: Station<Id>,
    pub(super) limiter: Limiter,
    pub(super) watch: Watch,
    /// Whether it is down after a crash.
    pub(super) down: bool,
    /// Writes done so far: the version that a read sees.
    pub(super) version: u64,
    /// When it wakes next.
    pub(super) armed: Option<SimTime>,
}

/// What a service says to an attempt at the door.
enum Door {
    /// Come in.
    Open,
    /// An error.
    Fails(FailureClass),
    /// Too much load.
    Refuses(Refusal),
    /// Nothing: the attempt vanishes.
    Silent,
}

impl<R: Recorder> RetryWorld<'_, R> {
    /// An attempt, in flight as the job in this place, reaches its service.
    pub(super) fn attempt_arrives(&mut self, job: u32, agenda: &mut Agenda) {
        let now = agenda.now();
        let (id, job) = self.jobs.at_mut(job);
        job.arrived = now;
        let job = *job;
        let (who, service, number) = (job.who(), job.service, job.attempt.number);
        self.record(now, Record::Arrived { who, service, number });
        let looks = self.facts[service as usize].looks;
        if self.is_expired(id, &job, now) || (looks && !self.is_awaited(job.attempt)) {
            self.decide(id, Outcome::Lost, None, agenda);
            return;
        }
        match self.door(&job, agenda) {
            Door::Open => self.let_in(id, &job, agenda),
            Door::Fails(class) => {
                self.decide(id, Outcome::Errored, Some(Reply::Failure(class)), agenda);
            }
            Door::Refuses(refusal) => {
                self.decide(id, Outcome::Rejected, refusal_reply(refusal), agenda);
            }
            Door::Silent => self.decide(id, Outcome::Lost, None, agenda),
        }
    }

    /// What the attempt meets at the door: an outage, a crashed service, an error, a limit, a
    /// full queue, in this order.
    #[inline]
    fn door(&mut self, job: &Job, agenda: &mut Agenda) -> Door {
        let now = agenda.now();
        let index = job.service as usize;
        let facts = self.facts[index];
        if facts.outages {
            match fault::outage(&self.model.faults, &self.broken, index, now) {
                Some(OutageMode::Reject) => return Door::Fails(FailureClass::Transient),
                Some(OutageMode::Blackhole) => return Door::Silent,
                Some(OutageMode::Pause) | None => {}
            }
        }
        if facts.crashes && self.falls_by_load(job.service, agenda) || self.servers[index].down {
            return Door::Fails(FailureClass::Transient);
        }
        if facts.errors
            && let Some(class) = self.injected_error(job, now)
        {
            return Door::Fails(class);
        }
        if facts.limited
            && let Some(refusal) = self.limit(index, now)
        {
            return Door::Refuses(refusal);
        }
        let spec = &self.model.services[index].spec;
        if self.servers[index].station.is_full(spec.queue_capacity) {
            return Door::Refuses(spec.on_full);
        }
        Door::Open
    }

    /// What a service with a limit says to one more attempt; `None` lets it in.
    fn limit(&mut self, service: usize, now: SimTime) -> Option<Refusal> {
        let limit = self.model.services[service].spec.limit.as_ref()?;
        let admitted =
            self.servers[service].limiter.admit(limit, aligned(now, self.zero, limit.per));
        (!admitted).then_some(limit.on_excess)
    }

    /// Whether a fault answers this attempt with an error.
    fn injected_error(&self, job: &Job, now: SimTime) -> Option<FailureClass> {
        let faults = fault::of(&self.model.faults, job.service as usize).enumerate();
        faults.into_iter().find_map(|(index, fault)| {
            let fault::Kind::Errors { class, share } = fault.kind else { return None };
            let level = fault.level(now);
            let draw = || {
                let key = combine(job.key, index as u64);
                self.seed.stream(Purpose::Fault, key, u64::from(job.attempt.number)).draw()
            };
            (level > 0.0 && share.hits(draw(), level)).then_some(class)
        })
    }

    /// The work of an attempt, in nanoseconds: drawn only now, as most attempts of a storm never
    /// get so far.
    #[inline]
    pub(super) fn demand(&self, job: &Job) -> u64 {
        let service_time = &self.model.services[job.service as usize].spec.service_time;
        let number = u64::from(job.attempt.number);
        self.draw(service_time, Purpose::Demand, job.key, number).nanos
    }

    /// An attempt is let in: it is worked on, or it waits.
    #[inline]
    fn let_in(&mut self, id: Id, job: &Job, agenda: &mut Agenda) {
        let now = agenda.now();
        let service = job.service;
        let index = service as usize;
        let demand = self.demand(job);
        let (who, number) = (job.who(), job.attempt.number);
        self.record(now, Record::Accepted { who, service, number });
        if self.servers[index].station.is_open() {
            self.start_work(id, demand, now);
            self.note_level(service, now);
            self.arm(service, agenda);
        } else {
            self.set_phase(id, Phase::Queued);
            self.servers[index].station.enqueue(id, demand);
            // Of those that wait before it some may have been cancelled.
            self.start_queued(service, agenda);
        }
        if let Some(crash) = &self.model.services[index].spec.crash
            && Watch::queue_fells(crash.when, self.servers[index].station.queued())
        {
            self.crash(service, agenda);
        }
    }

    /// Gives free workers what waits for them, and sees to the next wake.
    pub(super) fn start_queued(&mut self, service: u16, agenda: &mut Agenda) {
        let now = agenda.now();
        let index = service as usize;
        while self.servers[index].station.has_free_worker() {
            let jobs = &self.jobs;
            let next = self.servers[index].station.dequeue(|job| jobs.get(job).is_some());
            let Some((id, demand)) = next else { break };
            let job = *self.jobs.get(id).expect("a queued job is in flight");
            if self.is_expired(id, &job, now) {
                self.decide(id, Outcome::Lost, None, agenda);
                continue;
            }
            self.start_work(id, demand, now);
        }
        self.note_level(service, now);
        self.arm(service, agenda);
    }

    /// A worker begins.
    #[inline]
    fn start_work(&mut self, id: Id, demand: u64, now: SimTime) {
        let (_, job) = self.jobs.at_mut(id.slot);
        job.phase = Phase::Running;
        let (service, number, waited) = (job.service, job.attempt.number, now - job.arrived);
        let who = job.who();
        self.servers[service as usize].station.start(id, demand, now);
        self.record(now, Record::Started { who, service, number, waited });
    }

    /// Whether nobody can want this work any more, as the service knows.
    #[inline]
    fn is_expired(&self, id: Id, job: &Job, now: SimTime) -> bool {
        let Some(more) = self.job_more(id) else { return false };
        more.expires <= now && !self.is_awaited(job.attempt)
    }

    /// The caller of an attempt has gone: the work goes too, if the service looks for that or
    /// was `told` the deadline that has passed.
    pub(super) fn caller_has_gone(&mut self, id: Id, told: bool, agenda: &mut Agenda) {
        let Some(job) = self.jobs.get(id) else { return };
        let (service, phase) = (job.service, job.phase);
        let goes = match self.model.services[service as usize].spec.stale_work {
            StaleWork::Served => told,
            StaleWork::Dropped => true,
            StaleWork::DroppedQueued => told || phase == Phase::Queued,
        };
        if !goes {
            return;
        }
        let station = &mut self.servers[service as usize].station;
        match phase {
            // It is met at the door, or when its read comes back, and there is nothing left to
            // stop on the way back.
            Phase::Reading | Phase::Outbound | Phase::Returning(_) => return,
            Phase::Queued => station.cancel_queued(),
            Phase::Running => station.cancel_running(id, agenda.now()),
            Phase::Downstream(_) => {
                if self.model.services[service as usize].calls[0].holds_worker {
                    station.release();
                }
            }
        }
        self.decide(id, Outcome::Lost, None, agenda);
        self.start_queued(service, agenda);
    }

    fn set_phase(&mut self, id: Id, phase: Phase) {
        self.jobs.get_mut(id).expect("an attempt in flight has a phase").phase = phase;
    }

    #[inline]
    pub(super) fn note_level(&mut self, service: u16, now: SimTime) {
        let station = &self.servers[service as usize].station;
        let (queued, in_system) = (station.queued() as u32, station.in_system() as u32);
        self.record(now, Record::Level { service, queued, in_system });
    }

    /// Sees to it that the service wakes when its next work is done.
    #[inline]
    pub(super) fn arm(&mut self, service: u16, agenda: &mut Agenda) {
        let server = &mut self.servers[service as usize];
        let next = server.station.next_completion();
        if next == server.armed {
            return;
        }
        server.armed = next;
        let alarm = u32::from(service);
        let event = Happening::ServiceWakes { service }.into();
        match next {
            Some(time) => agenda.set_alarm(alarm, time, Class::Completion.order(0), event),
            None => agenda.clear_alarm(alarm),
        }
    }

    /// A service looks whether work is done.
    pub(super) fn service_wakes(&mut self, service: u16, agenda: &mut Agenda) {
        let server = &mut self.servers[service as usize];
        server.armed = None;
        if let Some(id) = server.station.complete(agenda.now()) {
            self.work_is_done(id, service, agenda);
        }
        self.start_queued(service, agenda);
    }

    /// The service's own work on an attempt is done: it calls others, or answers.
    #[inline]
    fn work_is_done(&mut self, id: Id, service: u16, agenda: &mut Agenda) {
        if !self.writes(id, service) {
            let conflict = Reply::Failure(FailureClass::Transient);
            self.decide(id, Outcome::Errored, Some(conflict), agenda);
            return;
        }
        if !self.facts[service as usize].calls {
            self.answer(id, agenda);
            return;
        }
        if self.model.services[service as usize].calls[0].holds_worker {
            self.servers[service as usize].station.hold();
        }
        self.call_downstream(id, service, 0, agenda);
    }

    /// The service makes its call number `number` for an attempt.
    fn call_downstream(&mut self, id: Id, service: u16, number: u16, agenda: &mut Agenda) {
        let now = agenda.now();
        self.set_phase(id, Phase::Downstream(number));
        let job = self.jobs.get(id).expect("the job is under way");
        let key = combine(job.key, u64::from(number) + 1);
        let key = combine(key, u64::from(job.attempt.number));
        let more = self.job_more(id).expect("more is kept where services call services");
        let propagates = more.expires < SimTime::FOREVER;
        let more =
            CallMore { born: more.born, deadline: more.expires, propagates, parent: Some(id) };
        let caller = self.first_downstream[service as usize] + number as usize;
        // It gets its number when it begins.
        let who = Who { caller: caller as u16, client: 0, call: 0 };
        self.begin_call(Call::new(key, who, job.tie, now), more, agenda);
    }

    /// A call downstream has ended: the next one is made, or the service answers.
    pub(super) fn downstream_ended(
        &mut self,
        id: Id,
        failure: Option<FailureClass>,
        agenda: &mut Agenda,
    ) {
        // The work may be gone: a crash throws it away.
        let Some(job) = self.jobs.get(id) else { return };
        let Phase::Downstream(number) = job.phase else { return };
        let service = job.service;
        let calls = &self.model.services[service as usize].calls;
        let next = number + 1;
        if failure.is_none() && (next as usize) < calls.len() {
            self.call_downstream(id, service, next, agenda);
            return;
        }
        if calls[0].holds_worker {
            self.servers[service as usize].station.release();
        }
        match failure {
            None => self.answer(id, agenda),
            Some(_) => {
                let reply = Reply::Failure(FailureClass::Transient);
                self.decide(id, Outcome::Errored, Some(reply), agenda);
            }
        }
        self.start_queued(service, agenda);
    }

    /// An attempt is served: the answer goes to its caller, if somebody waits for it.
    fn answer(&mut self, id: Id, agenda: &mut Agenda) {
        let attempt = self.jobs.get(id).expect("served work is in flight").attempt;
        if self.is_awaited(attempt) {
            self.decide(id, Outcome::Served, Some(Reply::Success), agenda);
        } else {
            self.decide(id, Outcome::Wasted, None, agenda);
        }
    }

    /// What becomes of an attempt is decided; the reply, if any, sets out.
    pub(super) fn decide(
        &mut self,
        id: Id,
        outcome: Outcome,
        reply: Option<Reply>,
        agenda: &mut Agenda,
    ) {
        let now = agenda.now();
        if let Some(call) = self.job_more_mut(id).and_then(|more| more.inner.take()) {
            self.abandon_call(call, agenda);
        }
        let (_, job) = self.jobs.at_mut(id.slot);
        let (key, who, service, number) = (job.key, job.who(), job.service, job.attempt.number);
        let (sent, arrived) = (job.sent, job.arrived);
        let failure = reply.and_then(Reply::failure);
        match reply {
            Some(reply) => job.phase = Phase::Returning(reply),
            None => _ = self.jobs.remove(id),
        }
        self.record(now, Record::Decided { who, service, outcome, failure, number, sent, arrived });
        if reply.is_none() {
            return;
        }
        let way = match self.facts[service as usize].way {
            Some(nanos) => Wait { nanos, constant: true },
            None => {
                let network = &self.model.services[service as usize].spec.network;
                self.draw(network, Purpose::NetworkBack, key, u64::from(number))
            }
        };
        if way.nanos == 0 {
            self.reply_arrives(id.slot, agenda);
        } else {
            let event = Happening::ReplyArrives { job: id.slot };
            way.schedule(Class::Completion.order(0), event, agenda);
        }
    }
}

/// The time on a clock on which windows of this length begin at `zero`.
fn aligned(now: SimTime, zero: SimTime, per: Duration) -> SimTime {
    let per = nanos(per).max(1);
    now.saturating_add(Duration::from_nanos((per - zero.as_nanos() % per) % per))
}

/// What a refused caller hears.
fn refusal_reply(refusal: Refusal) -> Option<Reply> {
    match refusal {
        Refusal::Unavailable => Some(Reply::Failure(FailureClass::Transient)),
        Refusal::TooManyRequests => Some(Reply::Failure(FailureClass::Throttling)),
        Refusal::Drop => None,
    }
}
