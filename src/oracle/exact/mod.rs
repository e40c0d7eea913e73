//! What does theory say? Formulas and chains whose numbers the simulator must meet.
//!
//! Every function names its source. Nothing here simulates.

mod amplified;
mod budgets;
pub mod chain;
mod closed;
mod contention;
mod deadline;
mod drain;
mod fold;
mod herd;
mod impatient;
mod jitter_law;
mod ladder;
mod ladder_decorrelated;
mod linear;
mod numeric;
mod occupancy;
mod passage;
mod pause;
mod periodic;
mod queue;
mod quota;
mod retrial;
mod roots;
pub(super) mod storm;
mod vulnerable;
mod waits;
mod zombie;

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
        .or_else(|| quota::value(model, params, metric))
        .or_else(|| budgets::value(model, params, metric))
        .or_else(|| herd::value(model, params, metric))
        .or_else(|| occupancy::value(model, params, metric))
        .or_else(|| waits::value(model, params, metric))
        .or_else(|| jitter_law::value(model, params, metric))
        .or_else(|| fold::value(model, params, metric))
        .or_else(|| vulnerable::value(model, params, metric))
        .or_else(|| zombie::value(model, params, metric))
        .or_else(|| amplified::value(model, params, metric))
        .or_else(|| contention::value(model, params, metric))
}
