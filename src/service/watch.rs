//! Whether a service is about to fall.

use std::collections::VecDeque;

use super::Overload;
use crate::time::{NANOS_PER_SEC, SimTime};

/// What a crash rule needs to remember.
#[derive(Debug, Default)]
pub struct Watch {
    /// The moments of the last arrivals, at most one more than the rule allows in a second.
    recent: VecDeque<SimTime>,
}

impl Watch {
    /// Counts an arrival; whether the load now exceeds the rule.
    pub fn arrival_fells(&mut self, rule: Overload, now: SimTime) -> bool {
        let Overload::Load(most) = rule else { return false };
        self.recent.push_back(now);
        // An action may have lowered the rule.
        while self.recent.len() > most as usize + 1 {
            self.recent.pop_front();
        }
        let second_ago = now.as_nanos().saturating_sub(NANOS_PER_SEC);
        let within = self.recent.front().is_some_and(|first| first.as_nanos() > second_ago)
            || now.as_nanos() < NANOS_PER_SEC;
        self.recent.len() > most as usize && within
    }

    /// Whether so many waiting attempts exceed the rule.
    pub fn queue_fells(rule: Overload, queued: usize) -> bool {
        matches!(rule, Overload::Queue(most) if queued > most as usize)
    }

    /// Forgets everything, after a crash.
    pub fn clear(&mut self) {
        self.recent.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_arrival_too_many_within_a_second_fells_it() {
        let mut watch = Watch::default();
        let at = |ms: u64| SimTime::from_nanos(ms * 1_000_000);
        let fells = |watch: &mut Watch, ms| watch.arrival_fells(Overload::Load(2), at(ms));
        assert!(!fells(&mut watch, 0));
        assert!(!fells(&mut watch, 500));
        assert!(!fells(&mut watch, 1000), "0 ms is a full second ago");
        assert!(fells(&mut watch, 1400));
        watch.clear();
        assert!(!fells(&mut watch, 1401));
    }

    #[test]
    fn the_queue_may_be_as_long_as_the_rule_says() {
        assert!(!Watch::queue_fells(Overload::Queue(5), 5));
        assert!(Watch::queue_fells(Overload::Queue(5), 6));
        assert!(!Watch::queue_fells(Overload::Load(5), 6));
    }
}
