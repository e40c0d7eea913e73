//! Any whole number of a unit up to the wait.

use std::time::Duration;

use super::Jitter;
use crate::form::{Form, Given, Shape};
use crate::policy::backoff::{Law, Piece};
use crate::rng::Stream;
use crate::time::{nanos, secs};

/// 0, 1, 2 … of a unit, up to the wait and with it: Celery with 1 s (`get_exponential_backoff_
/// interval`), whose first retry is at once for half of the tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Multiples {
    /// The unit (> 0).
    pub unit: Duration,
}

/// Its words in the scenario language.
pub(super) const FORM: Form<Jitter> = Form {
    name: "multiples",
    doc: "Any whole number of this unit from zero to the wait, both included.",
    shape: Some(Shape::Positive),
    build: |given| Jitter::Multiples(Multiples { unit: given.duration(Given::VALUE) }),
};

impl Multiples {
    /// A whole number of the unit.
    pub fn spread(&self, wait: Duration, rng: &mut Stream) -> Duration {
        let unit = nanos(self.unit).max(1);
        let units = rng.below((nanos(wait) / unit).saturating_add(1));
        Duration::from_nanos(units * unit)
    }

    /// The largest whole number of the unit.
    pub fn ceiling(&self, wait: Duration) -> Duration {
        let unit = nanos(self.unit).max(1);
        Duration::from_nanos(nanos(wait) / unit * unit)
    }

    /// The law of its spread.
    pub fn law(&self, wait: f64) -> Law {
        let step = secs(self.unit);
        let high = (wait / step + 1e-9).floor() * step;
        Law::mixture(vec![Piece { low: 0.0, high, step, mass: 1.0 }])
    }
}
