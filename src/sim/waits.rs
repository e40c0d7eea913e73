//! How a call waits for its next attempt: by itself, or in a queue that callers share.

use std::collections::VecDeque;
use std::time::Duration;

use super::event::{Attempt, Class, Happening, Mark};
use super::table::Id;
use super::world::{Agenda, RetryWorld};
use crate::metrics::{Record, Recorder, Who};
use crate::policy::Scope;
use crate::scenario::Caller;

/// A wait before a retry, as decided by a layer.
#[derive(Clone, Copy, Debug)]
pub struct Decision {
    /// The layer that retries.
    pub layer: usize,
    /// The wait.
    pub delay: Duration,
}

/// All queues of retries: by caller, then by who shares one.
///
/// The first of a queue always waits. A call that leaves from behind it stays in its place, is
/// known by its attempt, and is passed over when its turn comes.
#[derive(Debug)]
pub struct RetryQueues {
    queues: Vec<Vec<VecDeque<(Attempt, Decision)>>>,
}

impl RetryQueues {
    /// Empty queues for `clients[i]` clients of `callers[i]`.
    pub fn new(callers: &[&Caller], clients: &[u32]) -> RetryQueues {
        let of_caller = |(caller, clients): (&&Caller, &u32)| {
            vec![VecDeque::new(); caller.retry_queue.count(*clients) as usize]
        };
        RetryQueues { queues: callers.iter().zip(clients).map(of_caller).collect() }
    }
}

impl<R: Recorder> RetryWorld<'_, R> {
    /// A layer has decided to retry: the wait begins, or the call joins the end of its queue.
    pub(super) fn wait_to_retry(
        &mut self,
        attempt: Attempt,
        decision: Decision,
        agenda: &mut Agenda,
    ) {
        let now = agenda.now();
        let call = self.calls.get_mut(attempt.call).expect("only an open call backs off");
        call.back_off(now);
        let (who, number) = (call.who(), attempt.number);
        let service = self.callers[who.caller as usize].target as u16;
        let (layer, wait) = (Some(decision.layer as u16), Some(decision.delay));
        self.record(now, Record::BackoffBegan { who, service, number, layer, wait });
        if let Some(queue) = self.retry_queue(who) {
            queue.push_back((attempt, decision));
            if queue.len() > 1 {
                return;
            }
        }
        self.begin_wait(attempt, decision, agenda);
    }

    /// The wait begins to run.
    fn begin_wait(&mut self, attempt: Attempt, decision: Decision, agenda: &mut Agenda) {
        let Decision { layer, delay } = decision;
        let call = self.calls.get(attempt.call).expect("only an open call backs off");
        let (tie, mark) = (call.tie, Mark { call: attempt.call.slot, mark: call.mark });
        self.reset_layers(attempt.call, layer + 1, agenda.now().saturating_add(delay));
        agenda.after(delay, Class::Arrival.order(tie), Happening::RetryIsDue(mark).into());
    }

    /// The wait is over: the next attempt is sent, unless the call has ended.
    pub(super) fn retry_is_due(&mut self, mark: Mark, agenda: &mut Agenda) {
        if let Some(attempt) = self.marked(mark, |call| call.backing_off().is_some()) {
            self.end_backoff(attempt.call, agenda);
            self.send(attempt.call, agenda);
        }
    }

    /// Whether a call waits to retry after this attempt.
    fn waits(&self, attempt: Attempt) -> bool {
        let call = self.calls.get(attempt.call);
        call.is_some_and(|call| call.backing_off().is_some() && call.sent == attempt.number)
    }

    /// A call no longer waits, if it did; where it was the first of a queue the next one's wait
    /// begins.
    pub(super) fn end_backoff(&mut self, id: Id, agenda: &mut Agenda) {
        let now = agenda.now();
        let call = self.calls.get_mut(id).expect("only an open call backs off");
        let Some(since) = call.stop_backing_off() else { return };
        let who = call.who();
        let service = self.callers[who.caller as usize].target as u16;
        let held_worker = self.held_by(who);
        let waited = now - since;
        self.record(now, Record::BackoffEnded { who, service, waited, held_worker });
        let first = self.retry_queue(who).and_then(|queue| queue.front().copied());
        if first.is_some_and(|(attempt, _)| attempt.call == id) {
            self.next_waits(who, agenda);
        }
    }

    /// The first of a queue has left it.
    fn next_waits(&mut self, who: Who, agenda: &mut Agenda) {
        let next = |world: &mut Self| {
            let queue = world.retry_queue(who)?;
            queue.pop_front();
            queue.front().copied()
        };
        while let Some((attempt, decision)) = next(self) {
            if self.waits(attempt) {
                return self.begin_wait(attempt, decision, agenda);
            }
        }
    }

    /// The queue of retries that this caller shares, if any.
    fn retry_queue(&mut self, who: Who) -> Option<&mut VecDeque<(Attempt, Decision)>> {
        let scope = self.callers[who.caller as usize].retry_queue;
        let shared = scope != Scope::Call;
        let queues = &mut self.retry_queues.queues[who.caller as usize];
        shared.then(|| &mut queues[scope.index(who.client, 0)])
    }
}
