//! How a service falls under its load, gets up again, and slows or breaks down under faults.

use super::call::{Phase, Reply};
use super::event::{Class, Happening};
use super::world::{Agenda, RetryWorld};
use crate::dist::Distribution;
use crate::failure::FailureClass;
use crate::fault::{self, Fault, Kind};
use crate::metrics::{Outcome, Record, Recorder};
use crate::rng::Purpose;
use crate::service::{FULL_SPEED, Limiter, Overload};
use crate::time::SimTime;

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
        agenda.after(
            restart,
            Class::Control.order(0),
            Happening::ServiceRestarts { service }.into(),
        );
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
        let speed =
            fault::speed(&self.model.faults, &self.broken, service as usize, now, FULL_SPEED);
        self.servers[service as usize].station.set_speed(speed, now);
        self.arm(service, agenda);
    }

    /// Schedules the first breakdown of every fault that brings some.
    pub(super) fn expect_breakdowns(&mut self, agenda: &mut Agenda) {
        for index in 0..self.model.faults.len() as u32 {
            self.schedule_breakdown(index, 0, self.model.faults[index as usize].begins, agenda);
        }
    }

    /// A service breaks down, or is repaired; the next such change is scheduled.
    pub(super) fn breaks_or_is_repaired(&mut self, fault: u32, number: u32, agenda: &mut Agenda) {
        self.broken[fault as usize] = number.is_multiple_of(2);
        self.speed_changes(self.model.faults[fault as usize].service as u16, agenda);
        self.schedule_breakdown(fault, number.wrapping_add(1), agenda.now(), agenda);
    }

    /// Schedules change number `number` of a fault, a stretch of time after `from`: no breakdown
    /// begins at the end of the fault or later, and every repair is done by then.
    fn schedule_breakdown(&mut self, fault: u32, number: u32, from: SimTime, agenda: &mut Agenda) {
        let Fault { kind, .. } = &self.model.faults[fault as usize];
        let Kind::Breakdowns { every, repair, .. } = kind else { return };
        let breaks = number.is_multiple_of(2);
        let mut stream = self.seed.stream(Purpose::Breakdown, u64::from(fault), u64::from(number));
        let after = if breaks { every.sample(&mut stream) } else { repair.sample(&mut stream) };
        let (at, ends) = (from.saturating_add(after), self.model.faults[fault as usize].ends());
        if breaks && at >= ends {
            return;
        }
        let event = Happening::BreaksOrIsRepaired { fault, number }.into();
        agenda.at(at.min(ends), Class::Control.order(0), event);
    }
}
