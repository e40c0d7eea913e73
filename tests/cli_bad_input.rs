//! Bad input at the command line: exit code 2, a clear word on standard error, nothing on standard
//! output, and no folder of results.

mod cli_support;

use cli_support::{Ended, Folder, SMALL, ended};

/// The input was refused for this reason, and nothing was left behind.
fn refused(folder: &Folder, ended: &Ended, reason: &str) {
    assert_eq!(ended.code, Some(2), "{reason}: {ended:?}");
    assert!(ended.err.contains(reason), "{reason}: {}", ended.err);
    assert!(!ended.err.contains("panicked"), "{}", ended.err);
    assert_eq!(ended.out, "", "{reason}");
    assert!(!folder.path("output").exists(), "{reason}");
}

#[test]
fn what_is_no_scenario_file_is_refused() {
    let folder = Folder::new("no-file");
    std::fs::create_dir(folder.path("folder.toml")).unwrap();
    folder.write("empty.toml", "");
    folder.write("nul.toml", SMALL.replace("small", "sm\0ll"));
    folder.write("noise.toml", "\u{1}\u{7f}é=[\"".repeat(1_700_000));
    folder.write("letters.toml", "x".repeat(10_000_000));
    folder.write("bytes.toml", vec![0xff; 10_000_000]);
    folder.write("huge.toml", vec![b'#'; 17 << 20]);
    for (file, reason) in [
        ("missing.toml", "no such file"),
        ("folder.toml", "a folder, not a file"),
        ("empty.toml", "the scenario is empty"),
        ("nul.toml", "a NUL byte: this is not a text file"),
        ("noise.toml", "error: "),
        ("letters.toml", "error: "),
        ("bytes.toml", "not a UTF-8 text"),
        ("huge.toml", "larger than 16 MiB"),
    ] {
        for verb in ["run", "check", "explain"] {
            let ended = folder.run(&[verb, file]);
            refused(&folder, &ended, reason);
            assert!(ended.err.contains(file), "{}", ended.err);
            assert!(ended.err.len() < 20_000, "{file}: {} bytes", ended.err.len());
        }
    }
}

#[test]
fn a_number_that_makes_no_sense_is_refused_with_its_place() {
    let folder = Folder::new("numbers");
    let cases = [
        ("count = 20", "count = 0", "0 is too small: it must be 1 or more"),
        ("count = 20", "count = -1", "-1 is too small"),
        ("count = 20", "count = 1.5", "expected a whole number"),
        ("count = 20", "count = nan", "expected a whole number"),
        ("count = 20", "count = 1_000_000_000_000", "would need about 181.9 TiB"),
        ("count = 20", "count = 99999999999999999999", "is too large"),
        ("workers = 5", "workers = 0", "0 is too small"),
        ("workers = 5", "workers = -5", "-5 is too small"),
        ("\"20s\"", "\"0s\"", "it must be longer than zero"),
        ("\"20s\"", "\"-20s\"", "error: "),
        ("\"20s\"", "\"500years\"", "longer than 146 years"),
        ("\"20s\"", "\"99999999999years\"", "error: "),
        ("\"20s\"", "20", "a duration needs a unit"),
        ("\"20s\"", "inf", "a duration needs a unit"),
        ("\"0.5/s\"", "\"0/s\"", "it must be above zero"),
        ("\"0.5/s\"", "\"-1/s\"", "zero or more"),
        ("\"0.5/s\"", "\"nan/s\"", "finite"),
        ("base = \"50ms\"", "base = \"50ms\", factor = nan", "not a finite number"),
        ("base = \"50ms\"", "base = \"50ms\", factor = 1e400", "not a finite number"),
        ("base = \"50ms\"", "base = \"50ms\", factor = -2", "-2 is too small"),
        ("seed = 7", "seed = -1", "-1 is too small"),
        ("seed = 7", "seed = 7\nreps = 0", "0 is too small"),
        ("seed = 7", "seed = 7\nbin = \"1ns\"", "bins, more than 1000000"),
    ];
    for (from, to, reason) in cases {
        let text = SMALL.replacen(from, to, 1);
        assert_ne!(text, SMALL, "{from}");
        folder.write("bad.toml", &text);
        let ended = folder.run(&["run", "bad.toml"]);
        refused(&folder, &ended, reason);
        let line = text.lines().position(|line| line.contains(to.lines().last().unwrap()));
        let place = format!("bad.toml:{}:", line.unwrap() + 1);
        assert!(ended.err.contains(&place), "{place}: {}", ended.err);
    }
}

#[test]
fn a_million_million_clients_are_refused_before_memory_is_taken() {
    let folder = Folder::with_scenario("clients");
    let ended = folder.run(&["run", "small.toml", "--set", "web.count=1000000000000"]);
    refused(&folder, &ended, "1000000000000 clients would need about 181.9 TiB");
    assert!(ended.err.contains("at most 16.0 GiB are allowed"), "{}", ended.err);
}

#[test]
fn a_wrong_option_is_shown_with_what_was_meant() {
    let folder = Folder::with_scenario("options");
    for (set, reason) in [
        ("wob.count=1", "did you mean `web`?"),
        ("web.cuont=1", "did you mean `count`?"),
        ("web.retry.jiter=full", "did you mean `jitter`?"),
        ("web.retry.jitter=ful", "did you mean `full`?"),
        ("horizn=1m", "did you mean `horizon`?"),
        ("web.count", "expected path=value"),
        ("web.timeout=5", "a duration needs a unit"),
        ("web.count=many", "expected a whole number"),
        ("faults.3.at=1s", "is no index"),
        ("policy.0.label=x", "policies cannot be set by path"),
        ("=1", "is no path"),
        ("", "expected path=value"),
    ] {
        for verb in ["run", "explain"] {
            let ended = folder.run(&[verb, "small.toml", "--set", set]);
            refused(&folder, &ended, reason);
            assert!(ended.err.contains(set), "{set}: {}", ended.err);
            assert!(ended.err.contains("--set 1"), "{set}: {}", ended.err);
        }
    }
}

#[test]
fn all_mistakes_are_told_at_once_in_the_order_of_the_file() {
    let folder = Folder::new("all");
    let text = SMALL.replace("horizon", "horizn").replace("count = 20", "count = 0");
    folder.write("bad.toml", text.replace("workers = 5", "workers = \"five\""));
    let ended = folder.run(&["check", "bad.toml", "missing.toml"]);
    refused(&folder, &ended, "did you mean `horizon`?");
    let places = ["bad.toml:4:", "bad.toml:7:", "bad.toml:12:", "missing.toml"];
    let found: Vec<usize> = places.iter().map(|place| ended.err.find(place).unwrap()).collect();
    assert!(found.is_sorted(), "{}", ended.err);
}

#[test]
fn the_command_line_itself_is_checked() {
    let folder = Folder::with_scenario("usage");
    let cases: [&[&str]; 11] = [
        &[],
        &["rum", "small.toml"],
        &["run"],
        &["run", "small.toml", "--reps", "0"],
        &["run", "small.toml", "--reps", "-1"],
        &["run", "small.toml", "--jobs", "0"],
        &["run", "small.toml", "--seed", "-1"],
        &["run", "small.toml", "--seed", "1e9"],
        &["run", "small.toml", "--format", "xml"],
        &["run", "small.toml", "--nothing"],
        &["completions", "cmd"],
    ];
    for args in cases {
        refused(&folder, &folder.run(args), "");
    }
    refused(&folder, &folder.run(&["man", "rum"]), "no verb is named \"rum\"");
    let many = folder.run(&["run", "small.toml", "--reps", "100001"]);
    refused(&folder, &many, "100001 is too large: it must be 100000 or less");
}

#[test]
fn a_place_for_results_is_tried_before_the_run() {
    let folder = Folder::with_scenario("out");
    folder.write("file", "mine");
    std::fs::create_dir(folder.path("mine")).unwrap();
    folder.write("mine/notes.txt", "keep me");
    for (out, reason) in [
        ("file", "is not a folder"),
        ("file/deeper", "file is not a folder"),
        ("mine", "is not empty and holds no results of a run"),
        ("/proc/herdsim", "cannot write /proc/"),
        ("/dev/null", "is not a folder"),
    ] {
        let before = folder.files("");
        // So many replications that a run would never end in time.
        let args = ["run", "small.toml", "--out", out, "--reps", "100000"];
        let ended = folder.run(&args);
        refused(&folder, &ended, reason);
        assert_eq!(folder.files(""), before, "{out}");
    }
}

#[test]
fn what_stands_in_a_folder_is_kept_even_when_forced() {
    let folder = Folder::with_scenario("force");
    std::fs::create_dir(folder.path("mine")).unwrap();
    folder.write("mine/notes.txt", "keep me");
    assert_eq!(folder.run(&["run", "small.toml", "--out", "mine", "--force"]).code, Some(0));
    assert_eq!(folder.read("mine/notes.txt"), "keep me");
    let summary = folder.read("mine/summary.json");
    let other = ["run", "small.toml", "--out", "mine", "--set", "web.count=3"];
    let ended = folder.run(&other);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("holds the results of another scenario"), "{}", ended.err);
    assert_eq!(folder.read("mine/summary.json"), summary);
    assert_eq!(folder.run(&[&other[..], &["--force"]].concat()).code, Some(0));
    assert_eq!(folder.names(), ["mine", "small.toml"]);
    assert_ne!(folder.read("mine/summary.json"), summary);
    assert_eq!(folder.read("mine/notes.txt"), "keep me");
}

#[test]
fn bad_standard_input_is_named_by_its_dash() {
    let folder = Folder::new("stdin");
    for (text, reason) in [("", "the scenario is empty"), ("seed = ", "-:1:"), ("{", "-:1:")] {
        let ended = ended(folder.herdsim(&["run", "-"]).write_stdin(text));
        refused(&folder, &ended, reason);
    }
}
