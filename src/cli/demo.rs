//! `herdsim demo`: the classic herd, built into the program.

use std::path::{Path, PathBuf};

use super::args::DemoArgs;
use super::exit::Failure;
use super::run;
use herdsim::scenario::{self, Error, Loaded, Options};

/// The scenario of the demo: the same file that the repository ships.
const SCENARIO: &str = include_str!("../../scenarios/thundering-herd.toml");

/// Why the demo as it is has no trace: it has several million events.
const NO_TRACE: &str = "error: the demo is too long for --trace\nhelp: trace a shorter one: \
                        herdsim demo --set horizon=2m --trace FILE";

/// Reads the built-in scenario.
pub(crate) fn load(options: &Options) -> Result<Loaded, Error> {
    scenario::read_text("thundering-herd.toml", SCENARIO, Path::new("."), options)
}

/// Runs the built-in scenario and tells its story.
pub(crate) fn main(args: &DemoArgs) -> Result<(), Failure> {
    let common = &args.common;
    if common.trace.is_some() && common.set.is_empty() {
        return Err(Failure::Input(NO_TRACE.to_string()));
    }
    let loaded =
        load(&run::options(common)).map_err(|error| super::bad_scenario(&error, common.color))?;
    let dir = common.out.clone().unwrap_or_else(|| PathBuf::from("output/demo"));
    let job = run::Job { loaded: &loaded, dir, shows_parameters: true };
    run::execute(&job, common)?;
    if !common.quiet {
        super::terminal::tell("all parameters: herdsim explain demo");
    }
    Ok(())
}
