//! A fixed list of waits.

use std::time::Duration;

use super::Growth;
use crate::form::{Form, Given, Shape};

/// Waits as the list says; its last entry serves every later retry.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// The waits before retry 1, 2, … (at least one).
    pub waits: Vec<Duration>,
}

/// Its words in the scenario language.
pub(super) const FORM: Form<Growth> = Form {
    name: "schedule",
    doc: "A fixed list of waits, the last of which repeats.",
    shape: Some(Shape::Filled(&Shape::Duration, "at least one wait is needed: [\"1s\", \"5s\"]")),
    build: |given| Growth::Schedule(Schedule { waits: given.durations(Given::VALUE) }),
};

impl Schedule {
    /// The wait before retry `number`.
    pub fn wait(&self, number: u32) -> Duration {
        let last = self.waits.len().checked_sub(1).expect("a schedule has at least one wait");
        self.waits[(number.saturating_sub(1) as usize).min(last)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_entry_repeats() {
        let growth = Schedule { waits: [0, 2, 10, 30].map(Duration::from_secs).to_vec() };
        let waits: Vec<u64> = (1..=6).map(|n| growth.wait(n).as_secs()).collect();
        assert_eq!(waits, [0, 2, 10, 30, 30, 30]);
    }
}
