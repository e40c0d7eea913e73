//! The queue of pending events and its total order.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::time::Duration;

use crate::time::SimTime;

/// Where an event stands among those of the same instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Its class (0 … 7): the lower class comes first.
    pub class: u8,
    /// Its place within the class; only the low 24 bits count, and the lower comes first.
    pub tie: u32,
}

/// Bits of the sequence number in a key: 1.4 × 10^11 events.
const SEQUENCE_BITS: u32 = 37;
/// Bits of the tie in a key.
const TIE_BITS: u32 = 24;

/// Pending events in a total order: time, then class, then tie, then the order of scheduling.
///
/// The order does not depend on the structure inside, which is a binary heap for now: O(log n)
/// for each event put in or taken out.
#[derive(Debug)]
pub struct Schedule<E> {
    now: SimTime,
    scheduled: u64,
    pending: BinaryHeap<Pending<E>>,
}

/// A pending event. The key holds time (64 bits), class (3), tie (24), sequence number (37).
#[derive(Clone, Copy, Debug)]
struct Pending<E> {
    key: u128,
    event: E,
}

impl<E> PartialEq for Pending<E> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<E> Eq for Pending<E> {}

impl<E> PartialOrd for Pending<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Pending<E> {
    /// Reversed: the heap of the standard library gives the largest first.
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.cmp(&self.key)
    }
}

impl<E: Copy> Default for Schedule<E> {
    fn default() -> Self {
        Schedule { now: SimTime::ZERO, scheduled: 0, pending: BinaryHeap::new() }
    }
}

impl<E: Copy> Schedule<E> {
    /// The current time.
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// Events pending.
    pub fn len(&self) -> usize {
        self.pending.len()
    }

    /// Whether nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// Schedules `event` at `time`. What is scheduled for [`SimTime::FOREVER`] never happens.
    ///
    /// # Panics
    /// When `time` is in the past.
    pub fn at(&mut self, time: SimTime, order: Order, event: E) {
        assert!(time >= self.now, "an event at {time} was scheduled at {}", self.now);
        if time == SimTime::FOREVER {
            return;
        }
        self.scheduled += 1;
        assert!(self.scheduled < 1 << SEQUENCE_BITS, "too many events for one run");
        let tie = u64::from(order.tie) & ((1 << TIE_BITS) - 1);
        let place = u64::from(order.class) << (TIE_BITS + SEQUENCE_BITS)
            | tie << SEQUENCE_BITS
            | self.scheduled;
        let key = u128::from(time.as_nanos()) << 64 | u128::from(place);
        self.pending.push(Pending { key, event });
    }

    /// Schedules `event` after `delay`.
    pub fn after(&mut self, delay: Duration, order: Order, event: E) {
        self.at(self.now.saturating_add(delay), order, event);
    }

    /// Takes the next event out and moves the clock to it; `None` when nothing is left up to and
    /// including `until`.
    pub fn next(&mut self, until: SimTime) -> Option<E> {
        let key = self.pending.peek()?.key;
        let time = SimTime::from_nanos((key >> 64) as u64);
        if time > until {
            return None;
        }
        assert!(time >= self.now, "time went back from {} to {time}", self.now);
        self.now = time;
        self.pending.pop().map(|pending| pending.event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(class: u8, tie: u32) -> Order {
        Order { class, tie }
    }

    fn drain(mut schedule: Schedule<u32>) -> Vec<u32> {
        std::iter::from_fn(|| schedule.next(SimTime::FOREVER)).collect()
    }

    #[test]
    fn time_comes_first_then_class_then_tie_then_the_order_of_scheduling() {
        let mut schedule = Schedule::default();
        let at = SimTime::from_nanos;
        schedule.at(at(2), order(0, 0), 6);
        schedule.at(at(1), order(3, 1), 4);
        schedule.at(at(1), order(3, 1), 5);
        schedule.at(at(1), order(3, 0), 3);
        schedule.at(at(1), order(0, 9), 1);
        schedule.at(at(1), order(2, 0), 2);
        assert_eq!(drain(schedule), [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn nothing_happens_after_the_end() {
        let mut schedule = Schedule::default();
        schedule.at(SimTime::from_nanos(5), order(0, 0), 1);
        schedule.at(SimTime::from_nanos(6), order(0, 0), 2);
        assert_eq!(schedule.next(SimTime::from_nanos(5)), Some(1));
        assert_eq!(schedule.next(SimTime::from_nanos(5)), None);
        assert_eq!(schedule.now(), SimTime::from_nanos(5));
    }

    #[test]
    fn what_is_due_at_the_end_of_time_never_happens() {
        let mut schedule = Schedule::default();
        schedule.after(Duration::MAX, order(0, 0), 1);
        assert!(schedule.is_empty());
    }
}
