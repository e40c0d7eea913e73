//! `herdsim run`: simulates a scenario, tells what came of it, and writes the files.

use std::path::{Path, PathBuf};

use super::args::{Common, Format, RunArgs};
use super::exit::Failure;
use super::{notes, terminal};
use herdsim::report::{self, Output, RunFiles, csv, json, sparkline, table};
use herdsim::scenario::{self, Explained, Loaded, Options, Scenario};
use herdsim::study::{self, Answer, Claim, StudyResult};

/// What is run, and where its files go.
pub(crate) struct Job<'a> {
    /// The scenario.
    pub(crate) loaded: &'a Loaded,
    /// The folder for the files.
    pub(crate) dir: PathBuf,
    /// The verb and its argument, for the command that makes the same files again.
    pub(crate) verb: &'a str,
    /// Whether all parameters are printed.
    pub(crate) shows_parameters: bool,
}

/// Reads the scenario and runs it.
pub(crate) fn main(args: &RunArgs) -> Result<(), Failure> {
    let common = &args.common;
    let loaded = scenario::read(&args.scenario, &options(common))
        .map_err(|error| super::bad_scenario(&error, common.color))?;
    let dir = common.out.clone().unwrap_or_else(|| default_dir(&args.scenario));
    let verb = "run scenario.effective.toml";
    execute(&Job { loaded: &loaded, dir, verb, shows_parameters: common.verbose }, common)
}

/// The options that change a scenario.
pub(crate) fn options(common: &Common) -> Options {
    Options { set: common.set.clone(), seed: common.seed, reps: common.reps }
}

/// `output/<stem of the scenario file>`.
fn default_dir(scenario: &str) -> PathBuf {
    let stem = match scenario {
        "-" => "stdin".into(),
        path => Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned(),
    };
    // `name.effective.toml` of a folder of results is still the scenario `name`.
    Path::new("output").join(stem)
}

/// Runs a scenario, writes its files, prints its results and answers its claims.
pub(crate) fn execute(job: &Job<'_>, common: &Common) -> Result<(), Failure> {
    let scenario = &job.loaded.scenario;
    let mut output = Output::prepare(&job.dir, &scenario.hash, common.force)
        .map_err(|error| Failure::Input(format!("error: {error}")))?;
    let started = notes::Clock::start();
    let study = simulate(scenario, common)?;
    let simulated = started.seconds();
    write(&mut output, job, &study, !common.no_charts)?;
    let claims = study::check(&scenario.expects, &study);
    super::print(&match common.format {
        Format::Table => people(job, &study, &claims),
        Format::Json => json::summary_text(&study),
        Format::Jsonl => json::lines(&study),
        Format::Csv => summary_csv(&study),
    })?;
    if common.verbose && common.format == Format::Table {
        super::print(&notes::own_work(&study, simulated))?;
    }
    if !common.quiet {
        tell_written(&output);
    }
    answer(&claims)
}

fn simulate(scenario: &Scenario, common: &Common) -> Result<StudyResult, Failure> {
    let runs = scenario.policies.len() as u64 * u64::from(scenario.reps);
    let bar = terminal::progress(runs, common.quiet);
    let jobs = common.jobs.map(|jobs| jobs as usize);
    let options = study::Options { jobs, progress: &|| bar.inc(1) };
    let study = study::run(scenario, &options);
    bar.finish_and_clear();
    study.map_err(|reason| Failure::Internal(format!("error: {reason}")))
}

fn write(
    output: &mut Output,
    job: &Job<'_>,
    study: &StudyResult,
    charts: bool,
) -> Result<(), Failure> {
    let explained: Vec<_> = job
        .loaded
        .explained
        .iter()
        .map(|Explained { path, value, source, .. }| (path.clone(), value.clone(), source.clone()))
        .collect();
    let files = RunFiles {
        study,
        explained: &explained,
        effective: &job.loaded.effective,
        data_files: &job.loaded.files,
        model: &notes::model(),
        command: &format!("herdsim {}", job.verb),
    };
    report::write_run(output, &files, charts)
        .map_err(|error| Failure::Internal(format!("error: {error}")))
}

/// The results as people read them.
fn people(job: &Job<'_>, study: &StudyResult, claims: &[Claim]) -> String {
    let mut text = format!("{}\n", study.title);
    if !study.question.is_empty() {
        text.push_str(&format!("{}\n", study.question));
    }
    text.push('\n');
    if job.shows_parameters {
        text.push_str(&notes::parameters(&job.loaded.explained));
        text.push('\n');
    }
    text.push_str(&table::text(study));
    text.push('\n');
    text.push_str(&sparkline::text(study));
    text.push('\n');
    for policy in &study.policies {
        text.push_str(&format!("{}: {}\n", policy.label, policy.verdict.text));
    }
    text.push_str(&notes::claims(claims));
    text
}

fn summary_csv(study: &StudyResult) -> String {
    let mut bytes = Vec::new();
    csv::summary(study, &mut bytes).expect("writing to memory does not fail");
    String::from_utf8_lossy(&bytes).into_owned()
}

fn tell_written(output: &Output) {
    let names: Vec<&str> = output.names().collect();
    let dir = output.dir().display();
    if names.contains(&"report.html") {
        eprintln!("wrote {dir}/report.html  (open it)");
    }
    eprintln!("wrote {} files to {dir}", names.len());
}

/// Whether all claims are met: exit code 4 otherwise.
fn answer(claims: &[Claim]) -> Result<(), Failure> {
    let open: Vec<_> = claims.iter().filter(|claim| claim.answer != Answer::Met).collect();
    if open.is_empty() {
        return Ok(());
    }
    let lines = open.iter().map(|claim| format!("  {}", notes::claim(claim)));
    let lines: Vec<String> = lines.collect();
    Err(Failure::NotMet(format!(
        "error: {} of {} expectations are not met:\n{}",
        open.len(),
        claims.len(),
        lines.join("\n")
    )))
}
