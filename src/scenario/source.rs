//! Where scenario text comes from: files, the standard input, options of the command line.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::diagnostics::Problem;
use super::node::{Node, Place};
use super::{json_doc, toml_doc};

/// Bytes that a scenario file may have (≤).
pub(super) const LARGEST_SCENARIO: u64 = 16 << 20;
/// Bytes that a trace or a file of measured values may have (≤).
pub(super) const LARGEST_DATA: u64 = 256 << 20;

/// A text that values are read from, with its name for messages.
#[derive(Clone, Debug)]
pub(super) struct Text {
    name: String,
    text: String,
    /// The first byte of every line.
    lines: Vec<usize>,
}

impl Text {
    /// This text under this name.
    pub(super) fn new(name: String, text: String) -> Text {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Text { name, text, lines }
    }

    /// What it is called in messages.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The text itself.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The line (≥ 1) and the character in it (≥ 1) of a byte.
    pub(super) fn position(&self, at: usize) -> (usize, usize) {
        let at = at.min(self.text.len());
        let line = self.lines.partition_point(|begin| *begin <= at);
        let begin = self.lines[line - 1];
        let before = self.text.as_bytes()[begin..at].iter().filter(|byte| (**byte as i8) >= -64);
        (line, before.count() + 1)
    }

    /// The first byte and the text of a line (≥ 1), without its end.
    pub(super) fn line(&self, line: usize) -> (usize, &str) {
        let begin = self.lines[line - 1];
        let text = &self.text[begin..];
        let text = text.split('\n').next().unwrap_or_default();
        (begin, text.trim_end_matches('\r'))
    }
}

/// Parses the text of a scenario: JSON by its extension or, without one, by its first character.
pub(super) fn parse(name: &str, text: &str) -> Result<Node, Vec<Problem>> {
    let extension = Path::new(name).extension().and_then(|e| e.to_str()).unwrap_or_default();
    let json = match extension {
        "json" => true,
        "toml" => false,
        _ => text.trim_start().starts_with('{'),
    };
    if let Some(nul) = text.find('\0') {
        let place = Place { text: 0, start: nul, end: nul + 1 };
        let message = "a NUL byte: this is not a text file".to_string();
        return Err(vec![Problem::new(place, message)]);
    }
    if json {
        return json_doc::document(text);
    }
    toml_doc::document(text).map_err(|problems| {
        let like_json =
            text.trim_start().starts_with(['{', '[']) && json_doc::document(text).is_ok();
        let hint = |problem: Problem| match like_json {
            true => problem.help("JSON? name the file .json"),
            false => problem,
        };
        problems.into_iter().map(hint).collect()
    })
}

/// Reads a file, or the standard input for `-`.
pub(super) fn read_file(path: &str) -> Result<String, String> {
    let bytes = if path == "-" {
        read_all(io::stdin().lock(), LARGEST_SCENARIO)?
    } else {
        read_bytes(Path::new(path), LARGEST_SCENARIO)?
    };
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("not a UTF-8 text: line {line} has a byte that belongs to no character")
    })
}

/// The bytes of a file that is no folder and no larger than allowed.
pub(super) fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let metadata = std::fs::metadata(path).map_err(|error| reason(&error))?;
    if metadata.is_dir() {
        return Err("a folder, not a file".to_string());
    }
    if metadata.len() > limit {
        return Err(too_large(limit));
    }
    read_all(File::open(path).map_err(|error| reason(&error))?, limit)
}

fn read_all(from: impl Read, limit: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    // A pipe or a device tells no size beforehand.
    from.take(limit + 1).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

fn too_large(limit: u64) -> String {
    format!("larger than {} MiB", limit >> 20)
}

/// The system's reason without its number, the same on every machine where we can.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_string(),
        io::ErrorKind::PermissionDenied => "no permission to read it".to_string(),
        _ => error.to_string(),
    }
}
