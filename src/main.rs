//! The command line of herdsim.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
