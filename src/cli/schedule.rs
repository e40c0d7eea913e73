//! `herdsim schedule`: when a policy retries, how spread its clients are, and how long it takes.

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::args::{ScheduleArgs, ScheduleFormat, Shown};
use super::exit::Failure;
use super::{run, terminal};
use herdsim::report::calendar::Calendar;
use herdsim::report::chart::{Pixels, atoms};
use herdsim::report::{Output, presets};
use herdsim::scenario::{Given, layer};

/// Retries of a calendar of which nothing else is said.
const RETRIES: u32 = 6;

/// Prints the calendar of a policy, and writes its files where they are wanted.
pub(crate) fn main(args: &ScheduleArgs) -> Result<(), Failure> {
    let preset = args.preset.as_ref();
    let named = preset.map(|name| Given { option: "--preset".to_string(), text: name.clone() });
    let read = layer(named.as_ref(), &given(args))
        .map_err(|error| super::bad_scenario(&error, args.shown.color))?;
    let most = args.retries.unwrap_or(presets::SHOWN);
    let name = preset.map_or("the policy", String::as_str);
    let calendar = Calendar::new(name, &read.layer, most);
    let json = calendar.json(preset.map(String::as_str));
    write(&calendar, &json, &read.text(), &args.shown)?;
    super::print(&match args.format {
        ScheduleFormat::Table => calendar.table(),
        ScheduleFormat::Json => format!("{json:#}\n"),
        ScheduleFormat::Csv => calendar.csv(),
    })
}

/// The options as values of a layer of retries.
fn given(args: &ScheduleArgs) -> Vec<Given> {
    let mut given = Vec::new();
    let mut put = |option: &str, key: &str, value: &str| {
        given.push(Given::new(option, key, value));
    };
    // A preset has its own; so has whoever sets another growth.
    let alone = args.preset.is_none() && !args.set.iter().any(|set| set.starts_with("backoff"));
    let base = args.base.as_deref().or(alone.then_some("1s"));
    if let Some(base) = base {
        put("--base", "backoff.exponential.base", base);
    }
    if let Some(factor) = &args.factor {
        put("--factor", "backoff.exponential.factor", factor);
    }
    let counts = |set: &String| set.starts_with("max_retries") || set.starts_with("max_attempts");
    let default = args.preset.is_none() && !args.set.iter().any(counts);
    let retries = args.retries.or(default.then_some(RETRIES));
    if let Some(retries) = retries {
        put("--retries", "max_retries", &retries.to_string());
    }
    let texts =
        [("--cap", "cap", &args.cap), ("--cap-position", "cap_position", &args.cap_position)];
    for (option, key, value) in texts {
        if let Some(value) = value {
            put(option, key, value);
        }
    }
    if let Some(jitter) = &args.jitter {
        match jitter.split_once('=').filter(|(kind, _)| !kind.contains('{')) {
            Some((kind, value)) => put("--jitter", &format!("jitter.{kind}"), value),
            None => put("--jitter", "jitter", jitter),
        }
    }
    let set = args.set.iter().map(|text| Given { option: "--set".into(), text: text.clone() });
    given.extend(set);
    given
}

/// Writes the calendar and its chart into the folder that was asked for, if any.
pub(crate) fn write(
    calendar: &Calendar,
    json: &Value,
    layer: &str,
    shown: &Shown,
) -> Result<(), Failure> {
    let Some(dir) = &shown.out else { return Ok(()) };
    let hash: String =
        Sha256::digest(format!("{layer}\n{json}")).iter().map(|b| format!("{b:02x}")).collect();
    let mut output = Output::prepare(dir, &hash, shown.force)
        .map_err(|error| Failure::Input(format!("error: {}", run::with_reasons(&error))))?;
    files(&mut output, calendar, json)
        .map_err(|error| Failure::Internal(format!("error: {}", run::with_reasons(&error))))?;
    if !shown.quiet {
        for name in output.names() {
            terminal::tell(&format!("wrote {}", output.dir().join(name).display()));
        }
    }
    Ok(())
}

fn files(
    output: &mut Output,
    calendar: &Calendar,
    json: &Value,
) -> Result<(), herdsim::report::Error> {
    output.write("schedule.json", format!("{json:#}\n").as_bytes())?;
    output.write("schedule.csv", calendar.csv().as_bytes())?;
    let chart = atoms(calendar, Pixels::Painted);
    output.write("charts/atoms.svg", chart.svg.as_bytes())?;
    output.write("charts/atoms.png", &chart.png)?;
    output.finish_exact()
}
