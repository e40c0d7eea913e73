//! What is the experiment? Scenario files: read with the place of every value, then checked.

mod across;
mod assemble;
mod cases;
mod checks;
mod demand;
mod diagnostics;
mod effective;
mod error;
mod expect;
mod explain;
mod files;
mod json_doc;
mod keys;
mod layer;
mod measured;
mod memory;
mod model;
mod node;
mod options;
mod origins;
mod out;
mod patch;
mod presets;
mod read;
mod scalars;
mod schema;
mod source;
mod suggest;
mod toml_doc;
mod walk;
mod zero_wait;

use std::path::Path;

pub use diagnostics::Diagnostics;
pub use error::Error;
pub use expect::{Expect, Part, Subject};
pub use layer::{Given, ReadLayer, layer};
pub use model::{
    Action, Caller, Deadline, Downstream, Group, Measure, Model, PolicyCase, Scenario, ServiceNode,
    Slo, Start, State,
};
pub use schema::schema;

/// What the command line sets in a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `path=value`, applied in this order before any policy.
    pub set: Vec<String>,
    /// A seed in place of the one in the file.
    pub seed: Option<u64>,
    /// Replications in place of those in the file (≥ 1).
    pub reps: Option<u32>,
}

/// A scenario with its origins.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The experiment.
    pub scenario: Scenario,
    /// Every value in force: those of the first policy and of the actions, then what is different
    /// under each further policy.
    pub explained: Vec<Explained>,
    /// The scenario as TOML with every option and default written out; reading it again gives
    /// the same scenario and the same text.
    pub effective: String,
    /// Files that the scenario names, without their folders, and their bytes.
    pub files: Vec<(String, Vec<u8>)>,
}

impl Loaded {
    /// The effective scenario as it is stored with results: reading it again gives the same
    /// origins too, as long as nobody changes it.
    pub fn stored(&self) -> String {
        origins::with_origins(self)
    }
}

/// A value that is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// Its path: `web.retry.jitter`.
    pub path: String,
    /// The value in its canonical spelling, as TOML.
    pub value: String,
    /// Where it came from: `demo.toml:12`, `default`, `--set`, `policy "no jitter"`, or, where it
    /// came along with what a policy sets, `policy "no jitter", default`.
    pub source: String,
    /// The label of the policy, when the value differs from that under the first policy.
    pub policy: Option<String>,
    /// What it means, in one sentence.
    pub doc: &'static str,
}

/// Reads and checks a scenario file; `-` is the standard input.
///
/// # Errors
/// The file cannot be read, or is no scenario: then with everything that is wrong with it.
pub fn read(path: &str, options: &Options) -> Result<Loaded, Error> {
    let text =
        source::read_file(path).map_err(|reason| Error::Io { path: path.to_string(), reason })?;
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    read_text(path, &text, folder, options)
}

/// Reads and checks the text of a scenario: JSON when `name` ends in `.json`, or, with neither
/// that nor `.toml`, when the text begins with `{`. Files it names are sought from `folder`.
///
/// # Errors
/// The text is no scenario: everything that is wrong with it.
pub fn read_text(
    name: &str,
    text: &str,
    folder: &Path,
    options: &Options,
) -> Result<Loaded, Error> {
    assemble::load(name, text, folder, options)
}
