//! The command line of herdsim.

fn main() {}
