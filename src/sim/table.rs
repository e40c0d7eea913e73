//! A table of things that come and go, without an allocation for each.

use std::num::NonZeroU32;

/// Names a thing in a table. A thing that took the place of another has another generation, so
/// that a name outlives what it names without ever meaning something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id {
    /// Place in the table.
    pub slot: u32,
    /// Counts the things that have had this place, this one included; never zero, so that a name
    /// that may be absent needs no more memory than one that may not.
    pub generation: NonZeroU32,
}

impl Id {
    /// Names nothing, in any table.
    pub const NOTHING: Id = Id { slot: u32::MAX, generation: NonZeroU32::MAX };

    /// The name of these numbers.
    ///
    /// # Panics
    /// When the generation is zero.
    pub fn new(slot: u32, generation: u32) -> Id {
        let generation = NonZeroU32::new(generation).expect("generations begin with 1");
        Id { slot, generation }
    }
}

/// Things by [`Id`]. Places are used again, the last one freed first.
#[derive(Debug)]
pub struct Table<T> {
    entries: Vec<Entry<T>>,
    free: Vec<u32>,
}

#[derive(Debug)]
struct Entry<T> {
    generation: NonZeroU32,
    value: Option<T>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { entries: Vec::new(), free: Vec::new() }
    }
}

impl<T> Table<T> {
    /// Puts a thing in.
    #[inline]
    pub fn insert(&mut self, value: T) -> Id {
        if let Some(slot) = self.free.pop() {
            let entry = &mut self.entries[slot as usize];
            entry.value = Some(value);
            return Id { slot, generation: entry.generation };
        }
        let slot = u32::try_from(self.entries.len()).expect("more than 2^32 things in a table");
        let generation = NonZeroU32::MIN;
        self.entries.push(Entry { generation, value: Some(value) });
        Id { slot, generation }
    }

    /// The place that the next thing will have.
    #[inline]
    pub fn next(&self) -> u32 {
        self.free.last().copied().unwrap_or(self.entries.len() as u32)
    }

    /// The thing, if it is still there.
    #[inline]
    pub fn get(&self, id: Id) -> Option<&T> {
        let entry = self.entries.get(id.slot as usize)?;
        if entry.generation == id.generation { entry.value.as_ref() } else { None }
    }

    /// The thing, if it is still there, to change it.
    #[inline]
    pub fn get_mut(&mut self, id: Id) -> Option<&mut T> {
        let entry = &mut self.entries[id.slot as usize];
        if entry.generation == id.generation { entry.value.as_mut() } else { None }
    }

    /// The thing in this place, and its name.
    #[inline]
    pub fn at(&self, slot: u32) -> Option<(Id, &T)> {
        let entry = self.entries.get(slot as usize)?;
        let id = Id { slot, generation: entry.generation };
        entry.value.as_ref().map(|value| (id, value))
    }

    /// The thing in this place, to change it, and its name.
    ///
    /// # Panics
    /// When nothing is there.
    #[inline]
    pub fn at_mut(&mut self, slot: u32) -> (Id, &mut T) {
        let entry = &mut self.entries[slot as usize];
        let id = Id { slot, generation: entry.generation };
        match &mut entry.value {
            Some(value) => (id, value),
            None => panic!("nothing is in place {slot}"),
        }
    }

    /// The name of the thing in this place.
    ///
    /// # Panics
    /// When nothing is there.
    #[inline]
    pub fn id(&self, slot: u32) -> Id {
        match self.at(slot) {
            Some((id, _)) => id,
            None => panic!("nothing is in place {slot}"),
        }
    }

    /// Takes a thing out, if it is still there.
    #[inline]
    pub fn remove(&mut self, id: Id) -> Option<T> {
        let entry = &mut self.entries[id.slot as usize];
        if entry.generation != id.generation {
            return None;
        }
        let value = entry.value.take()?;
        entry.generation = entry.generation.checked_add(1).unwrap_or(NonZeroU32::MIN);
        self.free.push(id.slot);
        Some(value)
    }

    /// All things, in the order of their places.
    pub fn iter(&self) -> impl Iterator<Item = (Id, &T)> {
        self.entries.iter().enumerate().filter_map(|(slot, entry)| {
            let id = Id { slot: slot as u32, generation: entry.generation };
            entry.value.as_ref().map(|value| (id, value))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_and_an_attempt_in_flight_take_a_cache_line_each() {
        assert_eq!(size_of::<Entry<super::super::call::Call>>(), 64);
        assert_eq!(size_of::<Entry<super::super::call::Job>>(), 64);
    }

    #[test]
    fn a_name_does_not_find_what_came_after() {
        let mut table = Table::default();
        let first = table.insert('a');
        assert_eq!(table.remove(first), Some('a'));
        let second = table.insert('b');
        assert_eq!(second.slot, first.slot);
        assert_eq!(table.get(first), None);
        assert_eq!(table.get(Id::NOTHING), None);
        assert_eq!(table.remove(first), None);
        assert_eq!(table.get(second), Some(&'b'));
        assert_eq!(table.iter().count(), 1);
    }
}
