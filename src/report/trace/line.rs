//! One line of a trace: a JSON object, its keys in the order in which they are put in.

use std::fmt::Write;

use crate::report::text::exact_seconds;

/// A line in the making; the memory of the line before is used again.
#[derive(Debug, Default)]
pub(super) struct Line(String);

impl Line {
    /// A new line that begins with a moment, in nanoseconds and in seconds.
    pub(super) fn at(&mut self, nanos: u64) -> &mut Line {
        self.0.clear();
        self.0.push('{');
        self.number("t_ns", nanos).raw("t_s", &exact_seconds(u128::from(nanos)))
    }

    /// A whole number.
    pub(super) fn number(&mut self, key: &str, value: u64) -> &mut Line {
        self.key(key);
        // Writing to memory cannot fail.
        let _ = write!(self.0, "{value}");
        self
    }

    /// A whole number, or null.
    pub(super) fn number_or_null(&mut self, key: &str, value: Option<u64>) -> &mut Line {
        match value {
            Some(value) => self.number(key, value),
            None => self.raw(key, "null"),
        }
    }

    /// A whole number of either sign.
    pub(super) fn signed(&mut self, key: &str, value: i64) -> &mut Line {
        self.raw(key, &value.to_string())
    }

    /// A word that needs no escape.
    pub(super) fn word(&mut self, key: &str, word: &str) -> &mut Line {
        self.key(key);
        self.0.push('"');
        self.0.push_str(word);
        self.0.push('"');
        self
    }

    /// A word that needs no escape, or `null`.
    pub(super) fn word_or_null(&mut self, key: &str, word: Option<&str>) -> &mut Line {
        match word {
            Some(word) => self.word(key, word),
            None => self.raw(key, "null"),
        }
    }

    /// A value that is JSON already.
    pub(super) fn raw(&mut self, key: &str, json: &str) -> &mut Line {
        self.key(key);
        self.0.push_str(json);
        self
    }

    /// The whole line.
    pub(super) fn end(&mut self) -> &[u8] {
        self.0.push_str("}\n");
        self.0.as_bytes()
    }

    fn key(&mut self, key: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push('"');
        self.0.push_str(key);
        self.0.push_str("\":");
    }
}

/// A text as JSON.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
