//! The scenario with every default written out: what a run is named after and stored with.

use sha2::{Digest, Sha256};

use super::keys::ROOT;
use super::out::{Out, quote};

/// A policy or an action as it stands in the effective scenario.
pub(super) struct Setting {
    /// Its own key, `label` or `at`, and the value of that.
    pub(super) head: (&'static str, Out),
    /// Paths as they were written, with what they were set to.
    pub(super) set: Vec<Set>,
}

/// A value that a policy or an action sets.
pub(super) struct Set {
    /// The path as it was written.
    pub(super) path: String,
    /// What the key at its end means.
    pub(super) doc: &'static str,
    /// What it was set to.
    pub(super) out: Out,
}

/// The effective scenario as TOML.
pub(super) fn write(
    root: &Out,
    actions: &[Setting],
    policies: &[Setting],
    expects: &[Out],
) -> String {
    let mut text = String::new();
    let entries = match root {
        Out::Table(entries) => &entries[..],
        _ => &[],
    };
    let lists = |out: &Out| matches!(out, Out::List(_));
    for (key, out) in entries.iter().filter(|(_, out)| !lists(out) && out.is_written()) {
        text.push_str(&format!("{} = {}\n", key.name, out.inline()));
    }
    for (key, out) in entries {
        if let Out::List(items) = out {
            items.iter().for_each(|item| section(&mut text, key.name, item));
        }
    }
    settings(&mut text, "actions", actions);
    settings(&mut text, "policy", policies);
    expects.iter().for_each(|expect| section(&mut text, "expect", expect));
    text
}

fn section(text: &mut String, name: &str, item: &Out) {
    text.push_str(&format!("\n[[{name}]]\n"));
    if let Out::Table(entries) = item {
        for (key, out) in entries.iter().filter(|(_, out)| out.is_written()) {
            text.push_str(&format!("{} = {}\n", key.name, out.inline()));
        }
    }
}

fn settings(text: &mut String, name: &str, settings: &[Setting]) {
    for setting in settings {
        let (key, value) = &setting.head;
        text.push_str(&format!("\n[[{name}]]\n{key} = {}\n", value.inline()));
        let spelled = |set: &Set| format!("{} = {}", quote(&set.path), set.out.inline());
        let set: Vec<String> = setting.set.iter().map(spelled).collect();
        if !set.is_empty() {
            text.push_str(&format!("set = {{ {} }}\n", set.join(", ")));
        }
    }
}

/// The same with a title, when it has none of its own.
pub(super) fn with_title(root: Out, title: &str) -> Out {
    match (root, ROOT.key("title")) {
        (Out::Table(mut entries), Some(key)) if !entries.iter().any(|(k, _)| k.name == "title") => {
            entries.insert(0, (key, Out::computed(quote(title))));
            Out::Table(entries)
        }
        (root, _) => root,
    }
}

/// The SHA-256 of the effective scenario and the files it names, as lower-case hex digits.
pub(super) fn hash(effective: &str, files: &[(String, Vec<u8>)]) -> String {
    let mut digest = Sha256::new();
    digest.update(effective);
    for (_, bytes) in files {
        digest.update(bytes);
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
