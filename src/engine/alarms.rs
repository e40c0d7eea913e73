//! Moments that are put off and brought forward: of each alarm only one is pending.

use super::entry::{Entry, NEVER};

/// Alarms by number, in a binary heap that knows where each of them is.
///
/// A queue in which nothing is cancelled would fill with alarms that have been set anew.
#[derive(Debug)]
pub(super) struct Alarms<E> {
    /// The heap: the earliest first.
    heap: Vec<(Entry<E>, u32)>,
    /// Where each alarm is in the heap; `NOWHERE` when it is not set.
    places: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl<E> Default for Alarms<E> {
    fn default() -> Self {
        Alarms { heap: Vec::new(), places: Vec::new() }
    }
}

impl<E: Copy> Alarms<E> {
    /// The key of the earliest.
    #[inline]
    pub(super) fn key(&self) -> u128 {
        self.heap.first().map_or(NEVER, |(entry, _)| entry.key())
    }

    /// How many are set.
    pub(super) fn len(&self) -> usize {
        self.heap.len()
    }

    /// Sets an alarm, in place of what it was set to.
    #[inline]
    pub(super) fn set(&mut self, alarm: u32, entry: Entry<E>) {
        if self.places.len() <= alarm as usize {
            self.places.resize(alarm as usize + 1, NOWHERE);
        }
        let mut place = self.places[alarm as usize] as usize;
        if place == NOWHERE as usize {
            place = self.heap.len();
            self.heap.push((entry, alarm));
            self.places[alarm as usize] = place as u32;
        } else {
            self.heap[place].0 = entry;
        }
        // The only alarm is where it belongs.
        if self.heap.len() > 1 {
            self.settle(place);
        }
    }

    /// Takes an alarm back, if it is set.
    #[inline]
    pub(super) fn clear(&mut self, alarm: u32) {
        let place = self.places.get(alarm as usize).copied().unwrap_or(NOWHERE);
        if place != NOWHERE {
            self.remove(place as usize);
        }
    }

    /// Takes the earliest out.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Entry<E>> {
        (!self.heap.is_empty()).then(|| self.remove(0))
    }

    fn remove(&mut self, place: usize) -> Entry<E> {
        let (entry, alarm) = self.heap.swap_remove(place);
        self.places[alarm as usize] = NOWHERE;
        if let Some((_, moved)) = self.heap.get(place) {
            self.places[*moved as usize] = place as u32;
            self.settle(place);
        }
        entry
    }

    /// Moves the alarm at this place to where it belongs.
    fn settle(&mut self, mut place: usize) {
        while place > 0 && self.before(place, (place - 1) / 2) {
            self.swap(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
        loop {
            let children = [2 * place + 1, 2 * place + 2];
            let inside = children.into_iter().filter(|child| *child < self.heap.len());
            let Some(child) = inside.min_by_key(|child| self.heap[*child].0.key()) else { return };
            if !self.before(child, place) {
                return;
            }
            self.swap(child, place);
            place = child;
        }
    }

    fn before(&self, a: usize, b: usize) -> bool {
        self.heap[a].0.key() < self.heap[b].0.key()
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.heap.swap(a, b);
        self.places[self.heap[a].1 as usize] = a as u32;
        self.places[self.heap[b].1 as usize] = b as u32;
    }
}
