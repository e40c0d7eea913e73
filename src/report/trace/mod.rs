//! Every event of a small run as JSON Lines, `herdsim-trace/1`: a header, then one line for each
//! thing that happens in the first replication of each policy.

mod file;
mod line;

use std::io::{self, Write};

use crate::metrics::{Leftover, Parent, Record, Recorder, Who};
use crate::rng::GENERATOR;
use crate::scenario::{PolicyCase, Scenario};
use crate::study;
use crate::time::{SimTime, nanos};

pub use file::TraceFile;
use line::{Line, quoted};

/// The name and version of the format.
pub const SCHEMA: &str = "herdsim-trace/1";

/// Lines that a trace may have, header included (≤): about 200 MB.
pub const MOST_LINES: u64 = 1_000_000;

/// Why a trace was not written to its end.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// More happens than a trace may hold.
    #[error(
        "the trace would have more than {most} lines: they end at {:.1} s of policy {policy:?}; \
         trace a smaller run, with a lower `horizon` or `count`, or fewer policies",
        at.as_secs_f64()
    )]
    TooLong {
        /// Lines allowed.
        most: u64,
        /// The policy whose run was under way.
        policy: String,
        /// How far the run had come.
        at: SimTime,
    },
    /// The lines cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Plays the first replication of every policy and writes what happens, in at most `most` lines;
/// gives how many there are.
///
/// # Errors
/// There is more to write, or `out` refuses.
pub fn write<W: Write>(out: W, scenario: &Scenario, most: u64) -> Result<u64, Error> {
    let mut trace = Trace::new(out, most);
    trace.header(scenario);
    for case in &scenario.policies {
        trace.begin(case);
        let (played, leftover, _) = study::replay(scenario, case, trace);
        trace = played;
        trace.run_ended(case, &leftover);
        if let Some(end) = trace.ended.take() {
            return Err(match end {
                End::Full(at) => Error::TooLong { most, policy: case.label.clone(), at },
                End::Failed(error) => Error::Io(error),
            });
        }
    }
    trace.out.flush()?;
    Ok(trace.lines)
}

/// Why nothing more is written.
#[derive(Debug)]
enum End {
    Full(SimTime),
    Failed(io::Error),
}

/// Writes what happens, line by line.
#[derive(Debug)]
struct Trace<W> {
    out: W,
    line: Line,
    lines: u64,
    most: u64,
    ended: Option<End>,
    /// The names under the policy of the run, as JSON.
    policy: String,
    callers: Vec<String>,
    services: Vec<String>,
    /// Callers that are client groups.
    groups: usize,
    /// For each call by its number the call of a client behind it.
    roots: Vec<u32>,
    /// Attempts queued and at each service, as last written.
    levels: Vec<(u32, u32)>,
}

impl<W: Write> Trace<W> {
    fn new(out: W, most: u64) -> Trace<W> {
        Trace {
            out,
            line: Line::default(),
            lines: 0,
            most,
            ended: None,
            policy: String::new(),
            callers: Vec::new(),
            services: Vec::new(),
            groups: 0,
            roots: Vec::new(),
            levels: Vec::new(),
        }
    }

    /// The first line: what made the trace, and from what.
    fn header(&mut self, scenario: &Scenario) {
        let labels: Vec<&str> = scenario.policies.iter().map(|case| case.label.as_str()).collect();
        let header = serde_json::json!({
            "schema": SCHEMA,
            "herdsim": env!("CARGO_PKG_VERSION"),
            "generator": GENERATOR,
            "scenario": { "title": scenario.title, "hash": scenario.hash },
            "seed": scenario.seed,
            "replication": 0,
            "horizon_ns": scenario.policies[0].model.horizon.as_nanos(),
            "policies": labels,
        });
        self.write(SimTime::ZERO, format!("{header}\n").as_bytes());
    }

    /// The run of another policy begins.
    fn begin(&mut self, case: &PolicyCase) {
        let model = &case.model;
        self.policy = quoted(&case.label);
        self.services = model.services.iter().map(|node| quoted(&node.name)).collect();
        self.callers = model.groups.iter().map(|group| quoted(&group.name)).collect();
        self.groups = self.callers.len();
        for node in &model.services {
            // The path of the call in the scenario language.
            let path = |call: usize| quoted(&format!("{}.calls.{call}", node.name));
            self.callers.extend((0..node.calls.len()).map(path));
        }
        // Calls are numbered from one.
        self.roots = vec![0];
        self.levels = vec![(0, 0); self.services.len()];
    }

    /// The last line of a run: what is not decided at the horizon.
    fn run_ended(&mut self, case: &PolicyCase, leftover: &Leftover) {
        let calls = leftover.calls.len() as u64 + leftover.inner_calls;
        let at = case.model.horizon;
        self.start(at, "run_ended");
        self.line.number("open_calls", calls);
        self.line.number("open_attempts", leftover.attempts.len() as u64);
        self.finish(at);
    }

    fn start(&mut self, now: SimTime, event: &str) {
        self.line.at(now.as_nanos()).raw("policy", &self.policy).word("event", event);
    }

    /// Who it is about; a service is one client, and has no number.
    fn who(&mut self, who: Who) {
        let caller = usize::from(who.caller);
        // Nobody stands behind the work that a service begins with.
        self.line.raw("caller", self.callers.get(caller).map_or("null", String::as_str));
        if who.call == 0 {
            return;
        }
        if caller < self.groups {
            self.line.number("client", u64::from(who.client));
        }
        let root = self.roots[who.call as usize];
        self.line.number("call", u64::from(who.call)).number("root", u64::from(root));
    }

    fn attempt(&mut self, who: Who, number: u32, service: u16) {
        self.who(who);
        self.line.number("attempt", u64::from(number));
        self.service(service);
    }

    fn service(&mut self, service: u16) {
        self.line.raw("service", &self.services[usize::from(service)]);
    }

    fn call_began(&mut self, who: Who, parent: Option<Parent>) {
        let root = parent.map_or(who.call, |parent| self.roots[parent.call as usize]);
        // Calls that ended before the run began have numbers too.
        self.roots.resize(who.call as usize, 0);
        self.roots.push(root);
        self.who(who);
        if let Some(parent) = parent {
            self.line.number("parent", u64::from(parent.call));
            self.line.number("parent_attempt", u64::from(parent.number));
        }
    }

    fn backoff_ended(&mut self, record: Record) {
        let Record::BackoffEnded { who, service, waited, held_worker } = record else { return };
        self.who(who);
        self.service(service);
        self.line.number("waited_ns", nanos(waited));
        if let Some(service) = held_worker {
            self.line.raw("held_worker", &self.services[usize::from(service)]);
        }
    }

    fn decided(&mut self, record: Record) {
        let Record::Decided { who, service, outcome, failure, number, sent, arrived } = record
        else {
            return;
        };
        self.attempt(who, number, service);
        self.line.word("outcome", outcome.name());
        self.line.word_or_null("failure", failure.map(|class| class.name()));
        self.line.number("sent_ns", sent.as_nanos()).number("arrived_ns", arrived.as_nanos());
    }

    fn call_ended(&mut self, record: Record) {
        let Record::CallEnded { who, failure, took, attempts, .. } = record else { return };
        self.who(who);
        self.line.word_or_null("failure", failure.map(|class| class.name()));
        self.line.number("attempts", u64::from(attempts));
        self.line.number("took_ns", nanos(took));
    }

    /// The fields of a record after its moment and its word.
    fn fields(&mut self, record: Record) {
        match record {
            Record::CallBegan { who, parent } => self.call_began(who, parent),
            Record::AttemptSent { who, service, number, .. }
            | Record::Arrived { who, service, number }
            | Record::Accepted { who, service, number }
            | Record::TimedOut { who, service, number }
            | Record::CameLate { who, service, number, .. } => self.attempt(who, number, service),
            Record::Started { who, service, number, waited } => {
                self.attempt(who, number, service);
                self.line.number("waited_ns", nanos(waited));
            }
            Record::Level { service, queued, in_system } => {
                self.levels[usize::from(service)] = (queued, in_system);
                self.service(service);
                self.line.number("queued", u64::from(queued));
                self.line.number("in_system", u64::from(in_system));
            }
            Record::Inherited { who, service, .. } => {
                self.who(who);
                self.service(service);
            }
            Record::Decided { .. } => self.decided(record),
            Record::BackoffBegan { who, service, number, layer, wait } => {
                self.attempt(who, number, service);
                self.line.number_or_null("layer", layer.map(u64::from));
                self.line.number_or_null("wait_ns", wait.map(nanos));
            }
            Record::BackoffEnded { .. } => self.backoff_ended(record),
            Record::QuotaRefused { who, number, layer } => {
                self.who(who);
                self.line.number("attempt", u64::from(number)).number("layer", u64::from(layer));
            }
            Record::Tokens { who, change } => {
                self.who(who);
                self.line.signed("change", change);
            }
            Record::CallEnded { .. } => self.call_ended(record),
            Record::Capacity { service, capacity_per_s } => {
                self.service(service);
                let capacity = serde_json::Value::from(capacity_per_s).to_string();
                self.line.raw("capacity_per_s", &capacity);
            }
            Record::Crashed { service } | Record::Restarted { service } => self.service(service),
        }
    }

    /// Whether a record says that nothing changed.
    fn says_nothing(&self, record: Record) -> bool {
        match record {
            Record::Level { service, queued, in_system } => {
                self.levels[usize::from(service)] == (queued, in_system)
            }
            Record::Tokens { change, .. } => change == 0,
            _ => false,
        }
    }

    fn finish(&mut self, now: SimTime) {
        let mut line = std::mem::take(&mut self.line);
        self.write(now, line.end());
        self.line = line;
    }

    fn write(&mut self, now: SimTime, line: &[u8]) {
        if self.ended.is_some() {
            return;
        }
        if self.lines == self.most {
            self.ended = Some(End::Full(now));
            return;
        }
        self.lines += 1;
        self.ended = self.out.write_all(line).err().map(End::Failed);
    }
}

impl<W: Write> Recorder for Trace<W> {
    fn record(&mut self, now: SimTime, record: Record) {
        if self.says_nothing(record) {
            return;
        }
        self.start(now, word(record));
        self.fields(record);
        self.finish(now);
    }

    fn wants_more(&self) -> bool {
        self.ended.is_none()
    }
}

/// The word of an event.
fn word(record: Record) -> &'static str {
    match record {
        Record::CallBegan { .. } => "call_began",
        Record::AttemptSent { .. } => "attempt_sent",
        Record::Inherited { .. } => "inherited",
        Record::Arrived { .. } => "arrived",
        Record::Accepted { .. } => "accepted",
        Record::Started { .. } => "started",
        Record::Level { .. } => "level",
        Record::Decided { .. } => "attempt_decided",
        Record::TimedOut { .. } => "timed_out",
        Record::CameLate { .. } => "came_late",
        Record::BackoffBegan { .. } => "backoff_began",
        Record::BackoffEnded { .. } => "backoff_ended",
        Record::QuotaRefused { .. } => "quota_refused",
        Record::Tokens { .. } => "tokens",
        Record::CallEnded { .. } => "call_ended",
        Record::Capacity { .. } => "capacity",
        Record::Crashed { .. } => "crashed",
        Record::Restarted { .. } => "restarted",
    }
}
