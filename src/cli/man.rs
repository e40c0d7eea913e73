//! `herdsim man`: the manual pages.

use clap::CommandFactory;
use clap_mangen::Man;

use super::args::{Cli, ManArgs};
use super::exit::Failure;

/// Prints the page of the program or of one verb.
pub(crate) fn main(args: &ManArgs) -> Result<(), Failure> {
    let mut program = Cli::command();
    program.build();
    let command = match &args.verb {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(verb) => verb.clone(),
            None => {
                let names: Vec<&str> =
                    program.get_subcommands().map(|verb| verb.get_name()).collect();
                let names = names.join(", ");
                return Err(Failure::Input(format!("error: no verb is named {name:?}: {names}")));
            }
        },
    };
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    super::print(&String::from_utf8_lossy(&page))
}
