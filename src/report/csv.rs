//! Tidy tables: one row per bin and policy, per cell of a distribution, per estimate.

use std::io::{self, Write};

use csv::Writer;

use crate::metrics::{Distributions, Metric, Outcome, ServiceSeries, Timeline};
use crate::report::text::exact_seconds;
use crate::study::{Estimates, PolicyResult, StudyResult};
use crate::time;

/// Columns of `timeline.csv` that are not of one service.
const WHOLE: [&str; 6] = ["calls", "succeeded", "failed", "refused", "orbit", "quota"];

/// Writes `timeline.csv`: a row per bin and policy, columns per service under its name.
///
/// # Errors
/// What the writer says.
pub fn timeline(study: &StudyResult, out: impl Write) -> io::Result<()> {
    let mut csv = Writer::from_writer(out);
    let services = service_names(study);
    csv.write_record(timeline_header(&services))?;
    for policy in &study.policies {
        let series: Vec<Option<&ServiceSeries>> = services
            .iter()
            .map(|name| policy.first.timeline.services.iter().find(|s| s.name == *name))
            .collect();
        for bin in 0..policy.first.timeline.calls.len() {
            csv.write_record(timeline_row(policy, &series, bin))?;
        }
    }
    csv.flush()
}

/// Names of all services, in the order in which the policies mention them.
fn service_names(study: &StudyResult) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for service in study.policies.iter().flat_map(|policy| &policy.first.timeline.services) {
        if !names.contains(&service.name.as_str()) {
            names.push(&service.name);
        }
    }
    names
}

fn timeline_header(services: &[&str]) -> Vec<String> {
    let mut header = vec!["policy".to_string(), "time_s".to_string()];
    for service in services {
        header.push(format!("{service}.load"));
        header.extend(Outcome::ALL.iter().map(|outcome| format!("{service}.{}", outcome.name())));
        header.push(format!("{service}.queued"));
        header.push(format!("{service}.capacity_per_s"));
        header.push(format!("{service}.down"));
    }
    header.extend(WHOLE.map(String::from));
    header
}

fn timeline_row(policy: &PolicyResult, of: &[Option<&ServiceSeries>], bin: usize) -> Vec<String> {
    let timeline = &policy.first.timeline;
    let mut row = vec![policy.label.clone(), bin_start(timeline, bin)];
    for series in of {
        row.extend(service_cells(*series, bin));
    }
    for series in
        [&timeline.calls, &timeline.succeeded, &timeline.failed, &timeline.refused, &timeline.orbit]
    {
        row.push(cell(series.get(bin)));
    }
    row.push(cell(timeline.quota.get(bin)));
    row
}

/// When a bin begins, in seconds.
fn bin_start(timeline: &Timeline, bin: usize) -> String {
    exact_seconds(timeline.bin.as_nanos() * bin as u128)
}

fn service_cells(series: Option<&ServiceSeries>, bin: usize) -> Vec<String> {
    let Some(series) = series else {
        return vec![String::new(); Outcome::ALL.len() + 4];
    };
    let arrivals = series.arrivals.iter().map(|outcome| outcome.get(bin));
    let load: u64 = arrivals.clone().flatten().map(|count| u64::from(*count)).sum();
    let mut cells = vec![load.to_string()];
    cells.extend(arrivals.map(cell));
    cells.push(cell(series.queued.get(bin)));
    cells.push(cell(series.capacity_per_s));
    cells.push(cell(series.down.get(bin).map(|down| u8::from(*down))));
    cells
}

/// A value, or nothing where there is none.
fn cell(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Writes `calls.csv`: latencies (ms) and attempts of calls as cumulated distributions.
///
/// # Errors
/// What the writer says.
pub fn calls(study: &StudyResult, out: impl Write) -> io::Result<()> {
    let mut csv = Writer::from_writer(out);
    csv.write_record(["policy", "kind", "unit", "upper_bound", "count", "cumulative_share"])?;
    for policy in &study.policies {
        for (kind, unit, cells) in distributions(&policy.first.distributions) {
            let total: u64 = cells.iter().map(|(_, count)| count).sum();
            let mut seen = 0;
            for (bound, count) in &cells {
                seen += count;
                let share = if total == 0 { 0.0 } else { seen as f64 / total as f64 };
                let numbers = [bound.clone(), count.to_string(), share.to_string()];
                let [bound, count, share] = &numbers;
                csv.write_record([&policy.label, kind, unit, bound, count, share])?;
            }
        }
    }
    csv.flush()
}

/// Kind, unit, and the cells: upper bound as text, count.
type Cells = (&'static str, &'static str, Vec<(String, u64)>);

fn distributions(all: &Distributions) -> [Cells; 3] {
    let times = |cells: &[(std::time::Duration, u64)]| {
        // A thousandth of a second in seconds of a thousand times the length: exact, no float.
        let ms = |bound| exact_seconds(u128::from(time::nanos(bound)) * 1000);
        cells.iter().map(|(bound, count)| (ms(*bound), *count)).collect()
    };
    let attempts = all.attempts.iter().map(|(number, count)| (number.to_string(), *count));
    [
        ("latency", "ms", times(&all.latency)),
        ("error_latency", "ms", times(&all.error_latency)),
        ("attempts", "attempts", attempts.collect()),
    ]
}

/// Writes the estimates in long form: policy, part, metric, mean, lo, hi, n.
///
/// A share of replications and a recovery time have rows of their own (`recovered`,
/// `recovery_s.p50`, `recovery_s.p95`, `recovery_s.censored`), since a mean of the recovery times
/// that are finite would flatter the policy that seldom recovers. So has any other time that some
/// replications ended before, beside the row under its own name, which has no mean then: the names
/// of the rows that every run has are the same.
///
/// # Errors
/// What the writer says.
pub fn summary(study: &StudyResult, out: impl Write) -> io::Result<()> {
    let mut csv = Writer::from_writer(out);
    csv.write_record(["policy", "part", "metric", "mean", "lo", "hi", "n"])?;
    for policy in &study.policies {
        let mut write = |part: &str, metric: &str, [mean, lo, hi, n]: [String; 4]| {
            csv.write_record([&policy.label, part, metric, &mean, &lo, &hi, &n])
        };
        for (metric, cells) in estimate_rows(&policy.overall) {
            write("whole", metric, cells)?;
        }
        for (metric, cells) in recovery_rows(policy) {
            write("whole", &metric, cells)?;
        }
        for (name, estimates) in &policy.clients {
            for (metric, cells) in estimate_rows(estimates) {
                write(&format!("clients:{name}"), metric, cells)?;
            }
        }
        for (name, estimates) in &policy.services {
            for (metric, cells) in estimate_rows(estimates) {
                write(&format!("services:{name}"), metric, cells)?;
            }
        }
    }
    csv.flush()
}

fn estimate_rows(estimates: &Estimates) -> Vec<(&'static str, [String; 4])> {
    let known = estimates.iter().filter(|(metric, _)| *metric != Metric::RecoveryS);
    known
        .map(|(metric, e)| (metric.name(), [e.mean, e.lo, e.hi, f64::from(e.n)].map(plain)))
        .collect()
}

fn recovery_rows(policy: &PolicyResult) -> Vec<(String, [String; 4])> {
    let mut rows = Vec::new();
    if let Some(share) = policy.recovered {
        let mean = f64::from(share.k) / f64::from(share.n.max(1));
        let cells = [mean, share.lo, share.hi, f64::from(share.n)].map(plain);
        rows.push(("recovered".to_string(), cells));
    }
    // The row that it would have if every replication had seen it: there is no mean.
    for (metric, time) in &policy.censored {
        let [mean, lo, hi] = [const { String::new() }; 3];
        rows.push((metric.name().to_string(), [mean, lo, hi, time.n.to_string()]));
    }
    let recovery = policy.recovery.map(|time| (Metric::RecoveryS, time));
    for (metric, time) in recovery.into_iter().chain(policy.censored.iter().copied()) {
        let some = |value: Option<f64>| cell(value.map(plain));
        let (none, n, name) = (String::new, time.n.to_string(), metric.name());
        let median = [some(time.p50), some(time.lo), some(time.hi), n.clone()];
        rows.push((format!("{name}.p50"), median));
        rows.push((format!("{name}.p95"), [some(time.p95), none(), none(), n.clone()]));
        rows.push((format!("{name}.censored"), [time.censored.to_string(), none(), none(), n]));
    }
    rows
}

/// A number as Rust prints it: the shortest text that reads back as the same float.
fn plain(value: f64) -> String {
    value.to_string()
}
