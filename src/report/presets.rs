//! The presets: one table of all, everything about one, and the page of the documentation.

use serde_json::{Value, json};

use super::calendar::{Calendar, alike, exact, range};
use crate::policy::presets::{self, Preset, Verified};
use crate::report::{table, text};
use crate::scenario::{Given, ReadLayer, layer};

/// Retries of which a table and JSON tell the share of clients that wait alike.
const TOLD: [u32; 3] = [1, 5, 10];
/// Retries that a calendar shows of a policy that never gives up.
pub const SHOWN: u32 = 10;

/// A preset with its layer and its calendar.
#[derive(Clone, Debug)]
pub struct Told {
    /// The preset.
    pub preset: &'static Preset,
    /// Its layer.
    pub read: ReadLayer,
    /// Its waits: all of them, or the first ten.
    pub calendar: Calendar,
}

impl Told {
    /// What there is to tell of a preset.
    pub fn new(preset: &'static Preset) -> Told {
        let given = Given { option: "preset".to_string(), text: preset.name.to_string() };
        // A test reads every preset.
        let read = layer(Some(&given), &[]).unwrap_or_else(|error| panic!("{error}"));
        let calendar = Calendar::new(preset.name, &read.layer, SHOWN);
        Told { preset, read, calendar }
    }

    /// All presets, in the order in which they are listed.
    pub fn all() -> Vec<Told> {
        presets::all().map(Told::new).collect()
    }

    fn retries(&self) -> String {
        self.calendar
            .retries
            .map_or("no limit".to_string(), |retries| text::grouped(retries.into()))
    }

    /// The share that waits alike before a retry, if there is such a retry.
    fn alike(&self, retry: u32) -> String {
        let entry = self.calendar.entries.iter().find(|entry| entry.retry == retry);
        entry.map_or("–".to_string(), |entry| alike(entry.atom))
    }

    fn range(&self, retry: u32) -> String {
        let entry = self.calendar.entries.iter().find(|entry| entry.retry == retry);
        entry.map_or("–".to_string(), |entry| range(entry.low, entry.high))
    }

    /// `library version`, or the library alone.
    fn library(&self) -> String {
        format!("{} {}", self.preset.library, self.preset.version).trim_end().to_string()
    }

    /// Everything about it, for people.
    pub fn text(&self) -> String {
        let Preset { name, date, source, verified, notes, left_out, .. } = self.preset;
        let (library, evidence) = (self.library(), verified.words());
        let mut told = format!(
            "{name}: {library}\nsource    {source}, {date}\nevidence  {evidence}\nretry     {}\n\n",
            self.read.text()
        );
        told.push_str(&self.calendar.table());
        for note in *notes {
            told.push_str(&format!("\n{note}"));
        }
        if !left_out.is_empty() {
            told.push_str("\nThe library has, and the preset leaves out:");
            for left in *left_out {
                told.push_str(&format!("\n- {left}"));
            }
        }
        if !told.ends_with('\n') {
            told.push('\n');
        }
        told
    }

    /// Everything about it, as JSON.
    pub fn json(&self) -> Value {
        let Preset { name, library, version, date, source, verified, .. } = self.preset;
        let atoms = self.calendar.entries.iter().map(|entry| {
            json!({
                "retry": entry.retry, "share": exact(entry.atom), "wait_s": exact(entry.atom_at)
            })
        });
        let mut object = json!({
            "name": name, "library": library, "version": version, "date": date, "source": source,
            "verified": match verified {
                Verified::Against { version, on } => json!({ "version": version, "on": on }),
                Verified::Formula => Value::Null,
            },
            "max_attempts": self.read.layer.max_attempts,
        });
        let keys = [
            "max_elapsed",
            "backoff",
            "first",
            "jitter",
            "cap",
            "cap_position",
            "floor",
            "quantum",
            "rounding",
            "budget",
            "retry_on",
        ];
        for key in keys {
            object[key] = self.read.json(key);
        }
        object["retry"] = json!(self.read.text());
        object["atoms"] = atoms.collect();
        object["notes"] = json!(self.preset.notes);
        object["left_out"] = json!(self.preset.left_out);
        object
    }
}

/// One line per preset, for people.
pub fn table(all: &[Told]) -> String {
    let heads = TOLD.map(|retry| format!("alike\nretry {retry}"));
    let head = ["preset", "retries", "first\nwait", "fifth\nwait", &heads[0], &heads[1], &heads[2]];
    let row = |told: &Told| {
        let name = told.preset.name.to_string();
        let mut row = vec![name, told.retries(), told.range(1), told.range(5)];
        row.extend(TOLD.map(|retry| told.alike(retry)));
        row
    };
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    format!(
        "{}\nalike: the largest share of clients whose wait before this retry is exactly the same. \
         `herdsim presets NAME` tells all of one.\n",
        table::drawn(&head, &rows)
    )
}

/// The table of the documentation.
pub fn markdown(all: &[Told]) -> String {
    let heads = [
        "preset",
        "library",
        "retries",
        "first wait",
        "fifth wait",
        "alike before retry 1, 5, 10",
        "evidence",
        "source",
    ];
    let mut page = format!("| {} |\n|{}\n", heads.join(" | "), " --- |".repeat(heads.len()));
    for told in all {
        let alike = TOLD.map(|retry| told.alike(retry)).join(", ");
        let Preset { name, date, source, verified, .. } = told.preset;
        page.push_str(&format!(
            "| `{name}` | {} | {} | {} | {} | {alike} | {} | {source}, {date} |\n",
            told.library(),
            told.retries(),
            told.range(1),
            told.range(5),
            verified.words()
        ));
    }
    page
}

/// What the presets leave out and what one should know of them, for the documentation.
pub fn remarks(all: &[Told]) -> String {
    let mut page = String::new();
    for Told { preset, read, .. } in all {
        page.push_str(&format!("### {}\n\n`retry = {}`\n", preset.name, read.text()));
        for note in preset.notes {
            page.push_str(&format!("\n{note}"));
        }
        for left in preset.left_out {
            page.push_str(&format!("\n- left out: {left}"));
        }
        page.push_str("\n\n");
    }
    page
}
