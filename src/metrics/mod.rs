//! What happened, and what does it amount to?

mod collector;
mod finish;
mod gauge;
mod latency;
mod marks;
mod names;
mod plan;
mod record;
mod recovery;
mod result;
mod retries;
mod spike;
mod tally;
mod unseen;

pub use collector::Collector;
pub use finish::Leftover;
pub use names::{Measures, Metric, Unit};
pub use plan::{Plan, RecoveryRule};
pub use record::{Parent, Record, Recorder, Who};
pub use recovery::Twin;
pub use result::{
    Distributions, Mark, Outcome, Raster, Recovery, RunResult, ServiceSeries, Timeline,
};
