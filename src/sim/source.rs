//! Where calls come from: the loads of the client groups.

use super::call::{Call, CallMore};
use super::event::{Class, Happening};
use super::facts::LoadFacts;
use super::world::{Agenda, RetryWorld};
use crate::load::{self, Shape};
use crate::metrics::{Recorder, Who};
use crate::rng::{Purpose, Seed, combine};
use crate::time::SimTime;

/// One load of one group.
#[derive(Clone, Debug)]
pub struct Source {
    /// The group.
    pub group: usize,
    /// Which of its loads.
    pub load: usize,
    /// Names the load in every stream of random numbers.
    pub key: u64,
    /// How often an action has changed it.
    pub epoch: u32,
    /// Whether another has taken its place: a call that was drawn before does not begin.
    pub stale: bool,
    /// What its load says.
    pub facts: LoadFacts,
    /// Calls begun by each member, once the run has begun.
    pub calls: Vec<u32>,
}

impl<R: Recorder> RetryWorld<'_, R> {
    /// Schedules the first call of every member of every load.
    pub(super) fn open_sources(&mut self, agenda: &mut Agenda) {
        for source in 0..self.sources.len() as u32 {
            self.open_source(source, agenda);
        }
    }

    fn open_source(&mut self, source: u32, agenda: &mut Agenda) {
        let members = self.members(source);
        self.sources[source as usize].calls = vec![0; members as usize];
        for member in 0..members {
            self.schedule_call(source, member, 0, agenda.now(), agenda);
        }
    }

    /// An action has changed a load: what is drawn but has not begun is drawn anew. That is
    /// exact, as these loads have no memory; a closed loop thinks on, and then thinks anew.
    pub(super) fn load_changes(&mut self, source: u32, agenda: &mut Agenda) {
        if self.is_closed(source) {
            return;
        }
        let old = &mut self.sources[source as usize];
        old.stale = true;
        let epoch = old.epoch + 1;
        let key = combine(old.key, u64::from(epoch));
        let (group, load, facts) = (old.group, old.load, old.facts);
        let calls = std::mem::take(&mut old.calls);
        self.sources.push(Source { group, load, key, epoch, stale: false, facts, calls });
        self.open_source(self.sources.len() as u32 - 1, agenda);
    }

    /// A client makes its next call, and the one after it is scheduled.
    pub(super) fn client_calls(&mut self, source: u32, member: u32, agenda: &mut Agenda) {
        let now = agenda.now();
        let from = &mut self.sources[source as usize];
        if from.stale {
            return;
        }
        let begun = &mut from.calls[member as usize];
        let number = *begun;
        *begun = begun.wrapping_add(1);
        let (group, key, facts) = (from.group, from.key, from.facts);
        if !facts.closed {
            self.schedule_call(source, member, number.wrapping_add(1), now, agenda);
        }
        let client = self.client_of(source, member, number);
        let key = combine(key, u64::from(member) << 32 | u64::from(number));
        // It gets its number when it begins.
        let who = Who { caller: group as u16, client, call: 0 };
        let mut call = Call::new(key, who, self.tie(group, client), now);
        call.source = source;
        call.burst = facts.burst;
        self.begin_call(call, CallMore::of_client(now), agenda);
    }

    /// A call has ended: a closed loop thinks, then calls again.
    #[inline]
    pub(super) fn source_hears(&mut self, call: &Call, agenda: &mut Agenda) {
        let source = call.source;
        let from = &self.sources[source as usize];
        if !from.facts.closed {
            return;
        }
        // A closed loop is always of a client.
        let member = call.who().client;
        let number = u64::from(from.calls[member as usize]);
        let Shape::Closed { think } = &self.load(source).shape else { return };
        let key = combine(from.key, u64::from(member));
        let think = self.draw(think, Purpose::Think, key, number);
        let event = Happening::CallBegins { source, member };
        think.schedule(Class::Arrival.order(call.tie), event, agenda);
    }

    /// Reads the state of a member that will soon make a call.
    #[inline]
    pub(super) fn touch_source(&self, source: u32, member: u32) {
        let Source { group, calls, .. } = &self.sources[source as usize];
        std::hint::black_box(calls.get(member as usize).copied());
        self.budgets.touch(*group, member);
    }

    fn schedule_call(
        &mut self,
        source: u32,
        member: u32,
        number: u32,
        previous: SimTime,
        agenda: &mut Agenda,
    ) {
        let load = self.load(source);
        let origin = self.origin(source, member);
        if let Some(time) = load.shape.arrival(&origin, u64::from(number), previous) {
            let group = self.sources[source as usize].group;
            let tie = self.tie(group, self.client_of(source, member, number));
            let event = Happening::CallBegins { source, member }.into();
            agenda.at(time, Class::Arrival.order(tie), event);
        }
    }

    fn load(&self, source: u32) -> &load::Load {
        let Source { group, load, .. } = self.sources[source as usize];
        &self.model.groups[group].loads[load]
    }

    fn is_closed(&self, source: u32) -> bool {
        self.sources[source as usize].facts.closed
    }

    /// How many follow the shape of a source by themselves.
    fn members(&self, source: u32) -> u32 {
        self.sources[source as usize].facts.members
    }

    fn origin(&self, source: u32, member: u32) -> load::Source {
        let key = combine(self.sources[source as usize].key, u64::from(member));
        load::Source {
            seed: self.seed,
            key,
            member,
            members: self.members(source),
            zero: self.zero,
        }
    }

    /// Which client makes a call: the member itself, or one of the group by chance.
    #[inline]
    fn client_of(&self, source: u32, member: u32, number: u32) -> u32 {
        let Source { group, key, facts, .. } = &self.sources[source as usize];
        if facts.by_client {
            return member;
        }
        let count = u64::from(self.model.groups[*group].count);
        let mut stream = self.seed.stream(Purpose::Member, *key, u64::from(number));
        stream.below(count) as u32
    }

    /// The place of a client among those of one instant: scrambled per seed, so that in a herd
    /// the low numbers do not always win.
    fn tie(&self, group: usize, client: u32) -> u32 {
        if !self.model.scramble_ties {
            return 0;
        }
        tie(self.seed, group, client)
    }
}

/// The scrambled place of a client.
fn tie(seed: Seed, group: usize, client: u32) -> u32 {
    seed.stream(Purpose::TieOrder, group as u64, u64::from(client)).draw() as u32
}
