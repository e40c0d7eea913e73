//! What a model of the oracle suite is given: named numbers, words and lists.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The parameters of one model.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Params(Map<String, Value>);

impl Params {
    /// Numbers by name.
    pub fn of(numbers: &[(&str, f64)]) -> Params {
        let entry = |(name, number): &(&str, f64)| ((*name).to_string(), Value::from(*number));
        Params(numbers.iter().map(entry).collect())
    }

    /// The object of a JSON text.
    ///
    /// # Errors
    /// The text is no JSON object.
    pub fn parse(json: &str) -> Result<Params, String> {
        serde_json::from_str(json).map(Params).map_err(|error| error.to_string())
    }

    /// The same with a word more.
    pub fn word(mut self, name: &str, word: &str) -> Params {
        self.0.insert(name.to_string(), Value::from(word));
        self
    }

    /// A number; `None` where there is none of this name.
    pub fn num(&self, name: &str) -> Option<f64> {
        self.0.get(name)?.as_f64()
    }

    /// A whole number.
    pub fn int(&self, name: &str) -> Option<u64> {
        let number = self.num(name)?;
        (number >= 0.0 && number.fract() == 0.0).then_some(number as u64)
    }

    /// A word.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// A list of numbers.
    pub fn list(&self, name: &str) -> Option<Vec<f64>> {
        self.0.get(name)?.as_array()?.iter().map(Value::as_f64).collect()
    }

    /// Whether these are the same numbers and words, however they are written.
    pub fn same(&self, other: &Params) -> bool {
        let sorted = |params: &Params| {
            let mut words: Vec<String> = params.to_string().split(", ").map(Into::into).collect();
            words.sort();
            words
        };
        sorted(self) == sorted(other)
    }

    /// Whether there is an entry of this name that is not null.
    pub fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|value| !value.is_null())
    }
}

/// The number between two pieces of text that make up the rest: `P(Wq>2.5)` has 2.5 between
/// `P(Wq>` and `)`.
pub(super) fn number_in(text: &str, before: &str, after: &str) -> Option<f64> {
    text.strip_prefix(before)?.strip_suffix(after)?.parse().ok()
}

impl From<Map<String, Value>> for Params {
    fn from(map: Map<String, Value>) -> Params {
        Params(map)
    }
}

impl fmt::Display for Params {
    /// `lam 0.8, mu 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, value)) in self.0.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            match (value.as_str(), value.as_f64()) {
                (Some(word), _) => write!(f, "{comma}{name} {word}")?,
                (_, Some(number)) => write!(f, "{comma}{name} {number}")?,
                _ => write!(f, "{comma}{name} {value}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_name_and_kind() {
        let params = Params::parse(r#"{"lam": 0.8, "c": 2, "w": [0, 10.5], "p": "full"}"#).unwrap();
        assert_eq!(
            (params.num("lam"), params.int("c"), params.int("lam")),
            (Some(0.8), Some(2), None)
        );
        assert_eq!((params.list("w"), params.text("p")), (Some(vec![0.0, 10.5]), Some("full")));
        assert_eq!(params.num("none"), None);
        assert_eq!(Params::of(&[("lam", 0.8), ("c", 2.0)]).to_string(), "lam 0.8, c 2");
    }
}
