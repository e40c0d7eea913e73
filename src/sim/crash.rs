//! How a service falls under its load, gets up again, and slows down under faults.

use super::call::{Phase, Reply};
use super::event::{Class, Event};
use super::world::{Agenda, RetryWorld};
use crate::failure::FailureClass;
use crate::fault;
use crate::metrics::{Outcome, Record, Recorder};
use crate::service::{FULL_SPEED, Limiter, Overload};

impl<R: Recorder> RetryWorld<'_, R> {
    /// Counts an arrival; whether the load fells the service now.
    pub(super) fn falls_by_load(&mut self, service: u16, agenda: &mut Agenda) -> bool {
        let Some(crash) = &self.model.services[service as usize].spec.crash else { return false };
        let server = &mut self.servers[service as usize];
        let Overload::Load(_) = crash.when else { return false };
        let fells = !server.down && server.watch.arrival_fells(crash.when, agenda.now());
        if fells {
            self.crash(service, agenda);
        }
        fells
    }

    /// The service falls: all its work is lost, its callers see their connections reset, and it
    /// is down until it has restarted.
    pub(super) fn crash(&mut self, service: u16, agenda: &mut Agenda) {
        let now = agenda.now();
        let index = service as usize;
        let restart = self.model.services[index]
            .spec
            .crash
            .as_ref()
            .map_or_else(Default::default, |crash| crash.restart);
        let server = &mut self.servers[index];
        server.down = true;
        server.watch.clear();
        server.limiter = Limiter::default();
        let mut lost = server.station.clear(now);
        lost.retain(|id| self.jobs.get(*id).is_some());
        let downstream = self
            .jobs
            .iter()
            .filter(|(_, job)| job.service == service && matches!(job.phase, Phase::Downstream(_)));
        lost.extend(downstream.map(|(id, _)| id));
        self.record(now, Record::Crashed { service });
        self.note_level(service, now);
        self.arm(service, agenda);
        agenda.after(restart, Class::Control.order(0), Event::ServiceRestarts { service });
        let reset = Some(Reply::Failure(FailureClass::Transient));
        for id in lost {
            self.decide(id, Outcome::Lost, reset, agenda);
        }
    }

    /// A crashed service answers again.
    pub(super) fn service_restarts(&mut self, service: u16, agenda: &mut Agenda) {
        self.servers[service as usize].down = false;
        self.record(agenda.now(), Record::Restarted { service });
    }

    /// Faults change the speed of a service.
    pub(super) fn speed_changes(&mut self, service: u16, agenda: &mut Agenda) {
        let now = agenda.now();
        let speed = fault::speed(&self.model.faults, service as usize, now, FULL_SPEED);
        self.servers[service as usize].station.set_speed(speed, now);
        self.arm(service, agenda);
    }
}
