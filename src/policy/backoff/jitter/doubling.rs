//! A window that doubles until it reaches its end.

use std::time::Duration;

use super::{Jitter, uniform};
use crate::form::{Form, Given, Shape};
use crate::policy::backoff::Law;
use crate::rng::Stream;
use crate::time::{nanos, secs};

/// U(wait, twice the wait), and no longer than this: a cap that narrows the spread instead of
/// gathering callers at its end (grafana/dskit, backoff/backoff.go).
#[derive(Clone, Debug, PartialEq)]
pub struct Doubling {
    /// The longest wait; a wait that is longer has no spread (> 0).
    pub longest: Duration,
}

/// Its words in the scenario language.
pub(super) const FORM: Form<Jitter> = Form {
    name: "doubling",
    doc: "Anything from the wait to twice the wait, or to this where that is shorter.",
    shape: Some(Shape::Positive),
    build: |given| Jitter::Doubling(Doubling { longest: given.duration(Given::VALUE) }),
};

impl Doubling {
    /// A wait in the window.
    pub fn spread(&self, wait: Duration, rng: &mut Stream) -> Duration {
        uniform(wait, self.ceiling(wait), rng)
    }

    /// The longest that `wait` can become.
    pub fn ceiling(&self, wait: Duration) -> Duration {
        let twice = Duration::from_nanos(nanos(wait).saturating_mul(2));
        twice.min(self.longest).max(wait)
    }

    /// The law of its spread.
    pub fn law(&self, wait: f64) -> Law {
        Law::even(wait, (2.0 * wait).min(secs(self.longest)).max(wait))
    }
}
