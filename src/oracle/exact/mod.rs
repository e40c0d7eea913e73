//! What does theory say? Formulas and chains whose numbers the simulator must meet.
//!
//! Every function names its source. Nothing here simulates.

pub mod chain;
mod linear;
mod queue;
mod roots;

use super::params::Params;

/// The exact value of a metric of a model; `None` where no formula of it is here.
pub fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    queue::value(model, params, metric)
}
