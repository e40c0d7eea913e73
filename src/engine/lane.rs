//! Events that are scheduled in the order in which they are due.

use std::collections::VecDeque;

use super::entry::{Entry, NEVER};

/// Events that are due after a delay that is always the same: the one scheduled last is due last.
/// A timeout that nobody will need costs a place at the end of a line.
#[derive(Debug)]
pub(super) struct Lane<E> {
    /// In nanoseconds.
    delay: u64,
    class: u8,
    /// The key of the last one that came.
    last: u128,
    entries: VecDeque<Entry<E>>,
}

/// All lanes of a queue: few, as each costs a comparison per event.
#[derive(Debug)]
pub(super) struct Lanes<E> {
    lanes: Vec<Lane<E>>,
    /// The key of the first entry of each lane.
    keys: [u128; MOST_LANES],
    /// The first of these keys, and its lane.
    first: (u128, usize),
}

/// Lanes of a queue (≤).
const MOST_LANES: usize = 6;

impl<E> Default for Lanes<E> {
    fn default() -> Self {
        Lanes { lanes: Vec::new(), keys: [NEVER; MOST_LANES], first: (NEVER, 0) }
    }
}

impl<E: Copy> Lanes<E> {
    /// Lets an event wait in the lane of this delay and class; gives it back where it would not be
    /// the last one there, or where there are too many lanes.
    #[inline]
    pub(super) fn push(&mut self, delay: u64, class: u8, entry: Entry<E>) -> Option<Entry<E>> {
        let fits = |lane: &Lane<E>| lane.delay == delay && lane.class == class;
        let index = match self.lanes.iter().position(fits) {
            Some(index) => index,
            None if self.lanes.len() == MOST_LANES => return Some(entry),
            None => self.open(delay, class),
        };
        let key = entry.key();
        if self.keys[index] == NEVER {
            self.set_key(index, key);
        } else if self.lanes[index].last > key {
            return Some(entry);
        }
        let lane = &mut self.lanes[index];
        lane.last = key;
        lane.entries.push_back(entry);
        None
    }

    /// The first key of all lanes, and the lane.
    #[inline]
    pub(super) fn first(&self) -> (u128, usize) {
        self.first
    }

    #[inline]
    fn set_key(&mut self, index: usize, key: u128) {
        self.keys[index] = key;
        let mut first = (NEVER, 0);
        for (index, key) in self.keys[..self.lanes.len()].iter().enumerate() {
            first = if *key < first.0 { (*key, index) } else { first };
        }
        self.first = first;
    }

    /// Takes the first event out of a lane, and all void ones that follow it.
    #[inline]
    pub(super) fn pop(&mut self, index: usize, is_void: impl Fn(E) -> bool) -> Option<Entry<E>> {
        let entries = &mut self.lanes[index].entries;
        let entry = entries.pop_front();
        while entries.front().is_some_and(|entry| is_void(entry.event)) {
            entries.pop_front();
        }
        let key = entries.front().map_or(NEVER, Entry::key);
        self.set_key(index, key);
        entry
    }

    /// The event at a distance behind the first one of a lane.
    #[inline]
    pub(super) fn ahead(&self, index: usize, distance: usize) -> Option<&Entry<E>> {
        self.lanes[index].entries.get(distance)
    }

    /// Events that wait.
    pub(super) fn len(&self) -> usize {
        self.lanes.iter().map(|lane| lane.entries.len()).sum()
    }

    #[cold]
    fn open(&mut self, delay: u64, class: u8) -> usize {
        self.lanes.push(Lane { delay, class, last: 0, entries: VecDeque::new() });
        self.lanes.len() - 1
    }
}
