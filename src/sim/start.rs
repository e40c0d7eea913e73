//! What a run begins with: full services, what the system has settled to, and retry budgets.

use super::call::{Call, Job, JobMore, Phase, Reply};
use super::event::Attempt;
use super::table::Id;
use super::world::{Agenda, RetryWorld};
use crate::metrics::{Outcome, Parent, Record, Recorder, Who};
use crate::rng::combine;
use crate::time::SimTime;

/// In the place of the key of a call, for attempts that no call stands behind.
const NO_CALL: u64 = u64::MAX;

impl<R: Recorder> RetryWorld<'_, R> {
    /// Time zero has come: what there is by then is told, and what the scenario wants is made.
    pub(super) fn begins(&mut self, agenda: &mut Agenda) {
        let now = self.zero;
        self.recorder.begin();
        if now > SimTime::ZERO {
            self.disown_what_has_ended();
            self.tell_what_is_there(now);
        }
        self.fill_budgets(now);
        for service in 0..self.servers.len() {
            let start = self.model.start;
            let attempts = start.inherited(&self.model.services[service].spec).unwrap_or(0);
            for number in 0..attempts {
                self.inherit(service as u16, number, now);
            }
            if attempts > 0 {
                self.start_queued(service as u16, agenda);
            }
        }
    }

    /// A service has an attempt whose caller has gone.
    fn inherit(&mut self, service: u16, number: u64, now: SimTime) {
        let key = combine(combine(NO_CALL, u64::from(service)), number);
        let attempt = Attempt { call: Id::NOTHING, number: 1 };
        let mut job = Job::new(key, attempt, Who::NOBODY, 0, service, now);
        job.phase = Phase::Queued;
        let id = self.jobs.insert(job);
        self.keep_job(id, JobMore::new(SimTime::FOREVER, SimTime::FOREVER));
        let demand = self.demand(self.jobs.get(id).expect("it was just put there"));
        self.servers[service as usize].station.enqueue(id, demand);
        let (who, born) = (Who::NOBODY, SimTime::FOREVER);
        self.record(now, Record::Inherited { who, service, born });
    }

    /// Makes the shared retry budgets as full as the scenario says, and tells how full they are.
    fn fill_budgets(&mut self, now: SimTime) {
        if let Some(part) = self.model.start.quota {
            self.budgets.fill(&self.callers, part);
        }
        for caller in 0..self.callers.len() {
            let (tokens, budgets) = self.budgets.tokens(caller, self.callers[caller]);
            if budgets > 0 {
                let who = Who { caller: caller as u16, client: 0, call: 0 };
                self.record(now, Record::Tokens { who, change: tokens as i64 });
            }
        }
    }

    /// Attempts whose calls have ended before the run are nobody's, and what is made for them
    /// belongs to no call of the run.
    fn disown_what_has_ended(&mut self) {
        let jobs = self.jobs.iter().filter(|(_, job)| !self.is_for_a_client(job.attempt));
        let jobs: Vec<Id> = jobs.map(|(id, _)| id).collect();
        let for_a_client = |id, call: &Call| {
            let parent = self.call_more(id, call).parent;
            match parent.and_then(|job| self.jobs.get(job)) {
                Some(job) => self.is_for_a_client(job.attempt),
                None => parent.is_none(),
            }
        };
        let calls = self.calls.iter().filter(|(id, call)| !for_a_client(*id, call));
        let calls: Vec<Id> = calls.map(|(id, _)| id).collect();
        self.forget_births(&calls, &jobs);
        for id in jobs {
            let job = self.jobs.get_mut(id).expect("it was just seen");
            if self.calls.get(job.attempt.call).is_none() {
                job.disown();
            }
        }
    }

    /// Whether an open call of a client is behind an attempt, however deep it is.
    fn is_for_a_client(&self, attempt: Attempt) -> bool {
        let mut attempt = attempt;
        while let Some(call) = self.calls.get(attempt.call) {
            let parent = self.call_more(attempt.call, call).parent;
            let Some(parent) = parent else { return true };
            let Some(job) = self.jobs.get(parent) else { return false };
            attempt = job.attempt;
        }
        false
    }

    /// Tells of the calls and attempts that the system has when the run begins, as if they came
    /// then.
    fn tell_what_is_there(&mut self, now: SimTime) {
        for record in self.what_is_there(now) {
            self.record(now, record);
        }
        for service in 0..self.servers.len() as u16 {
            if self.servers[service as usize].down {
                self.record(now, Record::Crashed { service });
            }
            self.note_level(service, now);
        }
    }

    fn what_is_there(&self, now: SimTime) -> Vec<Record> {
        let mut records = Vec::new();
        let (sent, arrived) = (now, now);
        // In the order in which they began: what a call is made for comes before it.
        let mut calls: Vec<_> = self.calls.iter().collect();
        calls.sort_unstable_by_key(|(_, call)| call.who().call);
        for (id, call) in calls {
            let (who, number) = (call.who(), call.awaited());
            let service = self.callers[who.caller as usize].target as u16;
            let more = self.call_more(id, call);
            let parent = more.parent.and_then(|job| self.jobs.get(job));
            let parent =
                parent.map(|job| Parent { call: job.who().call, number: job.attempt.number });
            records.push(Record::CallBegan { who, parent });
            if call.backing_off().is_some() {
                let (number, layer, wait) = (call.sent, None, None);
                records.push(Record::BackoffBegan { who, service, number, layer, wait });
            }
            // Its caller does not know that the attempt is lost.
            let attempt = Attempt { call: id, number };
            let in_flight = call.job().and_then(|job| self.jobs.at(job));
            if number > 0 && in_flight.is_none_or(|(_, job)| job.attempt != attempt) {
                let (outcome, failure) = (Outcome::Lost, None);
                let decided =
                    Record::Decided { who, service, outcome, failure, number, sent, arrived };
                let inherited = Record::Inherited { who, service, born: more.born };
                records.extend([inherited, decided]);
            }
        }
        for (id, job) in self.jobs.iter() {
            let (who, service, number) = (job.who(), job.service, job.attempt.number);
            let born = self.job_more(id).expect("more is kept where a system settles").born;
            records.push(Record::Inherited { who, service, born });
            // An answer that is on its way counts as given when the run begins.
            let Phase::Returning(reply) = job.phase else { continue };
            let outcome = match reply {
                Reply::Success => Outcome::Served,
                Reply::Failure(_) => Outcome::Errored,
            };
            let failure = reply.failure();
            let decided = Record::Decided { who, service, outcome, failure, number, sent, arrived };
            records.push(decided);
        }
        records
    }
}
