//! `herdsim run`: simulates a scenario, tells what came of it, and writes the files.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::args::{Common, Format, RunArgs};
use super::exit::Failure;
use super::{notes, terminal, trace, until};
use herdsim::report::{self, Output, RunFiles, csv, json, sparkline, table};
use herdsim::scenario::{self, Explained, Loaded, Options, Scenario};
use herdsim::study::{self, Answer, Claim, StudyResult};

/// The scenario in a folder of results.
const EFFECTIVE: &str = "scenario.effective.toml";

/// What is run, and where its files go.
pub(crate) struct Job<'a> {
    /// The scenario.
    pub(crate) loaded: &'a Loaded,
    /// The folder for the files.
    pub(crate) dir: PathBuf,
    /// Whether all parameters are printed.
    pub(crate) shows_parameters: bool,
}

/// Reads the scenario and runs it.
pub(crate) fn main(args: &RunArgs) -> Result<(), Failure> {
    let common = &args.common;
    let dir = common.out.clone().unwrap_or_else(|| default_dir(&args.scenario));
    if let Some(wish) = &args.until {
        return until::main(args, wish, dir);
    }
    let loaded = load(args, &options(common))?;
    execute(&Job { loaded: &loaded, dir, shows_parameters: common.verbose }, common)
}

/// Reads the scenario.
pub(crate) fn load(args: &RunArgs, options: &Options) -> Result<Loaded, Failure> {
    scenario::read(&args.scenario, options)
        .map_err(|error| super::bad_scenario(&error, args.common.color))
}

/// The options that change a scenario.
pub(crate) fn options(common: &Common) -> Options {
    Options { set: common.set.clone(), seed: common.seed, reps: common.reps }
}

/// `output/<stem of the scenario file>`; of the scenario in a folder of results
/// `output/<name of the folder>`, so that running it again leads to the same place.
fn default_dir(scenario: &str) -> PathBuf {
    let path = Path::new(scenario);
    let folder = || {
        let absolute = std::path::absolute(path).ok()?;
        Some(absolute.parent()?.file_name()?.to_os_string())
    };
    let stem = match scenario {
        "-" => Some("stdin".into()),
        _ if path.file_name().is_some_and(|name| name == EFFECTIVE) => folder(),
        _ => path.file_stem().map(ToOwned::to_owned),
    };
    Path::new("output").join(stem.unwrap_or_else(|| "scenario".into()))
}

/// Runs a scenario, writes its files, prints its results and answers its claims.
pub(crate) fn execute(job: &Job<'_>, common: &Common) -> Result<(), Failure> {
    let scenario = &job.loaded.scenario;
    let output = prepare(&job.dir, scenario, common.force)?;
    let trace = common.trace.as_deref();
    let trace = trace.map(|path| trace::write(path, scenario, common.force)).transpose()?;
    let started = notes::Clock::start();
    let study = simulate(scenario, common)?;
    let spent = started.spent();
    tell(job, common, output, &study, trace, spent)
}

/// The folder for the files, if it may be used.
pub(crate) fn prepare(dir: &Path, scenario: &Scenario, force: bool) -> Result<Output, Failure> {
    Output::prepare(dir, &scenario.hash, force)
        .map_err(|error| Failure::Input(format!("error: {}", with_reasons(&error))))
}

/// Writes the files of a study, prints its results and answers its claims.
pub(crate) fn tell(
    job: &Job<'_>,
    common: &Common,
    mut output: Output,
    study: &StudyResult,
    trace: Option<trace::Written<'_>>,
    spent: notes::Spent,
) -> Result<(), Failure> {
    let scenario = &job.loaded.scenario;
    write(&mut output, job, study, !common.no_charts)?;
    if let Some(trace) = trace {
        trace.keep(common.quiet)?;
    }
    let claims = study::check(&scenario.expects, study);
    let printed = super::print_with(|out| match common.format {
        Format::Table => {
            let jobs = common.jobs.map(|jobs| jobs as usize);
            let own = common.verbose.then(|| notes::own_work(study, scenario, spent, jobs));
            out.write_all(people(job, study, &claims, &own.unwrap_or_default()).as_bytes())
        }
        Format::Json => json::write_summary(study, out),
        Format::Jsonl => json::write_lines(study, out),
        Format::Csv => csv::summary(study, out),
    });
    match printed {
        // The files are written and the claims have their answer, whoever reads the table.
        Ok(()) | Err(Failure::OutputClosed) => {}
        failed => return failed,
    }
    if !common.quiet {
        tell_written(&output);
    }
    if study.reps < scenario.reps {
        return Err(cut_off(study, scenario));
    }
    answer(&claims)
}

/// What was done when the user stopped a run, and how to do the rest.
fn cut_off(study: &StudyResult, scenario: &Scenario) -> Failure {
    Failure::Interrupted(format!(
        "interrupted after {done} of {all} replications: the results are those of --reps {done}; \
         the same command runs all of them again",
        done = study.reps,
        all = scenario.reps
    ))
}

/// An error and what it came from.
pub(crate) fn with_reasons(error: &dyn std::error::Error) -> String {
    let reasons = std::iter::successors(error.source(), |reason| reason.source());
    reasons.fold(error.to_string(), |text, reason| format!("{text}: {reason}"))
}

pub(crate) fn simulate(scenario: &Scenario, common: &Common) -> Result<StudyResult, Failure> {
    let runs = scenario.policies.len() as u64 * u64::from(scenario.reps);
    let bar = terminal::Share::of_runs(runs, common.quiet);
    let stop = terminal::stop_on_interrupt();
    let watch = |share: f64| {
        bar.reach(share);
        if stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let jobs = common.jobs.map(|jobs| jobs as usize);
    let options = study::Options { jobs, ..study::Options::default() };
    let study = study::run_watched(scenario, &options, &watch);
    bar.clear();
    let nothing = "interrupted before a replication was complete: nothing was written";
    match study {
        Ok(Some(study)) => Ok(study),
        Ok(None) => Err(Failure::Interrupted(nothing.to_string())),
        Err(reason) => Err(Failure::Internal(format!("error: {reason}"))),
    }
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
    // A run that was cut off had fewer replications than the scenario asks for.
    let whole = study.reps == job.loaded.scenario.reps;
    let reps = if whole { String::new() } else { format!(" --reps {}", study.reps) };
    let command = format!("herdsim run {EFFECTIVE}{reps}");
    let files = RunFiles {
        study,
        explained: &explained,
        effective: &job.loaded.stored(),
        data_files: &job.loaded.files,
        model: &notes::model(),
        command: &command,
    };
    report::write_run(output, &files, charts)
        .map_err(|error| Failure::Internal(format!("error: {}", with_reasons(&error))))
}

/// The results as people read them: findings first, what they were made from last.
fn people(job: &Job<'_>, study: &StudyResult, claims: &[Claim], own_work: &str) -> String {
    let mut text = format!("{}\n", study.title);
    if !study.question.is_empty() {
        text.push_str(&format!("{}\n", study.question));
    }
    text.push('\n');
    text.push_str(&table::text(study));
    text.push('\n');
    text.push_str(&sparkline::text(study));
    text.push('\n');
    for policy in &study.policies {
        text.push_str(&format!("{}: {}\n", policy.label, policy.verdict.text));
    }
    text.push_str(&notes::claims(claims));
    text.push_str(own_work);
    if job.shows_parameters {
        text.push_str(&format!("\nParameters:\n{}", notes::parameters(&job.loaded.explained)));
    }
    report::visible(&text)
}

fn tell_written(output: &Output) {
    let names: Vec<&str> = output.names().collect();
    let dir = output.dir().display();
    if names.contains(&"report.html") {
        terminal::tell(&format!("wrote {dir}/report.html  (open it)"));
    }
    terminal::tell(&format!("wrote {} files to {dir}", names.len()));
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
