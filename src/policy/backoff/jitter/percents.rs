//! The jitter of the crate exponential-backoff, in whole percents.

use std::time::Duration;

use super::Jitter;
use crate::form::{Form, Given, Shape};
use crate::policy::backoff::{Law, Piece};
use crate::rng::Stream;
use crate::time::{from_secs, secs};

/// r of 0 … 2 × percent − 1: r percent shorter below `percent`, otherwise r ÷ 2 percent longer
/// (crate exponential-backoff 2.1.1; with 30 half of the callers come 0 … 29 % earlier).
#[derive(Clone, Debug, PartialEq)]
pub struct Percents {
    /// Half of the number of cases, and the first percentage that is not taken off (1 … 100).
    pub percent: u32,
}

/// Its words in the scenario language.
pub(super) const FORM: Form<Jitter> = Form {
    name: "percents",
    doc: "Whole percents: so many are taken off at most, less one, or added, as likely either way.",
    shape: Some(Shape::Whole(1)),
    build: |given| Jitter::Percents(Percents { percent: given.whole(Given::VALUE).min(100) }),
};

impl Percents {
    /// A wait so many percent shorter or longer.
    pub fn spread(&self, wait: Duration, rng: &mut Stream) -> Duration {
        from_secs(secs(wait) * self.factor(rng.below(u64::from(self.percent) * 2) as u32))
    }

    /// The longest that `wait` can become.
    pub fn ceiling(&self, wait: Duration) -> Duration {
        from_secs(secs(wait) * self.factor(self.percent * 2 - 1)).max(wait)
    }

    /// The law of its spread.
    pub fn law(&self, wait: f64) -> Law {
        let mass = 1.0 / f64::from(self.percent * 2);
        let point = |r| {
            let wait = wait * self.factor(r);
            Piece { low: wait, high: wait, step: 0.0, mass }
        };
        Law::mixture((0..self.percent * 2).map(point).collect())
    }

    fn factor(&self, r: u32) -> f64 {
        let change = if r < self.percent { -f64::from(r) } else { f64::from(r / 2) };
        1.0 + change / 100.0
    }
}
