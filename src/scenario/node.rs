//! One tree for both formats: every value with the place it was written at.

/// A stretch of one of the texts that a scenario is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// Which text: 0 is the file, the others are options of the command line.
    pub(super) text: usize,
    /// First byte.
    pub(super) start: usize,
    /// The byte after the last.
    pub(super) end: usize,
}

impl Place {
    /// Not written anywhere: a default.
    pub(super) const DEFAULT: Place = Place { text: usize::MAX, start: 0, end: 0 };
}

/// How a value came to where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Via {
    /// It was written there.
    Direct,
    /// The policy with this number set it.
    Policy(usize),
    /// An action in the middle of the run set it.
    Action,
    /// The preset of this name, which was written there, has it.
    Preset(&'static str),
    /// It follows from other values, and would no longer do so if it were written out.
    Derived,
}

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    /// Where.
    pub(super) place: Place,
    /// How it came here.
    pub(super) via: Via,
    /// What.
    pub(super) value: Value,
}

/// What TOML and JSON have in common.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A string.
    Text(String),
    /// An integer; beyond 127 bits the largest or smallest one.
    Whole(i128),
    /// A number with a fraction.
    Number(f64),
    /// `true` or `false`.
    Flag(bool),
    /// An array.
    List(Vec<Node>),
    /// A table or object, in the order of the text.
    Table(Vec<Entry>),
    /// Something the scenario language has no use for: a date, `null`.
    Other(&'static str),
}

/// A key of a table with its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// The key.
    pub(super) key: String,
    /// Where the key was written.
    pub(super) place: Place,
    /// Its value.
    pub(super) node: Node,
}

impl Node {
    /// A value as it was written.
    pub(super) fn new(place: Place, value: Value) -> Node {
        Node { place, via: Via::Direct, value }
    }

    /// The value of a key, when this is a table that has it.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// The entries of a table; none of anything else.
    pub(super) fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Table(entries) => entries,
            _ => &[],
        }
    }

    /// The items of an array; none of anything else.
    pub(super) fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The string, when this is one.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What this is, for messages.
    pub(super) fn kind(&self) -> String {
        match &self.value {
            Value::Text(text) => format!("the text \"{}\"", shorten(text)),
            Value::Whole(number) => format!("the number {number}"),
            Value::Number(number) => format!("the number {number}"),
            Value::Flag(flag) => format!("`{flag}`"),
            Value::List(_) => "a list".to_string(),
            Value::Table(_) => "a table".to_string(),
            Value::Other(what) => (*what).to_string(),
        }
    }

    /// Marks this value and all inside it as set by `via`.
    pub(super) fn mark(&mut self, via: Via) {
        self.via = via;
        match &mut self.value {
            Value::List(items) => items.iter_mut().for_each(|item| item.mark(via)),
            Value::Table(entries) => entries.iter_mut().for_each(|entry| entry.node.mark(via)),
            _ => {}
        }
    }
}

/// The character itself, or one that can be seen: control characters drive terminals, and those
/// without width make a typo look like the right word.
pub(super) fn visible(c: char) -> char {
    let hidden = matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    if hidden || c.is_control() { '\u{fffd}' } else { c }
}

/// At most 40 characters of a text, on one line, for messages.
pub(super) fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(40).map(visible).collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}
