//! The oracle suite: exact answers against simulated ones.
//!
//! Every day the suite of `herdsim verify` runs with its own seed, and docs/validation.md must
//! show what it prints (`UPDATE_README=1 cargo test --test oracles` writes it anew).
//! `cargo test --release --test oracles -- --ignored --nocapture` runs all rows with another seed
//! and checks that the p-values look uniform: `ORACLE_SEED` gives the seed, `ORACLE_ONLY` a part
//! of a model's name.

use std::path::Path;
use std::process::Command;

use herdsim::oracle::{Answer, Found, Params, Row, suite};
use herdsim::stats::{t_p_value, uniformity};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_suite_agrees_and_the_validation_page_shows_what_it_found() {
    let done = Command::new(env!("CARGO_BIN_EXE_herdsim"))
        .args(["verify", "--format", "markdown"])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&done.stderr);
    let tables = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{told}\n{tables}");
    let path = root().join("docs/validation.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- verify -->\n", "<!-- end -->");
    let (head, rest) = page.split_once(begin).expect("the page has a place for the tables");
    let (_, tail) = rest.split_once(end).expect("that place has an end");
    let wanted = format!("{head}{begin}\n{tables}\n{end}{tail}");
    if page == wanted {
        return;
    }
    if std::env::var_os("UPDATE_README").is_some_and(|value| value != "0") {
        std::fs::write(&path, wanted).unwrap();
        return;
    }
    panic!("docs/validation.md is out of date: UPDATE_README=1 cargo test --test oracles");
}

/// Rows of a JSON file of the form `{"rows": [{"model", "params", "metric", "value"}]}`.
fn rows(path: &Path) -> Option<Vec<Row>> {
    let text = std::fs::read_to_string(path).ok()?;
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    let row = |row: &serde_json::Value| Row {
        model: row["model"].as_str().unwrap().to_string(),
        params: Params::from(row["params"].as_object().cloned().unwrap_or_default()),
        metric: row["metric"].as_str().unwrap().to_string(),
        value: row["value"].as_f64().unwrap_or(f64::NAN),
    };
    let rows = file["rows"].as_array().unwrap().iter();
    // Rows that are simulated themselves are not exact: tests/occ.rs weighs their own intervals.
    let exact = rows.filter(|row| row["halfwidth_95"].is_null()).map(row);
    Some(exact.filter(|row| row.value.is_finite()).collect())
}

/// The seed: what the user says, or else that of the day, which is printed.
fn seed() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "a fresh seed every day; it is printed")]
    let days = || {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.unwrap().as_secs() / 86_400
    };
    std::env::var("ORACLE_SEED").map_or_else(|_| days(), |seed| seed.parse().unwrap())
}

#[test]
#[ignore = "takes many minutes, in release: all rows with another seed"]
fn all_rows_agree_and_their_p_values_look_uniform() {
    let shared = root().join("../shared/data/oracles.json");
    let mut all = suite();
    match rows(&shared) {
        // Most rows of the suite are among them.
        Some(more) => {
            let same = |a: &Row, b: &Row| {
                a.model == b.model && a.metric == b.metric && a.params.same(&b.params)
            };
            let known = all.clone();
            all.extend(more.into_iter().filter(|row| !known.iter().any(|k| same(k, row))));
        }
        None => println!("only the suite: {} is not there", shared.display()),
    }
    let only = std::env::var("ORACLE_ONLY").unwrap_or_default();
    all.retain(|row| row.model.contains(&only));
    let seed = seed();
    println!("ORACLE_SEED={seed}, {} rows", all.len());
    let mut examined = 0;
    let (mut differ, mut too_wide, mut p_values) = (Vec::new(), Vec::new(), Vec::new());
    for row in &all {
        let Some(found) = row.examine(seed, all.len(), None).unwrap() else { continue };
        let line = told(row, &found);
        println!("{line}");
        examined += 1;
        match found.answer {
            Answer::Differs => differ.push(line),
            Answer::TooWide => too_wide.push(line),
            Answer::Agrees => {}
        }
        // What has no spread has no p-value.
        if found.half > 0.0 {
            p_values.push(t_p_value(found.n as f64 - 1.0, found.t));
        }
    }
    println!("{examined} of {} rows have an experiment", all.len());
    assert!(examined > 0, "nothing was examined");
    println!("{} rows are still too wide:\n{}", too_wide.len(), too_wide.join("\n"));
    assert!(differ.is_empty(), "{} rows differ:\n{}", differ.len(), differ.join("\n"));
    if p_values.len() >= 10 {
        let looks = uniformity(&p_values).unwrap();
        println!("{} p-values: {looks:?}", p_values.len());
        assert!(looks.p_value > 0.001, "the p-values do not look uniform: {looks:?}");
    }
}

fn told(row: &Row, found: &Found) -> String {
    let Row { model, params, metric, value } = row;
    let Found { mean, half, n, answer, .. } = found;
    format!("{answer:?}: {model} ({params}) {metric}: {value}, found {mean} ± {half} of {n}")
}
