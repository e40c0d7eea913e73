//! What does theory say? Formulas and chains whose numbers the simulator must meet.
//!
//! Every function names its source. Nothing here simulates.

pub mod chain;
mod closed;

mod drain;
mod impatient;
mod ladder;
mod ladder_decorrelated;
mod linear;
mod pause;
mod periodic;
mod queue;
mod retrial;
mod roots;
pub(super) mod storm;

use super::params::Params;

/// The exact value of a metric of a model; `None` where no formula of it is here.
pub fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    queue::value(model, params, metric)
        .or_else(|| periodic::value(model, params, metric))
        .or_else(|| impatient::value(model, params, metric))
        .or_else(|| closed::value(model, params, metric))
        .or_else(|| drain::value(model, params, metric))
        .or_else(|| retrial::value(model, params, metric))
        .or_else(|| storm::value(model, params, metric))
        .or_else(|| ladder::value(model, params, metric))
}
