//! A layer of retries by itself, without a scenario around it.

use std::path::PathBuf;

use super::Error;
use super::diagnostics::{Diagnostics, Problem};
use super::node::{Node, Place, Value};
use super::options::patch;
use super::out::Out;
use super::patch::{exclude_each_other, excludes, put, set_twice};
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

/// A layer that was read.
#[derive(Clone, Debug)]
pub struct ReadLayer {
    /// The layer.
    pub layer: Layer,
    /// Its keys in force and their values as TOML, in the order of the language.
    pub keys: Vec<(&'static str, String)>,
}

impl ReadLayer {
    /// The keys and values as a table of the scenario language, on one line.
    pub fn text(&self) -> String {
        let entries = self.keys.iter().map(|(key, value)| format!("{key} = {value}"));
        format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
    }

    /// The value of a key as JSON; null when it has none.
    pub fn json(&self, key: &str) -> serde_json::Value {
        let found = self.keys.iter().find(|(name, _)| *name == key);
        found.map_or(serde_json::Value::Null, |(_, text)| super::schema::json_of(text))
    }
}

/// Reads the layer that is a preset, if one is named (`text` is its name), with these values set
/// in it.
///
/// # Errors
/// No layer comes of it: everything that is wrong with it, by option.
pub fn layer(preset: Option<&Given>, given: &[Given]) -> Result<ReadLayer, Error> {
    let option = preset.map_or("the policy", |preset| &preset.option);
    let name = preset.map_or("", |preset| &preset.text);
    let mut texts = vec![Text::new(option.to_string(), name.to_string())];
    let mut context = Context::new(PathBuf::new());
    let place = Place { text: 0, start: 0, end: name.len() };
    let mut node = Node::new(place, Value::Table(Vec::new()));
    if preset.is_some() {
        let name = Node::new(place, Value::Text(name.to_string()));
        match super::presets::expanded(&name) {
            Ok(layer) => node = layer,
            Err(problem) => return Err(Error::Bad(Diagnostics::new(vec![problem], texts))),
        }
    }
    let mut before: Vec<(String, Vec<String>)> = Vec::new();
    for given in given {
        texts.push(Text::new(given.option.clone(), given.text.clone()));
        match set(&mut node, &given.text, texts.len() - 1, &before) {
            Ok(path) => before.push((given.option.clone(), path)),
            Err(problems) => context.problems.extend(problems),
        }
    }
    let (layer, out) = super::read::layer(&mut context, &node);
    match layer.filter(|_| context.problems.is_empty()) {
        Some(layer) => Ok(ReadLayer { layer, keys: keys(&out) }),
        None => {
            if context.problems.is_empty() {
                let message = "no layer of retries comes of this".to_string();
                context.problems.push(Problem::new(place, message));
            }
            Err(Error::Bad(Diagnostics::new(context.problems, texts)))
        }
    }
}

/// Sets `key=value` in a layer, in which the options before have set what they name; gives the
/// path.
fn set(
    layer: &mut Node,
    text: &str,
    number: usize,
    before: &[(String, Vec<String>)],
) -> Result<Vec<String>, Vec<Problem>> {
    let patch = patch(text, number)?;
    let path: Vec<String> = patch.path.split('.').map(str::to_string).collect();
    if path[0] == "preset" {
        let problem = Problem::new(patch.place, "a preset is a whole layer".to_string());
        return Err(vec![problem.help("name it by --preset")]);
    }
    let ahead = before.iter().map(|(option, path)| (option.as_str(), &path[..]));
    if let Some(problem) = set_twice(ahead, &patch, &path) {
        return Err(vec![problem]);
    }
    let rival = before.iter().find(|(_, set)| set.len() == 1 && excludes(&set[0], &path[0]));
    if let Some((_, set)) = rival {
        return Err(vec![exclude_each_other(patch.place, &set[0], &path[0])]);
    }
    put(layer, &path, &patch.path, patch.place, patch.value).map_err(|problem| vec![problem])?;
    Ok(path)
}

fn keys(out: &Out) -> Vec<(&'static str, String)> {
    let Out::Table(entries) = out else { return Vec::new() };
    entries.iter().map(|(key, out)| (key.name, out.inline())).collect()
}
