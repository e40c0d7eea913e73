//! The files of a run.

use crate::report::chart::{Chart, charts};
use crate::report::files::{Error, Output};
use crate::report::html::{self, Page};
use crate::report::{csv, json};
use crate::study::StudyResult;

/// Everything that the files of a run are made from.
#[derive(Clone, Copy, Debug)]
pub struct RunFiles<'a> {
    /// The results.
    pub study: &'a StudyResult,
    /// Every effective parameter: its path, its value, where it came from.
    pub explained: &'a [(String, String, String)],
    /// The scenario with every default written out, as TOML.
    pub effective: &'a str,
    /// Files that the effective scenario names: name inside the folder, content.
    pub data_files: &'a [(String, Vec<u8>)],
    /// How the model works and what it leaves out, paragraph by paragraph.
    pub model: &'a [String],
    /// The command that makes the same files again.
    pub command: &'a str,
}

/// Writes all files of a run and the manifest; charts only when they are wanted.
///
/// # Errors
/// The file system refuses.
pub fn write_run(output: &mut Output, run: &RunFiles<'_>, with_charts: bool) -> Result<(), Error> {
    let study = run.study;
    let charts = if with_charts { charts(study) } else { Vec::new() };
    output.write("report.html", page(run, &charts).as_bytes())?;
    output.write_with("summary.json", |out| json::write_summary(study, out))?;
    output.write_with("timeline.csv", |out| csv::timeline(study, out))?;
    output.write_with("calls.csv", |out| csv::calls(study, out))?;
    output.write("scenario.effective.toml", run.effective.as_bytes())?;
    for chart in &charts {
        output.write(&format!("charts/{}.svg", chart.id), chart.svg.as_bytes())?;
        output.write(&format!("charts/{}.png", chart.id), &chart.png)?;
        output.write(&format!("charts/{}.csv", chart.id), chart.csv.as_bytes())?;
    }
    for (name, bytes) in run.data_files {
        output.write(name, bytes)?;
    }
    output.finish(study.seed, &study.generator)
}

/// The page of a run.
fn page(run: &RunFiles<'_>, charts: &[Chart]) -> String {
    html::page(&Page {
        study: run.study,
        charts,
        explained: run.explained,
        model: run.model,
        command: run.command,
    })
}
