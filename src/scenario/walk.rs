//! Walking through the tree: every problem is written down, and reading goes on.

use std::path::PathBuf;

use super::diagnostics::Problem;
use super::files::Files;
use super::keys::{Key, Need, Table};
use super::node::{Entry, Node, Place, Value, shorten};
use super::out::{Got, Out};
use super::{suggest, toml_doc};

/// What all readers share.
pub(super) struct Context {
    /// What is wrong so far.
    pub(super) problems: Vec<Problem>,
    /// Traces and measured values.
    pub(super) files: Files,
}

impl Context {
    /// Nothing read yet; files are sought from `folder`.
    pub(super) fn new(folder: PathBuf) -> Context {
        Context { problems: Vec::new(), files: Files::new(folder) }
    }

    /// Writes a problem down.
    pub(super) fn report(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Writes down what is wrong with a value, and gives none.
    pub(super) fn bad<T>(&mut self, node: &Node, message: impl Into<String>) -> Got<T> {
        self.report(Problem::new(node.place, message.into()));
        (None, Out::Nothing)
    }

    /// Writes down that a value is of another kind than wanted, and gives none.
    pub(super) fn unfit<T>(&mut self, node: &Node, wanted: &str, example: &str) -> Got<T> {
        let message = format!("expected {wanted}, not {}", node.kind());
        self.report(Problem::new(node.place, message).help(format!("for example {example}")));
        (None, Out::Nothing)
    }
}

/// A table that is being read.
pub(super) struct Walk<'n, 'c> {
    /// What all readers share.
    pub(super) context: &'c mut Context,
    /// The table itself.
    pub(super) node: &'n Node,
    table: &'static Table,
    out: Vec<(&'static Key, Out)>,
    missing: Vec<&'static Key>,
    /// Keys that a misspelled one most likely stands for: they are not called absent as well.
    meant: Vec<&'static str>,
}

impl<'n, 'c> Walk<'n, 'c> {
    /// Begins with a table: writes down the keys that do not belong there. `None` for no table.
    pub(super) fn open(
        context: &'c mut Context,
        node: &'n Node,
        table: &'static Table,
    ) -> Option<Walk<'n, 'c>> {
        if !matches!(node.value, Value::Table(_)) {
            let example = super::keys::Shape::Table(table).example();
            let wanted = format!("{}, which is a table", table.what);
            context.unfit::<()>(node, &wanted, &example);
            return None;
        }
        let mut meant = Vec::new();
        for entry in node.entries() {
            meant.extend(check_key(context, entry, table));
        }
        Some(Walk { context, node, table, out: Vec::new(), missing: Vec::new(), meant })
    }

    /// The value of a key as it stands in the text.
    pub(super) fn raw(&self, name: &str) -> Option<&'n Node> {
        self.node.get(name)
    }

    /// Whether a misspelled key most likely stands for this one.
    pub(super) fn is_meant(&self, name: &str) -> bool {
        self.meant.contains(&name)
    }

    /// Where the value of a key stands; the table itself when there is none.
    pub(super) fn place(&self, name: &str) -> Place {
        self.raw(name).map_or(self.node.place, |node| node.place)
    }

    /// Reads the value of a key, or its default; an absent key that must be there is written
    /// down, and any other absent key gives `None`.
    pub(super) fn get<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&mut Context, &Node) -> Got<T>,
    ) -> Option<T> {
        let key = self.table.key(name)?;
        let (value, out) = match (self.node.get(name), key.need) {
            (Some(node), _) => read(self.context, node),
            (None, Need::Default(text)) => read(self.context, &default_node(text)),
            (None, Need::Required) => {
                self.missing.extend((!self.is_meant(name)).then_some(key));
                return None;
            }
            (None, Need::Optional | Need::Like(_) | Need::NotYet) => return None,
        };
        self.out.push((key, out));
        value
    }

    /// Reads a list: every item, good or bad, and all values when every item is good.
    pub(super) fn list<T>(
        &mut self,
        name: &'static str,
        read: impl FnMut(&mut Context, &Node) -> Got<T>,
    ) -> Option<Vec<T>> {
        self.get(name, |context, node| match list(context, node, read) {
            // No part of the system: as if the key were not there.
            (values, Out::Leaf(_)) => (values, Out::List(Vec::new())),
            got => got,
        })
    }

    /// Records the value of a key that was left out.
    pub(super) fn computed(&mut self, name: &'static str, text: String) {
        self.out.extend(self.table.key(name).map(|key| (key, Out::computed(text))));
    }

    /// The same for a value that follows from others: it is explained but not written out.
    pub(super) fn derived(&mut self, name: &'static str, text: String) {
        self.out.extend(self.table.key(name).map(|key| (key, Out::derived(text))));
    }

    /// The one of `names` that stands there; none or several are written down.
    pub(super) fn exactly_one(&mut self) -> Option<&'static str> {
        let names = self.table.one_of;
        let there: Vec<&'static str> =
            names.iter().copied().filter(|name| self.raw(name).is_some()).collect();
        match there[..] {
            [one] => Some(one),
            [] if names.iter().any(|name| self.is_meant(name)) => None,
            [] => {
                let message =
                    format!("{} needs exactly one of {}", self.table.what, suggest::listed(names));
                let first = self.table.key(names[0]);
                let help = first.map_or_else(String::new, example);
                self.context.report(Problem::new(self.node.place, message).help(help).missing());
                None
            }
            [first, second, ..] => {
                let message = format!("`{first}` and `{second}` exclude each other");
                let place = self.key_place(first).max(self.key_place(second));
                let help = format!("keep exactly one of {}", suggest::listed(&there));
                self.context.report(Problem::new(place, message).help(help));
                None
            }
        }
    }

    /// Writes down that a key is absent which the others demand.
    pub(super) fn demand(&mut self, name: &'static str, why: &str) {
        if let Some(key) = self.table.key(name).filter(|key| !self.is_meant(key.name)) {
            let message = format!("{} needs `{name}` {why}", self.table.what);
            let problem = Problem::new(self.node.place, message.trim_end().to_string());
            self.context.report(problem.help(example(key)).missing());
        }
    }

    /// Writes down something wrong with the value of a key.
    pub(super) fn wrong(&mut self, name: &str, message: String, help: &str) {
        let problem = Problem::new(self.place(name), message);
        self.context.report(if help.is_empty() { problem } else { problem.help(help) });
    }

    fn key_place(&self, name: &str) -> Place {
        let entry = self.node.entries().iter().find(|entry| entry.key == name);
        entry.map_or(self.node.place, |entry| entry.place)
    }

    /// Ends with the table: writes down what is absent, and gives what was read, in the order of
    /// the language.
    pub(super) fn finish(mut self) -> Out {
        if !self.missing.is_empty() {
            let names: Vec<&str> = self.missing.iter().map(|key| key.name).collect();
            let message = format!("{} needs {}", self.table.what, suggest::listed(&names));
            let help: Vec<String> = self.missing.iter().map(|key| example(key)).collect();
            let problem = Problem::new(self.node.place, message).help(help.join("; "));
            self.context.report(problem.missing());
        }
        let order = |key: &Key| self.table.keys.iter().position(|k| k.name == key.name);
        self.out.sort_by_key(|(key, _)| order(key));
        Out::Table(self.out)
    }
}

/// Writes down a key that does not belong into a table; gives the one that it may stand for.
fn check_key(context: &mut Context, entry: &Entry, table: &Table) -> Option<&'static str> {
    let key = shorten(&entry.key);
    match table.key(&entry.key).map(|key| key.need) {
        None => {
            let message = format!("unknown key `{key}` of {}", table.what);
            let help = suggest::help(&entry.key, &table.names());
            context.report(Problem::new(entry.place, message).help(help));
            suggest::nearest(&entry.key, &table.names())
        }
        Some(Need::NotYet) => {
            let message = format!("`{key}` is not supported yet");
            context.report(Problem::new(entry.place, message));
            None
        }
        Some(_) => None,
    }
}

fn example(key: &Key) -> String {
    format!("{} = {}", key.name, key.shape.example())
}

/// A default of the language as if it had been written.
fn default_node(text: &str) -> Node {
    let nothing = Node::new(Place::DEFAULT, Value::Table(Vec::new()));
    toml_doc::value(text, Place::DEFAULT.text, 0).unwrap_or(nothing)
}

/// Reads an array: every item, good or bad, and all values when every item is good. An array
/// without items is a single value.
pub(super) fn list<T>(
    context: &mut Context,
    node: &Node,
    mut read: impl FnMut(&mut Context, &Node) -> Got<T>,
) -> Got<Vec<T>> {
    let Value::List(items) = &node.value else {
        return context.unfit(node, "a list", "[ … ]");
    };
    if items.is_empty() {
        return (Some(Vec::new()), Out::leaf(node, "[]".to_string()));
    }
    let (values, outs): (Vec<Option<T>>, Vec<Out>) =
        items.iter().map(|item| read(context, item)).unzip();
    (values.into_iter().collect(), Out::List(outs))
}
