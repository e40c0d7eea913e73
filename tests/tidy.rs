//! The style of the house, as far as a machine can see it.

use std::path::{Path, PathBuf};

const MAX_FILE_LINES: usize = 400;
const MAX_FUNCTION_LINES: usize = 70;
const MAX_COLUMNS: usize = 100;

fn rust_files(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            files.push(path);
        }
    }
}

fn all_files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for dir in ["src", "tests", "benches"] {
        if root.join(dir).is_dir() {
            rust_files(&root.join(dir), &mut files);
        }
    }
    files.sort();
    let read = |path: PathBuf| {
        let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(&path).unwrap())
    };
    files.into_iter().map(read).collect()
}

/// The part of a file that is not its unit tests.
fn production(text: &str) -> &str {
    text.split("\n#[cfg(test)]").next().unwrap()
}

#[test]
fn every_file_says_what_it_is_for() {
    for (name, text) in all_files() {
        assert!(text.starts_with("//! "), "{name} does not begin with a `//!` line");
    }
}

#[test]
fn files_and_lines_are_short_enough_to_read() {
    for (name, text) in all_files() {
        let lines = production(&text).lines().count();
        let limit = if name.starts_with("src") { MAX_FILE_LINES } else { 2 * MAX_FILE_LINES };
        assert!(lines <= limit, "{name} has {lines} lines");
        // One measure a line: the table is read across.
        let lines = text.lines().filter(|_| name != "src/metrics/names.rs");
        for (number, line) in lines.enumerate() {
            let columns = line.chars().count();
            assert!(columns <= MAX_COLUMNS, "{name}:{} has {columns} columns", number + 1);
        }
    }
}

/// Lines of every function of rustfmt's output: from `fn` to the `}` at the same indentation.
fn function_lengths(text: &str) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut lengths = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let trimmed = line.trim_start();
        let words: Vec<&str> = trimmed.split_whitespace().take(4).collect();
        if trimmed.starts_with("//") || !words.contains(&"fn") || trimmed.ends_with(';') {
            continue;
        }
        let indent = line.len() - trimmed.len();
        let close = format!("{}}}", " ".repeat(indent));
        if let Some(length) = lines[start..].iter().position(|line| *line == close) {
            lengths.push((start + 1, length + 1));
        }
    }
    lengths
}

#[test]
fn functions_fit_on_a_screen() {
    let mut lengths = Vec::new();
    for (name, text) in all_files().into_iter().filter(|(name, _)| name.starts_with("src")) {
        for (line, length) in function_lengths(production(&text)) {
            assert!(length <= MAX_FUNCTION_LINES, "{name}:{line}: {length} lines");
            lengths.push(length);
        }
    }
    lengths.sort_unstable();
    assert!(lengths.len() > 300, "only {} functions were found: the test is blind", lengths.len());
    let p90 = lengths[lengths.len() * 9 / 10];
    assert!(p90 <= 24, "one function in ten has more than {p90} lines");
}

#[test]
fn nothing_unfinished_is_left_behind() {
    // Put together here, so that this file does not find itself.
    let banned =
        [["to", "do!("], ["unimple", "mented!("], ["db", "g!("], ["FIX", "ME"], ["XX", "X"]];
    for (name, text) in all_files() {
        for word in banned.map(|parts| parts.concat()) {
            assert!(!text.contains(&word), "{name} contains {word}");
        }
    }
}

#[test]
fn debug_and_release_do_the_same() {
    // A font that was registered inside of an assertion was missing from every release chart.
    for (name, text) in all_files().into_iter().filter(|(name, _)| name.starts_with("src")) {
        for word in ["debug_assert", "cfg!(debug_assertions)", "cfg(debug_assertions)"] {
            assert!(!text.contains(word), "{name} contains {word}");
        }
    }
}

#[test]
fn hash_maps_are_not_iterated_because_there_are_none() {
    for (name, text) in all_files().into_iter().filter(|(name, _)| name.starts_with("src")) {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            let used = line.contains("HashMap") || line.contains("HashSet");
            assert!(!used, "{name}: the order of a hash map differs from run to run: {line}");
        }
    }
}

#[test]
fn every_file_of_a_folder_is_part_of_the_program() {
    let files = all_files();
    for (name, _) in files.iter().filter(|(name, _)| name.starts_with("src/")) {
        let path = Path::new(name);
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        if ["lib", "main", "mod"].contains(&stem.as_str()) {
            continue;
        }
        let parent = path.parent().unwrap().to_string_lossy().into_owned();
        let roots =
            [format!("{parent}/mod.rs"), format!("{parent}/lib.rs"), format!("{parent}.rs")];
        let line = format!("mod {stem};");
        let by_path = format!("#[path = \"{stem}.rs\"]");
        let named = files.iter().any(|(file, text)| {
            (roots.contains(file) || Path::new(file).parent() == path.parent())
                && (text.contains(&line) || text.contains(&by_path))
        });
        assert!(named, "{name} is in no module");
    }
}
