//! Half of the wait for certain, the other half by chance.

use std::time::Duration;

use super::{Jitter, uniform};
use crate::form::Form;
use crate::policy::backoff::Law;
use crate::rng::Stream;

/// U(wait/2, wait) ("equal jitter" of the AWS Architecture Blog, 2015).
#[derive(Clone, Debug, PartialEq)]
pub struct Equal {}

/// Its words in the scenario language.
pub(super) const FORM: Form<Jitter> = Form {
    name: "equal",
    doc: "Half of the wait, and anything up to the other half.",
    shape: None,
    build: |_| Jitter::Equal(Equal {}),
};

impl Equal {
    /// A wait between half of `wait` and `wait`.
    pub fn spread(&self, wait: Duration, rng: &mut Stream) -> Duration {
        uniform(wait / 2, wait, rng)
    }

    /// The law of its spread.
    pub fn law(&self, wait: f64) -> Law {
        Law::even(wait / 2.0, wait)
    }
}
