//! The same scenario in SimPy and in closures: do they agree, and how much slower are they?

use std::process::Command;

use super::clock::timed;
use super::models::horizon;
use super::options::Options;
use super::s1::Counts;
use super::table::{Table, Target, grouped, ratio, short};
use super::{naive, s1, targets};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peer_simpy.py");

/// Measures T5, and shows what happened in each of the three models.
pub fn measure(options: &Options, table: &mut Table) {
    if !options.wants("t5") {
        return;
    }
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_string());
    if simpy(&python, 10, 1).is_none() {
        eprintln!("T5 skipped: no SimPy; `python3 -m pip install simpy`, or PYTHON=…/bin/python");
        return;
    }
    for (clients, rounds) in [(1_000, options.rounds().min(5)), (10_000, 3)] {
        let case = s1::case(clients, horizon(clients));
        let (mut own, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let attempts = s1::counts(&case, 1).attempts as f64;
            let (_, took) = timed(|| s1::with_measures(&case, 1));
            own.push(took.as_nanos() as f64 / attempts);
            theirs.extend(simpy(&python, clients, 1).map(|(_, ns)| ns));
        }
        let (value, spread) = ratio(&theirs, &own);
        let what = format!("times faster than SimPy, {} clients", grouped(clients));
        let note = format!(
            "{spread}, {} of {} ns",
            short(super::clock::median(&own)),
            short(super::clock::median(&theirs)),
        );
        let target = targets::of(targets::SIMPY, clients).map_or(Target::Shown, Target::AtLeast);
        table.add("T5", what, value, target, &note);
    }
    agreement(options, &python);
}

/// One run in SimPy: what happened, and nanoseconds of CPU per attempt.
fn simpy(python: &str, clients: u32, seed: u64) -> Option<(Counts, f64)> {
    let seconds = horizon(clients).as_secs_f64().to_string();
    let args = [SCRIPT, &clients.to_string(), &seconds, &seed.to_string()];
    let output = Command::new(python).args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [attempts, succeeded, refused, timed_out, given_up, ns] = numbers[..] else { return None };
    let [attempts, succeeded, refused, timed_out, given_up] =
        [attempts, succeeded, refused, timed_out, given_up].map(|number| number as u64);
    Some((Counts { attempts, succeeded, refused, timed_out, given_up }, ns))
}

/// Means over seeds with their standard errors: the three share no random numbers.
fn agreement(options: &Options, python: &str) {
    let clients = 1_000;
    let horizon = horizon(clients);
    let case = s1::case(clients, horizon);
    let seeds = 1..=options.seeds;
    let ours: Vec<Counts> = seeds.clone().map(|seed| s1::counts(&case, seed)).collect();
    let closures: Vec<Counts> =
        seeds.clone().map(|seed| naive::run(clients, horizon, seed).0).collect();
    let simpy: Vec<Counts> =
        seeds.filter_map(|seed| simpy(python, clients, seed)).map(|(counts, _)| counts).collect();
    println!("Means over {} seeds with 1,000 clients, ± standard error:\n", options.seeds);
    println!("| model | attempts | succeeded | 503 | timed out | given up |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for (name, runs) in [("herdsim", ours), ("closures", closures), ("SimPy", simpy)] {
        let fields: [fn(&Counts) -> u64; 5] = [
            |counts| counts.attempts,
            |counts| counts.succeeded,
            |counts| counts.refused,
            |counts| counts.timed_out,
            |counts| counts.given_up,
        ];
        let cells = fields.map(|field| mean(runs.iter().map(field).collect()));
        println!("| {name} | {} |", cells.join(" | "));
    }
    println!();
}

fn mean(values: Vec<u64>) -> String {
    let count = values.len() as f64;
    let mean = values.iter().sum::<u64>() as f64 / count;
    let squares: f64 =
        values.iter().map(|value| (*value as f64 - mean) * (*value as f64 - mean)).sum();
    format!("{mean:.1} ± {:.1}", (squares / (count - 1.0) / count).sqrt())
}
