//! What happened, on the clock of the scenario: time before its zero is not told.

use crate::metrics::{Leftover, Record, Recorder};
use crate::time::SimTime;

/// A recorder that is told what happens from a moment on, which it takes for time zero.
///
/// Simplifies: what began before that moment counts as having begun then. Durations that are told
/// as such are the true ones.
#[derive(Debug)]
pub struct Rebased<R> {
    recorder: R,
    zero: SimTime,
    /// Whether that moment has come.
    told: bool,
}

impl<R: Recorder> Rebased<R> {
    /// A recorder that is told everything from `zero` on.
    pub fn new(recorder: R, zero: SimTime) -> Rebased<R> {
        Rebased { recorder, zero, told: zero == SimTime::ZERO }
    }

    /// The moment has come.
    pub fn begin(&mut self) {
        self.told = true;
    }

    /// The recorder, when the run is over.
    pub fn finish(self) -> R {
        self.recorder
    }

    fn moved(&self, time: SimTime) -> SimTime {
        SimTime::ZERO.saturating_add(time.saturating_since(self.zero))
    }

    #[cold]
    fn record_rebased(&mut self, now: SimTime, mut record: Record) {
        self.rebase(now, &mut record);
        self.recorder.record(self.moved(now), record);
    }

    fn rebase(&self, now: SimTime, record: &mut Record) {
        match record {
            // Where no call is behind an attempt, that stays so.
            Record::AttemptSent { born, .. } | Record::Inherited { born, .. }
                if *born < SimTime::FOREVER =>
            {
                *born = self.moved(*born);
            }
            Record::Decided { sent, arrived, .. } => {
                (*sent, *arrived) = (self.moved(*sent), self.moved(*arrived));
            }
            Record::CameLate { arrived, .. } => *arrived = self.moved(*arrived),
            Record::CallEnded { began, .. } => *began = self.moved(*began),
            Record::BackoffEnded { waited, .. } => {
                *waited = (*waited).min(now.saturating_since(self.zero));
            }
            _ => {}
        }
    }

    /// What is left over at the end, on the same clock.
    pub fn leftover(&self, mut leftover: Leftover) -> Leftover {
        for (_, began, waits) in &mut leftover.calls {
            *began = self.moved(*began);
            *waits = waits.map(|since| self.moved(since));
        }
        for (_, since) in &mut leftover.inner_waits {
            *since = self.moved(*since);
        }
        for (_, arrived) in &mut leftover.attempts {
            *arrived = arrived.map(|arrived| self.moved(arrived));
        }
        leftover
    }
}

impl<R: Recorder> Recorder for Rebased<R> {
    #[inline(always)]
    fn record(&mut self, now: SimTime, record: Record) {
        if self.zero == SimTime::ZERO {
            self.recorder.record(now, record);
        } else if self.told {
            self.record_rebased(now, record);
        }
    }

    fn wants_more(&self) -> bool {
        self.recorder.wants_more()
    }
}
