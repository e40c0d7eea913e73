//! A growth, a jitter or a budget is one file and its registration: nothing else in the source
//! knows it by name.

use std::path::{Path, PathBuf};

use herdsim::form::Form;
use herdsim::policy::backoff::{growth, jitter};
use herdsim::policy::budget;

/// Words of a form that mean another thing elsewhere: the word, where, and what.
const HOMONYMS: &[(&str, &str, &str)] = &[
    ("exponential", "scenario/keys/services.rs", "a distribution"),
    ("exponential", "scenario/read/dist.rs", "a distribution"),
    ("full", "scenario/keys/root.rs", "a full budget"),
    ("full", "scenario/read/start.rs", "a full budget"),
    ("none", "scenario/keys/callers.rs", "no timeout"),
    ("none", "scenario/keys/layer.rs", "no retries"),
    ("none", "report/calendar.rs", "no two clients wait alike"),
    ("none", "scenario/presets.rs", "no retries"),
    ("none", "scenario/read/dist.rs", "no timeout"),
    ("none", "scenario/read/retry.rs", "no retries"),
];

fn sources(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            files.push(path);
        }
    }
}

/// All code: no comments and no unit tests. Oracles and presets are left out: they write the
/// scenario language, and theory has its own names for jitters.
fn code() -> Vec<(String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let read = |path: PathBuf| {
        let name = path.strip_prefix(&src).unwrap().to_string_lossy().replace('\\', "/");
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.split("\n#[cfg(test)]").next().unwrap();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        (name, lines.collect::<Vec<_>>().join("\n"))
    };
    files.into_iter().map(read).filter(|(name, _)| !writes_scenarios(name)).collect()
}

fn writes_scenarios(name: &str) -> bool {
    ["oracle/", "policy/presets/"].iter().any(|folder| name.starts_with(folder))
}

/// `aws-quota` as the name of a type.
fn type_name(form: &str) -> String {
    let capital = |part: &str| part[..1].to_uppercase() + &part[1..];
    form.split('-').map(capital).collect()
}

/// Everything by which the rest of the source could know a form.
fn spellings(choice: &str, folder: &str, form: &str) -> Vec<String> {
    let module = folder.rsplit('/').next().unwrap();
    let (kind, file) = (type_name(form), form.replace('-', "_"));
    vec![
        format!("\"{form}\""),
        format!("`{form}`"),
        format!("{choice}::{kind}"),
        format!("{module}::{kind}"),
        format!("{module}::{file}"),
    ]
}

/// Whether a type is named in a group of imports: `growth::{Linear, …}`.
fn imports(text: &str, folder: &str, kind: &str) -> bool {
    let group = format!("{}::{{", folder.rsplit('/').next().unwrap());
    let mut groups = text.split(&group).skip(1).map(|rest| rest.split('}').next().unwrap());
    groups.any(|group| group.split(',').any(|item| item.trim().split(' ').next() == Some(kind)))
}

/// The files outside the folder of some forms that know one of them.
fn strangers<T>(choice: &str, folder: &str, forms: &[Form<T>]) -> Vec<String> {
    let code = code();
    let mut found = Vec::new();
    for form in forms {
        let own = format!("{folder}/{}.rs", form.name.replace('-', "_"));
        let registry = format!("{folder}/mod.rs");
        assert!(code.iter().any(|(name, _)| *name == own), "{} has no file {own}", form.name);
        let others = code.iter().filter(|(name, _)| *name != own && *name != registry);
        for (name, text) in others {
            let homonym = HOMONYMS.iter().any(|(word, file, _)| *word == form.name && file == name);
            if imports(text, folder, &type_name(form.name)) {
                found.push(format!("{name} imports {}", form.name));
            }
            for spelling in spellings(choice, folder, form.name) {
                let word = spelling.starts_with('"') || spelling.starts_with('`');
                if text.contains(&spelling) && !(homonym && word) {
                    found.push(format!("{name} knows {spelling}"));
                }
            }
        }
    }
    found
}

#[test]
fn only_its_own_file_and_its_registry_know_a_form() {
    let mut found = strangers("Growth", "policy/backoff/growth", growth::FORMS);
    found.extend(strangers("Jitter", "policy/backoff/jitter", jitter::FORMS));
    found.extend(strangers("Budget", "policy/budget", budget::FORMS));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_file_of_a_folder_is_registered() {
    let count = |folder: &str| {
        code().iter().filter(|(name, _)| name.starts_with(folder)).count() - 1 // its mod.rs
    };
    assert_eq!(growth::FORMS.len(), count("policy/backoff/growth/"));
    assert_eq!(jitter::FORMS.len(), count("policy/backoff/jitter/"));
    assert_eq!(budget::FORMS.len(), count("policy/budget/"));
}

#[test]
fn every_homonym_still_stands_there() {
    let code = code();
    for (word, file, meaning) in HOMONYMS {
        let text = code.iter().find(|(name, _)| name == file).map_or("", |(_, text)| text);
        assert!(text.contains(&format!("\"{word}\"")), "{file} has no `{word}`, {meaning}");
    }
}
