//! `herdsim explain`: every effective parameter, and where it came from.

use super::args::{ExplainArgs, ExplainFormat};
use super::exit::Failure;
use herdsim::scenario::{self, Explained, Loaded, Options};

/// Prints the parameters of a scenario.
pub(crate) fn main(args: &ExplainArgs) -> Result<(), Failure> {
    let options = Options { set: args.set.clone(), ..Options::default() };
    let loaded = match args.scenario.as_str() {
        "demo" => super::demo::load(&options),
        path => scenario::read(path, &options),
    };
    let loaded = loaded.map_err(|error| super::bad_scenario(&error, args.color))?;
    super::print(&match args.format {
        ExplainFormat::Table => table(&loaded),
        ExplainFormat::Jsonl => lines(&loaded.explained),
        ExplainFormat::Toml => loaded.effective,
    })
}

/// Key, value, source and meaning, in columns.
fn table(loaded: &Loaded) -> String {
    let width = |text: fn(&Explained) -> &str| {
        loaded.explained.iter().map(|entry| text(entry).chars().count()).max().unwrap_or(0).min(44)
    };
    let (key, value) = (width(|entry| &entry.path), width(|entry| &entry.value));
    let source = width(|entry| &entry.source);
    let mut text = String::new();
    for entry in &loaded.explained {
        let Explained { path, value: shown, source: from, doc, .. } = entry;
        text.push_str(&format!("{path:key$}  {shown:value$}  {from:source$}  {doc}\n"));
    }
    text
}

fn lines(entries: &[Explained]) -> String {
    let line = |entry: &Explained| {
        let Explained { path, value, source, policy, doc } = entry;
        let object = serde_json::json!({
            "path": path, "value": value, "source": source, "policy": policy, "description": doc
        });
        format!("{object}\n")
    };
    entries.iter().map(line).collect()
}
