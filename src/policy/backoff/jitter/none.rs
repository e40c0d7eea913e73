//! No spread at all: everybody who failed together comes back together.

use std::time::Duration;

use super::Jitter;
use crate::form::Form;

/// Leaves the wait as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct None {}

/// Its words in the scenario language.
pub(super) const FORM: Form<Jitter> = Form {
    name: "none",
    doc: "The wait itself.",
    shape: std::option::Option::None,
    build: |_| Jitter::None(None {}),
};

impl None {
    /// The wait itself.
    pub fn spread(&self, wait: Duration) -> Duration {
        wait
    }
}
