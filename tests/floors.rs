//! A module uses only modules of lower floors; libraries stay in the folder that owns them.

use std::path::{Path, PathBuf};

/// The floors of `src/lib.rs`, from the ground up. Modules of one floor never see each other.
const FLOORS: &[&[&str]] = &[
    &["time", "units", "rng", "failure", "form"],
    &["engine", "dist", "stats"],
    &["load", "policy", "service", "fault", "metrics"],
    &["scenario"],
    &["sim"],
    &["study"],
    &["report", "oracle"],
];

/// Exceptions within the ground floor, whose modules are leaves that build on these.
const GROUND: &[&str] = &["time", "units"];

/// What only some folders may use.
const OWNED: &[(&str, &[&str])] = &[
    ("rayon", &["study"]),
    ("plotters", &["report/chart"]),
    ("clap", &["cli"]),
    ("toml::", &["scenario"]),
    ("jsonc_parser", &["scenario"]),
    ("annotate_snippets", &["scenario"]),
    ("indicatif", &["cli"]),
    ("std::fs", &["scenario", "report", "cli"]),
    ("Instant::now", &["cli"]),
    ("SystemTime", &[]),
    ("rand::rng(", &[]),
    ("StdRng", &[]),
    ("SmallRng", &[]),
];

fn sources(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

/// Every module that a file names as `crate::module`, wherever it does.
fn used(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for part in text.split("crate::").skip(1) {
        let group = part.strip_prefix('{').map(|rest| rest.split('}').next().unwrap_or(""));
        for item in group.unwrap_or(part).split(',').take(if group.is_some() { 99 } else { 1 }) {
            let name: String =
                item.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            names.push(name);
        }
    }
    names
}

#[test]
fn a_module_uses_only_lower_floors() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut mistakes = Vec::new();
    let mut checked = 0;
    for file in sources(&src) {
        let inside = file.strip_prefix(&src).unwrap().to_string_lossy().into_owned();
        let module = inside.split(['/', '.']).next().unwrap();
        let Some(own) = floor(module) else {
            assert!(["lib", "main", "cli"].contains(&module), "{inside} is on no floor");
            continue;
        };
        for name in used(&std::fs::read_to_string(&file).unwrap()) {
            let Some(other) = floor(&name) else { continue };
            checked += 1;
            let ground = own == 0 && GROUND.contains(&name.as_str());
            if name != module && other >= own && !ground {
                mistakes.push(format!("{inside} (floor {own}) uses {name} (floor {other})"));
            }
        }
    }
    assert!(checked > 50, "only {checked} uses were found: the test is blind");
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

#[test]
fn libraries_stay_in_the_folder_that_owns_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut mistakes = Vec::new();
    for file in sources(&src) {
        let inside = file.strip_prefix(&src).unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            for (name, owners) in OWNED {
                let test = inside.ends_with("_tests.rs");
                let allowed = test || owners.iter().any(|owner| inside.starts_with(owner));
                if line.contains(name) && !allowed {
                    mistakes.push(format!("{inside} uses {name}: {}", line.trim()));
                }
            }
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}
