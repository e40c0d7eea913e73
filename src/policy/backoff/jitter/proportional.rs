//! The wait, give or take a share of it.

use std::time::Duration;

use super::{Jitter, uniform};
use crate::form::{Form, Given, Shape};
use crate::policy::backoff::Law;
use crate::rng::Stream;
use crate::time::from_secs;

/// U(wait × (1 − share), wait × (1 + share)): gRPC with 0.2, Google's client with 0.5.
#[derive(Clone, Debug, PartialEq)]
pub struct Proportional {
    /// The largest deviation, as a share of the wait (0 … 1).
    pub share: f64,
}

/// Its words in the scenario language.
pub(super) const FORM: Form<Jitter> = Form {
    name: "proportional",
    doc: "The largest deviation, as a share of the wait.",
    shape: Some(Shape::Share),
    build: |given| Jitter::Proportional(Proportional { share: given.share(Given::VALUE).as_f64() }),
};

impl Proportional {
    /// A wait within `share` of `wait`.
    pub fn spread(&self, wait: Duration, rng: &mut Stream) -> Duration {
        let low = from_secs(wait.as_secs_f64() * (1.0 - self.share));
        uniform(low, self.ceiling(wait).max(low), rng)
    }

    /// The longest that `wait` can become.
    pub fn ceiling(&self, wait: Duration) -> Duration {
        from_secs(wait.as_secs_f64() * (1.0 + self.share))
    }

    /// The law of its spread.
    pub fn law(&self, wait: f64) -> Law {
        Law::even(wait * (1.0 - self.share), wait * (1.0 + self.share))
    }
}
