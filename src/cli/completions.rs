//! `herdsim completions`: what a shell needs to complete a command line.

use clap::CommandFactory;

use super::args::{Cli, CompletionsArgs};
use super::exit::Failure;

/// Prints the completions of a shell.
pub(crate) fn main(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "herdsim", &mut script);
    super::print(&String::from_utf8_lossy(&script))
}
