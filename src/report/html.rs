//! The page that people open: one file that needs nothing else, no network, no script.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::metrics::Metric;
use crate::report::chart::Chart;
use crate::report::{table, text};
use crate::study::{Estimates, PolicyResult, RecoveryTime, StudyResult};

const STYLE: &str = include_str!("page.css");

/// What the page is made from.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The results.
    pub study: &'a StudyResult,
    /// The charts; those that are missing are left out.
    pub charts: &'a [Chart],
    /// Every effective parameter: its path, its value, where it came from.
    pub explained: &'a [(String, String, String)],
    /// How the model works and what it leaves out, paragraph by paragraph.
    pub model: &'a [String],
    /// The command that makes the same page again.
    pub command: &'a str,
}

/// The page as text.
pub fn page(page: &Page<'_>) -> String {
    let study = page.study;
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (study.title) " · herdsim" }
                style { (PreEscaped(STYLE)) }
            }
            body { main {
                (heading(study))
                (verdicts(study))
                (figure(page.charts, "policies"))
                (results(study))
                (figure(page.charts, "timeline"))
                (figure(page.charts, "raster"))
                (parameters(page.explained))
                (model(page.model))
                (reproduce(page))
            } }
        }
    };
    text::visible(&markup.into_string())
}

fn heading(study: &StudyResult) -> Markup {
    let runs = text::counted(study.reps as usize, "replication", "replications");
    html! {
        header {
            h1 { (study.title) }
            @if !study.question.is_empty() { p.question { (study.question) } }
            p.setup {
                (text::counted(study.policies.len(), "policy", "policies")) " · "
                (text::seconds(study.horizon.as_secs_f64())) " simulated · " (runs)
                " · seed " (study.seed)
            }
        }
    }
}

fn verdicts(study: &StudyResult) -> Markup {
    html! {
        section { h2 { "Verdict" }
            @for policy in &study.policies {
                article.verdict {
                    p {
                        strong { (policy.label) } " "
                        span class=(word_class(&policy.verdict.word)) { (policy.verdict.word) }
                        " " (policy.verdict.text)
                    }
                    @if !policy.verdict.evidence.is_empty() {
                        ul { @for number in &policy.verdict.evidence { li { (number) } } }
                    }
                }
            }
        }
    }
}

/// How the word of a verdict is coloured; the word itself says the same.
fn word_class(word: &str) -> &'static str {
    match word {
        "recovers" | "steady" => "word good",
        "does not recover" | "relapses" => "word bad",
        _ => "word",
    }
}

fn figure(charts: &[Chart], id: &str) -> Markup {
    html! {
        @if let Some(chart) = charts.iter().find(|chart| chart.id == id) {
            figure {
                div.wide { (PreEscaped(&chart.svg)) }
                figcaption {
                    details { summary { "In words" } p { (chart.alt) } }
                    p { "data: charts/" (chart.id) ".csv" }
                }
            }
        }
    }
}

fn results(study: &StudyResult) -> Markup {
    let (head, lines) = table::cells(study);
    let mut whole: Vec<Row> = recovery_rows(study).into();
    whole.extend(whole_rows(study));
    html! {
        section { h2 { "Results" }
            div.wide { table {
                thead { tr { @for name in head { th scope="col" { (name.replace('\n', " ")) } } } }
                tbody { @for row in lines { (result_row(&row)) } }
            } }
            @if study.reps > 1 {
                p.note { "Means over replications ± half of the 95 % interval; times of recovery \
                    are medians with their 95 % interval." }
            }
            details { summary { "All measures" } (measures(study, whole)) }
            (parts(study, "clients", |policy| &policy.clients))
            (parts(study, "services", |policy| &policy.services))
        }
    }
}

fn result_row(row: &[String]) -> Markup {
    html! {
        tr {
            @for (place, cell) in row.iter().enumerate() {
                @if place == 0 { th scope="row" { (cell) } } @else { td { (lines(cell)) } }
            }
        }
    }
}

/// The first line of a cell, and what stands below it.
fn lines(cell: &str) -> Markup {
    html! {
        @for (place, line) in cell.lines().enumerate() {
            @if place == 0 { (line) } @else { br; small { (line) } }
        }
    }
}

/// The measures of each client group or service, by the names that the baseline knows.
fn parts(
    study: &StudyResult,
    kind: &str,
    of: fn(&PolicyResult) -> &Vec<(String, Estimates)>,
) -> Markup {
    let names = study.policies.first().map(|policy| of(policy).as_slice()).unwrap_or_default();
    html! {
        @for (name, _) in names {
            details { summary { "All measures of " (kind) " " (name) }
                (measures(study, rows(study, |policy| {
                    of(policy).iter().find(|(other, _)| other == name).map(|(_, found)| found)
                })))
            }
        }
    }
}

/// A row of a table of measures: name, a cell per policy, what it means.
type Row = (&'static str, Vec<String>, &'static str);

/// How often and how fast the policies recovered, with intervals.
fn recovery_rows(study: &StudyResult) -> [Row; 2] {
    let share = |policy: &PolicyResult| {
        let found = policy.recovered;
        found.map_or(String::new(), |share| {
            let (lo, hi) = (text::percent(share.lo), text::percent(share.hi));
            format!("{} of {} ({lo} to {hi})", share.k, share.n)
        })
    };
    let time = |policy: &PolicyResult| policy.recovery.map_or(String::new(), quantiles);
    let cells = |cell: &dyn Fn(&PolicyResult) -> String| study.policies.iter().map(cell).collect();
    [
        ("recovered", cells(&share), "Replications that recovered, with a 95 % Wilson interval."),
        ("recovery_s", cells(&time), Metric::RecoveryS.describe()),
    ]
}

/// A time that replications may end before: `p50 19 s (17 s to – ), p95 –, 3 of 20 not seen`.
fn quantiles(time: RecoveryTime) -> String {
    let seconds = |time: Option<f64>| time.map_or("–".to_string(), text::seconds);
    let [p50, p95, lo, hi] = [time.p50, time.p95, time.lo, time.hi].map(seconds);
    let unseen = match time.censored {
        0 => String::new(),
        k => format!(", {k} of {} not within the run", time.n),
    };
    format!("p50 {p50} ({lo} to {hi}), p95 {p95}{unseen}")
}

/// The rows of the measures of the whole system: times that some replications ended before have
/// quantiles there and no mean.
fn whole_rows(study: &StudyResult) -> Vec<Row> {
    let mut rows = rows(study, |policy| Some(&policy.overall));
    for (name, cells, _) in &mut rows {
        for (cell, policy) in cells.iter_mut().zip(&study.policies) {
            let unseen = policy.censored.iter().find(|(metric, _)| metric.name() == *name);
            *cell = unseen.map_or(std::mem::take(cell), |(_, time)| quantiles(*time));
        }
    }
    rows
}

/// The rows of all other measures.
fn rows<'a>(
    study: &'a StudyResult,
    of: impl Fn(&'a PolicyResult) -> Option<&'a Estimates>,
) -> Vec<Row> {
    let cell = |policy, metric: Metric| {
        let found = of(policy).and_then(|estimates| estimates.get(metric));
        found.map(|found| text::estimate(found, |value| said(metric, value))).unwrap_or_default()
    };
    let shown = Metric::ALL.into_iter().filter(|metric| *metric != Metric::RecoveryS);
    let row = |metric: Metric| {
        let cells = study.policies.iter().map(|policy| cell(policy, metric)).collect();
        (metric.name(), cells, metric.describe())
    };
    shown.map(row).collect()
}

/// A value of a measure; what the table and the charts say too, in the same digits.
fn said(metric: Metric, value: f64) -> String {
    match metric {
        Metric::PeakOverCapacity => text::ratio(value),
        Metric::AmplificationTotal | Metric::SyncIndex => text::digits(value),
        _ => text::with_unit(value, metric.unit()),
    }
}

/// A table of the measures that have a meaning under at least one policy.
fn measures(study: &StudyResult, rows: Vec<Row>) -> Markup {
    let known = rows.into_iter().filter(|(_, cells, _)| cells.iter().any(|cell| !cell.is_empty()));
    html! {
        div.wide { table.measures {
            thead { tr {
                th scope="col" { "measure" }
                @for policy in &study.policies { th scope="col" { (policy.label) } }
                th scope="col" { "meaning" }
            } }
            tbody { @for (name, cells, meaning) in known {
                tr {
                    th scope="row" { code { (name) } }
                    @for cell in cells { td { (cell) } }
                    td.meaning { (meaning) }
                }
            } }
        } }
    }
}

fn parameters(explained: &[(String, String, String)]) -> Markup {
    html! {
        @if !explained.is_empty() {
            section { h2 { "Every parameter in effect" }
                details { summary { (text::counted(explained.len(), "parameter", "parameters")) }
                    div.wide { table.parameters {
                        thead { tr {
                            th scope="col" { "parameter" } th scope="col" { "value" }
                            th scope="col" { "from" }
                        } }
                        tbody { @for (path, value, source) in explained {
                            tr {
                                th scope="row" { code { (path) } }
                                td { code { (value) } } td { (source) }
                            }
                        } }
                    } }
                }
            }
        }
    }
}

fn model(paragraphs: &[String]) -> Markup {
    html! {
        @if !paragraphs.is_empty() {
            section { h2 { "How this model works and what it leaves out" }
                @for paragraph in paragraphs { p { (paragraph) } }
            }
        }
    }
}

fn reproduce(page: &Page<'_>) -> Markup {
    let study = page.study;
    html! {
        section { h2 { "The same again" }
            pre { code { (page.command) } }
            p.note {
                "herdsim " (env!("CARGO_PKG_VERSION")) " · scenario " (study.hash)
                " · seed " (study.seed) " · generator " (study.generator)
            }
        }
    }
}
