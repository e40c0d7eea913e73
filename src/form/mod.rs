//! How is a choice described, and what becomes of what was chosen?
//!
//! A policy can be one of several *forms*: exponential growth, full jitter, a quota. A [`Form`]
//! stands beside the code that it describes, and says all that the scenario language has to know
//! of it: its word, its parameters with their bounds and defaults, and how it is built from them.
//! Readers, messages, schema and documentation are made from lists of forms, so that a new one is
//! known to all of them at once.

mod given;
mod table;

pub use given::{Given, Item};
pub use table::{
    Key, Need, Shape, Table, choice, default, like, not_yet, optional, required, table,
};

/// One of several ways to be a `T`.
pub struct Form<T> {
    /// Its word in the scenario language.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub doc: &'static str,
    /// What stands behind its word: a table of parameters, or a single value. `None` for a form
    /// that has no parameters and is written as its word alone.
    pub shape: Option<Shape>,
    /// Makes it from parameters that have this shape.
    pub build: fn(&Given) -> T,
}

impl<T> Form<T> {
    /// Whether its word alone says it: it has no parameters, or all of them have defaults.
    pub const fn is_word(&self) -> bool {
        match self.shape {
            None => true,
            Some(Shape::Table(table)) => all_have_defaults(table),
            Some(_) => false,
        }
    }

    /// Its key in a table of forms; `None` when it is always a word.
    const fn key(&self) -> Option<Key> {
        match self.shape {
            None => None,
            Some(shape) => Some(optional(self.name, shape, self.doc)),
        }
    }
}

const fn all_have_defaults(table: &Table) -> bool {
    let mut index = 0;
    while index < table.keys.len() {
        if !matches!(table.keys[index].need, Need::Default(_) | Need::Like(_)) {
            return false;
        }
        index += 1;
    }
    true
}

/// How many of these forms have parameters, and so a key of their own.
pub const fn count_keys<T>(forms: &[Form<T>]) -> usize {
    let (mut count, mut index) = (0, 0);
    while index < forms.len() {
        count += forms[index].shape.is_some() as usize;
        index += 1;
    }
    count
}

/// The keys of the forms that have parameters; `N` is their [`count_keys`].
pub const fn keys<T, const N: usize>(forms: &[Form<T>]) -> [Key; N] {
    let mut keys = [not_yet(""); N];
    let (mut count, mut index) = (0, 0);
    while index < forms.len() {
        if let Some(key) = forms[index].key() {
            keys[count] = key;
            count += 1;
        }
        index += 1;
    }
    assert!(count == N, "N is the number of forms with parameters");
    keys
}

/// The names of these keys.
pub const fn names<const N: usize>(keys: &[Key; N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut index = 0;
    while index < N {
        names[index] = keys[index].name;
        index += 1;
    }
    names
}

/// How many of these forms can be written as a word.
pub const fn count_words<T>(forms: &[Form<T>]) -> usize {
    let (mut count, mut index) = (0, 0);
    while index < forms.len() {
        count += forms[index].is_word() as usize;
        index += 1;
    }
    count
}

/// The words of the forms that can be written as one; `N` is their [`count_words`].
pub const fn words<T, const N: usize>(forms: &[Form<T>]) -> [&'static str; N] {
    let mut words = [""; N];
    let (mut count, mut index) = (0, 0);
    while index < forms.len() {
        if forms[index].is_word() {
            words[count] = forms[index].name;
            count += 1;
        }
        index += 1;
    }
    assert!(count == N, "N is the number of forms that are words");
    words
}
