//! What queues are compared with.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::hold::Waits;

/// The reference: the heap of the standard library with keys of time, place and number.
pub struct Reference<'w> {
    waits: &'w Waits,
    pending: BinaryHeap<Reverse<(u64, u32, u32)>>,
    number: u64,
}

impl<'w> Reference<'w> {
    /// So many events are pending.
    pub fn new(waits: &'w Waits, pending: u32) -> Reference<'w> {
        let first = |id: u32| Reverse((waits.get(u64::from(id)), id, 0));
        let pending = (0..pending).map(first).collect();
        Reference { waits, pending, number: 0 }
    }

    /// So many take their turn.
    pub fn hold(&mut self, turns: u64) {
        for _ in 0..turns {
            let Some(Reverse((time, id, turn))) = self.pending.pop() else { return };
            self.number += 1;
            self.pending.push(Reverse((time + self.waits.get(self.number), id, turn + 1)));
        }
    }
}
