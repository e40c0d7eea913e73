//! The read before a versioned write, and whether the write comes too late.

use super::call::Phase;
use super::event::{Class, Happening};
use super::table::Id;
use super::world::{Agenda, RetryWorld};
use crate::fault::{self, OutageMode};
use crate::metrics::{Outcome, Recorder};
use crate::rng::Purpose;
use crate::time::SimTime;

impl<R: Recorder> RetryWorld<'_, R> {
    /// An attempt at a service with versions begins: it reads before it writes.
    pub(super) fn send_read(&mut self, id: Id, agenda: &mut Agenda) {
        let job = self.jobs.get_mut(id).expect("an attempt that reads is in flight");
        job.phase = Phase::Reading;
        let job = self.jobs.get(id).expect("an attempt that reads is in flight");
        let tie = job.tie;
        let way = self.way_out(job, Purpose::ReadOut, Purpose::ReadLatency, agenda.now());
        if way.nanos == 0 {
            self.read_arrives(id, agenda);
        } else {
            let event = Happening::ReadArrives { job: id.slot };
            way.schedule(Class::Arrival.order(tie), event, agenda);
        }
    }

    /// A read reaches its service, which answers with the version of that moment.
    ///
    /// A service that is down meets the read as it would meet the write: the attempt has arrived,
    /// and fails or vanishes there.
    ///
    /// Simplifies: a read takes no worker and no time, is not counted as load, passes any limit,
    /// meets no injected error, and is answered while the workers pause.
    pub(super) fn read_arrives(&mut self, id: Id, agenda: &mut Agenda) {
        let now = agenda.now();
        let job = self.jobs.get_mut(id).expect("an attempt that reads is in flight");
        job.arrived = now;
        let (service, key, number) = (job.service, job.key, u64::from(job.attempt.number));
        if self.answers_nobody(service, now) {
            self.attempt_arrives(id.slot, agenda);
            return;
        }
        let version = self.servers[service as usize].version;
        if let Some(more) = self.job_more_mut(id) {
            more.version = Some(version);
        }
        let network = &self.model.services[service as usize].spec.network;
        let way = self.draw(network, Purpose::ReadBack, key, number);
        if way.nanos == 0 {
            self.read_returns(id, agenda);
        } else {
            let event = Happening::ReadReturns { job: id.slot };
            way.schedule(Class::Completion.order(0), event, agenda);
        }
    }

    /// Whether a service turns everybody away.
    fn answers_nobody(&self, service: u16, now: SimTime) -> bool {
        let index = service as usize;
        let outage = fault::outage(&self.model.faults, &self.broken, index, now);
        let shut = matches!(outage, Some(OutageMode::Reject | OutageMode::Blackhole));
        shut || self.servers[index].down
    }

    /// The version reaches the caller, who writes, or has gone and writes no more.
    pub(super) fn read_returns(&mut self, id: Id, agenda: &mut Agenda) {
        let job = self.jobs.get_mut(id).expect("an attempt that reads is in flight");
        let attempt = job.attempt;
        job.phase = Phase::Outbound;
        if self.is_awaited(attempt) {
            self.set_out(id, agenda);
        } else {
            self.decide(id, Outcome::Lost, None, agenda);
        }
    }

    /// The work on an attempt is done: whether it is a write that counts, and not one that has
    /// read a version which somebody else has written over since.
    #[inline]
    pub(super) fn writes(&mut self, id: Id, service: u16) -> bool {
        // Where nothing is kept no service has had versions.
        if self.job_more(id).is_none() {
            return true;
        }
        let version = self.job_more(id).and_then(|more| more.version);
        let current = &mut self.servers[service as usize].version;
        if version.is_some_and(|read| read != *current) {
            return false;
        }
        *current += 1;
        true
    }
}
