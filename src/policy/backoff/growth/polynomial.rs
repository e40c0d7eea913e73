//! A power of the number of the retry.

use std::time::Duration;

use super::Growth;
use crate::form::{Form, Shape, default, required, table};

/// Waits plus + unit × (n − 1 + from)^power before retry n: Sidekiq with 1 s, the power 4 from 0,
/// plus 15 s (lib/sidekiq/job_retry.rb).
#[derive(Clone, Debug, PartialEq)]
pub struct Polynomial {
    /// What the power counts (> 0).
    pub unit: Duration,
    /// The power (≥ 1).
    pub power: u32,
    /// The number that is raised before the first retry (≥ 0).
    pub from: u32,
    /// What is added to every wait (≥ 0).
    pub plus: Duration,
}

/// Its words in the scenario language.
pub(super) const FORM: Form<Growth> = Form {
    name: "polynomial",
    doc: "A power of the number of the retry.",
    shape: Some(Shape::Table(&table(
        "a polynomial backoff",
        &[
            required("unit", Shape::Positive, "What the power counts, a duration above zero."),
            required("power", Shape::Whole(1), "The power, 1 or more."),
            default(
                "from",
                "1",
                Shape::Whole(0),
                "The number that is raised before the first retry; every retry adds 1 to it.",
            ),
            default("plus", "\"0s\"", Shape::Duration, "What is added to every wait."),
        ],
    ))),
    build: |given| {
        Growth::Polynomial(Polynomial {
            unit: given.duration("unit"),
            power: given.whole("power"),
            from: given.whole("from"),
            plus: given.duration("plus"),
        })
    },
};

impl Polynomial {
    /// The wait before retry `number`; the longest duration when that overflows.
    pub fn wait(&self, number: u32) -> Duration {
        let raised = u64::from(number.saturating_sub(1)) + u64::from(self.from);
        let times = u32::try_from(raised.saturating_pow(self.power)).unwrap_or(u32::MAX);
        self.plus.saturating_add(self.unit.saturating_mul(times))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sidekiqs_jobs_wait_the_fourth_power_and_fifteen_seconds() {
        let (unit, plus) = (Duration::from_secs(1), Duration::from_secs(15));
        let growth = Polynomial { unit, power: 4, from: 0, plus };
        let waits: Vec<u64> = (1..=11).map(|n| growth.wait(n).as_secs()).collect();
        assert_eq!(waits, [15, 16, 31, 96, 271, 640, 1311, 2416, 4111, 6576, 10015]);
        assert_eq!(growth.wait(u32::MAX).as_secs(), 15 + u64::from(u32::MAX));
    }
}
