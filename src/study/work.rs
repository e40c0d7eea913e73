//! Who does which run, and how far they have come.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::run::{Options, Watch};
use crate::metrics::RunResult;
use crate::rng::Seed;
use crate::scenario::Scenario;
use crate::sim::simulate_watched;

/// Parts of a run in which work done is counted.
const PARTS: f64 = (1u64 << 20) as f64;

/// The runs of a study, handed out one by one to whoever has time.
pub(super) struct Work<'a> {
    scenario: &'a Scenario,
    options: &'a Options<'a>,
    watch: &'a Watch<'a>,
    /// The run that is handed out next.
    next: AtomicUsize,
    /// Parts of runs that are done.
    done: AtomicU64,
    stopped: AtomicBool,
}

impl<'a> Work<'a> {
    /// Nothing is done.
    pub(super) fn new(
        scenario: &'a Scenario,
        options: &'a Options<'a>,
        watch: &'a Watch<'a>,
    ) -> Work<'a> {
        let (next, done, stopped) =
            (AtomicUsize::new(0), AtomicU64::new(0), AtomicBool::new(false));
        Work { scenario, options, watch, next, done, stopped }
    }

    fn runs(&self) -> usize {
        self.scenario.policies.len() * self.scenario.reps as usize
    }

    /// Does the next run until there is none or the watch says stop, and gives those that are whole
    /// with their numbers.
    pub(super) fn take(&self) -> Vec<(usize, RunResult)> {
        let mut whole = Vec::new();
        while self.ask().is_continue() {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.runs() {
                break;
            }
            whole.extend(self.one(index).map(|run| (index, run)));
        }
        whole
    }

    /// Run number `index`: replications one after the other, policies within, so that a study that
    /// is cut off has whole replications.
    fn one(&self, index: usize) -> Option<RunResult> {
        let policies = self.scenario.policies.len();
        let (replication, policy) = (index / policies, index % policies);
        let seed = Seed::new(self.scenario.seed).replication(replication as u64);
        let case = &self.scenario.policies[policy];
        let mut told = 0;
        let mut watch = |share: f64| {
            let done = (share * PARTS) as u64;
            self.done.fetch_add(done - told, Ordering::Relaxed);
            told = done;
            self.ask()
        };
        let mut run = simulate_watched(case, seed, replication == 0, &mut watch)?;
        if replication > 0 {
            // Charts show the first replication: the others' series would only fill the memory.
            run.timeline = Default::default();
            run.distributions = Default::default();
        }
        (self.options.progress)();
        Some(run)
    }

    /// Tells the watch how much is done; who has said stop once is not asked again.
    fn ask(&self) -> ControlFlow<()> {
        if self.stopped.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        let done = self.done.load(Ordering::Relaxed) as f64;
        let asked = (self.watch)((done / PARTS / self.runs() as f64).min(1.0));
        if asked.is_break() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        asked
    }
}
