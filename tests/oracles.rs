//! The oracle suite: exact answers against simulated ones.

use std::path::Path;

use herdsim::oracle::{Answer, Effort, Params, Row, examine};

/// Rows of a JSON file of the form `{"rows": [{"model", "params", "metric", "value"}]}`.
fn rows(path: &Path) -> Option<Vec<Row>> {
    let text = std::fs::read_to_string(path).ok()?;
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    let row = |row: &serde_json::Value| Row {
        model: row["model"].as_str().unwrap().to_string(),
        params: Params::from(row["params"].as_object().cloned().unwrap_or_default()),
        metric: row["metric"].as_str().unwrap().to_string(),
        value: row["value"].as_f64().unwrap(),
    };
    Some(
        file["rows"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|row| row["value"].is_number())
            .map(row)
            .collect(),
    )
}

#[test]
fn rows_of_a_known_model_agree() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/oracles.json");
    let Some(rows) = rows(&path) else {
        println!("skipped: {} is not there", path.display());
        return;
    };
    let level = 1.0 - 0.001 / rows.len() as f64;
    for row in rows {
        let effort = Effort { seed: 7, level, within: 0.1, first: 20, most: 320 };
        let Some(found) = examine(&row, &effort).unwrap() else { continue };
        println!("{} {} {}: {} {:?}", row.model, row.params, row.metric, row.value, found);
        assert_ne!(found.answer, Answer::Differs);
    }
}
