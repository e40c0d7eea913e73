//! What kind of failure an attempt met: the words that services, faults and policies share.

use std::fmt;

/// The kind of a failure, as retry policies tell failures apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailureClass {
    /// A passing fault: a 5xx answer, a refused or reset connection.
    Transient,
    /// The service asked its callers to slow down: a 429 answer.
    Throttling,
    /// No answer in time; the attempt may have been executed all the same.
    Timeout,
    /// A fault that a retry cannot mend: a 4xx answer.
    Fatal,
}

impl FailureClass {
    /// All classes, in the order of the scenario language.
    pub const ALL: [FailureClass; 4] =
        [Self::Transient, Self::Throttling, Self::Timeout, Self::Fatal];

    /// The word of the scenario language.
    pub fn name(self) -> &'static str {
        match self {
            FailureClass::Transient => "transient",
            FailureClass::Throttling => "throttling",
            FailureClass::Timeout => "timeout",
            FailureClass::Fatal => "fatal",
        }
    }
}

impl fmt::Display for FailureClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of failure classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailureSet(u8);

impl FailureSet {
    /// Every class but the fatal one: what a retry policy retries unless it is told otherwise.
    pub const RETRYABLE: FailureSet = FailureSet(0b0111);

    /// The set of these classes.
    pub fn of(classes: &[FailureClass]) -> FailureSet {
        FailureSet(classes.iter().fold(0, |bits, class| bits | 1 << *class as u8))
    }

    /// Whether the class is in the set.
    pub fn contains(self, class: FailureClass) -> bool {
        self.0 & (1 << class as u8) != 0
    }

    /// The classes of the set, in the order of the scenario language.
    pub fn iter(self) -> impl Iterator<Item = FailureClass> {
        FailureClass::ALL.into_iter().filter(move |class| self.contains(*class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_set_leaves_out_only_what_no_retry_can_mend() {
        let classes: Vec<_> = FailureSet::RETRYABLE.iter().collect();
        assert_eq!(
            classes,
            [FailureClass::Transient, FailureClass::Throttling, FailureClass::Timeout]
        );
        assert_eq!(FailureSet::of(&classes), FailureSet::RETRYABLE);
    }
}
