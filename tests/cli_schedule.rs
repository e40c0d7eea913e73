//! `herdsim schedule` and `herdsim presets`: calendars that can be checked by hand.

mod cli_support;

use cli_support::Folder;
use serde_json::Value;

fn json(folder: &Folder, args: &[&str]) -> Value {
    let ended = folder.run(&[args, &["--format", "json"]].concat());
    assert_eq!(ended.code, Some(0), "{args:?}: {}", ended.err);
    serde_json::from_str(&ended.out).unwrap()
}

fn column(calendar: &Value, name: &str) -> Vec<f64> {
    calendar["waits"].as_array().unwrap().iter().map(|wait| wait[name].as_f64().unwrap()).collect()
}

#[test]
fn the_webhook_calculator_takes_63_seconds() {
    let folder = Folder::new("calculator");
    let args = ["schedule", "--base", "1s", "--factor", "2", "--cap", "300s", "--retries", "6"];
    let calendar = json(&folder, &args);
    assert_eq!(column(&calendar, "wait_s"), [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
    assert_eq!(column(&calendar, "elapsed_s"), [1.0, 3.0, 7.0, 15.0, 31.0, 63.0]);
    assert_eq!(calendar["total_s"], 63.0);
    let waits = calendar["waits"].as_array().unwrap();
    assert!(waits.iter().all(|wait| wait["capped"] == false));
    let table = folder.run(&args).out;
    assert!(table.contains("6 retries: 1m3s of waiting; no wait is capped."), "{table}");
    // Two retries more, and the ninth and tenth meet the cap.
    let longer = json(&folder, &["schedule", "--cap", "300s", "--retries", "10"]);
    assert_eq!(column(&longer, "wait_s")[7..], [128.0, 256.0, 300.0]);
    let capped: Vec<bool> =
        longer["waits"].as_array().unwrap().iter().map(|w| w["capped"] == true).collect();
    assert_eq!(capped.iter().position(|capped| *capped), Some(9));
}

#[test]
fn ranges_means_and_shares_are_those_of_the_jitter() {
    let folder = Folder::new("jitter");
    let full = json(&folder, &["schedule", "--jitter", "full"]);
    assert_eq!(column(&full, "mean_s"), [0.5, 1.0, 2.0, 4.0, 8.0, 16.0]);
    assert_eq!([&full["total_lo_s"], &full["total_s"], &full["total_hi_s"]], [0.0, 31.5, 63.0]);
    assert_eq!(column(&full, "atom_share"), [0.0; 6]);
    // Kafka by hand: 1 s x U(0.8, 1.2), then at most 1 s.
    let args = ["--cap", "1s", "--jitter", "proportional=20%", "--retries", "2"];
    let around = [&["schedule", "--cap-position", "around-jitter"][..], &args].concat();
    assert_eq!(column(&json(&folder, &around), "atom_share"), [0.5, 0.5]);
    let after = [&["schedule", "--cap-position", "after-jitter"][..], &args].concat();
    assert_eq!(column(&json(&folder, &after), "atom_share"), [0.5, 1.0]);
    let before = [&["schedule", "--cap-position", "before-jitter"][..], &args].concat();
    assert_eq!(column(&json(&folder, &before), "atom_share"), [0.0, 0.0]);
}

#[test]
fn a_preset_is_shown_with_what_the_options_change() {
    let folder = Folder::new("preset");
    let svix = json(&folder, &["schedule", "--preset", "svix"]);
    assert_eq!(svix["preset"], "svix");
    assert_eq!(svix["total_s"], 99_305.0);
    let kafka = json(&folder, &["schedule", "--preset", "kafka", "--jitter", "none"]);
    assert_eq!(column(&kafka, "wait_s")[..5], [0.1, 0.2, 0.4, 0.8, 1.0]);
    assert_eq!(kafka["retries"], Value::Null);
    let args = ["schedule", "--set", "backoff.linear.base=2s", "--set", "backoff.linear.step=2s"];
    assert_eq!(column(&json(&folder, &args), "wait_s"), [2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
    let csv = folder.run(&["schedule", "--preset", "signalr", "--format", "csv"]).out;
    let waits: Vec<&str> =
        csv.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(waits, ["0", "2", "10", "30"]);
    assert_eq!(folder.run(&["schedule", "--retries", "0"]).out, "no retries\n");
}

#[test]
fn mistakes_are_told_with_the_option_and_the_fix() {
    let folder = Folder::new("mistakes");
    for (args, words) in [
        (&["schedule", "--base", "1", "--cap", "-"][..], &["--base:1:", "--cap:1:"][..]),
        (&["schedule", "--preset", "kafak"], &["did you mean `kafka`?"]),
        (&["presets", "grcp"], &["did you mean `grpc`?", "NAME:1:1"]),
        (&["schedule", "--jitter", "proportional=2"], &["--jitter:1:", "between 0 and 1"]),
        (&["schedule", "--cap-position", "after-jitter"], &["`cap_position` without `cap`"]),
        (&["schedule", "--set", "caps=1s"], &["did you mean `cap`?"]),
        (&["schedule", "--set", "x"], &["expected path=value"]),
        (&["schedule", "--retries", "101"], &["101 is not in 0..=100"]),
        (&["schedule", "--preset", "polly-exponential-jitter", "--jitter", "full"], &["`jitter`"]),
        (&["presets", "--out", "x"], &["--out is for one preset"]),
    ] {
        let ended = folder.run(args);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{args:?}: {}", ended.err);
        for word in words {
            assert!(ended.err.contains(word), "{args:?}: {word}: {}", ended.err);
        }
    }
}

#[test]
fn presets_are_listed_with_their_evidence() {
    let folder = Folder::new("list");
    let table = folder.run(&["presets"]).out;
    let all = json(&folder, &["presets"]);
    let all = all.as_array().unwrap();
    assert!(all.len() >= 87);
    for preset in all {
        let name = preset["name"].as_str().unwrap();
        assert!(table.contains(name), "{name}");
        assert!(preset["source"].is_string() && preset["date"].is_string(), "{name}");
        assert!(preset["backoff"].is_object() && !preset["jitter"].is_null(), "{name}");
        assert!(!preset["atoms"].as_array().unwrap().is_empty(), "{name}");
    }
    let one = folder.run(&["presets", "tower"]).out;
    assert!(one.contains("leaves out") && one.contains("same sequence"), "{one}");
    let kafka = json(&folder, &["presets", "kafka"]);
    assert_eq!(kafka[0]["atoms"][5]["share"], 0.5);
    assert_eq!(kafka[0]["verified"]["version"], "1eb7644");
}

#[test]
fn a_calendar_and_its_chart_are_written_where_they_are_wanted() {
    let folder = Folder::new("files");
    let ended = folder.run(&["presets", "kafka", "--out", "kafka"]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let svg = folder.read("kafka/charts/atoms.svg");
    assert!(svg.contains("kafka: 50 % of clients wait exactly 1 s from retry 5 on"), "{svg}");
    assert!(std::fs::read(folder.path("kafka/charts/atoms.png")).unwrap().starts_with(b"\x89PNG"));
    let json: Value = serde_json::from_str(&folder.read("kafka/schedule.json")).unwrap();
    assert_eq!(json["waits"].as_array().unwrap().len(), 10);
    assert_eq!(folder.read("kafka/schedule.csv").lines().count(), 11);
    assert!(folder.read("kafka/manifest.json").contains("charts/atoms.png"));
    // The same again is the same; another policy is kept out.
    assert_eq!(folder.run(&["presets", "kafka", "--out", "kafka"]).code, Some(0));
    assert_eq!(folder.run(&["presets", "grpc", "--out", "kafka"]).code, Some(2));
}

#[test]
fn a_cap_that_acts_on_the_jitter_caps_waits_that_are_below_it_without() {
    let folder = Folder::new("cut");
    // 720 ms to 1.08 s, at most 1 s.
    let args = ["schedule", "--preset", "kafka", "--factor", "3", "--retries", "3"];
    let calendar = json(&folder, &args);
    let capped: Vec<bool> =
        calendar["waits"].as_array().unwrap().iter().map(|w| w["capped"] == true).collect();
    assert_eq!(capped, [false, false, true]);
    let table = folder.run(&args).out;
    assert!(table.contains("the wait before retry 3 meets the cap of 1 s"), "{table}");
}

#[test]
fn retries_that_the_time_does_not_suffice_for_are_not_in_the_calendar() {
    let folder = Folder::new("elapsed");
    // 1 + 2 + 4 + 8 s; the next would begin after 31 s at the soonest.
    let args = ["schedule", "--retries", "8", "--set", "max_elapsed=30s"];
    assert_eq!(column(&json(&folder, &args), "wait_s"), [1.0, 2.0, 4.0, 8.0]);
    let table = folder.run(&args).out;
    assert!(table.contains("\n4 retries: 15 s of waiting"), "{table}");
    let exactly = ["schedule", "--retries", "8", "--set", "max_elapsed=31s"];
    assert_eq!(column(&json(&folder, &exactly), "wait_s").len(), 5);
    // With full jitter any wait may be none.
    let spread = [&args[..], &["--jitter", "full"]].concat();
    assert_eq!(column(&json(&folder, &spread), "wait_s").len(), 8);
}

#[test]
fn what_is_said_twice_is_refused_and_not_chosen_from() {
    let folder = Folder::new("twice");
    let cases: [(&[&str], &str); 7] = [
        (&["--cap", "5s", "--set", "cap=3s"], "`cap` is set twice, first as `--cap`"),
        (&["--set", "cap=3s", "--set", "cap=4s"], "`cap` is set twice"),
        (&["--jitter", "equal=", "--set", "jitter=full"], "though one holds the other"),
        (&["--jitter", "none", "--set", "jitter=full"], "`jitter` is set twice"),
        (&["--retries", "3", "--set", "max_attempts=3"], "exclude each other"),
        (&["--set", "preset=kafka"], "a preset is a whole layer"),
        (&["--preset", "kafka", "--set", "preset=grpc"], "name it by --preset"),
    ];
    for (args, told) in cases {
        let ended = folder.run(&[&["schedule"], args].concat());
        assert_eq!(ended.code, Some(2), "{args:?}: {}", ended.out);
        assert!(ended.err.contains(told), "{args:?}: {}", ended.err);
    }
    // Whoever counts attempts is not given six retries beside them.
    let three = json(&folder, &["schedule", "--set", "max_attempts=3"]);
    assert_eq!(column(&three, "wait_s"), [1.0, 2.0]);
}
