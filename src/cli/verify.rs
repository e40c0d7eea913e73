//! `herdsim verify`: simulates models with exact answers on this machine and says whether the
//! simulator gives them.

use std::sync::atomic::Ordering;

use comfy_table::{CellAlignment, Table, presets};
use herdsim::oracle::{About, Answer, Found, Row, about, level, suite};
use serde_json::{Value, json};

use super::args::{VerifyArgs, VerifyFormat};
use super::exit::Failure;
use super::terminal;

/// A row and what was found.
struct Checked {
    row: Row,
    found: Found,
}

/// Runs the suite and prints its table.
pub(crate) fn main(args: &VerifyArgs) -> Result<(), Failure> {
    let (checked, all) = run(args)?;
    let text = match args.format {
        VerifyFormat::Table => table(&checked, all, args.seed),
        VerifyFormat::Json => format!("{:#}\n", summary(&checked, all, args.seed)),
        VerifyFormat::Csv => csv(&checked),
        VerifyFormat::Markdown => markdown(&checked),
    };
    super::print(&text)?;
    if checked.len() < all {
        let (done, all) = (checked.len(), all);
        return Err(Failure::Interrupted(format!("interrupted after {done} of {all} checks")));
    }
    answer(&checked)
}

/// Every case in turn, until the user interrupts; and how many there are.
fn run(args: &VerifyArgs) -> Result<(Vec<Checked>, usize), Failure> {
    let stop = terminal::stop_on_interrupt();
    let mut rows = suite();
    // A part of the suite is held to the same intervals as all of it.
    let whole = rows.len();
    let matches = |row: &Row, part: &str| {
        [row.model.as_str(), about_of(row).title].iter().any(|name| name.contains(part))
    };
    rows.retain(|row| args.only.as_ref().is_none_or(|part| matches(row, part)));
    if rows.is_empty() {
        let only = args.only.as_deref().unwrap_or_default();
        return Err(Failure::Input(format!(
            "error: no model of the suite has \"{only}\" in its name\nhelp: herdsim verify lists \
             all models"
        )));
    }
    let all = rows.len();
    let bar = terminal::progress(all as u64, args.quiet);
    let mut checked = Vec::new();
    for row in rows {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let jobs = args.jobs.map(|jobs| jobs as usize);
        let found = row.examine(args.seed, whole, jobs);
        let found = found.map_err(|reason| Failure::Internal(format!("error: {reason}")))?;
        let found = found.expect("every row of the suite has an experiment");
        checked.push(Checked { row, found });
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok((checked, all))
}

/// Exit code 1 unless every check agrees.
fn answer(checked: &[Checked]) -> Result<(), Failure> {
    let open = checked.len() - agreeing(checked);
    if open == 0 {
        return Ok(());
    }
    Err(Failure::Internal(format!(
        "error: {open} of {} checks do not agree with the exact value: please report the table \
         above with the version of herdsim",
        checked.len()
    )))
}

fn agreeing(checked: &[Checked]) -> usize {
    checked.iter().filter(|c| c.found.answer == Answer::Agrees).count()
}

fn word(answer: Answer) -> &'static str {
    match answer {
        Answer::Agrees => "agrees",
        Answer::Differs => "DIFFERS",
        Answer::TooWide => "NOT REACHED",
    }
}

/// Six significant digits: as many as anybody compares by eye.
fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_string();
    }
    let digits = 5 - value.abs().log10_floor();
    let text = format!("{value:.*}", digits.max(0) as usize);
    match text.split_once('.') {
        Some(_) => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        None => text,
    }
}

/// The place of the first digit.
trait Magnitude {
    fn log10_floor(self) -> i32;
}

impl Magnitude for f64 {
    fn log10_floor(self) -> i32 {
        libm::floor(libm::log10(self)) as i32
    }
}

fn interval(found: &Found) -> String {
    let (lo, hi) = (found.mean - found.half, found.mean + found.half);
    format!("{} … {}", number(lo), number(hi))
}

/// What it means when all agree.
const ALL_AGREE: &str = " They lie in the intervals, which together hold with 99.9 % and of which\n\
    none is wider than 10 % of its value to either side, or of what a share leaves.";

/// The table for people: a line for every measure, below the model that it is of.
fn table(checked: &[Checked], all: usize, seed: u64) -> String {
    let lines = measures(checked);
    let mut lines = lines.lines();
    let mut text = format!("{}\n", lines.next().unwrap_or_default());
    let mut last = String::new();
    for (Checked { row, .. }, line) in checked.iter().zip(lines) {
        let model = format!("{}: {} ({})", shortened(&row.model), about_of(row).title, row.params);
        if model != last {
            text.push_str(&format!("{model}\n"));
        }
        text.push_str(&format!("{}\n", line.trim_end()));
        last = model;
    }
    let agree = agreeing(checked);
    let all_agree = if agree == all { ALL_AGREE } else { "" };
    format!(
        "{text}\n{agree} of {all} exact values agree.{all_agree}\n\nherdsim {}, generator {}, \
         seed {seed}\n",
        env!("CARGO_PKG_VERSION"),
        herdsim::rng::GENERATOR
    )
}

/// The head, and a line for every measure.
fn measures(checked: &[Checked]) -> String {
    let mut table = Table::new();
    let head = ["measure", "exact", "simulated", "interval", "runs", "verdict"];
    table.load_style(presets::NOTHING).set_header(head);
    table.add_rows(checked.iter().map(cells));
    for (place, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if (1..5).contains(&place) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}

fn cells(Checked { row, found }: &Checked) -> [String; 6] {
    [
        format!("  {}", row.metric),
        number(row.value),
        number(found.mean),
        interval(found),
        found.n.to_string(),
        word(found.answer).to_string(),
    ]
}

/// A model's name in the line of its title.
fn shortened(text: &str) -> String {
    const WIDTH: usize = 40;
    if text.chars().count() <= WIDTH {
        return text.to_string();
    }
    let words = text.chars().take(WIDTH).collect::<String>();
    format!("{} …", words.rsplit_once(' ').map_or(words.as_str(), |(head, _)| head))
}

fn about_of(row: &Row) -> About {
    let model = &row.model;
    about(model).unwrap_or_else(|| panic!("nothing is said about {model}"))
}

/// The same for programs.
fn summary(checked: &[Checked], all: usize, seed: u64) -> Value {
    let check = |Checked { row, found }: &Checked| {
        let about = about_of(row);
        json!({
            "model": row.model,
            "params": row.params,
            "metric": row.metric,
            "exact": row.value,
            "simulated": {
                "mean": found.mean,
                "lo": found.mean - found.half,
                "hi": found.mean + found.half,
                "n": found.n,
            },
            "verdict": word(found.answer).to_lowercase(),
            "formula": about.formula,
            "source": about.source,
        })
    };
    let agree = agreeing(checked);
    json!({
        "schema": "herdsim/1",
        "version": env!("CARGO_PKG_VERSION"),
        "generator": herdsim::rng::GENERATOR,
        "seed": seed,
        "level": level(suite().len()),
        "of": all,
        "agree": agree,
        "checks": checked.iter().map(check).collect::<Vec<_>>(),
    })
}

fn csv(checked: &[Checked]) -> String {
    let mut out = csv::Writer::from_writer(Vec::new());
    let head = ["model", "params", "metric", "exact", "mean", "lo", "hi", "n", "verdict"];
    let mut write = |cells: &[String]| out.write_record(cells).expect("memory takes everything");
    write(&head.map(str::to_string));
    for Checked { row, found } in checked {
        write(&[
            row.model.clone(),
            row.params.to_string(),
            row.metric.clone(),
            row.value.to_string(),
            found.mean.to_string(),
            (found.mean - found.half).to_string(),
            (found.mean + found.half).to_string(),
            found.n.to_string(),
            word(found.answer).to_lowercase(),
        ]);
    }
    String::from_utf8(out.into_inner().expect("memory takes everything")).expect("text was written")
}

/// The table of docs/validation.md, a section per model.
fn markdown(checked: &[Checked]) -> String {
    let mut text = String::new();
    let mut last = "";
    for Checked { row, found } in checked {
        if row.model != last {
            let About { title, formula, source } = about_of(row);
            text.push_str(&format!(
                "\n### {}\n\n{title}.\nExact: {formula}.\nSource: {source}.\n\n",
                row.model
            ));
            text.push_str(
                "| parameters | measure | exact | simulated | interval | runs | verdict |\n",
            );
            text.push_str("| --- | --- | --: | --: | --: | --: | --- |\n");
        }
        last = &row.model;
        text.push_str(&format!(
            "| {} | {} | {} | {} | {} | {} | {} |\n",
            row.params,
            row.metric.replace('|', "\\|"),
            number(row.value),
            number(found.mean),
            interval(found),
            found.n,
            word(found.answer)
        ));
    }
    text.trim_start().to_string()
}
