//! The scenario of the benchmarks, `benches/s1.toml`, for any number of clients.

use std::path::Path;
use std::time::Duration;

use herdsim::metrics::{Collector, Outcome, Record, Recorder};
use herdsim::rng::Seed;
use herdsim::scenario::{Loaded, Options, PolicyCase, read_text};
use herdsim::sim::{plan, play};
use herdsim::time::SimTime;

/// The text of the scenario.
pub const TEXT: &str = include_str!("../s1.toml");

/// The scenario for so many clients over such a time.
pub fn load(clients: u32, horizon: Duration) -> Loaded {
    let work = Duration::from_nanos(100 * 1_000_000_000 * 100 / (125 * u64::from(clients)));
    let nanos = |time: Duration| format!("\"{}ns\"", time.as_nanos());
    let set = [
        ("horizon", nanos(horizon)),
        ("client.count", clients.to_string()),
        ("server.service_time.exponential", nanos(work)),
        ("server.queue.capacity", clients.to_string()),
        ("faults.0.at", nanos(horizon / 4)),
        ("faults.0.for", nanos(horizon / 8)),
        ("faults.1.at", nanos(horizon * 3 / 8)),
        ("faults.1.recover", format!("\"ramp {}ns\"", (horizon / 12).as_nanos())),
    ];
    let set = set.map(|(path, value)| format!("{path}={value}")).to_vec();
    let options = Options { set, ..Options::default() };
    let loaded = read_text("s1.toml", TEXT, Path::new("."), &options);
    loaded.unwrap_or_else(|error| panic!("{}", error.render(false)))
}

/// The only policy of the scenario.
pub fn case(clients: u32, horizon: Duration) -> PolicyCase {
    load(clients, horizon).scenario.policies.remove(0)
}

/// What happened in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Attempts sent: the unit of all costs.
    pub attempts: u64,
    /// Calls that succeeded.
    pub succeeded: u64,
    /// Attempts answered with 503.
    pub refused: u64,
    /// Attempts that timed out.
    pub timed_out: u64,
    /// Calls that failed for good.
    pub given_up: u64,
}

impl Recorder for Counts {
    fn record(&mut self, _: SimTime, record: Record) {
        match record {
            Record::AttemptSent { .. } => self.attempts += 1,
            Record::Decided { outcome: Outcome::Rejected | Outcome::Errored, .. } => {
                self.refused += 1;
            }
            Record::TimedOut { .. } => self.timed_out += 1,
            Record::CallEnded { failure: None, .. } => self.succeeded += 1,
            Record::CallEnded { .. } => self.given_up += 1,
            _ => {}
        }
    }
}

/// A recorder that keeps nothing.
pub struct Nothing;

impl Recorder for Nothing {
    fn record(&mut self, _: SimTime, _: Record) {}
}

/// Counts what happens.
pub fn counts(case: &PolicyCase, seed: u64) -> Counts {
    play(&case.model, &case.actions, Seed::new(seed), Counts::default()).0
}

/// One run without the twin, and nothing is kept of it; gives the number of events.
pub fn without_measures(case: &PolicyCase, seed: u64) -> u64 {
    play(&case.model, &case.actions, Seed::new(seed), Nothing).2
}

/// One run without the twin, with all its measures; gives the number of events.
pub fn with_measures(case: &PolicyCase, seed: u64) -> u64 {
    let collector = Collector::new(plan(&case.model, None, false));
    let (collector, leftover, events) =
        play(&case.model, &case.actions, Seed::new(seed), collector);
    collector.finish(&leftover, events).events
}
