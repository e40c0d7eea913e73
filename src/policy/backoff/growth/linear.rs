//! One step more every time.

use std::time::Duration;

use super::Growth;
use crate::form::{Form, Shape, required, table};

/// Waits base + (n − 1) × step before retry n.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// Wait before the first retry (≥ 0).
    pub base: Duration,
    /// What every further retry adds (≥ 0).
    pub step: Duration,
}

/// Its words in the scenario language.
pub(super) const FORM: Form<Growth> = Form {
    name: "linear",
    doc: "One step more every time.",
    shape: Some(Shape::Table(&table(
        "a linear backoff",
        &[
            required("base", Shape::Duration, "Wait before the first retry."),
            required("step", Shape::Duration, "What every further retry adds."),
        ],
    ))),
    build: |given| {
        Growth::Linear(Linear { base: given.duration("base"), step: given.duration("step") })
    },
};

impl Linear {
    /// The wait before retry `number`; the longest duration when that overflows.
    pub fn wait(&self, number: u32) -> Duration {
        self.base.saturating_add(self.step.saturating_mul(number.saturating_sub(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_retry_adds_a_step() {
        let growth = Linear { base: Duration::from_secs(2), step: Duration::from_secs(3) };
        let waits: Vec<u64> = (1..=4).map(|n| growth.wait(n).as_secs()).collect();
        assert_eq!(waits, [2, 5, 8, 11]);
        assert_eq!(growth.wait(u32::MAX).as_secs(), 2 + 3 * (u64::from(u32::MAX) - 1));
    }
}
