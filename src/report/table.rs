//! The result table in plain text.

use comfy_table::{CellAlignment, Table, presets};

use crate::metrics::{Metric, Recovery};
use crate::report::{text, window};
use crate::study::{Estimate, PolicyResult, StudyResult};

/// A column: its head and its cell for a policy, empty where it has no meaning; the interval of a
/// cell stands on lines of its own.
type Column = (&'static str, fn(&StudyResult, &PolicyResult) -> String);

const COLUMNS: [Column; 11] = [
    ("policy", |_, policy| text::shortened(&text::printable(&policy.label), LABEL)),
    ("calls", |_, policy| counted(policy, Metric::Calls)),
    ("attempts", |_, policy| counted(policy, Metric::Attempts)),
    ("per\ncall", |_, policy| mean(policy, Metric::AmplificationTotal, text::digits)),
    ("peak/s", |_, policy| with(policy, Metric::PeakPerS, text::number)),
    ("÷cap", |_, policy| with(policy, Metric::PeakOverCapacity, text::ratio)),
    ("back\nafter", recovered),
    ("falls", |_, policy| some(policy, Metric::Relapses)),
    ("p99", |_, policy| with(policy, Metric::LatencyP99Ms, |ms| text::seconds(ms / 1e3))),
    ("gave\nup", |_, policy| gave_up(policy)),
    ("bad\nmin", |_, policy| mean(policy, Metric::BadMinutes, text::number)),
];
/// Longest label of a policy.
const LABEL: usize = 28;
/// Shortest one to which labels are cut for the width.
const SHORT: usize = 14;
/// Widest table.
const WIDTH: usize = 100;

/// Head and rows of the result table, without the columns that are empty for every policy. Cells
/// and heads may have several lines.
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

/// The result table as text: a line per policy, and one more for intervals where there are some.
pub fn text(study: &StudyResult) -> String {
    let (head, mut rows) = cells(study);
    if head.is_empty() {
        return String::new();
    }
    let drawn = drawn(&head, &rows);
    let wide = drawn.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    if wide <= WIDTH {
        return drawn;
    }
    let longest = rows.iter().map(|row| row[0].chars().count()).max().unwrap_or(0);
    let room = longest.saturating_sub(wide - WIDTH).max(SHORT);
    for row in &mut rows {
        row[0] = text::shortened(&row[0], room);
    }
    self::drawn(&head, &rows)
}

/// The table with its first column at the left and numbers at the right.
pub(super) fn drawn(head: &[&str], rows: &[Vec<String>]) -> String {
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

/// The mean in these words, and below it half of the interval where there is one; factors leave
/// the `x` out there, for the width.
fn words(found: Estimate, say: impl Fn(f64) -> String) -> String {
    let (mean, half) = (say(found.mean), (found.hi - found.lo) / 2.0);
    if found.n < 2 || half == 0.0 {
        return mean;
    }
    format!("{mean}\n±{}", say(half).trim_end_matches('x'))
}

/// The mean alone.
fn mean(policy: &PolicyResult, metric: Metric, say: fn(f64) -> String) -> String {
    policy.overall.get(metric).map(|found| say(found.mean)).unwrap_or_default()
}

fn with(policy: &PolicyResult, metric: Metric, say: fn(f64) -> String) -> String {
    policy.overall.get(metric).map(|found| words(found, say)).unwrap_or_default()
}

/// A count; millions are shortened, since their last digits say nothing.
fn counted(policy: &PolicyResult, metric: Metric) -> String {
    with(policy, metric, |count| if count < 1e7 { text::number(count) } else { text::tick(count) })
}

/// A measure of which zero is not worth a column.
fn some(policy: &PolicyResult, metric: Metric) -> String {
    let found = policy.overall.get(metric).filter(|found| found.hi != 0.0);
    found.map(|found| words(found, text::number)).unwrap_or_default()
}

/// The share of calls that failed for good: "no call" rather than a share of zero, which would
/// claim to know what the next call does.
fn gave_up(policy: &PolicyResult) -> String {
    let counts = (policy.overall.get(Metric::Calls), policy.overall.get(Metric::Failed));
    match counts {
        (Some(calls), Some(failed)) if calls.mean > 0.0 && failed.mean == 0.0 => {
            "no call".to_string()
        }
        (Some(calls), Some(failed)) if calls.mean > 0.0 => text::percent(failed.mean / calls.mean),
        _ => String::new(),
    }
}

/// When it recovered: `19.5 s`, `>44m20s`; over replications the median with its interval, and in
/// how many of them when not in all, with the interval of that share (Wilson).
pub fn recovered(study: &StudyResult, policy: &PolicyResult) -> String {
    let (Some(share), Some(time)) = (policy.recovered, policy.recovery) else {
        return String::new();
    };
    let one = match policy.first.recovery {
        Recovery::NotAsked => String::new(),
        Recovery::After(after) => text::seconds(after.as_secs_f64()),
        Recovery::NotWithin(within) => format!(">{}", text::seconds(within.as_secs_f64())),
    };
    if study.reps < 2 {
        return one;
    }
    // The median run had not recovered by then.
    let never = |policy: &PolicyResult| format!(">{}", text::seconds(watched(study, policy)));
    let mut lines = vec![time.p50.map_or_else(|| never(policy), text::seconds)];
    if let Some(lo) = time.lo.filter(|lo| time.hi != Some(*lo)) {
        // Few replications leave the upper end open.
        let hi = time.hi.map_or("?".to_string(), text::seconds);
        lines.push(format!("{}…{hi}", text::seconds(lo)));
    }
    if share.k < share.n {
        let percent = |share: f64| format!("{:.0}", share * 100.0);
        lines.push(format!("{} of {}", share.k, share.n));
        lines.push(format!("{}…{} %", percent(share.lo), percent(share.hi)));
    }
    lines.join("\n")
}

/// For how many seconds after the fault the first run that did not recover was watched.
fn watched(study: &StudyResult, policy: &PolicyResult) -> f64 {
    match policy.first.recovery {
        Recovery::NotWithin(watched) => watched.as_secs_f64(),
        _ => study.horizon.saturating_since(window::origin(study)).as_secs_f64(),
    }
}
