//! `--trace FILE`: every event of a small run, written before the study and kept with its results.

use std::path::Path;

use super::exit::Failure;
use super::{run, terminal};
use herdsim::report::trace::{self, Error, MOST_LINES, TraceFile};
use herdsim::scenario::Scenario;

/// A trace that is written, and not yet in its place.
pub(crate) struct Written<'a> {
    path: &'a Path,
    file: TraceFile,
    lines: u64,
}

/// Writes the trace of a scenario. It comes before the study, so that a run that is too large to
/// be traced is refused before anything else is done.
pub(crate) fn write<'a>(
    path: &'a Path,
    scenario: &Scenario,
    force: bool,
) -> Result<Written<'a>, Failure> {
    let mut file = TraceFile::prepare(path, &scenario.hash, force).map_err(|error| bad(&error))?;
    // Otherwise Ctrl-C would end the program here and leave the unfinished file.
    terminal::stop_on_interrupt();
    let lines = trace::write(&mut file, scenario, MOST_LINES).map_err(|error| match error {
        Error::TooLong { .. } => bad(&error),
        Error::Io(reason) => {
            Failure::Internal(format!("error: cannot write {}: {reason}", path.display()))
        }
    })?;
    Ok(Written { path, file, lines })
}

impl Written<'_> {
    /// Puts the file into its place.
    pub(crate) fn keep(self, quiet: bool) -> Result<(), Failure> {
        self.file
            .keep()
            .map_err(|error| Failure::Internal(format!("error: {}", run::with_reasons(&error))))?;
        if !quiet {
            let path = self.path.display();
            terminal::tell(&format!("wrote {} lines of events to {path}", self.lines));
        }
        Ok(())
    }
}

fn bad(error: &dyn std::error::Error) -> Failure {
    Failure::Input(format!("error: {}", run::with_reasons(error)))
}
