//! A layer of retries by itself, without a scenario around it.

use std::path::PathBuf;

use super::Error;
use super::diagnostics::{Diagnostics, Problem};
use super::node::{Node, Place, Value};
use super::options::patch;
use super::patch::put;
use super::source::Text;
use super::walk::Context;
use crate::policy::Layer;

/// A value of a layer, as an option of the command line gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The option, as messages name it: `--cap`.
    pub option: String,
    /// `key=value`, where a key may lead into a table: `backoff.exponential.base=1s`.
    pub text: String,
}

impl Given {
    /// `key=value` by this option.
    pub fn new(option: &str, key: &str, value: &str) -> Given {
        Given { option: option.to_string(), text: format!("{key}={value}") }
    }
}

/// Reads the layer that is the preset of this name, if any, with these values set in it.
///
/// # Errors
/// No layer comes of it: everything that is wrong with it, by option.
pub fn layer(preset: Option<&str>, given: &[Given]) -> Result<Layer, Error> {
    let mut texts = vec![Text::new("--preset".to_string(), preset.unwrap_or("").to_string())];
    let mut context = Context::new(PathBuf::new());
    let place = Place { text: 0, start: 0, end: preset.map_or(0, str::len) };
    let mut node = match preset {
        Some(name) => Node::new(place, Value::Text(name.to_string())),
        None => Node::new(place, Value::Table(Vec::new())),
    };
    if preset.is_some() {
        node = match super::presets::expanded(&node) {
            Ok(layer) => layer,
            Err(problem) => return Err(Error::Bad(Diagnostics::new(vec![problem], texts))),
        };
    }
    for given in given {
        texts.push(Text::new(given.option.clone(), given.text.clone()));
        let set = patch(&given.text, texts.len() - 1);
        let set = set.and_then(|patch| {
            let path: Vec<String> = patch.path.split('.').map(str::to_string).collect();
            put(&mut node, &path, &patch.path, patch.place, patch.value).map_err(|bad| vec![bad])
        });
        context.problems.extend(set.err().unwrap_or_default());
    }
    let (layer, _) = super::read::layer(&mut context, &node);
    match layer.filter(|_| context.problems.is_empty()) {
        Some(layer) => Ok(layer),
        None if context.problems.is_empty() => {
            let problem = Problem::new(place, "no layer of retries comes of this".to_string());
            Err(Error::Bad(Diagnostics::new(vec![problem], texts)))
        }
        None => Err(Error::Bad(Diagnostics::new(context.problems, texts))),
    }
}
