//! What happened, and what does it amount to?

mod names;
mod result;

pub use names::{Measures, Metric, Unit};
pub use result::{
    Distributions, Mark, Outcome, Raster, Recovery, RunResult, ServiceSeries, Timeline,
};
