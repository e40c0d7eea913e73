//! What only some systems need to know of their calls and attempts: kept beside the tables, so
//! that the others' calls stay small.

use super::call::{Call, CallMore, JobMore};
use super::table::Id;
use crate::metrics::Recorder;
use crate::scenario::{Action, Model, ServiceNode, State};
use crate::service::Writes;
use crate::time::SimTime;

use super::world::RetryWorld;

/// The side tables, by the places of the tables of calls and of jobs; empty where a system has
/// nothing to keep there.
#[derive(Debug, Default)]
pub struct More {
    needed: bool,
    pub(super) calls: Vec<CallMore>,
    jobs: Vec<JobMore>,
}

impl More {
    /// Empty tables for a system and what it may become.
    pub fn new(model: &Model, actions: &[Action]) -> More {
        let models = std::iter::once(model).chain(actions.iter().map(|action| &action.model));
        More { needed: models.into_iter().any(needs_more), ..More::default() }
    }
}

fn needs_more(model: &Model) -> bool {
    let calls_or_writes =
        |node: &ServiceNode| !node.calls.is_empty() || node.spec.writes != Writes::Plain;
    model.start.state != State::Empty
        || model.groups.iter().any(|group| group.caller.deadline.is_some())
        || model.services.iter().any(calls_or_writes)
}

impl CallMore {
    /// Of a client's call that begins now.
    pub fn of_client(now: SimTime) -> CallMore {
        CallMore { born: now, deadline: SimTime::FOREVER, propagates: false, parent: None }
    }
}

impl JobMore {
    /// Of an attempt whose client's call began then.
    pub fn new(born: SimTime, expires: SimTime) -> JobMore {
        JobMore { born, expires, version: None, inner: None }
    }
}

impl<R: Recorder> RetryWorld<'_, R> {
    /// Keeps what there is to know of a call that begins.
    #[inline]
    pub(super) fn keep_call(&mut self, id: Id, more: CallMore) {
        if self.more.needed {
            put(&mut self.more.calls, id, more);
        }
    }

    /// Keeps what there is to know of an attempt that sets out.
    #[inline]
    pub(super) fn keep_job(&mut self, id: Id, more: JobMore) {
        if self.more.needed {
            put(&mut self.more.jobs, id, more);
        }
    }

    /// What is known of an open call.
    #[inline]
    pub(super) fn call_more(&self, id: Id, call: &Call) -> CallMore {
        match self.more.calls.get(id.slot as usize) {
            Some(more) => *more,
            None => CallMore::of_client(call.began),
        }
    }

    /// What is known of an attempt in flight, to change it; `None` where nothing ever is.
    #[inline]
    pub(super) fn job_more_mut(&mut self, id: Id) -> Option<&mut JobMore> {
        self.more.jobs.get_mut(id.slot as usize)
    }

    /// What is known of an attempt in flight; `None` where nothing ever is.
    #[inline]
    pub(super) fn job_more(&self, id: Id) -> Option<&JobMore> {
        self.more.jobs.get(id.slot as usize)
    }

    /// The client's call behind an open call, and the one behind an attempt, is none of the run.
    pub(super) fn forget_births(&mut self, calls: &[Id], jobs: &[Id]) {
        for id in calls {
            self.more.calls[id.slot as usize].born = SimTime::FOREVER;
        }
        for id in jobs {
            self.more.jobs[id.slot as usize].born = SimTime::FOREVER;
        }
    }
}

fn put<T: Copy>(table: &mut Vec<T>, id: Id, more: T) {
    let place = id.slot as usize;
    if table.len() <= place {
        table.resize(place + 1, more);
    }
    table[place] = more;
}
