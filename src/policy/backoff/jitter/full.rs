//! Anything from zero to the wait.

use std::time::Duration;

use super::{Jitter, uniform};
use crate::form::Form;
use crate::policy::backoff::Law;
use crate::rng::Stream;

/// U(0, wait) ("full jitter" of the AWS Architecture Blog, 2015).
#[derive(Clone, Debug, PartialEq)]
pub struct Full {}

/// Its words in the scenario language.
pub(super) const FORM: Form<Jitter> = Form {
    name: "full",
    doc: "Anything from zero to the wait.",
    shape: None,
    build: |_| Jitter::Full(Full {}),
};

impl Full {
    /// A wait between zero and `wait`.
    pub fn spread(&self, wait: Duration, rng: &mut Stream) -> Duration {
        uniform(Duration::ZERO, wait, rng)
    }

    /// The law of its spread.
    pub fn law(&self, wait: f64) -> Law {
        Law::even(0.0, wait)
    }
}
