//! A queue whose cost hardly grows with the number of pending events.
//!
//! A ladder queue (Tang, Goh and Thng 2005): what is far away lies unsorted; as time goes on it is
//! spread over *rungs* of buckets, each as fine as the one before it needs, and only the bucket
//! whose time has come is sorted. An event is moved a few times, always in runs of memory, where a
//! heap walks log n places all over it. And as the next events are known in their order, whoever
//! handles them can look ahead.

use std::collections::BinaryHeap;

use super::entry::{Entry, NEVER};
use super::pool::{List, Pool};

/// Buckets of a rung (≤).
const MOST_BUCKETS: usize = 256;
/// Events that a bucket should hold.
const BUCKET: usize = 32;
/// A bucket with so many events is sorted; with more it becomes a rung of its own.
const SORT: usize = 128;
/// A sorted bottom of more events than this is spread again.
const SPILL: usize = 512;

/// Pending events.
#[derive(Debug)]
pub(super) struct Ladder<E> {
    /// The next events, the first one last.
    bottom: Vec<Entry<E>>,
    /// What has come for a moment before `bottom_ends` while the bottom was full of one instant.
    crowd: BinaryHeap<Entry<E>>,
    /// Everything before this moment is in the bottom or the crowd.
    bottom_ends: u64,
    /// From coarse to fine: each covers what has been taken out of the current bucket of the rung
    /// before it.
    rungs: Vec<Rung>,
    /// Everything from the end of the coarsest rung on.
    far: List,
    pool: Pool<E>,
    /// A bucket that is being sorted, and its times.
    unsorted: Vec<Entry<E>>,
    times: Vec<u64>,
    /// Rungs that are not in use.
    spare: Vec<Rung>,
    len: usize,
}

/// Buckets of equal length side by side.
#[derive(Debug)]
struct Rung {
    begins: u64,
    /// The first moment after it.
    ends: u64,
    /// A bucket is 2^shift nanoseconds long.
    shift: u32,
    buckets: Box<[List; MOST_BUCKETS]>,
    /// Which buckets hold something.
    filled: [u64; MOST_BUCKETS / 64],
}

impl<E: Copy> Default for Ladder<E> {
    fn default() -> Self {
        Ladder {
            bottom: Vec::new(),
            crowd: BinaryHeap::new(),
            bottom_ends: 0,
            rungs: Vec::new(),
            far: List::EMPTY,
            pool: Pool::default(),
            unsorted: Vec::new(),
            times: Vec::new(),
            spare: Vec::new(),
            len: 0,
        }
    }
}

impl<E: Copy> Ladder<E> {
    /// Events pending.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The key of the next event; [`NEVER`] when there is none.
    #[inline]
    pub(super) fn key(&self) -> u128 {
        let key = self.bottom.last().map_or(NEVER, Entry::key);
        if self.crowd.is_empty() { key } else { key.min(self.crowd_key()) }
    }

    #[cold]
    fn crowd_key(&self) -> u128 {
        self.crowd.peek().map_or(NEVER, Entry::key)
    }

    /// The events that come next, the first one last: some, not all that are pending.
    pub(super) fn ahead(&self) -> &[Entry<E>] {
        &self.bottom
    }

    /// Puts an event in.
    #[inline]
    pub(super) fn push(&mut self, entry: Entry<E>) {
        self.len += 1;
        if entry.time < self.bottom_ends {
            self.push_bottom(entry);
            return;
        }
        for rung in self.rungs.iter_mut().rev() {
            if entry.time < rung.ends {
                rung.push(&mut self.pool, entry);
                return;
            }
        }
        self.pool.push(&mut self.far, entry);
        self.refill_if_empty();
    }

    /// Takes the next event out; gives whether the ones that come next are new ones.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(Entry<E>, bool)> {
        if !self.crowd.is_empty() && self.crowd_key() == self.key() {
            return self.pop_crowd();
        }
        let entry = self.bottom.pop()?;
        self.len -= 1;
        Some((entry, self.refill_if_empty()))
    }

    #[cold]
    fn pop_crowd(&mut self) -> Option<(Entry<E>, bool)> {
        let entry = self.crowd.pop()?;
        self.len -= 1;
        Some((entry, self.refill_if_empty()))
    }

    /// Gives whether the bottom was filled.
    #[inline]
    fn refill_if_empty(&mut self) -> bool {
        let empty = self.bottom.is_empty() && self.crowd.is_empty();
        if empty {
            self.refill();
        }
        empty
    }

    #[inline]
    fn push_bottom(&mut self, entry: Entry<E>) {
        let key = entry.key();
        if self.bottom.len() >= SPILL && !self.spill() {
            self.crowd.push(entry);
            return;
        }
        if entry.time >= self.bottom_ends {
            self.len -= 1;
            self.push(entry);
            return;
        }
        let at = self.bottom.partition_point(|other| other.key() > key);
        self.bottom.insert(at, entry);
    }

    /// The bottom has grown too long to be kept sorted: it becomes a rung, unless all of it is due
    /// at one instant; gives whether it did.
    fn spill(&mut self) -> bool {
        let begins = self.bottom.last().map_or(0, |entry| entry.time);
        let last = self.bottom.first().map_or(0, |entry| entry.time);
        if begins == last {
            return false;
        }
        // The crowd may hold events that come after some of the bottom: all are spread together.
        let begins = self.crowd.peek().map_or(begins, |first| begins.min(first.time));
        let mut rung = self.rung(begins, self.bottom_ends, self.bottom.len() + self.crowd.len());
        for entry in self.bottom.drain(..).chain(self.crowd.drain()) {
            rung.push(&mut self.pool, entry);
        }
        self.bottom_ends = begins;
        self.rungs.push(rung);
        self.refill();
        true
    }

    /// Fills the empty bottom with what comes next.
    fn refill(&mut self) {
        loop {
            let Some(rung) = self.rungs.last_mut() else {
                if self.far.len() == 0 {
                    return;
                }
                self.spread_far();
                continue;
            };
            let Some((begins, ends, list)) = rung.take_first() else {
                let rung = self.rungs.pop().expect("it was there");
                self.bottom_ends = rung.ends;
                self.spare.push(rung);
                continue;
            };
            if (list.len() <= SORT && ends - begins < 1 << 57) || ends - begins <= 1 {
                self.bottom_ends = ends;
                self.sort_into_bottom(list, begins);
                return;
            }
            let mut finer = self.rung(begins, ends, list.len());
            self.pool.drain(list, |pool, entry| finer.push(pool, entry));
            self.rungs.push(finer);
        }
    }

    /// Sorts a bucket that begins then: by time alone, which is a number of 64 bits with the place
    /// of the entry in its lower seven, and by all of the key only where times are equal.
    fn sort_into_bottom(&mut self, list: List, begins: u64) {
        if list.len() > SORT {
            self.pool.append(list, &mut self.bottom);
            self.bottom.sort_unstable();
            return;
        }
        self.unsorted.clear();
        self.pool.append(list, &mut self.unsorted);
        self.times.clear();
        let times = self.unsorted.iter().enumerate();
        self.times.extend(times.map(|(at, entry)| (entry.time - begins) << 7 | at as u64));
        self.times.sort_unstable();
        let entries = self.times.iter().rev().map(|time| self.unsorted[(time & 127) as usize]);
        self.bottom.extend(entries);
        if self.times.windows(2).any(|pair| pair[0] >> 7 == pair[1] >> 7) {
            self.bottom.sort_unstable();
        }
    }

    /// There is no rung left: what was far away becomes one.
    fn spread_far(&mut self) {
        let times = self.pool.iter(self.far).map(|entry| entry.time);
        let (first, last) =
            times.fold((u64::MAX, 0), |(low, high), time| (low.min(time), high.max(time)));
        let mut rung = self.rung(first, last + 1, self.far.len());
        let far = std::mem::replace(&mut self.far, List::EMPTY);
        self.pool.drain(far, |pool, entry| rung.push(pool, entry));
        self.bottom_ends = first;
        self.rungs.push(rung);
    }

    /// An empty rung for `count` events from `begins` on that are due before `ends`.
    fn rung(&mut self, begins: u64, ends: u64, count: usize) -> Rung {
        let buckets = (count / BUCKET).next_power_of_two().clamp(2, MOST_BUCKETS);
        let span = ends - begins;
        // The shortest buckets of a power of two that cover the span.
        let length = span.div_ceil(buckets as u64).next_power_of_two();
        let rung = self.spare.pop();
        let mut rung = rung.unwrap_or_else(|| Rung {
            begins: 0,
            ends: 0,
            shift: 0,
            buckets: Box::new([List::EMPTY; MOST_BUCKETS]),
            filled: [0; MOST_BUCKETS / 64],
        });
        (rung.begins, rung.ends, rung.shift) = (begins, ends, length.trailing_zeros());
        rung
    }
}

impl Rung {
    #[inline]
    fn push<E: Copy>(&mut self, pool: &mut Pool<E>, entry: Entry<E>) {
        let bucket = ((entry.time - self.begins) >> self.shift) as usize;
        self.filled[bucket / 64] |= 1 << (bucket % 64);
        pool.push(&mut self.buckets[bucket], entry);
    }

    /// Takes the first bucket out that holds something: when it begins and ends, and what is in it.
    fn take_first(&mut self) -> Option<(u64, u64, List)> {
        let word = self.filled.iter().position(|word| *word != 0)?;
        let bucket = word * 64 + self.filled[word].trailing_zeros() as usize;
        self.filled[word] &= self.filled[word] - 1;
        let list = std::mem::replace(&mut self.buckets[bucket], List::EMPTY);
        let begins = self.begins + ((bucket as u64) << self.shift);
        let ends = begins.saturating_add(1 << self.shift).min(self.ends);
        Some((begins, ends, list))
    }
}
