//! The retry world: client groups, services and the calls between them.

use super::budgets::Budgets;
use super::call::{Call, Job, LayerState};
use super::event::{Event, Happening};
use super::facts::{LoadFacts, ServiceFacts};
use super::more::More;
use super::rebased::Rebased;
use super::server::Server;
use super::source::Source;
use super::table::Table;
use super::waits::RetryQueues;
use crate::dist::Dist;
use crate::engine::{Order, Schedule, World};
use crate::metrics::{Record, Recorder, Who};
use crate::rng::{Purpose, Seed};
use crate::scenario::{Action, Caller, Model};
use crate::time::{SimTime, nanos};

/// Events to come.
pub type Agenda = Schedule<Event>;

/// Something that takes a time drawn from a distribution.
#[derive(Clone, Copy, Debug)]
pub struct Wait {
    /// How long it takes, in nanoseconds.
    pub nanos: u64,
    /// Whether it takes the same time whenever it happens.
    pub constant: bool,
}

impl Wait {
    /// Schedules what happens after it.
    #[inline(always)]
    pub fn schedule(self, order: Order, happening: Happening, agenda: &mut Agenda) {
        if self.constant {
            agenda.after_constant(self.nanos, order, happening.into());
        } else {
            agenda.at(agenda.now().after(self.nanos), order, happening.into());
        }
    }
}

/// Who calls whom: a kind of caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// The clients of a group.
    Group(usize),
    /// A service, by its call number so and so.
    Downstream {
        /// The service that calls.
        service: usize,
        /// Which of its calls.
        call: usize,
    },
}

/// The state of a run.
#[derive(Debug)]
pub struct RetryWorld<'m, R> {
    /// The system as it is now.
    pub(super) model: &'m Model,
    /// What operators will change.
    pub(super) actions: &'m [Action],
    pub(super) seed: Seed,
    /// Time zero of the scenario: later than the beginning where the system settles first.
    pub(super) zero: SimTime,
    /// All kinds of callers: the groups first.
    pub(super) sites: Vec<Site>,
    /// Their parameters now, in the same order.
    pub(super) callers: Vec<&'m Caller>,
    /// The first caller of each service in `sites`.
    pub(super) first_downstream: Vec<usize>,
    pub(super) sources: Vec<Source>,
    pub(super) calls: Table<Call>,
    /// Calls begun so far, those of services included.
    pub(super) calls_begun: u32,
    /// What is asked of each service with every attempt.
    pub(super) facts: Vec<ServiceFacts>,
    /// What only some calls and attempts have.
    pub(super) more: More,
    /// Attempts sent so far, which may begin again at zero.
    pub(super) attempts_sent: u32,
    /// The states of the layers of call `slot`, from `slot × stride` on.
    pub(super) layers: Vec<LayerState>,
    pub(super) stride: usize,
    pub(super) jobs: Table<Job>,
    pub(super) budgets: Budgets,
    pub(super) retry_queues: RetryQueues,
    pub(super) servers: Vec<Server>,
    /// Of each fault of the model, whether it is a breakdown that is not yet repaired.
    pub(super) broken: Vec<bool>,
    pub(super) recorder: Rebased<R>,
}

impl<R: Recorder> World for RetryWorld<'_, R> {
    type Event = Event;

    #[inline]
    fn handle(&mut self, event: Event, agenda: &mut Agenda) {
        match Happening::from(event) {
            Happening::CallBegins { source, member } => self.client_calls(source, member, agenda),
            Happening::AttemptArrives { job } => self.attempt_arrives(job, agenda),
            Happening::ReadArrives { job } => self.read_arrives(self.jobs.id(job), agenda),
            Happening::ReadReturns { job } => self.read_returns(self.jobs.id(job), agenda),
            Happening::ServiceWakes { service } => self.service_wakes(service, agenda),
            Happening::ReplyArrives { job } => self.reply_arrives(job, agenda),
            Happening::AttemptTimesOut(mark) => self.attempt_times_out(mark, agenda),
            Happening::RetryIsDue(mark) => self.retry_is_due(mark, agenda),
            Happening::DeadlinePasses { call } => self.deadline_passes(call, agenda),
            Happening::SpeedChanges { service } => self.speed_changes(service, agenda),
            Happening::BreaksOrIsRepaired { fault, number } => {
                self.breaks_or_is_repaired(fault, number, agenda);
            }
            Happening::ServiceRestarts { service } => self.service_restarts(service, agenda),
            Happening::ActionIsDue { action } => self.action_is_due(action, agenda),
        }
    }

    #[inline]
    fn touch(&self, event: Event) {
        match Happening::from(event) {
            Happening::CallBegins { source, member } => self.touch_source(source, member),
            Happening::RetryIsDue(mark) => {
                std::hint::black_box(self.calls.at(mark.call).is_some());
                let layers = self.layers.get(mark.call as usize * self.stride);
                std::hint::black_box(layers.is_some_and(|layer| layer.attempts > 1));
            }
            Happening::AttemptTimesOut(mark) => {
                std::hint::black_box(self.calls.at(mark.call).is_some());
            }
            Happening::AttemptArrives { job } | Happening::ReplyArrives { job } => {
                std::hint::black_box(self.jobs.at(job).is_some());
            }
            _ => {}
        }
    }

    #[inline]
    fn is_void(&self, event: Event) -> bool {
        match Happening::from(event) {
            Happening::AttemptTimesOut(mark) => self.marked(mark, |call| call.awaits).is_none(),
            _ => false,
        }
    }

    fn goes_on(&self) -> bool {
        self.recorder.wants_more()
    }
}

impl<'m, R: Recorder> RetryWorld<'m, R> {
    /// Draws a time from a distribution, with the stream of that purpose for the call `key` and
    /// its attempt `number`.
    #[inline]
    pub(super) fn draw(&self, dist: &Dist, purpose: Purpose, key: u64, number: u64) -> Wait {
        match dist.as_constant() {
            Some(length) => Wait { nanos: nanos(length), constant: true },
            None => {
                let nanos = dist.sample_nanos(&mut self.seed.stream(purpose, key, number));
                Wait { nanos, constant: false }
            }
        }
    }

    #[inline(always)]
    pub(super) fn record(&mut self, now: SimTime, record: Record) {
        self.recorder.record(now, record);
    }

    /// The parameters of every kind of caller in a model, in the order of `sites`.
    pub(super) fn callers_of(sites: &[Site], model: &'m Model) -> Vec<&'m Caller> {
        let caller = |site: &Site| match *site {
            Site::Group(group) => &model.groups[group].caller,
            Site::Downstream { service, call } => &model.services[service].calls[call].caller,
        };
        sites.iter().map(caller).collect()
    }

    /// How many clients a kind of caller has: a service counts as one.
    pub(super) fn clients_of(&self, caller: usize) -> u32 {
        match self.sites[caller] {
            Site::Group(group) => self.model.groups[group].count,
            Site::Downstream { .. } => 1,
        }
    }

    /// An operator changes the system: whatever is decided from now on follows the new keys.
    ///
    /// Simplifies: what is under way (a wait, a timeout, a piece of work, a time to think) ends as
    /// it began.
    fn action_is_due(&mut self, action: u32, agenda: &mut Agenda) {
        let actions = self.actions;
        let before = std::mem::replace(&mut self.model, &actions[action as usize].model);
        self.callers = Self::callers_of(&self.sites, self.model);
        self.facts = ServiceFacts::of(self.model);
        LoadFacts::renew(self.model, &mut self.sources);
        for caller in 0..self.callers.len() {
            let clients = self.clients_of(caller);
            let change = self.budgets.rules_changed(caller, self.callers[caller], clients);
            if change != 0 {
                let who = Who { caller: caller as u16, client: 0, call: 0 };
                self.record(agenda.now(), Record::Tokens { who, change });
            }
        }
        for service in 0..self.servers.len() {
            let spec = &self.model.services[service].spec;
            let capacity_per_s = spec.capacity_per_s();
            self.servers[service].station.set_workers(spec.workers, agenda.now());
            let service = service as u16;
            self.record(agenda.now(), Record::Capacity { service, capacity_per_s });
            self.start_queued(service, agenda);
        }
        for source in 0..self.sources.len() {
            let Source { group, load, stale, .. } = self.sources[source];
            if !stale && before.groups[group].loads[load] != self.model.groups[group].loads[load] {
                self.load_changes(source as u32, agenda);
            }
        }
    }
}
