//! `explain`: every value that is in force, with its origin and its meaning.

use std::collections::BTreeSet;
use std::path::Path;

use herdsim::scenario::{Explained, Loaded, Options, read, read_text};

const FOLDER: &str = "tests/fixtures/good";

fn load(path: &str) -> Loaded {
    read(path, &Options::default()).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

/// What is different under a policy: path, value, source.
fn under<'a>(loaded: &'a Loaded, label: &str) -> Vec<(&'a str, &'a str, &'a str)> {
    let own = |explained: &&Explained| explained.policy.as_deref() == Some(label);
    let all = loaded.explained.iter().filter(own);
    all.map(|e| (e.path.as_str(), e.value.as_str(), e.source.as_str())).collect()
}

/// The paths of everything in the effective text that has no parts.
fn leaves(value: &toml::Value, path: &str, found: &mut BTreeSet<String>) {
    let inner = |step: &str| {
        if path.is_empty() { step.to_string() } else { format!("{path}.{step}") }
    };
    match value {
        toml::Value::Table(table) => {
            table.iter().for_each(|(key, value)| leaves(value, &inner(key), found));
        }
        toml::Value::Array(items) if items.iter().any(toml::Value::is_table) => {
            for (index, item) in items.iter().enumerate() {
                // Client groups and services go by name.
                let name = item.get("name").and_then(toml::Value::as_str);
                let item_path = name.map_or_else(|| inner(&index.to_string()), str::to_string);
                leaves(item, &item_path, found);
            }
        }
        _ => {
            // The paths of an action are keys of its `set`.
            found.insert(path.replace(".set.", "."));
        }
    }
}

#[test]
fn every_value_of_the_effective_text_is_explained_and_nothing_else() {
    let everything = std::fs::read_to_string(format!("{FOLDER}/everything.toml")).unwrap();
    // The TOML reader of this test knows no whole number beyond 63 bits.
    let everything = everything.replace("seed = 18446744073709551615", "seed = 7");
    let without_policies = everything.split("[[policy]]").next().unwrap();
    let no_lists = without_policies.replace("retry_on = [\"timeout\"]", "retry_on = []");
    for text in [without_policies, &no_lists] {
        let loaded = read_text("x.toml", text, Path::new(FOLDER), &Options::default()).unwrap();
        let mut effective: toml::Table = loaded.effective.parse().unwrap();
        // The label of the only policy is no parameter.
        effective.remove("policy");
        let mut wanted = BTreeSet::new();
        leaves(&effective.into(), "", &mut wanted);
        let told: BTreeSet<String> = loaded.explained.iter().map(|e| e.path.clone()).collect();
        // They follow from other values, and are not written out for that reason.
        let derived = [
            "web.retry.layers.1.cap_position",
            "web.retry.layers.1.budget.aws-quota.cost_timeout",
            "api.calls.0.holds_worker",
        ];
        wanted.extend(derived.map(str::to_string));
        assert_eq!(told, wanted);
        assert_eq!(loaded.explained.len(), wanted.len());
    }
}

#[test]
fn every_value_is_listed_once_per_policy_and_says_what_it_means() {
    let scenarios = std::fs::read_dir("scenarios").unwrap();
    let mut paths: Vec<String> =
        scenarios.map(|entry| entry.unwrap().path().to_string_lossy().into_owned()).collect();
    paths.extend(["checkout", "everything"].map(|name| format!("{FOLDER}/{name}.toml")));
    for path in paths.iter().filter(|path| path.ends_with(".toml")) {
        let mut seen = BTreeSet::new();
        for Explained { path: key, value, source, policy, doc } in load(path).explained {
            assert!(doc.len() > 10 && doc.ends_with('.'), "{path}: {key}: {doc:?}");
            assert!(!value.is_empty() && !source.is_empty(), "{path}: {key}");
            assert_eq!(policy.is_some(), policy.is_some() && source.starts_with("policy "));
            assert!(seen.insert((policy, key.clone())), "{path}: {key} twice");
        }
    }
}

#[test]
fn a_policy_lists_the_defaults_that_came_along_with_what_it_sets() {
    let loaded = load("scenarios/thundering-herd.toml");
    let own = "policy \"full jitter + quota\"";
    let along = "policy \"full jitter + quota\", default";
    let wanted = [
        ("app.retry.backoff.exponential.base", "\"1s\"", own),
        ("app.retry.backoff.exponential.factor", "2", own),
        ("app.retry.jitter", "\"full\"", own),
        ("app.retry.cap", "\"20s\"", own),
        ("app.retry.cap_position", "\"before-jitter\"", along),
        ("app.retry.budget.aws-quota.capacity", "500", along),
        ("app.retry.budget.aws-quota.cost", "14", along),
        ("app.retry.budget.aws-quota.cost_timeout", "14", along),
        ("app.retry.budget.aws-quota.cost_throttling", "5", along),
        ("app.retry.budget.aws-quota.reward", "1", along),
    ];
    assert_eq!(under(&loaded, "full jitter + quota"), wanted);
    assert!(under(&loaded, "constant 2 s").is_empty());
}

#[test]
fn what_only_the_first_policy_sets_is_listed_for_the_others() {
    let text = std::fs::read_to_string(format!("{FOLDER}/checkout.toml")).unwrap();
    let set = "label = \"shipped\"\nset = { \"server.workers\" = 99 }";
    let text = text.replace("label = \"shipped\"", set);
    let loaded = read_text("x.toml", &text, Path::new(FOLDER), &Options::default()).unwrap();
    let first = loaded.explained.iter().find(|e| e.path == "server.workers").unwrap();
    assert_eq!((first.value.as_str(), first.source.as_str()), ("99", "policy \"shipped\""));
    let line = text.lines().position(|line| line.starts_with("workers")).unwrap() + 1;
    let source = format!("policy \"no jitter\", x.toml:{line}");
    let other = under(&loaded, "no jitter");
    assert!(other.contains(&("server.workers", "50", source.as_str())), "{other:?}");
}
