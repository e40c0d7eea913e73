//! `herdsim schema`: the JSON Schema of scenario files.

use super::exit::Failure;

/// Prints the schema.
pub(crate) fn main() -> Result<(), Failure> {
    super::print(&herdsim::scenario::schema())
}
