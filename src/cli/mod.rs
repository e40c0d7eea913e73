//! One file per verb. Data goes to standard output; progress, warnings and "wrote" lines go to
//! standard error.

mod args;
mod check;
mod completions;
mod demo;
mod exit;
mod explain;
mod init;
mod man;
mod memory;
mod notes;
mod presets;
mod run;
mod schedule;
mod schema;
mod terminal;
mod trace;
mod until;
mod verify;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Verb};
use exit::Failure;

/// Does what the command line says.
pub(crate) fn main() -> ExitCode {
    let ended = match Cli::parse().verb {
        Verb::Demo(args) => demo::main(&args),
        Verb::Run(args) => run::main(&args),
        Verb::Verify(args) => verify::main(&args),
        Verb::Presets(args) => presets::main(&args),
        Verb::Schedule(args) => schedule::main(&args),
        Verb::Check(args) => check::main(&args),
        Verb::Explain(args) => explain::main(&args),
        Verb::Init(args) => init::main(&args),
        Verb::Schema => schema::main(),
        Verb::Completions(args) => completions::main(&args),
        Verb::Man(args) => man::main(&args),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let text = failure.to_string();
            if !text.is_empty() {
                terminal::tell(text.trim_end());
            }
            failure.code()
        }
    }
}

/// Writes data to standard output.
fn print(text: &str) -> Result<(), Failure> {
    print_with(|out| out.write_all(text.as_bytes()))
}

/// Writes to standard output what `content` writes, which need not be in the memory as a whole.
fn print_with(content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    content(&mut out)?;
    out.flush()?;
    Ok(())
}

/// The user's mistake in a scenario, as it is shown.
fn bad_scenario(error: &herdsim::scenario::Error, color: args::Color) -> Failure {
    Failure::Input(error.render(terminal::is_colored(color)))
}
