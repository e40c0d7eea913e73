//! What is the experiment? Scenario files: read with the place of every value, then checked.

mod expect;
mod model;

pub use expect::{Expect, Part, Subject};
pub use model::{
    Action, Caller, Deadline, Downstream, Group, Measure, Model, PolicyCase, Scenario, ServiceNode,
    Slo,
};
