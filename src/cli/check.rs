//! `herdsim check`: validates scenario files without running them.

use super::args::CheckArgs;
use super::exit::Failure;
use super::terminal::is_colored;
use herdsim::scenario::{self, Options};

/// Checks every file; the mistakes of all of them are shown.
pub(crate) fn main(args: &CheckArgs) -> Result<(), Failure> {
    let mut mistakes = String::new();
    for file in &args.files {
        match scenario::read(file, &Options::default()) {
            Ok(loaded) => {
                let policies = loaded.scenario.policies.len();
                let plural = if policies == 1 { "policy" } else { "policies" };
                super::print(&format!("{file}: ok, {policies} {plural}\n"))?;
            }
            Err(error) => {
                mistakes.push_str(error.render(is_colored(args.color)).trim_end());
                mistakes.push('\n');
            }
        }
    }
    if mistakes.is_empty() { Ok(()) } else { Err(Failure::Input(mistakes)) }
}
