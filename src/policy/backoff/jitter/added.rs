//! The wait, and something more that does not depend on it.

use std::time::Duration;

use super::{Jitter, uniform};
use crate::form::{Form, Shape, default, required, table};
use crate::policy::backoff::Law;
use crate::rng::Stream;
use crate::time::secs;

/// wait + U(0, most + (n − 1) × step) before retry n: stamina with 1 s, got with 100 ms, Sidekiq
/// with 10 s and a step of 10 s.
#[derive(Clone, Debug, PartialEq)]
pub struct Added {
    /// The most that is added before the first retry (≥ 0).
    pub most: Duration,
    /// What every further retry adds to the most (≥ 0).
    pub step: Duration,
}

/// Its words in the scenario language.
pub(super) const FORM: Form<Jitter> = Form {
    name: "added",
    doc: "A spread that does not depend on the wait is added to it.",
    shape: Some(Shape::Table(&table(
        "an added jitter",
        &[
            required("most", Shape::Duration, "The most that is added before the first retry."),
            default(
                "step",
                "\"0s\"",
                Shape::Duration,
                "What every further retry adds to the most.",
            ),
        ],
    ))),
    build: |given| {
        Jitter::Added(Added { most: given.duration("most"), step: given.duration("step") })
    },
};

impl Added {
    /// A wait between `wait` and its ceiling.
    pub fn spread(&self, wait: Duration, number: u32, rng: &mut Stream) -> Duration {
        uniform(wait, self.ceiling(wait, number), rng)
    }

    /// The longest that `wait` can become.
    pub fn ceiling(&self, wait: Duration, number: u32) -> Duration {
        wait.saturating_add(self.most(number))
    }

    /// The law of its spread.
    pub fn law(&self, wait: f64, number: u32) -> Law {
        Law::even(wait, wait + secs(self.most(number)))
    }

    fn most(&self, number: u32) -> Duration {
        self.most.saturating_add(self.step.saturating_mul(number.saturating_sub(1)))
    }
}
