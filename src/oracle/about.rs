//! What the models of the oracle suite are, in words.

use super::{about_queues, about_rest};

/// A model in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// What is modelled.
    pub title: &'static str,
    /// How its numbers are found, in one line.
    pub formula: &'static str,
    /// Who found it, and when.
    pub source: &'static str,
}

/// A model of the suite in words; `None` for a model that is not known.
pub fn about(model: &str) -> Option<About> {
    about_queues::about(model).or_else(|| about_rest::about(model))
}
