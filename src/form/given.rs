//! The parameters that were given to a form.

use std::time::Duration;

use crate::units::Share;

/// A single parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Of [`Shape::Duration`](super::Shape::Duration) or
    /// [`Shape::Positive`](super::Shape::Positive).
    Duration(Duration),
    /// Of [`Shape::Number`](super::Shape::Number) or [`Shape::AtLeast`](super::Shape::AtLeast).
    Number(f64),
    /// Of [`Shape::Whole`](super::Shape::Whole).
    Whole(u32),
    /// Of [`Shape::Share`](super::Shape::Share).
    Share(Share),
    /// An array.
    List(Vec<Item>),
}

/// All parameters of a form by key; that of a form which is a single value has the key `""`.
///
/// Whoever builds from it has described the shape in the same file, and the reader has held the
/// parameters to it. A parameter that is not there is therefore a bug, and panics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    items: Vec<(&'static str, Item)>,
}

impl Given {
    /// The key of a form that is a single value.
    pub const VALUE: &'static str = "";

    /// Adds a parameter.
    pub fn put(&mut self, key: &'static str, item: Item) {
        self.items.push((key, item));
    }

    /// Whether there is such a parameter; one that must be there, or has a default, always is.
    pub fn has(&self, key: &str) -> bool {
        self.items.iter().any(|(name, _)| *name == key)
    }

    /// A duration.
    pub fn duration(&self, key: &str) -> Duration {
        as_duration(self.item(key))
    }

    /// Several durations.
    pub fn durations(&self, key: &str) -> Vec<Duration> {
        match self.item(key) {
            Item::List(items) => items.iter().map(as_duration).collect(),
            other => panic!("`{key}` is no list but {other:?}"),
        }
    }

    /// A number.
    pub fn number(&self, key: &str) -> f64 {
        match self.item(key) {
            Item::Number(number) => *number,
            other => panic!("`{key}` is no number but {other:?}"),
        }
    }

    /// A whole number.
    pub fn whole(&self, key: &str) -> u32 {
        match self.item(key) {
            Item::Whole(number) => *number,
            other => panic!("`{key}` is no whole number but {other:?}"),
        }
    }

    /// A part of a whole.
    pub fn share(&self, key: &str) -> Share {
        match self.item(key) {
            Item::Share(share) => *share,
            other => panic!("`{key}` is no share but {other:?}"),
        }
    }

    fn item(&self, key: &str) -> &Item {
        let found = self.items.iter().find(|(name, _)| *name == key);
        found.map(|(_, item)| item).unwrap_or_else(|| panic!("no `{key}` in {self:?}"))
    }
}

fn as_duration(item: &Item) -> Duration {
    match item {
        Item::Duration(duration) => *duration,
        other => panic!("no duration but {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_come_back_by_key() {
        let mut given = Given::default();
        given.put("base", Item::Duration(Duration::from_secs(1)));
        given.put("factor", Item::Number(2.0));
        assert_eq!(given.duration("base"), Duration::from_secs(1));
        assert_eq!(given.number("factor"), 2.0);
        assert!(!given.has("step"));
    }

    #[test]
    #[should_panic(expected = "no `step`")]
    fn a_form_that_asks_for_what_it_did_not_describe_is_a_bug() {
        Given::default().duration("step");
    }
}
