//! Tables, their keys, and what may stand there.

/// A table of the scenario language.
pub struct Table {
    /// What it describes, with its article: `a client group`.
    pub what: &'static str,
    /// Its keys, in the order of the effective scenario.
    pub keys: &'static [Key],
    /// Keys of which exactly one must stand there; none for no such rule.
    pub one_of: &'static [&'static str],
}

/// A key of a table.
#[derive(Clone, Copy)]
pub struct Key {
    /// How it is written.
    pub name: &'static str,
    /// Whether it may be left out.
    pub need: Need,
    /// What may stand there.
    pub shape: Shape,
    /// What it means, in one sentence, with its unit.
    pub doc: &'static str,
}

/// Whether a key may be left out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// It may not.
    Required,
    /// It may, and then there is no such thing.
    Optional,
    /// It may, and then this stands there.
    Default(&'static str),
    /// It may, and then it is what this other whole number of its form is, earlier in the table.
    Like(&'static str),
    /// The language has the word, the program does not have the thing.
    NotYet,
}

/// What may stand at a key.
#[derive(Clone, Copy)]
pub enum Shape {
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
    /// A number, at least this.
    AtLeast(f64),
    /// `true` or `false`.
    Flag,
    /// A duration with its unit.
    Duration,
    /// A duration above zero.
    Positive,
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
    /// An array with at least one entry, and what is said of one without.
    Filled(&'static Shape, &'static str),
    /// Any of these.
    Any(&'static [Shape]),
    /// Values by path.
    Set,
}

impl Shape {
    /// A value that may stand there, as TOML.
    pub fn example(self) -> String {
        match self {
            Shape::Text => "\"…\"".to_string(),
            Shape::Word(words) | Shape::Phrase(words) => format!("\"{}\"", words[0]),
            Shape::Whole(least) => least.max(1).to_string(),
            Shape::Number | Shape::AtLeast(_) => "2".to_string(),
            Shape::Flag => "true".to_string(),
            Shape::Duration | Shape::Positive => "\"1s\"".to_string(),
            Shape::Rate => "\"90/s\"".to_string(),
            Shape::Share => "\"5%\"".to_string(),
            Shape::File => "\"values.csv\"".to_string(),
            Shape::List(inner) | Shape::Filled(inner, _) => format!("[{}]", inner.example()),
            Shape::Any(shapes) => shapes.first().map_or_else(String::new, |s| s.example()),
            Shape::Set => "{ \"web.retry.jitter\" = \"none\" }".to_string(),
            Shape::Table(table) => table.example(),
        }
    }
}

impl Table {
    /// The description of a key.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// The names of the keys that are built.
    pub fn names(&self) -> Vec<&'static str> {
        let built = self.keys.iter().filter(|key| key.need != Need::NotYet);
        built.map(|key| key.name).collect()
    }

    /// A table that may stand there, as TOML: what must be in it and no more.
    pub fn example(&self) -> String {
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
pub const fn table(what: &'static str, keys: &'static [Key]) -> Table {
    Table { what, keys, one_of: &[] }
}

/// A table in which exactly one of some keys stands.
pub const fn choice(
    what: &'static str,
    one_of: &'static [&'static str],
    keys: &'static [Key],
) -> Table {
    Table { what, keys, one_of }
}

/// A key that must be there.
pub const fn required(name: &'static str, shape: Shape, doc: &'static str) -> Key {
    Key { name, need: Need::Required, shape, doc }
}

/// A key that may be left out.
pub const fn optional(name: &'static str, shape: Shape, doc: &'static str) -> Key {
    Key { name, need: Need::Optional, shape, doc }
}

/// A key with a default, written as TOML.
pub const fn default(
    name: &'static str,
    value: &'static str,
    shape: Shape,
    doc: &'static str,
) -> Key {
    Key { name, need: Need::Default(value), shape, doc }
}

/// A key of a form that is like another one, a whole number, unless it is given.
pub const fn like(name: &'static str, other: &'static str, shape: Shape, doc: &'static str) -> Key {
    Key { name, need: Need::Like(other), shape, doc }
}

/// A key that the language has and the program has not.
pub const fn not_yet(name: &'static str) -> Key {
    Key { name, need: Need::NotYet, shape: Shape::Text, doc: "Not supported yet." }
}
