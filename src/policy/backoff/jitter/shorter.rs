//! The wait, or up to a share of it less.

use std::time::Duration;

use super::{Jitter, uniform};
use crate::form::{Form, Given, Shape};
use crate::policy::backoff::Law;
use crate::rng::Stream;
use crate::time::{from_secs, secs};

/// U(wait × (1 − share), wait): the SDKs of OpenAI and Anthropic with 25 %.
#[derive(Clone, Debug, PartialEq)]
pub struct Shorter {
    /// The most that is taken off, as a share of the wait (0 … 1).
    pub share: f64,
}

/// Its words in the scenario language.
pub(super) const FORM: Form<Jitter> = Form {
    name: "shorter",
    doc: "The most that is taken off a wait, as a share of it.",
    shape: Some(Shape::Share),
    build: |given| Jitter::Shorter(Shorter { share: given.share(Given::VALUE).as_f64() }),
};

impl Shorter {
    /// A wait within `share` below `wait`.
    pub fn spread(&self, wait: Duration, rng: &mut Stream) -> Duration {
        let low = from_secs(secs(wait) * (1.0 - self.share)).min(wait);
        uniform(low, wait, rng)
    }

    /// The law of its spread.
    pub fn law(&self, wait: f64) -> Law {
        Law::even(wait * (1.0 - self.share), wait)
    }
}
