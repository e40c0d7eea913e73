//! The documents tell the truth: their commands run, their outputs are what the program prints,
//! their tables are the program's own, and what they point to is there.
//!
//! `UPDATE_README=1 cargo test --test readme` writes outputs, tables and gallery anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use herdsim::metrics::Metric;
use herdsim::report::presets::{self, Told};
use herdsim::report::table;
use herdsim::scenario::{Options, read, read_text, schema};
use herdsim::study;
use serde_json::Value;

/// The pictures that README.md shows; the demo draws them.
const GALLERY: [&str; 2] = ["raster.png", "policies.png"];
/// What a picture may weigh.
const MOST_BYTES: usize = 250_000;

const DOCUMENTS: [&str; 9] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/presets.md",
    "docs/scenario.md",
    "docs/trace.md",
    "docs/validation.md",
    "output/README.md",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn document(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Whether documents are to be written anew.
fn updates() -> bool {
    std::env::var_os("UPDATE_README").is_some_and(|value| value != "0")
}

/// Compares a document with what it should be, or writes it.
fn settle(name: &str, found: &str, wanted: &str) {
    if found == wanted {
        return;
    }
    if updates() {
        fs::write(root().join(name), wanted).unwrap();
        return;
    }
    let (mut found, mut wanted) = (found.lines(), wanted.lines());
    let (line, (old, new)) = (1..)
        .zip(std::iter::repeat_with(|| (found.next(), wanted.next())))
        .find(|(_, (old, new))| old != new)
        .unwrap();
    panic!(
        "{name}:{line} is out of date:\n  it says   {}\n  it is     {}\n\
         write it anew with: UPDATE_README=1 cargo test --test readme",
        old.unwrap_or("(nothing)"),
        new.unwrap_or("(nothing)")
    );
}

/// A fenced block of code.
struct Block {
    kind: String,
    text: String,
    /// Its lines in the document, without the fences.
    lines: std::ops::Range<usize>,
}

fn blocks(text: &str) -> Vec<Block> {
    let lines: Vec<&str> = text.lines().collect();
    let mut blocks = Vec::new();
    let mut open: Option<(String, usize)> = None;
    for (number, line) in lines.iter().enumerate() {
        let Some(kind) = line.strip_prefix("```") else { continue };
        open = match open {
            None => Some((kind.to_string(), number + 1)),
            Some((kind, begin)) => {
                let text = lines[begin..number].iter().map(|line| format!("{line}\n")).collect();
                blocks.push(Block { kind, text, lines: begin..number });
                None
            }
        };
    }
    assert!(open.is_none(), "a block of code does not end");
    blocks
}

/// A folder with the shipped scenarios, in which commands run; a command is run once.
struct Workshop {
    dir: PathBuf,
    printed: BTreeMap<String, String>,
}

impl Workshop {
    fn new(name: &str) -> Workshop {
        let place = format!("readme-{name}-{}", std::process::id());
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(place);
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(dir.join("scenarios")).unwrap();
        for entry in fs::read_dir(root().join("scenarios")).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, dir.join("scenarios").join(path.file_name().unwrap())).unwrap();
        }
        Workshop { dir, printed: BTreeMap::new() }
    }

    /// What a line of a block prints; `None` for a line that is not for herdsim.
    fn run(&mut self, line: &str) -> Option<String> {
        let command = line.trim().replace("cargo run --release -- ", "herdsim ");
        let other = ["cargo ", "git ", "cp ", "grep ", "UPDATE_README=", "#"];
        if command.is_empty() || other.iter().any(|begin| command.starts_with(begin)) {
            return None;
        }
        assert!(command.starts_with("herdsim "), "what is `{command}`?");
        if let Some(text) = self.printed.get(&command) {
            return Some(text.clone());
        }
        let program = Path::new(env!("CARGO_BIN_EXE_herdsim")).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let done = Command::new("sh")
            .args(["-c", &command])
            .current_dir(&self.dir)
            .env("PATH", format!("{}:{path}", program.display()))
            .env_remove("RAYON_NUM_THREADS")
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "`{command}` ended with {}:\n{told}", done.status);
        let text = String::from_utf8(done.stdout).unwrap();
        self.printed.insert(command, text.clone());
        Some(text)
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// The document with every output as it is printed today.
fn with_outputs(text: &str, workshop: &mut Workshop) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let blocks = blocks(text);
    let mut wanted = String::new();
    let mut written = 0;
    for (index, block) in blocks.iter().enumerate() {
        if block.kind != "sh" {
            continue;
        }
        let printed: Vec<String> =
            block.text.lines().filter_map(|line| workshop.run(line)).collect();
        let Some(output) = blocks.get(index + 1).filter(|next| next.kind == "text") else {
            continue;
        };
        let between = &lines[block.lines.end + 1..output.lines.start - 1];
        if between.iter().any(|line| !line.trim().is_empty()) {
            continue;
        }
        wanted.extend(lines[written..output.lines.start].iter().map(|line| format!("{line}\n")));
        wanted.push_str(&printed.concat());
        written = output.lines.end;
    }
    wanted.extend(lines[written..].iter().map(|line| format!("{line}\n")));
    wanted
}

#[test]
fn what_the_readme_shows_is_what_the_program_makes() {
    let mut workshop = Workshop::new("shown");
    let text = document("README.md");
    let example = blocks(&text).into_iter().find(|block| block.kind == "toml");
    let example = example.expect("README.md shows a scenario");
    fs::write(workshop.dir.join("checkout.toml"), &example.text).unwrap();
    settle("README.md", &text, &with_outputs(&text, &mut workshop));
    for name in ["herdsim check checkout.toml", "herdsim run checkout.toml", "herdsim demo"] {
        assert!(workshop.printed.contains_key(name), "README.md does not show `{name}`");
    }
    for picture in GALLERY {
        let drawn = fs::read(workshop.dir.join("output/demo/charts").join(picture)).unwrap();
        let place = root().join("output/gallery").join(picture);
        if updates() {
            fs::write(&place, &drawn).unwrap();
        }
        let shown = fs::read(&place).unwrap_or_default();
        assert!(
            shown == drawn,
            "output/gallery/{picture} is not what the demo draws: \
             UPDATE_README=1 cargo test --test readme"
        );
        assert!(shown.len() <= MOST_BYTES, "{picture} weighs {} bytes", shown.len());
    }
}

#[test]
fn what_the_page_of_traces_shows_runs() {
    let mut workshop = Workshop::new("traces");
    let text = document("docs/trace.md");
    settle("docs/trace.md", &text, &with_outputs(&text, &mut workshop));
    assert_eq!(workshop.printed.len(), 1);
    assert!(workshop.dir.join("nats.jsonl").exists());
}

#[test]
fn every_column_of_the_table_is_explained() {
    let path = root().join("scenarios/thundering-herd.toml");
    let options = Options { set: vec!["horizon=3m".to_string()], ..Options::default() };
    let scenario = read(path.to_str().unwrap(), &options).ok().unwrap().scenario;
    let results = study::run(&scenario, &study::Options::default()).unwrap();
    let (heads, _) = table::cells(&results);
    assert!(heads.len() > 8, "{heads:?}");
    let text = document("README.md");
    for head in heads {
        let head = head.replace('\n', " ");
        assert!(text.contains(&format!("| {head} |")), "README.md does not explain `{head}`");
    }
}

#[test]
fn every_verb_is_listed() {
    let done = Command::new(env!("CARGO_BIN_EXE_herdsim")).arg("--help").output().unwrap();
    let help = String::from_utf8(done.stdout).unwrap();
    let commands = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    // The name of a verb is indented by two columns, its description by more.
    let names = commands.lines().filter_map(|line| line.strip_prefix("  "));
    let names: Vec<&str> = names
        .filter(|line| !line.starts_with(' '))
        .map(|line| line.split(' ').next().unwrap())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() >= 5, "{names:?}");
    let text = document("README.md");
    for name in names {
        let listed = text.lines().any(|line| {
            line.strip_prefix("| `herdsim ")
                .and_then(|rest| rest.strip_prefix(name))
                .is_some_and(|rest| rest.starts_with([' ', '`']))
        });
        assert!(listed, "README.md does not list `herdsim {name}`");
    }
}

/// Checks a scenario beside the data files of the good scenarios.
fn check(what: &str, text: &str, set: &[&str]) -> Result<(), String> {
    let dir = root().join("tests/fixtures/good");
    let set = set.iter().map(|set| set.to_string()).collect();
    let options = Options { set, ..Options::default() };
    let read = read_text(what, text, &dir, &options);
    read.map(|_| ()).map_err(|error| error.render(false))
}

/// The whole scenario of docs/scenario.md: what the other blocks are added to.
fn base(text: &str) -> String {
    let block = blocks(text).into_iter().find(|block| block.kind == "toml");
    block.expect("docs/scenario.md shows a scenario").text
}

#[test]
fn the_examples_of_the_scenario_reference_are_scenarios() {
    let text = document("docs/scenario.md");
    let base = base(&text);
    let mut checked = 0;
    for block in blocks(&text).iter().filter(|block| block.kind == "toml") {
        let whole = block.text.lines().any(|line| line.starts_with("horizon"));
        let scenario = if whole { block.text.clone() } else { format!("{base}\n{}", block.text) };
        if let Err(error) = check("example.toml", &scenario, &[]) {
            panic!("docs/scenario.md:{}:\n{error}", block.lines.start + 1);
        }
        checked += 1;
    }
    assert!(checked >= 5, "only {checked} examples were found");
}

#[test]
fn what_is_said_to_be_not_built_yet_is_refused() {
    let text = document("docs/scenario.md");
    let base = base(&text);
    let list = between(&text, "not yet").expect("docs/scenario.md lists what is not built yet");
    let mut checked = 0;
    for line in list.lines().filter_map(|line| line.strip_prefix("- `")) {
        let set = line.split('`').next().unwrap();
        let error = check("example.toml", &base, &[set]).expect_err(set);
        assert!(error.contains("not supported yet"), "{set}: {error}");
        checked += 1;
    }
    assert!(checked > 20, "only {checked} keys are listed");
}

/// What stands between `<!-- name -->` and `<!-- end -->`.
fn between<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let begin = format!("<!-- {name} -->\n");
    let rest = &text[text.find(&begin)? + begin.len()..];
    rest.split_once("<!-- end -->").map(|(inside, _)| inside)
}

/// Puts a table between its marks.
fn fill(text: &str, name: &str, table: &str) -> String {
    let Some(old) = between(text, name) else {
        panic!("the document has no place for `{name}`: <!-- {name} --> … <!-- end -->")
    };
    let begin = format!("<!-- {name} -->\n");
    text.replacen(&format!("{begin}{old}"), &format!("{begin}{table}"), 1)
}

/// What may stand at a key, in words.
fn shape(value: &Value) -> String {
    let words = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|word| format!("`{word}`")).collect()
    };
    if let Some(reference) = value["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap();
        return format!("[{}](#{name})", name.replace('-', " "));
    }
    // A table with a demand of the place where it stands.
    if let Some(all) = value["allOf"].as_array() {
        return shape(&all[0]);
    }
    if let Some(any) = value["anyOf"].as_array() {
        return any.iter().map(shape).collect::<Vec<_>>().join(" or ");
    }
    if value["enum"].as_array().is_some_and(|words| words.len() > 20) {
        return "name of a [preset](presets.md)".to_string();
    }
    if !value["enum"].is_null() {
        return words(&value["enum"]).join(", ");
    }
    match value["type"].as_str().unwrap() {
        "array" => format!("list of {}", shape(&value["items"])),
        "object" => "table of paths".to_string(),
        "boolean" => "`true`, `false`".to_string(),
        "integer" => "whole number".to_string(),
        "number" if value["maximum"] == 1 => "0 … 1".to_string(),
        "string" if value["examples"][0] == "250ms" => "duration".to_string(),
        "string" if value["examples"][0] == "90/s" => "rate".to_string(),
        "string" if value["examples"][0] == "5%" => "percentage".to_string(),
        "string" if value["examples"].is_array() => {
            format!("such as {}", words(&value["examples"]).join(", "))
        }
        other => other.replace("string", "text"),
    }
}

/// The keys of one table of the language.
fn keys(table: &Value) -> String {
    let mut text = "| key | value | default | meaning |\n| --- | --- | --- | --- |\n".to_string();
    let required = table["required"].as_array().cloned().unwrap_or_default();
    for (name, key) in table["properties"].as_object().unwrap() {
        let default = match &key["default"] {
            _ if required.iter().any(|one| one == name) => "required".to_string(),
            Value::Null => String::new(),
            default => format!("`{default}`"),
        };
        let meaning = key["description"].as_str().unwrap();
        text.push_str(&format!("| `{name}` | {} | {default} | {meaning} |\n", shape(key)));
    }
    let demanded = if table["anyOf"].is_array() { &table["anyOf"][0] } else { table };
    if let Some(one_of) = demanded["oneOf"].as_array() {
        let names = one_of.iter().map(|one| format!("`{}`", one["required"][0].as_str().unwrap()));
        let names: Vec<String> = names.collect();
        if names.len() > 1 {
            let unless =
                if table["anyOf"].is_array() { ", unless a `preset` brings it" } else { "" };
            text.push_str(&format!("\nExactly one of {}{unless}.\n", names.join(", ")));
        }
    }
    text
}

fn measures() -> String {
    let mut text = "| measure | meaning |\n| --- | --- |\n".to_string();
    for metric in Metric::ALL {
        text.push_str(&format!("| `{}` | {} |\n", metric.name(), metric.describe()));
    }
    text
}

#[test]
fn the_scenario_reference_has_every_key_and_every_measure() {
    let text = document("docs/scenario.md");
    let schema: Value = serde_json::from_str(&schema()).unwrap();
    let mut wanted = fill(&text, "keys: scenario", &keys(&schema));
    let tables = schema["$defs"].as_object().unwrap();
    assert!(tables.len() > 25, "only {} tables were found", tables.len());
    for (name, table) in tables {
        assert!(wanted.contains(&format!("# {}\n", name.replace('-', " "))), "no heading `{name}`");
        wanted = fill(&wanted, &format!("keys: {name}"), &keys(table));
    }
    settle("docs/scenario.md", &text, &fill(&wanted, "measures", &measures()));
}

#[test]
fn the_page_of_presets_has_every_preset_as_it_is() {
    let text = document("docs/presets.md");
    let all = Told::all();
    let wanted = fill(&text, "presets", &presets::markdown(&all));
    settle("docs/presets.md", &text, &fill(&wanted, "remarks", &presets::remarks(&all)));
}

/// Links of a document: text and target.
fn links(text: &str) -> Vec<(String, String)> {
    let prose: Vec<&str> = {
        let mut inside = false;
        let code = |line: &&str| {
            let fence = line.starts_with("```");
            inside ^= fence;
            !inside && !fence
        };
        text.lines().filter(code).collect()
    };
    let mut links = Vec::new();
    for line in prose {
        for (place, _) in line.match_indices("](") {
            let Some((target, _)) = line[place + 2..].split_once(')') else { continue };
            let label = line[..place].rsplit('[').next().unwrap_or_default();
            links.push((label.trim_matches('`').to_string(), target.to_string()));
        }
    }
    links
}

#[test]
fn what_the_documents_point_to_is_there() {
    let mut mistakes = Vec::new();
    let mut named = 0;
    for name in DOCUMENTS {
        let text = document(name);
        let folder = Path::new(name).parent().unwrap();
        for (label, target) in links(&text) {
            if target.starts_with('#') || target.contains("://") {
                continue;
            }
            let path = root().join(folder).join(target.split('#').next().unwrap());
            if !path.exists() {
                mistakes.push(format!("{name}: {target} is not there"));
                continue;
            }
            // `name` that links to a file of Rust is something that the file defines.
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if target.ends_with(".rs") && !label.is_empty() && label.chars().all(word) {
                named += 1;
                let code = fs::read_to_string(&path).unwrap();
                let defines = ["fn", "struct", "enum", "trait", "const", "static", "type", "mod"]
                    .iter()
                    .any(|kind| code.contains(&format!("{kind} {label}")));
                if !defines {
                    mistakes.push(format!("{name}: {target} does not define {label}"));
                }
            }
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    assert!(named > 20, "only {named} names were found: the test is blind");
}

#[test]
fn a_document_has_one_title() {
    for name in DOCUMENTS {
        let mut inside = false;
        let titles = document(name)
            .lines()
            .filter(|line| {
                inside ^= line.starts_with("```");
                !inside && line.starts_with("# ")
            })
            .count();
        assert_eq!(titles, 1, "{name}");
    }
}
