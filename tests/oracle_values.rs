//! Formulas and chains of the oracle suite against numbers that were computed elsewhere.

use std::collections::BTreeMap;
use std::path::Path;

use herdsim::oracle::{Params, exact};
use serde_json::Value;

/// What a value must agree to where the reference says nothing else, relative to it.
const EXACT: f64 = 1e-9;

/// Groups of rows that `oracle_values_rest.rs` looks at.
const OTHERS: &[&str] = &["token", "herd", "metastable", "quota", "occ"];

/// A reference that was itself simulated: its half-width at 95 %, of which three are allowed.
fn allowed(row: &Value) -> f64 {
    let value = row["value"].as_f64().unwrap();
    let exact = EXACT * value.abs();
    row["halfwidth_95"].as_f64().map_or(exact, |half| 3.0 * half)
}

/// Our value of a row beside that of the row; `None` where there is no formula.
fn ours(row: &Value) -> Option<f64> {
    let params = Params::from(row["params"].as_object().cloned().unwrap_or_default());
    exact::value(row["model"].as_str().unwrap(), &params, row["metric"].as_str().unwrap())
}

/// The rows of a file, but for traces, whose value is no number.
fn rows(path: &Path) -> Option<Vec<Value>> {
    let text = std::fs::read_to_string(path).ok()?;
    let file: Value = serde_json::from_str(&text).unwrap();
    let rows = file["rows"].as_array().unwrap();
    Some(rows.iter().filter(|row| row["value"].is_number()).cloned().collect())
}

/// Rows that differ, as text, and by group how many of how many rows have a formula.
fn compare(rows: &[Value]) -> (Vec<String>, BTreeMap<String, (usize, usize)>) {
    let mut wrong = Vec::new();
    let mut covered: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for row in rows {
        let group = row["group"].as_str().unwrap_or("").to_string();
        let count = covered.entry(group).or_default();
        count.1 += 1;
        let Some(found) = ours(row) else { continue };
        count.0 += 1;
        let value = row["value"].as_f64().unwrap();
        let near = (found - value).abs() <= allowed(row);
        if !near {
            let (model, params) = (&row["model"], &row["params"]);
            wrong.push(format!("{model} {params} {}: {found}, not {value}", row["metric"]));
        }
    }
    (wrong, covered)
}

#[test]
fn values_agree_with_the_fixture() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/oracle_values.json");
    let rows = rows(&path).unwrap();
    let (wrong, covered) = compare(&rows);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (group, (with, all)) in covered {
        assert_eq!(with, all, "a row of {group} has no formula");
    }
}

#[test]
fn values_agree_with_the_references() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/oracles.json");
    let Some(mut rows) = rows(&path) else {
        println!("skipped: {} is not there", path.display());
        return;
    };
    // The other groups, some of whose rows are less exact, have a file of their own.
    rows.retain(|row| !OTHERS.contains(&row["group"].as_str().unwrap_or("")));
    let (wrong, covered) = compare(&rows);
    for (group, (with, all)) in covered {
        println!("{group}: {with} of {all} rows have a formula");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
