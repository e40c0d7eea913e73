//! Origins that travel with a stored scenario, so that running it again tells the same story.
//!
//! They stand in comments after the text. An edited scenario has another hash: then they no longer
//! hold, and its values come from the lines of the file itself.

use super::{Explained, Loaded};

/// Begins the block; the hash of the scenario follows.
const HEAD: &str = "#:origins ";
/// Begins a line of it.
const LINE: &str = "#: ";

/// The effective scenario with the origin of every value.
pub(super) fn with_origins(loaded: &Loaded) -> String {
    let mut text = format!("{}\n{HEAD}{}\n", loaded.effective, loaded.scenario.hash);
    for Explained { path, source, .. } in &loaded.explained {
        // A file may be called anything, and a line ends a comment.
        let source: String = source.chars().filter(|c| !c.is_control()).collect();
        text.push_str(&format!("{LINE}{path}: {source}\n"));
    }
    text
}

/// Takes the origins from the text of a stored scenario, when they are those of this scenario.
pub(super) fn restore(text: &str, loaded: &mut Loaded) {
    let head = format!("\n{HEAD}{}\n", loaded.scenario.hash);
    let Some((_, block)) = text.split_once(&head) else { return };
    let found: Option<Vec<&str>> = block
        .lines()
        .zip(&loaded.explained)
        .map(|(line, explained)| {
            line.strip_prefix(LINE)?.strip_prefix(&explained.path)?.strip_prefix(": ")
        })
        .collect();
    let Some(found) = found.filter(|found| found.len() == loaded.explained.len()) else { return };
    for (explained, source) in loaded.explained.iter_mut().zip(found) {
        explained.source = source.to_string();
    }
}
