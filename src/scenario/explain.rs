//! Every value that is in force, and where it came from.

use std::collections::BTreeMap;

use super::Explained;
use super::effective::Setting;
use super::keys::{ACTION, Key};
use super::node::{Place, Via};
use super::out::{Leaf, Out, Seen, join, quote};
use super::source::Text;

/// The values of the first policy and of the actions, then all that is different under each
/// further policy: what it sets, and the defaults that come along with that.
pub(super) fn explain(
    outs: &[Out],
    actions: &[Setting],
    labels: &[String],
    texts: &[Text],
) -> Vec<Explained> {
    let mut explained = Vec::new();
    let mut baseline: BTreeMap<String, String> = BTreeMap::new();
    for (index, out) in outs.iter().enumerate() {
        visit(out, &mut |seen| {
            let mut source = origin(seen.leaf, labels, texts);
            if index == 0 {
                baseline.insert(seen.path.to_string(), seen.value.clone());
            } else if baseline.get(seen.path) == Some(&seen.value) {
                return;
            } else if seen.leaf.via != Via::Policy(index) {
                source = format!("{}, {source}", policy(labels, index));
            }
            let label = labels.get(index).filter(|_| index > 0).cloned();
            explained.push(entry(&seen, source, label));
        });
        if index == 0 {
            visit_actions(actions, &mut |seen| {
                explained.push(entry(&seen, origin(seen.leaf, labels, texts), None));
            });
        }
    }
    explained
}

fn entry(seen: &Seen<'_>, source: String, policy: Option<String>) -> Explained {
    let (path, value) = (seen.path.to_string(), seen.value.clone());
    Explained { path, value, source, policy, doc: seen.doc }
}

/// Visits the actions, by index: `actions.0.at`, `actions.0.web.timeout`.
fn visit_actions(actions: &[Setting], see: &mut impl FnMut(Seen<'_>)) {
    for (index, action) in actions.iter().enumerate() {
        let path = format!("actions.{index}");
        let (key, at) = &action.head;
        let doc = ACTION.key(key).map_or("", |key| key.doc);
        at.visit(&join(&path, key), doc, see);
        for set in &action.set {
            set.out.visit(&join(&path, &set.path), set.doc, see);
        }
    }
}

/// Visits the whole scenario: client groups and services by name, faults by index.
fn visit(root: &Out, see: &mut impl FnMut(Seen<'_>)) {
    let Out::Table(entries) = root else { return };
    for (key, out) in entries {
        match out {
            Out::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    item.visit(&prefix(key, index, item), key.doc, see);
                }
            }
            out => out.visit(key.name, key.doc, see),
        }
    }
}

fn prefix(key: &Key, index: usize, item: &Out) -> String {
    match item.find(&["name".to_string()]) {
        Some(Out::Leaf(leaf)) => leaf.text.trim_matches('"').to_string(),
        _ => join(key.name, &index.to_string()),
    }
}

fn policy(labels: &[String], index: usize) -> String {
    format!("policy {}", quote(labels.get(index).map_or("", String::as_str)))
}

/// Where a value was written.
fn origin(leaf: &Leaf, labels: &[String], texts: &[Text]) -> String {
    if let Via::Policy(index) = leaf.via {
        return policy(labels, index);
    }
    if let Via::Preset(name) = leaf.via {
        return format!("{}, preset {}", written(leaf.place, texts), quote(name));
    }
    written(leaf.place, texts)
}

/// The line of the file, the option, or neither.
fn written(place: Place, texts: &[Text]) -> String {
    match (place, texts.get(place.text)) {
        (Place { text: 0, start, .. }, Some(text)) => {
            format!("{}:{}", text.name(), text.position(start).0)
        }
        (_, Some(text)) => text.name().split(' ').next().unwrap_or_default().to_string(),
        (_, None) => "default".to_string(),
    }
}
