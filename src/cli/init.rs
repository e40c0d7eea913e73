//! `herdsim init`: a commented scenario to edit.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};

use super::args::InitArgs;
use super::exit::Failure;
use super::terminal::tell;

/// The scenario that is written.
const TEMPLATE: &str = include_str!("init.toml");

/// Writes the scenario, over a file that is there only when forced.
pub(crate) fn main(args: &InitArgs) -> Result<(), Failure> {
    if args.file.as_os_str() == "-" {
        return super::print(TEMPLATE);
    }
    let path = args.file.display();
    let mut options = OpenOptions::new();
    options.write(true);
    if args.force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    let file = options.open(&args.file);
    match file.and_then(|mut file| file.write_all(TEMPLATE.as_bytes())) {
        Ok(()) => {
            tell(&format!("wrote {path}\nnext: herdsim run {path}"));
            Ok(())
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(Failure::Input(format!(
            "error: {path} is there already: choose another name, or --force"
        ))),
        Err(error) => Err(Failure::Input(format!("error: cannot write {path}: {error}"))),
    }
}
