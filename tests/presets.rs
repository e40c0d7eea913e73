//! Every preset waits as its library does: the range, the mean and the largest share of callers
//! that wait exactly the same, by its law and by what the simulator draws.

use std::collections::BTreeSet;
use std::path::Path;

use herdsim::policy::backoff::{Backoff, Law, Retry};
use herdsim::policy::presets::{self, Verified};
use herdsim::rng::{Purpose, Seed};
use herdsim::scenario::{Given, layer};
use serde_json::Value;

/// What is known of one preset, in one configuration.
struct Case {
    preset: String,
    set: String,
    /// Seconds in the unit of the rows.
    unit: f64,
    source: String,
    /// By the number of the retry: shortest, longest, mean; and, where they are known, the share
    /// at the shortest, at the longest, and the largest on one wait.
    rows: Vec<(u32, [f64; 3], [Option<f64>; 3])>,
}

fn cases() -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/presets.json");
    let fixture: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let text = |case: &Value, key: &str| case[key].as_str().unwrap().to_string();
    let case = |case: &Value| {
        let number = |index: usize| case["retries"][index].as_u64().unwrap_or(index as u64 + 1);
        let row = |(index, row): (usize, &Value)| {
            let [low, high, mean] = [0, 1, 2].map(|column| row[column].as_f64().unwrap());
            (number(index) as u32, [low, high, mean], [3, 4, 5].map(|column| row[column].as_f64()))
        };
        Case {
            preset: text(case, "preset"),
            set: text(case, "set"),
            unit: if case["unit"] == "ms" { 1e-3 } else { 1.0 },
            source: text(case, "source"),
            rows: case["rows"].as_array().unwrap().iter().enumerate().map(row).collect(),
        }
    };
    fixture["cases"].as_array().unwrap().iter().map(case).collect()
}

/// The backoff of a preset as a scenario with these changes reads it.
fn backoff(preset: &str, set: &str) -> Backoff {
    let set = if set.is_empty() { String::new() } else { format!(", {set}") };
    let text = format!(
        "seed = 1\nhorizon = \"1s\"\n[[clients]]\nname = \"c\"\ncount = 1\n\
         load = {{ burst = \"0s\" }}\ntimeout = \"1s\"\nretry = {{ preset = \"{preset}\"{set} }}\n\
         [server]\nrate = \"1/s\"\n"
    );
    let options = herdsim::scenario::Options::default();
    match herdsim::scenario::read_text("case.toml", &text, Path::new("."), &options) {
        Ok(loaded) => loaded.scenario.policies[0].model.groups[0].caller.layers[0].backoff.clone(),
        Err(error) => panic!("{}", error.render(false)),
    }
}

fn preset_given(name: &str) -> Given {
    Given { option: "--preset".to_string(), text: name.to_string() }
}

/// How far a law may be off the mean, in seconds: what is known of it is rounded, or comes from
/// some thousand draws, and some libraries count in milliseconds.
fn tolerance(case: &Case, [low, high, _]: [f64; 3]) -> f64 {
    let ran = case.source.contains("(ran)") || case.source.contains("compiled and run");
    let drawn = if ran { 0.02 } else { 0.001 };
    drawn * (high - low) + 1e-7 * high + 1.01e-3 * case.unit.max(1e-2)
}

#[test]
fn the_law_of_every_preset_is_that_of_its_library() {
    for case in cases() {
        let most = case.rows.iter().map(|row| row.0).max().unwrap();
        let laws = backoff(&case.preset, &case.set).laws(most);
        for (number, row, shares) in &case.rows {
            let law = &laws[*number as usize - 1];
            let row = row.map(|value| value * case.unit);
            let what = format!("{} {number} ({})", case.preset, case.source);
            let near = tolerance(&case, row);
            let [low, high, mean] = row;
            // Some supports are known only as what nobody leaves.
            assert!(law.low() >= low - near && law.high() <= high + near, "{what}: {law:?}");
            assert!((law.mean() - mean).abs() <= near, "{what}: mean {} not {mean}", law.mean());
            if low == high {
                assert_eq!(
                    law.single().map(|wait| (wait - low).abs() < 1e-9),
                    Some(true),
                    "{what}"
                );
            } else {
                let wide = (law.high() - law.low()) / (high - low);
                assert!(wide > 0.95, "{what}: only {wide} of the range");
            }
            let found = [law.share_at(low), law.share_at(high), law.atom()];
            for (found, share) in found.iter().zip(shares) {
                // Ends may be shared by one in some hundred, in whole milliseconds.
                let off = share.map_or(0.0, |share| (found - share).abs());
                assert!(off < 0.013, "{what}: {found} wait alike, not {share:?}");
            }
        }
    }
}

/// The last wait of some thousand callers before retry `number`, in seconds.
fn drawn(backoff: &Backoff, number: u32) -> Vec<f64> {
    let wait = |client: u64| {
        let mut previous = None;
        for number in 1..=number {
            let mut rng = Seed::new(3).stream(Purpose::Jitter, client, u64::from(number));
            previous = Some(backoff.delay(Retry { number, previous }, &mut rng));
        }
        previous.unwrap().as_secs_f64()
    };
    (0..4_000).map(wait).collect()
}

/// How far the mean of so many draws of this law may be off: five standard errors.
fn five_errors(law: &Law, n: usize) -> f64 {
    (law.high() - law.low()) / 2.0 / (n as f64).sqrt() * 5.0
}

#[test]
fn what_is_drawn_follows_the_law() {
    for preset in presets::all() {
        let backoff = layer(Some(&preset_given(preset.name)), &[]).unwrap().layer.backoff;
        let laws = backoff.laws(8);
        for number in [1, 2, 5, 8] {
            let law = &laws[number as usize - 1];
            let waits = drawn(&backoff, number);
            let what = format!("{} {number}", preset.name);
            let mean = waits.iter().sum::<f64>() / waits.len() as f64;
            let near = five_errors(law, waits.len()) + 1e-6 + 1e-6 * mean;
            assert!((mean - law.mean()).abs() < near, "{what}: {mean} not {}", law.mean());
            let inside = |wait: &f64| *wait >= law.low() - 2e-9 && *wait <= law.high() + 2e-9;
            assert!(waits.iter().all(inside), "{what}: outside of the law");
            let ceiling = backoff.ceiling(number).as_secs_f64();
            assert!(waits.iter().all(|wait| *wait <= ceiling), "{what}: above {ceiling}");
            assert!(law.high() <= ceiling + 1e-6, "{what}: {} above {ceiling}", law.high());
            let most = most_alike(waits);
            assert!((most - law.atom()).abs() < 0.04, "{what}: {most} not {}", law.atom());
        }
    }
}

/// The largest share of waits that are exactly the same; of single ones, none.
fn most_alike(mut waits: Vec<f64>) -> f64 {
    let n = waits.len() as f64;
    waits.sort_by(f64::total_cmp);
    let most = waits.chunk_by(|a, b| a == b).map(<[f64]>::len).max().unwrap();
    if most < 3 { 0.0 } else { most as f64 / n }
}

#[test]
fn no_preset_is_without_the_waits_of_its_library_or_its_formula() {
    let known: BTreeSet<String> = cases().into_iter().map(|case| case.preset).collect();
    let names: BTreeSet<String> = presets::NAMES.iter().map(|name| name.to_string()).collect();
    assert_eq!(known, names);
    for preset in presets::all() {
        let ran = cases().iter().any(|case| {
            case.preset == preset.name
                && (case.source.contains("(ran)") || case.source.contains("compiled"))
        });
        let verified = preset.verified != Verified::Formula;
        assert!(ran || !verified, "{} is said to be verified, but nobody ran it", preset.name);
    }
}

#[test]
fn a_value_beside_a_preset_takes_the_place_of_its_own() {
    let read = |given: &[Given]| layer(Some(&preset_given("kafka")), given).unwrap().layer;
    let cap = Given::new("--cap", "cap", "2s");
    assert_eq!(read(&[cap]).backoff.cap.unwrap().longest.as_secs(), 2);
    let retries = Given::new("--retries", "max_retries", "4");
    assert_eq!(read(&[retries]).max_attempts, Some(5));
    let base = Given::new("--base", "backoff.exponential.base", "200ms");
    assert_eq!(read(&[base]).backoff.growth.ceiling(2).as_millis(), 400);
    assert_eq!(read(&[]).max_attempts, None);
}

#[test]
fn what_is_wrong_with_an_option_is_told_by_its_name() {
    let error = layer(Some(&preset_given("kafak")), &[]).unwrap_err().render(false);
    assert!(error.contains("did you mean `kafka`?"), "{error}");
    let given = [Given::new("--cap", "cap", "2"), Given::new("--jitter", "jitter", "ful")];
    let error = layer(Some(&preset_given("kafka")), &given).unwrap_err().render(false);
    assert!(error.contains("--cap:1:") && error.contains("needs a unit"), "{error}");
    assert!(error.contains("--jitter:1:") && error.contains("did you mean `full`"), "{error}");
}
