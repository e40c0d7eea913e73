//! What the tests share: scenarios from text, their results and their traces.
#![allow(dead_code, reason = "every test uses a part of this")]

pub mod runs;

use std::path::Path;

use herdsim::metrics::Metric;
use herdsim::report::trace;
use herdsim::scenario::{Options, Scenario, read_text};
use herdsim::study::{self, PolicyResult, StudyResult};
use serde_json::Value;

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
    let options = study::Options::default();
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

/// The lines of the trace of a scenario.
pub fn trace(scenario: &Scenario) -> Vec<Value> {
    let mut bytes = Vec::new();
    let lines = trace::write(&mut bytes, scenario, trace::MOST_LINES).unwrap();
    let parsed = read_trace(std::str::from_utf8(&bytes).unwrap());
    assert_eq!(parsed.len() as u64, lines);
    parsed
}

/// The lines of a trace as they stand in a file.
pub fn read_trace(text: &str) -> Vec<Value> {
    assert!(text.ends_with('\n'));
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"));
    text.lines().map(parse).collect()
}

/// What happens in a trace, one line an event, as the traces worked out by hand write it.
pub fn by_hand(lines: &[Value]) -> Vec<String> {
    lines.iter().filter_map(one_by_hand).collect()
}

fn one_by_hand(line: &Value) -> Option<String> {
    let number = line["attempt"].as_u64().unwrap_or_default();
    let what = match line["event"].as_str()? {
        "accepted" => format!("attempt {number} accepted"),
        "timed_out" => format!("attempt {number} timed out"),
        "attempt_decided" => match line["outcome"].as_str().unwrap() {
            "served" => format!("attempt {number} success"),
            "wasted" => format!("attempt {number} finished late (wasted)"),
            "rejected" | "errored" => format!("attempt {number} rejected"),
            // Lost with its caller, which is told already.
            _ => return None,
        },
        "call_ended" if !line["failure"].is_null() => "gives up".to_string(),
        _ => return None,
    };
    // The clients of a group have numbers; a group of one has the number in its name.
    // Work that a service begins with has no caller.
    let caller = line["caller"].as_str()?;
    let client = line["client"].as_u64().unwrap();
    let alone = caller.ends_with(|c: char| c.is_ascii_digit());
    let name = if alone { caller.to_string() } else { format!("{caller}{client}") };
    Some(format!("{} {name} {what}", line["t_s"]))
}
