//! The wait, and up to a multiple of it more.

use std::time::Duration;

use super::{Jitter, uniform};
use crate::form::{Form, Given, Shape};
use crate::policy::backoff::Law;
use crate::rng::Stream;
use crate::time::{from_secs, secs};

/// U(wait, wait × (1 + part)): Kubernetes' `wait.Backoff`, tower with 0.99, node-retry with 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Longer {
    /// The most that is added, as a part of the wait (≥ 0).
    pub part: f64,
}

/// Its words in the scenario language.
pub(super) const FORM: Form<Jitter> = Form {
    name: "longer",
    doc: "The most that is added to a wait, as a part of it: 0.5 is up to half as long again.",
    shape: Some(Shape::AtLeast(0.0)),
    build: |given| Jitter::Longer(Longer { part: given.number(Given::VALUE) }),
};

impl Longer {
    /// A wait between `wait` and its ceiling.
    pub fn spread(&self, wait: Duration, rng: &mut Stream) -> Duration {
        uniform(wait, self.ceiling(wait), rng)
    }

    /// The longest that `wait` can become.
    pub fn ceiling(&self, wait: Duration) -> Duration {
        from_secs(secs(wait) * (1.0 + self.part)).max(wait)
    }

    /// The law of its spread.
    pub fn law(&self, wait: f64) -> Law {
        Law::even(wait, wait * (1.0 + self.part))
    }
}
