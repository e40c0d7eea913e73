//! What was read, in its one canonical spelling: the source of `explain` and of the effective
//! scenario.

use super::keys::Key;
use super::node::{Node, Place, Via};

/// A value that was read.
#[derive(Clone)]
pub(super) enum Out {
    /// Nothing that could be read.
    Nothing,
    /// A single value.
    Leaf(Leaf),
    /// An array.
    List(Vec<Out>),
    /// A table, in the order of the language.
    Table(Vec<(&'static Key, Out)>),
}

/// A single value.
#[derive(Clone)]
pub(super) struct Leaf {
    /// As TOML, in the canonical spelling.
    pub(super) text: String,
    /// Where it was written.
    pub(super) place: Place,
    /// How it came there.
    pub(super) via: Via,
}

/// A value and how it is spelled; no value when something is wrong with it.
pub(super) type Got<T> = (Option<T>, Out);

impl Out {
    /// A value that was read from `node`, in this spelling.
    pub(super) fn leaf(node: &Node, text: String) -> Out {
        Out::Leaf(Leaf { text, place: node.place, via: node.via })
    }

    /// A text that was read from `node`.
    pub(super) fn quoted(node: &Node, text: &str) -> Out {
        Out::leaf(node, quote(text))
    }

    /// A value that nobody wrote.
    pub(super) fn computed(text: String) -> Out {
        Out::Leaf(Leaf { text, place: Place::DEFAULT, via: Via::Direct })
    }

    /// A value that follows from others: explained, but not written out, as a policy that sets
    /// the others would be bound by it.
    pub(super) fn derived(text: String) -> Out {
        Out::Leaf(Leaf { text, place: Place::DEFAULT, via: Via::Derived })
    }

    /// Whether this belongs into the effective scenario.
    pub(super) fn is_written(&self) -> bool {
        !matches!(self, Out::Leaf(leaf) if leaf.via == Via::Derived)
    }

    /// The value at the end of a path of keys and indices.
    pub(super) fn find(&self, path: &[String]) -> Option<&Out> {
        self.find_described(path, "").map(|(out, _)| out)
    }

    /// The same with what the last key on the way means, `doc` when there is none.
    pub(super) fn find_described(
        &self,
        path: &[String],
        doc: &'static str,
    ) -> Option<(&Out, &'static str)> {
        let Some((first, rest)) = path.split_first() else {
            return Some((self, doc));
        };
        match self {
            Out::Table(entries) => {
                let (key, out) = entries.iter().find(|(key, _)| key.name == first)?;
                out.find_described(rest, key.doc)
            }
            Out::List(items) => items.get(first.parse::<usize>().ok()?)?.find_described(rest, doc),
            Out::Nothing | Out::Leaf(_) => None,
        }
    }

    /// The value as TOML on one line.
    pub(super) fn inline(&self) -> String {
        match self {
            Out::Nothing => "{}".to_string(),
            Out::Leaf(leaf) => leaf.text.clone(),
            Out::List(items) => {
                let items: Vec<String> = items.iter().map(Out::inline).collect();
                format!("[{}]", items.join(", "))
            }
            Out::Table(entries) if entries.is_empty() => "{}".to_string(),
            Out::Table(entries) => {
                let entries: Vec<String> = entries
                    .iter()
                    .filter(|(_, out)| out.is_written())
                    .map(|(key, out)| format!("{} = {}", key.name, out.inline()))
                    .collect();
                format!("{{ {} }}", entries.join(", "))
            }
        }
    }

    /// Calls `visit` with the path, the description and the value of everything that has no
    /// parts: single values, and lists of them.
    pub(super) fn visit(&self, path: &str, doc: &'static str, visit: &mut impl FnMut(Seen<'_>)) {
        match self {
            Out::Nothing => {}
            Out::Leaf(leaf) => visit(Seen { path, value: leaf.text.clone(), leaf, doc }),
            Out::List(items) => {
                let mut leaves = items.iter().filter_map(|item| match item {
                    Out::Leaf(leaf) => Some(leaf),
                    _ => None,
                });
                if let Some(first) = leaves.next() {
                    // Of a list of which a policy changed one item, that item tells the source.
                    let changed = leaves.find(|leaf| leaf.via != first.via);
                    let leaf = changed.filter(|_| first.via == Via::Direct).unwrap_or(first);
                    visit(Seen { path, value: self.inline(), leaf, doc });
                    return;
                }
                for (index, item) in items.iter().enumerate() {
                    item.visit(&join(path, &index.to_string()), doc, visit);
                }
            }
            Out::Table(entries) => {
                for (key, out) in entries {
                    out.visit(&join(path, key.name), key.doc, visit);
                }
            }
        }
    }
}

/// A value that [`Out::visit`] came by.
pub(super) struct Seen<'a> {
    /// Its path.
    pub(super) path: &'a str,
    /// As TOML.
    pub(super) value: String,
    /// Where it was written; of a list, one of its items.
    pub(super) leaf: &'a Leaf,
    /// What it means.
    pub(super) doc: &'static str,
}

/// A path one step longer.
pub(super) fn join(path: &str, step: &str) -> String {
    if path.is_empty() { step.to_string() } else { format!("{path}.{step}") }
}

/// A text in the quotes of TOML.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_survives_its_quotes() {
        for text in ["", "plain", "a \"b\" \\ c", "tab\tline\nbell\u{7} end\u{7f}\r", "ü…"] {
            let parsed: toml::Table = format!("x = {}", quote(text)).parse().unwrap();
            assert_eq!(parsed["x"].as_str(), Some(text));
        }
    }
}
