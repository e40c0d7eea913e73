//! Does the simulator give what theory says? Models with exact answers, how each is simulated,
//! and the verdict.

pub mod exact;
mod experiment;
mod gauge;
mod harness;
mod params;
mod watch;

pub use experiment::{Experiment, Reading, experiment};
pub use harness::{Answer, Effort, Found, Row, examine};
pub use params::Params;
