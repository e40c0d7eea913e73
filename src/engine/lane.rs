//! Events that are scheduled in the order in which they are due.

use std::collections::VecDeque;
use std::time::Duration;

use super::entry::{Entry, NEVER};

/// Events that are due after a delay that is always the same: the one scheduled last is due last.
/// A timeout that nobody will need costs a place at the end of a line.
#[derive(Debug)]
pub(super) struct Lane<E> {
    delay: Duration,
    class: u8,
    entries: VecDeque<Entry<E>>,
}

/// All lanes of a queue: few, as each costs a comparison per event.
#[derive(Debug)]
pub(super) struct Lanes<E> {
    lanes: Vec<Lane<E>>,
    /// The key of the first entry of each lane.
    keys: Vec<u128>,
}

/// Lanes of a queue (≤).
const MOST_LANES: usize = 6;

impl<E> Default for Lanes<E> {
    fn default() -> Self {
        Lanes { lanes: Vec::new(), keys: Vec::new() }
    }
}

impl<E: Copy> Lanes<E> {
    /// Lets an event wait in the lane of this delay and class; gives it back where it would not be
    /// the last one there, or where there are too many lanes.
    #[inline]
    pub(super) fn push(&mut self, delay: Duration, class: u8, entry: Entry<E>) -> Option<Entry<E>> {
        let fits = |lane: &Lane<E>| lane.delay == delay && lane.class == class;
        let index = match self.lanes.iter().position(fits) {
            Some(index) => index,
            None if self.lanes.len() == MOST_LANES => return Some(entry),
            None => self.open(delay, class),
        };
        let lane = &mut self.lanes[index];
        match lane.entries.back() {
            None => self.keys[index] = entry.key(),
            Some(last) if last.key() > entry.key() => return Some(entry),
            Some(_) => {}
        }
        lane.entries.push_back(entry);
        None
    }

    /// The first key of all lanes, and the lane.
    #[inline]
    pub(super) fn first(&self) -> (u128, usize) {
        let mut first = (NEVER, 0);
        for (index, key) in self.keys.iter().enumerate() {
            if *key < first.0 {
                first = (*key, index);
            }
        }
        first
    }

    /// Takes the first event out of a lane.
    #[inline]
    pub(super) fn pop(&mut self, index: usize) -> Option<Entry<E>> {
        let entries = &mut self.lanes[index].entries;
        let entry = entries.pop_front();
        self.keys[index] = entries.front().map_or(NEVER, Entry::key);
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
    fn open(&mut self, delay: Duration, class: u8) -> usize {
        self.lanes.push(Lane { delay, class, entries: VecDeque::new() });
        self.keys.push(NEVER);
        self.lanes.len() - 1
    }
}
