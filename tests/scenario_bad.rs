//! Bad scenarios: what they are told. Every file of `tests/fixtures/bad` has its snapshot.

use std::path::Path;

use herdsim::scenario::{Error, Options, read, read_text};

const FOLDER: &str = "tests/fixtures/bad";

/// A scenario without fault, to break in many ways.
const WHOLE: &str = r#"
seed = 1
horizon = "2m"
[[clients]]
name = "web"
count = 100
load = { poisson = "0.5/s" }
timeout = "1s"
retry = { max_attempts = 3, backoff = { exponential = { base = "50ms" } }, jitter = "full" }
[server]
workers = 5
service_time = "20ms"
[[faults]]
kind = "outage"
at = "10s"
for = "10s"
"#;

fn told(text: &str, set: &[&str]) -> String {
    let set = set.iter().map(|text| text.to_string()).collect();
    let options = Options { set, ..Options::default() };
    match read_text("file.toml", text, Path::new(FOLDER), &options) {
        Ok(loaded) => panic!("accepted: {}", loaded.effective),
        Err(error) => error.render(false),
    }
}

#[test]
fn every_bad_file_is_told_what_is_wrong() {
    let mut names: Vec<String> = std::fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.ends_with(".csv"))
        .collect();
    names.sort();
    assert!(names.len() >= 50, "{}", names.len());
    for name in names {
        let error = match read(&format!("{FOLDER}/{name}"), &Options::default()) {
            Ok(loaded) => panic!("{name} was accepted: {}", loaded.effective),
            Err(error) => error,
        };
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("snapshots/bad");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name.as_str(), error.render(false)));
    }
}

#[test]
fn what_is_no_file_is_told_so() {
    for (path, reason) in [
        (FOLDER, "a folder, not a file"),
        ("tests/fixtures/nowhere.toml", "no such file"),
        ("tests/fixtures/bad/not_utf8.toml", "line 2 has a byte"),
    ] {
        let error = read(path, &Options::default()).unwrap_err();
        assert!(matches!(error, Error::Io { .. }), "{path}");
        assert!(error.to_string().contains(reason), "{error}");
    }
}

#[test]
fn every_key_that_is_not_built_is_refused_by_name() {
    let cases = [
        ("seed = 1", "seed = 1\ncost = {}", "cost"),
        ("count = 100", "count = 100\nconcurrency = 2", "concurrency"),
        ("count = 100", "count = 100\noperations = []", "operations"),
        ("count = 100", "count = 100\npool = {}", "pool"),
        ("count = 100", "count = 100\nuser_retry = {}", "user_retry"),
        ("count = 100", "count = 100\nsharing = { breaker = \"call\" }", "breaker"),
        ("count = 100", "count = 100\nsharing = { limiter = \"call\" }", "limiter"),
        ("poisson = \"0.5/s\"", "queue = {}", "queue"),
        ("max_attempts = 3", "max_attempts = 3, breaker = {}", "breaker"),
        ("max_attempts = 3", "max_attempts = 3, limiter = {}", "limiter"),
        ("max_attempts = 3", "max_attempts = 3, hedge = {}", "hedge"),
        ("max_attempts = 3", "max_attempts = 3, retry_after = true", "retry_after"),
        ("workers = 5", "workers = 5\ninstances = 2", "instances"),
        ("workers = 5", "workers = 5\nbalancer = \"x\"", "balancer"),
        ("workers = 5", "workers = 5\nreject_cost = \"1ms\"", "reject_cost"),
        ("workers = 5", "workers = 5\ndegradation = {}", "degradation"),
        ("workers = 5", "workers = 5\nwarm_up = {}", "warm_up"),
        ("workers = 5", "workers = 5\nadmission = {}", "admission"),
        ("workers = 5", "workers = 5\nguess = true", "guess"),
        ("workers = 5", "workers = 5\nqueue = { guess = true }", "guess"),
        ("workers = 5", "workers = 5\nlimit = { count = 1, per = \"1s\", key = \"x\" }", "key"),
        ("workers = 5", "workers = 5\ncalls = [{ to = \"x\", when = \"miss\" }]", "when"),
        ("at = \"10s\"", "at = \"10s\"\ninstances = 1", "instances"),
        ("at = \"10s\"", "at = \"10s\"\nshare = 0.5", "share"),
    ];
    for (from, to, key) in cases {
        let text = told(&WHOLE.replacen(from, to, 1), &[]);
        assert!(text.contains(&format!("`{key}` is not supported yet")), "{key}: {text}");
    }
}

#[test]
fn every_word_that_is_not_built_is_refused_by_name() {
    let cases = [
        ("\"outage\"", "\"partition\"", "faults of kind `partition` are not supported yet"),
        ("\"outage\"", "\"lost-capacity\"", "faults of kind `lost-capacity` are not supported yet"),
        ("\"outage\"", "\"restart\"", "faults of kind `restart` are not supported yet"),
        ("workers = 5", "workers = 5\ndiscipline = \"lifo\"", "\"lifo\""),
        ("retry = {", "retry = \"kafak\" # {", "did you mean `kafka`?"),
    ];
    for (from, to, message) in cases {
        let text = told(&WHOLE.replacen(from, to, 1), &[]);
        assert!(text.contains(message), "{message}: {text}");
    }
}

#[test]
fn an_option_is_shown_with_what_is_wrong_in_it() {
    let set = [
        "web.timeout=2s",
        "web.count=abc",
        "wob.count=1",
        "web.retry.jiter=full",
        "web.timeout.exponential=5",
        "web.name=x",
        "policy.0.label=x",
        "nothing",
        "web=1",
        "clients.7.count=1",
        "web.retry={ max_attempts = ",
        "faults.0.for=0s",
        "..=1",
        "=",
        "",
    ];
    insta::assert_snapshot!(told(WHOLE, &set));
}

#[test]
fn colours_are_used_when_asked_for_only() {
    let error = read(&format!("{FOLDER}/typo_key.toml"), &Options::default()).unwrap_err();
    assert!(error.render(true).contains('\u{1b}'));
    assert!(!error.render(false).contains('\u{1b}'));
}
