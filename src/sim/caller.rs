//! What a caller does: send, wait, give up waiting, try again, give up.

use super::budgets::Place;
use super::call::{Call, CallMore, Job, JobMore, LayerState, Phase, Reply};
use super::event::{Attempt, Class, Happening, Mark};
use super::facts::ServiceFacts;
use super::table::Id;
use super::waits::Decision;
use super::world::{Agenda, RetryWorld, Site, Wait};
use crate::dist::Distribution;
use crate::failure::FailureClass;
use crate::fault;
use crate::metrics::{Parent, Record, Recorder, Who};
use crate::policy::backoff::Retry;
use crate::policy::{Layer, Scope};
use crate::rng::{Purpose, Stream, combine};
use crate::scenario::Caller;
use crate::time::{SimTime, nanos};
use crate::units::Share;

/// Keeps the keys of shared generators apart from those of calls.
const SHARED: u64 = 0x5348_4152_4544;

impl<'m, R: Recorder> RetryWorld<'m, R> {
    /// Begins a call, whoever makes it, and sends its first attempt.
    pub(super) fn begin_call(&mut self, mut call: Call, mut more: CallMore, agenda: &mut Agenda) {
        let now = agenda.now();
        self.calls_begun = self.calls_begun.wrapping_add(1);
        call.count(self.calls_begun);
        let (who, tie) = (call.who(), call.tie);
        let params = self.callers[who.caller as usize];
        if let Some(deadline) = params.deadline {
            more.deadline = more.deadline.min(now.saturating_add(deadline.after));
            more.propagates |= deadline.propagate;
        }
        let id = self.calls.insert(call);
        self.keep_call(id, more);
        let parent = more.parent.and_then(|job| self.works_for(job, id));
        self.budgets.call_begins(who.caller as usize, params, id.slot);
        self.reset_layers(id, 0, now);
        self.record(now, Record::CallBegan { who, parent });
        if more.deadline < SimTime::FOREVER {
            let event = Happening::DeadlinePasses { call: id }.into();
            agenda.at(more.deadline.max(now), Class::Timeout.order(tie), event);
        }
        self.send(id, agenda);
    }

    /// A call is made for an attempt in flight, if it still is.
    fn works_for(&mut self, job: Id, call: Id) -> Option<Parent> {
        let parent = self.jobs.get(job)?;
        let (by, number) = (parent.who().call, parent.attempt.number);
        self.job_more_mut(job)?.inner = Some(call);
        Some(Parent { call: by, number })
    }

    /// Sends the next attempt of a call.
    pub(super) fn send(&mut self, id: Id, agenda: &mut Agenda) {
        let now = agenda.now();
        self.attempts_sent = self.attempts_sent.wrapping_add(1);
        let mark = self.attempts_sent;
        let call = self.calls.get_mut(id).expect("only an open call sends");
        call.sends(mark, self.jobs.next());
        let number = call.sent;
        let (who, key, tie, began) = (call.who(), call.key, call.tie, call.began);
        let params = self.callers[who.caller as usize];
        let service = params.target as u16;
        let attempt = Attempt { call: id, number };
        let job = self.jobs.insert(Job::new(key, attempt, who, tie, service, now));
        let born = self.send_more(id, job).unwrap_or(began);
        self.record(now, Record::AttemptSent { who, service, number, born });
        if self.facts[service as usize].versioned {
            self.send_read(job, agenda);
        } else {
            self.set_out(job, agenda);
        }
        self.arm_timeout(attempt, mark, params, agenda);
    }

    /// Hands on what is known of a call to an attempt of it; gives when the client's call behind
    /// it began, where that is not known of the call itself.
    #[inline]
    fn send_more(&mut self, id: Id, job: Id) -> Option<SimTime> {
        let more = *self.more.calls.get(id.slot as usize)?;
        let expires = if more.propagates { more.deadline } else { SimTime::FOREVER };
        self.keep_job(job, JobMore::new(more.born, expires));
        Some(more.born)
    }

    /// An attempt sets out for its service.
    pub(super) fn set_out(&mut self, id: Id, agenda: &mut Agenda) {
        let job = self.jobs.get(id).expect("an attempt that sets out is in flight");
        let tie = job.tie;
        let way = self.way_out(job, Purpose::NetworkOut, Purpose::FaultLatency, agenda.now());
        if way.nanos == 0 {
            self.attempt_arrives(id.slot, agenda);
        } else {
            let event = Happening::AttemptArrives { job: id.slot };
            way.schedule(Class::Arrival.order(tie), event, agenda);
        }
    }

    /// Schedules the end of the caller's patience, unless the reply is there already.
    fn arm_timeout(&mut self, attempt: Attempt, mark: u32, params: &Caller, agenda: &mut Agenda) {
        let Some(timeout) = &params.timeout else { return };
        let Some(call) = self.calls.get(attempt.call) else { return };
        if call.awaited() != attempt.number {
            return;
        }
        let number = u64::from(attempt.number);
        let patience = self.draw(timeout, Purpose::Timeout, call.key, number);
        let event = Happening::AttemptTimesOut(Mark { call: attempt.call.slot, mark });
        patience.schedule(Class::Timeout.order(call.tie), event, agenda);
    }

    /// How long a way of an attempt to its service takes, with what faults add to it.
    pub(super) fn way_out(
        &self,
        job: &Job,
        network: Purpose,
        added: Purpose,
        now: SimTime,
    ) -> Wait {
        let (service, key, number) = (job.service as usize, job.key, u64::from(job.attempt.number));
        let ServiceFacts { way, delays, .. } = self.facts[service];
        let way = match way {
            Some(nanos) => Wait { nanos, constant: true },
            None => self.draw(&self.model.services[service].spec.network, network, key, number),
        };
        if !delays {
            return way;
        }
        let faults = fault::of(&self.model.faults, service);
        faults.enumerate().fold(way, |way, (index, fault)| {
            let fault::Kind::Latency { add } = &fault.kind else { return way };
            let level = fault.level(now);
            if level == 0.0 {
                return way;
            }
            let key = combine(key, index as u64);
            let extra = add.sample(&mut self.seed.stream(added, key, number));
            let nanos = way.nanos.saturating_add(nanos(extra.mul_f64(level)));
            Wait { nanos, constant: false }
        })
    }

    /// A reply, to the job in this place, reaches the caller, who may have gone.
    pub(super) fn reply_arrives(&mut self, job: u32, agenda: &mut Agenda) {
        let (id, job) = self.jobs.at_mut(job);
        let (attempt, phase) = (job.attempt, job.phase);
        let (who, service, number, arrived) = (job.who(), job.service, attempt.number, job.arrived);
        self.jobs.remove(id);
        let Phase::Returning(reply) = phase else {
            panic!("a reply arrived to an attempt that is {phase:?}")
        };
        let awaited = self.is_awaited(attempt);
        match reply {
            Reply::Success if awaited => self.succeed(attempt.call, who, agenda),
            Reply::Success => {
                self.record(agenda.now(), Record::CameLate { who, service, number, arrived });
            }
            Reply::Failure(class) if awaited => self.attempt_failed(attempt, class, agenda),
            Reply::Failure(_) => {}
        }
    }

    /// Whether somebody still waits for this attempt.
    #[inline]
    pub(super) fn is_awaited(&self, attempt: Attempt) -> bool {
        self.calls.get(attempt.call).is_some_and(|call| call.awaited() == attempt.number)
    }

    /// The attempt that was sent last when this mark was made, if it still is and `holds` of it.
    #[inline]
    pub(super) fn marked(&self, mark: Mark, holds: impl Fn(&Call) -> bool) -> Option<Attempt> {
        let (id, call) = self.calls.at(mark.call)?;
        let same = call.mark == mark.mark && holds(call);
        same.then_some(Attempt { call: id, number: call.sent })
    }

    /// The caller's patience ends; nothing happens when another attempt is awaited by now.
    pub(super) fn attempt_times_out(&mut self, mark: Mark, agenda: &mut Agenda) {
        if let Some(attempt) = self.marked(mark, |call| call.awaits) {
            self.stop_waiting(attempt, false, agenda);
            self.attempt_failed(attempt, FailureClass::Timeout, agenda);
        }
    }

    /// The caller goes away; a service that looks, or was told the deadline, stops its work.
    fn stop_waiting(&mut self, attempt: Attempt, by_deadline: bool, agenda: &mut Agenda) {
        let id = attempt.call;
        let call = self.calls.get_mut(id).expect("an awaited call is open");
        let job = call.stop_waiting().expect("an awaited attempt is in flight");
        let who = call.who();
        let call = self.calls.get(id).expect("it has just stopped waiting");
        let propagates = self.call_more(id, call).propagates;
        let service = self.callers[who.caller as usize].target as u16;
        let number = attempt.number;
        self.record(agenda.now(), Record::TimedOut { who, service, number });
        // An attempt that was lost is no longer there, and its place may be another's.
        if let Some(id) = self.jobs.at(job).filter(|(_, job)| job.attempt == attempt) {
            self.caller_has_gone(id.0, by_deadline && propagates, agenda);
        }
    }

    /// The call runs out of time: it fails, whatever it is waiting for.
    pub(super) fn deadline_passes(&mut self, id: Id, agenda: &mut Agenda) {
        let Some(call) = self.calls.get(id) else { return };
        if call.awaits {
            let attempt = Attempt { call: id, number: call.sent };
            self.stop_waiting(attempt, true, agenda);
        }
        self.end_backoff(id, agenda);
        self.end_call(id, Some(FailureClass::Timeout), agenda);
    }

    /// An attempt failed: the innermost layer that may retry does; if none may, the call fails.
    pub(super) fn attempt_failed(
        &mut self,
        attempt: Attempt,
        class: FailureClass,
        agenda: &mut Agenda,
    ) {
        let id = attempt.call;
        let call = self.calls.get_mut(id).expect("a failed attempt belongs to an open call");
        call.awaits = false;
        let params: &'m Caller = self.callers[call.who().caller as usize];
        let layers = params.layers.iter().enumerate().rev();
        let mut decision = None;
        for (index, layer) in layers {
            decision = self.layer_retries(id, index, layer, class, agenda.now());
            if decision.is_some() {
                break;
            }
        }
        match decision {
            Some(decision) => self.wait_to_retry(attempt, decision, agenda),
            None => self.end_call(id, Some(class), agenda),
        }
    }

    /// Whether one layer tries again, and after what wait: the class must be retryable, an
    /// attempt must be left, the time must suffice, the caller must not give up, and the budget
    /// must pay, in this order.
    fn layer_retries(
        &mut self,
        id: Id,
        index: usize,
        layer: &Layer,
        class: FailureClass,
        now: SimTime,
    ) -> Option<Decision> {
        let state = self.layers[id.slot as usize * self.stride + index];
        let left = layer.max_attempts.is_none_or(|most| state.attempts < most);
        if !layer.retry_on.contains(class) || !left {
            return None;
        }
        let retry = Retry { number: state.attempts, previous: state.previous() };
        let (key, sent, who) = self.calls.get(id).map(|call| (call.key, call.sent, call.who()))?;
        let stream = combine(key, index as u64);
        let mut rng = match self.callers[who.caller as usize].rng {
            Scope::Call => self.seed.stream(Purpose::Jitter, stream, u64::from(sent)),
            shared => self.shared_jitter(shared, who, index, retry.number),
        };
        let delay = layer.backoff.delay(retry, &mut rng);
        let elapsed = now.saturating_since(state.since).saturating_add(delay);
        if layer.max_elapsed.is_some_and(|most| elapsed > most) {
            return None;
        }
        let patience = || self.seed.stream(Purpose::GiveUp, stream, u64::from(sent)).draw();
        if layer.give_up > Share::NONE && layer.give_up.hits(patience(), 1.0) {
            return None;
        }
        let cost = self.pay(id, index, layer, class, now)?;
        self.layers[id.slot as usize * self.stride + index].retries(delay, cost);
        Some(Decision { layer: index, delay })
    }

    /// The jitter that all calls draw which share a generator: it starts anew with every call, as
    /// where the state of a generator is copied into each (tower's `ExponentialBackoffMaker`).
    fn shared_jitter(&self, scope: Scope, who: Who, layer: usize, number: u32) -> Stream {
        let sharer = combine(u64::from(who.caller), scope.index(who.client, who.call) as u64);
        let stream = combine(combine(SHARED, sharer), layer as u64);
        self.seed.stream(Purpose::Jitter, stream, u64::from(number))
    }

    /// Pays for a retry: `Some(cost)` when it may go ahead, with no cost where there is no budget.
    fn pay(
        &mut self,
        id: Id,
        index: usize,
        layer: &Layer,
        class: FailureClass,
        now: SimTime,
    ) -> Option<Option<u32>> {
        let Some(shared) = &layer.budget else { return Some(None) };
        let (who, number) = self.calls.get(id).map(|call| (call.who(), call.sent))?;
        let place = Place { who, layer: index, slot: id.slot };
        let Some((cost, change)) = self.budgets.pay(shared, place, class) else {
            self.record(now, Record::QuotaRefused { who, number, layer: index as u16 });
            return None;
        };
        self.record(now, Record::Tokens { who, change });
        Some(Some(cost))
    }

    /// The service whose worker waits with a call, if one does.
    pub(super) fn held_by(&self, who: Who) -> Option<u16> {
        match self.sites[who.caller as usize] {
            Site::Group(_) => None,
            Site::Downstream { service, call } => {
                self.model.services[service].calls[call].holds_worker.then_some(service as u16)
            }
        }
    }

    /// The call of `who` succeeds: every layer's budget hears of it.
    #[inline]
    fn succeed(&mut self, id: Id, who: Who, agenda: &mut Agenda) {
        let now = agenda.now();
        let params: &'m Caller = self.callers[who.caller as usize];
        for (index, layer) in params.layers.iter().enumerate() {
            let Some(shared) = &layer.budget else { continue };
            let last_cost = self.layers[id.slot as usize * self.stride + index].last_cost();
            let place = Place { who, layer: index, slot: id.slot };
            let change = self.budgets.reward(shared, place, last_cost);
            self.record(now, Record::Tokens { who, change });
        }
        self.end_call(id, None, agenda);
    }

    /// The call is over: whoever made it hears of it.
    fn end_call(&mut self, id: Id, failure: Option<FailureClass>, agenda: &mut Agenda) {
        let (call, parent) = self.close_call(id, failure, agenda.now());
        match parent {
            None => self.source_hears(&call, agenda),
            Some(job) => self.downstream_ended(job, failure, agenda),
        }
    }

    /// Whoever made the call has gone: it ends, and nobody hears of it.
    pub(super) fn abandon_call(&mut self, id: Id, agenda: &mut Agenda) {
        let Some(call) = self.calls.get(id) else { return };
        if call.awaits {
            let attempt = Attempt { call: id, number: call.sent };
            self.stop_waiting(attempt, false, agenda);
        }
        self.end_backoff(id, agenda);
        self.close_call(id, Some(FailureClass::Timeout), agenda.now());
    }

    /// Takes a call out; gives it and the work that it was made for.
    fn close_call(
        &mut self,
        id: Id,
        failure: Option<FailureClass>,
        now: SimTime,
    ) -> (Call, Option<Id>) {
        let call = self.calls.remove(id).expect("a call ends once");
        let Call { began, sent: attempts, burst, .. } = call;
        let (who, took) = (call.who(), now - began);
        self.record(now, Record::CallEnded { who, failure, began, took, attempts, burst });
        let parent = self.call_more(id, &call).parent;
        (call, parent)
    }

    /// The layers from `first` on begin anew.
    pub(super) fn reset_layers(&mut self, id: Id, first: usize, since: SimTime) {
        let base = id.slot as usize * self.stride;
        if self.layers.len() < base + self.stride {
            self.layers.resize(base + self.stride, LayerState::fresh(since));
        }
        self.layers[base + first..base + self.stride].fill(LayerState::fresh(since));
    }
}
