//! Lists of pending events that grow by a chunk at a time and give it back when they are emptied.

use super::entry::Entry;

/// Entries of a chunk: a power of two.
const CHUNK: usize = 32;
/// Chunks that are added together.
const BLOCK: usize = 64;
/// No chunk.
const NONE: u32 = u32::MAX;

/// Chunks for all lists of one queue.
#[derive(Debug)]
pub(super) struct Pool<E> {
    entries: Vec<Entry<E>>,
    /// Of each chunk the one before it in its list, or another free one.
    before: Vec<u32>,
    free: u32,
}

/// A list: all its chunks but the last are full.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    /// The last chunk.
    chunk: u32,
    len: u32,
}

impl List {
    pub(super) const EMPTY: List = List { chunk: NONE, len: 0 };

    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    /// The places of the entries in its last chunk.
    fn last(&self) -> std::ops::Range<usize> {
        let first = self.chunk as usize * CHUNK;
        first..first + (self.len as usize).wrapping_sub(1) % CHUNK + 1
    }
}

impl<E: Copy> Default for Pool<E> {
    fn default() -> Self {
        Pool { entries: Vec::new(), before: Vec::new(), free: NONE }
    }
}

impl<E: Copy> Pool<E> {
    /// Adds an entry to a list.
    #[inline]
    pub(super) fn push(&mut self, list: &mut List, entry: Entry<E>) {
        let at = list.len as usize % CHUNK;
        if at == 0 {
            list.chunk = self.take(list.chunk, entry);
        }
        self.entries[list.chunk as usize * CHUNK + at] = entry;
        list.len += 1;
    }

    /// Empties a list and gives its chunks back one by one, so that they can take what is made of
    /// their entries.
    #[inline]
    pub(super) fn drain(&mut self, mut list: List, mut each: impl FnMut(&mut Self, Entry<E>)) {
        while list.len > 0 {
            for at in list.last() {
                let entry = self.entries[at];
                each(self, entry);
            }
            self.give_back(&mut list);
        }
    }

    /// Moves a list to the end of `entries`.
    pub(super) fn append(&mut self, mut list: List, entries: &mut Vec<Entry<E>>) {
        while list.len > 0 {
            entries.extend_from_slice(&self.entries[list.last()]);
            self.give_back(&mut list);
        }
    }

    /// All entries of a list.
    pub(super) fn iter(&self, mut list: List) -> impl Iterator<Item = &Entry<E>> {
        let chunks = std::iter::from_fn(move || {
            (list.len > 0).then(|| {
                let places = list.last();
                list.chunk = self.before[list.chunk as usize];
                list.len -= places.len() as u32;
                &self.entries[places]
            })
        });
        chunks.flatten()
    }

    /// A free chunk that follows `before`; `fill` stands in places that are not used yet.
    fn take(&mut self, before: u32, fill: Entry<E>) -> u32 {
        if self.free == NONE {
            self.grow(fill);
        }
        let chunk = self.free;
        self.free = std::mem::replace(&mut self.before[chunk as usize], before);
        chunk
    }

    /// Frees the last chunk of a list.
    fn give_back(&mut self, list: &mut List) {
        let chunk = list.chunk;
        list.len -= list.last().len() as u32;
        list.chunk = std::mem::replace(&mut self.before[chunk as usize], self.free);
        self.free = chunk;
    }

    #[cold]
    fn grow(&mut self, fill: Entry<E>) {
        let first = self.before.len();
        assert!(first + BLOCK < NONE as usize, "more than 2^37 events are pending");
        self.entries.resize((first + BLOCK) * CHUNK, fill);
        let chain = (first + 1..first + BLOCK).map(|chunk| chunk as u32);
        self.before.extend(chain.chain([NONE]));
        self.free = first as u32;
    }
}
