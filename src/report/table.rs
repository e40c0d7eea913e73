//! The result table in plain text.

use comfy_table::{CellAlignment, Table, presets};

use crate::metrics::{Metric, Recovery, Unit};
use crate::report::text;
use crate::study::{PolicyResult, StudyResult};
use crate::time::format_duration;

/// A column: its head and its cell for a policy, empty where it has no meaning.
type Column = (&'static str, fn(&StudyResult, &PolicyResult) -> String);

const COLUMNS: [Column; 11] = [
    ("policy", |_, policy| text::shortened(&text::printable(&policy.label), 40)),
    ("calls", |_, policy| measure(policy, Metric::Calls)),
    ("attempts", |_, policy| measure(policy, Metric::Attempts)),
    ("×calls", |_, policy| measure(policy, Metric::AmplificationTotal)),
    ("peak/s", |_, policy| plain(policy, Metric::PeakPerS)),
    ("÷capacity", |_, policy| times(policy, Metric::PeakOverCapacity)),
    ("recovered", recovered),
    ("relapses", |_, policy| some(policy, Metric::Relapses)),
    ("p99 latency", |_, policy| measure(policy, Metric::LatencyP99Ms)),
    ("gave up", |_, policy| gave_up(policy)),
    ("bad minutes", |_, policy| plain(policy, Metric::BadMinutes)),
];

/// Head and rows of the result table, without the columns that are empty for every policy.
pub fn cells(study: &StudyResult) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let mut head = Vec::new();
    let mut rows = vec![Vec::new(); study.policies.len()];
    for (name, cell) in COLUMNS {
        let column: Vec<String> = study.policies.iter().map(|p| cell(study, p)).collect();
        if column.iter().all(String::is_empty) {
            continue;
        }
        head.push(name);
        for (row, cell) in rows.iter_mut().zip(column) {
            row.push(cell);
        }
    }
    (head, rows)
}

/// The result table as text, one line per policy.
pub fn text(study: &StudyResult) -> String {
    let (head, rows) = cells(study);
    if head.is_empty() {
        return String::new();
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(head);
    table.add_rows(rows);
    for (place, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if place > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    format!("{}\n", table.trim_fmt())
}

fn measure(policy: &PolicyResult, metric: Metric) -> String {
    let found = policy.overall.get(metric);
    found.map(|found| text::estimate(found, metric.unit())).unwrap_or_default()
}

/// A measure whose unit stands in the head of the column.
fn plain(policy: &PolicyResult, metric: Metric) -> String {
    let found = policy.overall.get(metric);
    found.map(|found| text::estimate(found, Unit::Ratio)).unwrap_or_default()
}

fn times(policy: &PolicyResult, metric: Metric) -> String {
    let found = policy.overall.get(metric);
    let mark = |text: String| match text.split_once(' ') {
        Some((mean, rest)) if rest.starts_with('±') => format!("{mean}x {rest}"),
        _ => format!("{text}x"),
    };
    found.map(|found| mark(text::estimate(found, Unit::Ratio))).unwrap_or_default()
}

/// A measure of which zero is not worth a column.
fn some(policy: &PolicyResult, metric: Metric) -> String {
    let found = policy.overall.get(metric).filter(|found| found.hi != 0.0);
    found.map(|found| text::estimate(found, metric.unit())).unwrap_or_default()
}

/// The share of calls that failed for good.
fn gave_up(policy: &PolicyResult) -> String {
    let counts = (policy.overall.get(Metric::Calls), policy.overall.get(Metric::Failed));
    match counts {
        (Some(calls), Some(failed)) if calls.mean > 0.0 => text::percent(failed.mean / calls.mean),
        _ => String::new(),
    }
}

/// When it recovered: `+19.5 s`, `not within 1h`, or over replications `p50 +19.5 s, 9 of 10`.
pub fn recovered(study: &StudyResult, policy: &PolicyResult) -> String {
    let (Some(share), Some(time)) = (policy.recovered, policy.recovery) else {
        return String::new();
    };
    if study.reps < 2 {
        return match policy.first.recovery {
            Recovery::NotAsked => String::new(),
            Recovery::After(after) => format!("+{}", text::seconds(after.as_secs_f64())),
            Recovery::NotWithin(within) => format!("not within {}", format_duration(within)),
        };
    }
    match time.p50 {
        Some(p50) => format!("p50 +{}, {} of {}", text::seconds(p50), share.k, share.n),
        None => format!("{} of {}", share.k, share.n),
    }
}
