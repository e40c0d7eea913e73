//! A pending event and its place in the total order.

use std::cmp::Ordering;

use crate::time::SimTime;

/// Bits of the sequence number in a key: 1.4 × 10^11 events.
pub(super) const SEQUENCE_BITS: u32 = 37;
/// Bits of the tie in a key.
pub(super) const TIE_BITS: u32 = 24;

/// Later than every key: what is due then never happens.
pub(super) const NEVER: u128 = u128::MAX;

/// Where an event stands among those of the same instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Its class (0 … 7): the lower class comes first.
    pub class: u8,
    /// Its place within the class; only the low 24 bits count, and the lower comes first.
    pub tie: u32,
}

/// A pending event. No two have the same key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<E> {
    /// When, in nanoseconds.
    pub(super) time: u64,
    /// Class (3 bits), tie (24), sequence number (37).
    pub(super) place: u64,
    pub(super) event: E,
}

impl<E> Entry<E> {
    pub(super) fn new(time: SimTime, order: Order, sequence: u64, event: E) -> Entry<E> {
        let tie = u64::from(order.tie) & ((1 << TIE_BITS) - 1);
        let place =
            u64::from(order.class) << (TIE_BITS + SEQUENCE_BITS) | tie << SEQUENCE_BITS | sequence;
        Entry { time: time.as_nanos(), place, event }
    }

    /// Time and place in one number: the total order.
    pub(super) fn key(&self) -> u128 {
        u128::from(self.time) << 64 | u128::from(self.place)
    }
}

impl<E> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl<E> Eq for Entry<E> {}

impl<E> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Entry<E> {
    /// Reversed: the heap of the standard library gives the largest first.
    fn cmp(&self, other: &Self) -> Ordering {
        other.key().cmp(&self.key())
    }
}
