//! `herdsim presets`: the retry policies of real libraries, and what is known of them.

use super::args::{PresetsArgs, PresetsFormat};
use super::exit::Failure;
use super::schedule;
use herdsim::policy::presets;
use herdsim::report::presets::{Told, table};
use herdsim::scenario::{Given, layer};

/// Lists all presets, or tells all about one.
pub(crate) fn main(args: &PresetsArgs) -> Result<(), Failure> {
    let Some(name) = &args.name else {
        return list(args);
    };
    let given = Given { option: "NAME".to_string(), text: name.clone() };
    // A name that is none is told with the nearest that is.
    layer(Some(&given), &[]).map_err(|error| super::bad_scenario(&error, args.shown.color))?;
    let preset = presets::find(name).expect("it has been read");
    let told = Told::new(preset);
    let json = told.calendar.json(Some(preset.name));
    schedule::write(&told.calendar, &json, &told.read.text(), &args.shown)?;
    super::print(&match args.format {
        PresetsFormat::Table => told.text(),
        PresetsFormat::Json => format!("{:#}\n", serde_json::json!([told.json()])),
    })
}

fn list(args: &PresetsArgs) -> Result<(), Failure> {
    if args.shown.out.is_some() {
        let message = "error: --out is for one preset: herdsim presets NAME --out DIR";
        return Err(Failure::Input(message.to_string()));
    }
    let all = Told::all();
    super::print(&match args.format {
        PresetsFormat::Table => table(&all),
        PresetsFormat::Json => {
            let all: Vec<serde_json::Value> = all.iter().map(Told::json).collect();
            format!("{:#}\n", serde_json::Value::Array(all))
        }
    })
}
