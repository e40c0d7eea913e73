//! Formulas of budgets, herds, metastable queues and contention against published values.

use std::collections::BTreeMap;
use std::path::Path;

use herdsim::oracle::{Params, about, exact};
use serde_json::Value;

/// Groups of rows that this file looks at.
const GROUPS: &[&str] = &["token", "herd", "metastable", "quota", "occ"];

fn rows(path: &Path) -> Option<Vec<Value>> {
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).ok()?).unwrap();
    Some(file["rows"].as_array().unwrap().clone())
}

/// The value of a row by formula.
fn found(row: &Value) -> Option<f64> {
    let params = Params::from(row["params"].as_object().cloned().unwrap_or_default());
    exact::value(row["model"].as_str().unwrap(), &params, row["metric"].as_str().unwrap())
}

/// How far a row may be from the formula, relative to it: 10⁻⁹, but for rows that are less exact;
/// `None` where a row is noise.
fn tolerance(row: &Value) -> Option<f64> {
    let [model, metric] = ["model", "metric"].map(|key| row[key].as_str().unwrap());
    let tolerance = if model.starts_with("decorrelated jitter d'") {
        // "Integral operator + Richardson (about 6 digits)".
        2e-6
    } else if model.starts_with("OCC two clients") && metric == "E[write calls]" {
        // 3 "up to 1e-6": the row leaves out that the two may miss each other.
        1e-6
    } else if model.starts_with("vulnerable load interval") {
        // Where a budget begins to bite the curve has a kink, that the rows look for on a grid.
        1e-6
    } else if metric.starts_with("E[time ") {
        // The rows lose digits as the time grows. With 40 digits (mpmath) the first of them,
        // 89814811.847, is 89814812.165193730, which the formula gives.
        (2e-15 * row["value"].as_f64().unwrap()).max(1e-9)
    } else {
        1e-9
    };
    (tolerance < 0.1).then_some(tolerance)
}

/// Whether the formula gives the row; `None` without a formula.
fn agrees(row: &Value) -> Option<bool> {
    let (found, known) = (found(row)?, row["value"].as_f64()?);
    let off = (found - known).abs();
    // Zeros are met to rounding: a sine of a whole multiple of π is 10⁻¹⁶.
    let Some(tolerance) = tolerance(row) else {
        println!("noise: {} {} {}: {found}, {known}", row["model"], row["params"], row["metric"]);
        return Some(true);
    };
    let agrees = off <= tolerance * known.abs() || known.abs() < 1e-80 && off < 1e-80;
    if !agrees {
        println!("{} {} {}: {found} is not {known}", row["model"], row["params"], row["metric"]);
    }
    Some(agrees)
}

#[test]
fn formulas_give_the_rows_of_the_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/oracles.json");
    let Some(rows) = rows(&path) else {
        println!("skipped: {} is not there", path.display());
        return;
    };
    let mut covered: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let mut wrong = 0;
    for row in rows.iter().filter(|row| GROUPS.contains(&row["group"].as_str().unwrap())) {
        let (with, all) = covered.entry(row["group"].as_str().unwrap().to_string()).or_default();
        *all += 1;
        assert!(about(row["model"].as_str().unwrap()).is_some(), "no words for {row}");
        match agrees(row) {
            Some(agrees) => {
                *with += 1;
                wrong += u32::from(!agrees);
            }
            None => println!("no formula: {} {}", row["model"], row["metric"]),
        }
    }
    for (group, (with, all)) in &covered {
        println!("{group}: {with} of {all} rows have a formula");
    }
    assert_eq!(wrong, 0, "rows that differ");
}

#[test]
fn formulas_give_the_known_values() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/oracle_values_rest.json");
    let rows = rows(&path).unwrap();
    assert!(rows.len() >= 40, "{} rows", rows.len());
    for row in &rows {
        let found = found(row).unwrap_or_else(|| panic!("no formula of {row}"));
        assert!(about(row["model"].as_str().unwrap()).is_some(), "no words for {row}");
        let known = row["value"].as_f64().unwrap();
        // The tables have ten digits.
        assert!((found - known).abs() <= 1e-8 * known.abs(), "{row}: {found}");
    }
}
