//! What the tests share: scenarios from text, and a tape of what happened.
#![allow(dead_code, reason = "every test uses a part of this")]

pub mod runs;

use std::path::Path;

use herdsim::metrics::{Metric, Outcome, Record, Recorder, Who};
use herdsim::rng::Seed;
use herdsim::scenario::{Options, Scenario, read_text};
use herdsim::sim;
use herdsim::study::{self, PolicyResult, StudyResult};
use herdsim::time::SimTime;

/// The scenario of a text.
pub fn scenario(text: &str) -> Scenario {
    scenario_with(text, &[])
}

/// The scenario of a text with some keys changed.
pub fn scenario_with(text: &str, set: &[&str]) -> Scenario {
    let set = set.iter().map(|s| s.to_string()).collect();
    let options = Options { set, ..Options::default() };
    match read_text("test.toml", text, Path::new("."), &options) {
        Ok(loaded) => loaded.scenario,
        Err(error) => panic!("{}\n{text}", error.render(false)),
    }
}

/// The results of a scenario.
pub fn study(scenario: &Scenario) -> StudyResult {
    let options = study::Options { jobs: None, progress: &|| () };
    study::run(scenario, &options).unwrap()
}

/// The results of the only policy of a scenario text.
pub fn run(text: &str) -> PolicyResult {
    study(&scenario(text)).policies.remove(0)
}

/// The mean of a measure over the whole run.
pub fn mean(policy: &PolicyResult, metric: Metric) -> f64 {
    let estimate = policy.overall.get(metric);
    estimate.unwrap_or_else(|| panic!("{} has no {metric}", policy.label)).mean
}

/// Plays the first policy of a scenario text and gives what happened, one line an event, as the
/// traces worked out by hand write it.
pub fn trace(text: &str) -> Vec<String> {
    let scenario = scenario(text);
    let case = &scenario.policies[0];
    let groups = case.model.groups.len();
    let tape = Tape { groups, lines: Vec::new() };
    let seed = Seed::new(scenario.seed);
    sim::play(&case.model, &case.actions, seed, tape).0.lines
}

struct Tape {
    groups: usize,
    lines: Vec<String>,
}

impl Tape {
    /// With one group the clients have numbers, with several the groups have.
    fn name(&self, who: Who) -> u32 {
        if self.groups == 1 { who.client } else { u32::from(who.caller) }
    }
}

impl Recorder for Tape {
    fn record(&mut self, now: SimTime, record: Record) {
        let (who, what) = match record {
            Record::Accepted { who, number, .. } => (who, format!("attempt {number} accepted")),
            Record::TimedOut { who, number, .. } => (who, format!("attempt {number} timed out")),
            Record::Decided { who, number, outcome, .. } => {
                let word = match outcome {
                    Outcome::Served => "success",
                    Outcome::Wasted => "finished late (wasted)",
                    Outcome::Rejected | Outcome::Errored => "rejected",
                    Outcome::Lost | Outcome::Waiting => return,
                };
                (who, format!("attempt {number} {word}"))
            }
            Record::CallEnded { who, failure: Some(_), .. } => (who, "gives up".to_string()),
            _ => return,
        };
        self.lines.push(format!("{} c{} {what}", now.as_secs_f64(), self.name(who)));
    }
}
