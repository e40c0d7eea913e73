//! The words of the scenario language: every key with its shape, its default and what it means.
//!
//! One table serves the reader (unknown keys, defaults), the messages, `explain` and the JSON
//! Schema, so that none of them can tell another story.

mod callers;
mod layer;
mod root;
mod services;

pub(super) use callers::{BUDGETS, CLIENTS, CLOSED, DEADLINE, LOAD, RAMP, SHARING, STEP};
pub(super) use layer::{
    BACKOFF, BUDGET, DECORRELATED, EXPONENTIAL, JITTER, LAYER, LAYERS, LINEAR, QUOTA,
};
pub(super) use root::{ACTION, EXPECT, FAULT, FAULT_KINDS, MEASURE, POLICY, RECOVERY, ROOT, SLO};
pub(super) use services::{CALL, CRASH, DIST, LIMIT, LOGNORMAL, PARETO, QUEUE, SERVICE};

/// A table of the scenario language.
pub(super) struct Table {
    /// What it describes, with its article: `a client group`.
    pub(super) what: &'static str,
    /// Its keys, in the order of the effective scenario.
    pub(super) keys: &'static [Key],
    /// Keys of which exactly one must stand there; none for no such rule.
    pub(super) one_of: &'static [&'static str],
}

/// A key of a table.
pub(super) struct Key {
    /// How it is written.
    pub(super) name: &'static str,
    /// Whether it may be left out.
    pub(super) need: Need,
    /// What may stand there.
    pub(super) shape: Shape,
    /// What it means, in one sentence, with its unit.
    pub(super) doc: &'static str,
}

/// Whether a key may be left out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// It may not.
    Required,
    /// It may, and then there is no such thing.
    Optional,
    /// It may, and then this stands there.
    Default(&'static str),
    /// The language has the word, the program does not have the thing.
    NotYet,
}

/// What may stand at a key.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    /// Any text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A word with a parameter, in these examples.
    Phrase(&'static [&'static str]),
    /// A whole number, at least this.
    Whole(u64),
    /// A number.
    Number,
    /// `true` or `false`.
    Flag,
    /// A duration with its unit.
    Duration,
    /// Events per unit of time.
    Rate,
    /// A part of a whole.
    Share,
    /// The file name of a table of values.
    File,
    /// A table.
    Table(&'static Table),
    /// An array.
    List(&'static Shape),
    /// Any of these.
    Any(&'static [Shape]),
    /// Values by path.
    Set,
}

impl Shape {
    /// A value that may stand there, as TOML.
    pub(super) fn example(self) -> String {
        match self {
            Shape::Text => "\"…\"".to_string(),
            Shape::Word(words) | Shape::Phrase(words) => format!("\"{}\"", words[0]),
            Shape::Whole(least) => least.max(1).to_string(),
            Shape::Number => "2".to_string(),
            Shape::Flag => "true".to_string(),
            Shape::Duration => "\"1s\"".to_string(),
            Shape::Rate => "\"90/s\"".to_string(),
            Shape::Share => "\"5%\"".to_string(),
            Shape::File => "\"values.csv\"".to_string(),
            Shape::List(inner) => format!("[{}]", inner.example()),
            Shape::Any(shapes) => shapes.first().map_or_else(String::new, |s| s.example()),
            Shape::Set => "{ \"web.retry.jitter\" = \"none\" }".to_string(),
            Shape::Table(table) => table.example(),
        }
    }
}

impl Table {
    /// The description of a key.
    pub(super) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// The names of the keys that are built.
    pub(super) fn names(&self) -> Vec<&'static str> {
        let built = self.keys.iter().filter(|key| key.need != Need::NotYet);
        built.map(|key| key.name).collect()
    }

    fn example(&self) -> String {
        let first = self.one_of.first().and_then(|name| self.key(name));
        let required = self.keys.iter().filter(|key| key.need == Need::Required);
        let parts: Vec<String> = required
            .chain(first)
            .map(|key| format!("{} = {}", key.name, key.shape.example()))
            .collect();
        format!("{{ {} }}", parts.join(", "))
    }
}

/// A table whose keys are free of one another.
const fn table(what: &'static str, keys: &'static [Key]) -> Table {
    Table { what, keys, one_of: &[] }
}

/// A table in which exactly one of some keys stands.
const fn choice(
    what: &'static str,
    one_of: &'static [&'static str],
    keys: &'static [Key],
) -> Table {
    Table { what, keys, one_of }
}

/// A key that must be there.
const fn required(name: &'static str, shape: Shape, doc: &'static str) -> Key {
    Key { name, need: Need::Required, shape, doc }
}

/// A key that may be left out.
const fn optional(name: &'static str, shape: Shape, doc: &'static str) -> Key {
    Key { name, need: Need::Optional, shape, doc }
}

/// A key with a default, written as TOML.
const fn default(name: &'static str, value: &'static str, shape: Shape, doc: &'static str) -> Key {
    Key { name, need: Need::Default(value), shape, doc }
}

/// A key that the language has and the program has not.
const fn not_yet(name: &'static str) -> Key {
    Key { name, need: Need::NotYet, shape: Shape::Text, doc: "Not supported yet." }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_lists_only_keys_that_its_table_has() {
        for table in [&LOAD, &DIST, &LAYER, &BACKOFF, &JITTER, &BUDGET] {
            assert!(table.one_of.iter().all(|name| table.key(name).is_some()), "{}", table.what);
        }
    }

    #[test]
    fn every_key_says_what_it_means() {
        for table in [&ROOT, &CLIENTS, &SERVICE, &FAULT, &LAYER, &LOAD, &EXPECT, &CALL] {
            for key in table.keys {
                assert!(key.doc.ends_with('.'), "{}: {}", table.what, key.name);
            }
        }
    }
}
