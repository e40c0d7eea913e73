//! The same wait every time.

use std::time::Duration;

use super::Growth;
use crate::form::{Form, Given, Shape};

/// Waits `wait` before every retry.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// The wait (≥ 0).
    pub wait: Duration,
}

/// Its words in the scenario language.
pub(super) const FORM: Form<Growth> = Form {
    name: "constant",
    doc: "The same wait every time.",
    shape: Some(Shape::Duration),
    build: |given| Growth::Constant(Constant { wait: given.duration(Given::VALUE) }),
};
