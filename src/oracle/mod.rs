//! Does the simulator give what theory says? Models with exact answers, how each is simulated,
//! and the verdict.

mod about;
mod about_queues;
mod about_rest;
pub mod exact;
mod experiment;
mod gauge;
mod harness;
mod params;
mod passage;
mod suite;
mod watch;

pub use about::{About, about};
pub use experiment::{Experiment, Reading, experiment};
pub use harness::{Answer, Effort, Found, Row, examine};
pub use params::Params;
pub use suite::{level, suite};
