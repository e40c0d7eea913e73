//! The sum of the two waits before.

use std::time::Duration;

use super::Growth;
use crate::form::{Form, Shape, required, table};

/// Waits base × 1, 1, 2, 3, 5, 8 … (the sinks of Vector, src/sinks/util/retries.rs).
#[derive(Clone, Debug, PartialEq)]
pub struct Fibonacci {
    /// Wait before the first and the second retry (> 0).
    pub base: Duration,
}

/// Its words in the scenario language.
pub(super) const FORM: Form<Growth> = Form {
    name: "fibonacci",
    doc: "The sum of the two waits before.",
    shape: Some(Shape::Table(&table(
        "a Fibonacci backoff",
        &[required(
            "base",
            Shape::Positive,
            "Wait before the first and the second retry, a duration above zero.",
        )],
    ))),
    build: |given| Growth::Fibonacci(Fibonacci { base: given.duration("base") }),
};

impl Fibonacci {
    /// The wait before retry `number`; the longest duration when that overflows.
    pub fn wait(&self, number: u32) -> Duration {
        let (mut wait, mut next) = (self.base, self.base);
        // A hundred sums of nanoseconds pass every duration there is.
        for _ in 1..number.min(120) {
            (wait, next) = (next, wait.saturating_add(next));
        }
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wait_is_the_sum_of_the_two_before() {
        let growth = Fibonacci { base: Duration::from_secs(1) };
        let waits: Vec<u64> = (1..=8).map(|n| growth.wait(n).as_secs()).collect();
        assert_eq!(waits, [1, 1, 2, 3, 5, 8, 13, 21]);
        assert!(growth.wait(u32::MAX) >= growth.wait(100));
    }
}
