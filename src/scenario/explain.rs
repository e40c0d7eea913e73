//! Every value that is in force, and where it came from.

use super::Explained;
use super::keys::Key;
use super::node::{Place, Via};
use super::out::{Leaf, Out, Seen, join};
use super::source::Text;

/// The values of the first policy, then what each further policy sets.
pub(super) fn explain(outs: &[Out], labels: &[String], texts: &[Text]) -> Vec<Explained> {
    let mut explained = Vec::new();
    for (index, out) in outs.iter().enumerate() {
        visit(out, &mut |seen| {
            if index > 0 && seen.leaf.via != Via::Policy(index) {
                return;
            }
            explained.push(Explained {
                path: seen.path.to_string(),
                value: seen.value,
                source: source(seen.leaf, labels, texts),
                doc: seen.doc,
            });
        });
    }
    explained
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

fn source(leaf: &Leaf, labels: &[String], texts: &[Text]) -> String {
    if let Via::Policy(index) = leaf.via {
        let label = labels.get(index).map_or("", String::as_str);
        return format!("policy \"{label}\"");
    }
    match (leaf.place, texts.get(leaf.place.text)) {
        (Place { text: 0, start, .. }, Some(text)) => {
            format!("{}:{}", text.name(), text.position(start).0)
        }
        (_, Some(text)) => text.name().split(' ').next().unwrap_or_default().to_string(),
        (_, None) => "default".to_string(),
    }
}
