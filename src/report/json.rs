//! The machine-readable summary, `herdsim/1`: keys in the order of the table of measures.

use std::io::{self, Write};

use serde_json::{Map, Number, Value};

use crate::metrics::Metric;
use crate::study::{Estimate, Estimates, PolicyResult, Proportion, RecoveryTime, StudyResult};

/// The name and version of the format.
pub const SCHEMA: &str = "herdsim/1";

/// The whole summary as one object.
pub fn summary(study: &StudyResult) -> Value {
    let policies = study.policies.iter().map(|p| Value::Object(policy_object(study, p)));
    object([
        ("schema", SCHEMA.into()),
        ("scenario", scenario(study)),
        ("policies", policies.collect::<Vec<Value>>().into()),
    ])
}

/// The summary as indented text with a newline at the end.
pub fn summary_text(study: &StudyResult) -> String {
    in_memory(|out| write_summary(study, out))
}

/// Writes the summary as indented text with a newline at the end.
///
/// # Errors
/// What the writer says.
pub fn write_summary(study: &StudyResult, mut out: impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut out, &summary(study))?;
    writeln!(out)
}

/// JSON Lines: one object per policy that carries what identifies the run.
pub fn lines(study: &StudyResult) -> String {
    in_memory(|out| write_lines(study, out))
}

/// Writes JSON Lines, policy by policy.
///
/// # Errors
/// What the writer says.
pub fn write_lines(study: &StudyResult, mut out: impl Write) -> io::Result<()> {
    for policy in &study.policies {
        let mut line = Map::new();
        line.insert("schema".into(), SCHEMA.into());
        line.insert("hash".into(), study.hash.clone().into());
        line.insert("seed".into(), study.seed.into());
        line.insert("reps".into(), study.reps.into());
        line.extend(policy_object(study, policy));
        serde_json::to_writer(&mut out, &line)?;
        writeln!(out)?;
    }
    Ok(())
}

/// What is written, as text.
fn in_memory(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    let written = write(&mut bytes);
    // Writing to memory cannot fail, and JSON is text.
    assert!(written.is_ok(), "{written:?}");
    String::from_utf8(bytes).expect("JSON is text")
}

fn scenario(study: &StudyResult) -> Value {
    object([
        ("title", study.title.clone().into()),
        ("question", study.question.clone().into()),
        ("hash", study.hash.clone().into()),
        ("seed", study.seed.into()),
        ("reps", study.reps.into()),
        ("horizon_s", number(study.horizon.as_secs_f64())),
        ("generator", study.generator.clone().into()),
    ])
}

fn policy_object(study: &StudyResult, policy: &PolicyResult) -> Map<String, Value> {
    let mut all = Map::new();
    all.insert("label".into(), policy.label.clone().into());
    all.extend(whole_run(study, policy));
    all.insert("clients".into(), parts(study, &policy.clients));
    all.insert("services".into(), parts(study, &policy.services));
    let verdict = object([
        ("word", policy.verdict.word.clone().into()),
        ("text", policy.verdict.text.clone().into()),
        ("evidence", policy.verdict.evidence.clone().into()),
    ]);
    all.insert("verdict".into(), verdict);
    all
}

/// Every measure, null where it has no meaning, so that the keys are the same for every run.
fn whole_run(study: &StudyResult, policy: &PolicyResult) -> Map<String, Value> {
    let mut measures = Map::new();
    for metric in Metric::ALL {
        let value = match metric {
            Metric::RecoveryS => {
                measures.insert("recovered".into(), recovered(policy.recovered));
                recovery(policy.recovery)
            }
            _ => measure(study, policy, metric),
        };
        measures.insert(metric.name().into(), value);
        if metric == Metric::PeakOverCapacity {
            let service = Some(policy.peak_service.clone()).filter(|name| !name.is_empty());
            measures.insert("peak_service".into(), service.map_or(Value::Null, Value::from));
        }
    }
    measures
}

fn measure(study: &StudyResult, policy: &PolicyResult, metric: Metric) -> Value {
    match policy.censored.iter().find(|(other, _)| *other == metric) {
        Some((_, time)) => censored(*time),
        None => policy.overall.get(metric).map_or(Value::Null, |e| estimate(study.reps, e)),
    }
}

/// Measures by client group or service; one that has no meaning there is absent.
fn parts(study: &StudyResult, parts: &[(String, Estimates)]) -> Value {
    let mut all = Map::new();
    for (name, estimates) in parts {
        let known = estimates.iter().filter(|(metric, _)| *metric != Metric::RecoveryS);
        let measures: Map<String, Value> = known
            .map(|(metric, found)| (metric.name().to_string(), estimate(study.reps, found)))
            .collect();
        all.insert(name.clone(), Value::Object(measures));
    }
    Value::Object(all)
}

fn estimate(reps: u32, found: Estimate) -> Value {
    if reps < 2 {
        return number(found.mean);
    }
    object([
        ("mean", number(found.mean)),
        ("lo", number(found.lo)),
        ("hi", number(found.hi)),
        ("n", found.n.into()),
    ])
}

fn recovered(share: Option<Proportion>) -> Value {
    share.map_or(Value::Null, |share| {
        object([
            ("k", share.k.into()),
            ("n", share.n.into()),
            ("lo", number(share.lo)),
            ("hi", number(share.hi)),
        ])
    })
}

/// A time that some replications ended before: it has quantiles and no mean.
fn censored(time: RecoveryTime) -> Value {
    let Value::Object(quantiles) = recovery(Some(time)) else { return Value::Null };
    let mut all = Map::from_iter([("mean".to_string(), Value::Null), ("n".into(), time.n.into())]);
    all.extend(quantiles);
    Value::Object(all)
}

fn recovery(time: Option<RecoveryTime>) -> Value {
    let some = |value: Option<f64>| value.map_or(Value::Null, number);
    time.map_or(Value::Null, |time| {
        object([
            ("p50", some(time.p50)),
            ("p95", some(time.p95)),
            ("lo", some(time.lo)),
            ("hi", some(time.hi)),
            ("censored", time.censored.into()),
        ])
    })
}

/// A number; whole ones without `.0`, and what is not finite is null.
fn number(value: f64) -> Value {
    // Beyond 2^53 not every whole number is a float, so that a cast would invent digits.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT {
        return Value::from(value as i64);
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

fn object<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Object(entries.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
}
