//! The retry policies of real libraries, put in place of their names.

use super::diagnostics::Problem;
use super::node::{Entry, Node, Place, Value, Via, shorten};
use super::patch::{exclude_each_other, excludes, remove_rivals};
use super::{suggest, toml_doc};
use crate::policy::presets::{self, Preset};

/// Whether this stands for a preset: its name, or a table that names one.
pub(super) fn is_preset(node: &Node) -> bool {
    let name = node.text().or_else(|| node.get("preset").and_then(Node::text));
    name.is_some_and(|name| presets::find(name).is_some())
}

/// The layer that a preset is, with what stands beside its name in its place.
///
/// # Errors
/// There is no such preset, the name is no text, or what stands beside it excludes each other.
pub(super) fn expanded(node: &Node) -> Result<Node, Problem> {
    let name = node.get("preset").unwrap_or(node);
    let Some(preset) = name.text().and_then(presets::find) else {
        return Err(unknown(name));
    };
    let mut layer = layer(preset, name);
    let Value::Table(entries) = &mut layer.value else { return Ok(layer) };
    for (number, entry) in node.entries().iter().enumerate() {
        let before = &node.entries()[..number];
        if let Some(rival) = before.iter().find(|rival| excludes(&rival.key, &entry.key)) {
            return Err(exclude_each_other(entry.place, &rival.key, &entry.key));
        }
    }
    for entry in node.entries().iter().filter(|entry| entry.key != "preset") {
        replace(entries, entry);
    }
    // A message about the whole of it points at what was written.
    layer.place = node.place;
    Ok(layer)
}

fn unknown(name: &Node) -> Problem {
    let Some(text) = name.text() else {
        let message = format!("expected the name of a preset, not {}", name.kind());
        return Problem::new(name.place, message).help("`herdsim presets` lists them");
    };
    let message = format!("no preset is called \"{}\"", shorten(text));
    let words: Vec<&str> = presets::NAMES.iter().copied().chain(["none"]).collect();
    let help = match suggest::nearest(text, &words) {
        Some(meant) => format!("did you mean `{meant}`? `herdsim presets` lists all"),
        None => "`herdsim presets` lists them; or write \"none\", or a table".to_string(),
    };
    Problem::new(name.place, message).help(help)
}

/// The layer as the preset has it, as if it had been written where its name stands.
fn layer(preset: &Preset, name: &Node) -> Node {
    let text: Vec<&str> = preset.retry.split_whitespace().collect();
    let parsed = toml_doc::value(&format!("{{ {} }}", text.join(" ")), name.place.text, 0);
    // A test reads every preset.
    let mut layer = parsed.unwrap_or_else(|bad| panic!("{}: {bad:?}", preset.name));
    let via = match name.via {
        Via::Direct => Via::Preset(preset.name),
        via => via,
    };
    stand(&mut layer, name.place, via);
    layer
}

fn stand(node: &mut Node, place: Place, via: Via) {
    (node.place, node.via) = (place, via);
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|item| stand(item, place, via)),
        Value::Table(entries) => {
            for entry in entries {
                entry.place = place;
                stand(&mut entry.node, place, via);
            }
        }
        _ => {}
    }
}

/// Puts a value in the place of that of the preset; a form of the same name keeps the parameters
/// that are not given anew.
fn replace(entries: &mut Vec<Entry>, entry: &Entry) {
    remove_rivals(entries, &entry.key);
    match entries.iter_mut().find(|old| old.key == entry.key) {
        None => entries.push(entry.clone()),
        Some(old) if is_same_form(&old.node, &entry.node) => {
            let Value::Table(forms) = &mut old.node.value else { return };
            let (form, new) = (&mut forms[0], &entry.node.entries()[0]);
            let Value::Table(parameters) = &mut form.node.value else { return };
            for parameter in new.node.entries() {
                replace(parameters, parameter);
            }
        }
        Some(old) => *old = entry.clone(),
    }
}

/// Whether both are tables with a single key, the same, that holds a table.
fn is_same_form(old: &Node, new: &Node) -> bool {
    let [old, new] = [old.entries(), new.entries()];
    let is_table = |entry: &Entry| matches!(entry.node.value, Value::Table(_));
    old.len() == 1
        && new.len() == 1
        && old[0].key == new[0].key
        && is_table(&old[0])
        && is_table(&new[0])
}
