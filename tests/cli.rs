//! The command line as scripts and pipelines use it.

mod cli_support;

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;

use cli_support::{Folder, SMALL, ended, program};
use herdsim::rng::{GENERATOR, Purpose, Seed};
use serde_json::Value;

/// The names of the files of a run without charts.
const FILES: [&str; 6] = [
    "calls.csv",
    "manifest.json",
    "report.html",
    "scenario.effective.toml",
    "summary.json",
    "timeline.csv",
];

#[test]
fn a_run_writes_its_files_and_nothing_else() {
    let folder = Folder::with_scenario("files");
    let ended = folder.run(&["run", "small.toml"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(folder.names(), ["output", "small.toml"]);
    let files = folder.files("output/small");
    let charts = files.iter().filter(|(name, _)| name.starts_with("charts/")).count();
    assert!(charts >= 6 && files.len() == charts + FILES.len(), "{charts} of {}", files.len());
    assert!(ended.err.contains("wrote output/small/report.html"), "{}", ended.err);
    assert!(ended.out.contains("full jitter") && !ended.out.contains("wrote"), "{}", ended.out);
}

#[test]
fn without_charts_there_are_none() {
    let folder = Folder::with_scenario("no-charts");
    let ended = folder.run(&["run", "small.toml", "--no-charts", "--out", "r"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(folder.names(), ["r", "small.toml"]);
    let names: Vec<String> = folder.files("r").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, FILES);
}

#[test]
fn the_default_folder_is_named_after_the_scenario() {
    let folder = Folder::with_scenario("default");
    let run = |args: &[&str]| {
        let args = [&["run", "--no-charts"], args].concat();
        let ended = ended(folder.herdsim(&args).write_stdin(SMALL));
        assert_eq!(ended.code, Some(0), "{ended:?}");
    };
    run(&["-"]);
    assert!(folder.path("output/stdin/summary.json").exists());
    run(&["small.toml"]);
    // The same again: the folder of the results, not one inside or beside it.
    let before = folder.files("output");
    run(&["output/small/scenario.effective.toml"]);
    let after = folder.files("output");
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&after), names(&before));
    assert!(after == before, "the bytes differ");
}

#[test]
fn running_the_effective_scenario_gives_the_same_bytes() {
    let folder = Folder::with_scenario("again");
    let set = ["--set", "web.count=11", "--seed", "3", "--reps", "2"];
    let first = folder.run(&[&["run", "small.toml", "--out", "a"][..], &set].concat());
    assert_eq!(first.code, Some(0), "{first:?}");
    let again = ["run", "a/scenario.effective.toml", "--out", "b", "--jobs", "1"];
    let second = folder.run(&again);
    assert_eq!(second.code, Some(0), "{second:?}");
    assert_eq!(first.out, second.out);
    for ((name, a), (_, b)) in folder.files("a").iter().zip(&folder.files("b")) {
        assert!(a == b, "{name} differs");
    }
    assert_eq!(folder.files("a").len(), folder.files("b").len());
    // What was changed tells so, and the rest comes from the file that was read.
    folder.write("changed.toml", folder.read("a/scenario.effective.toml").replace("11", "12"));
    let changed = folder.run(&["explain", "changed.toml"]).out;
    assert!(changed.contains("changed.toml:") && !changed.contains("small.toml:"), "{changed}");
    let same = folder.run(&["explain", "a/scenario.effective.toml"]).out;
    assert!(same.contains("small.toml:") && same.contains("--set"), "{same}");
}

#[test]
fn a_scenario_in_json_gives_the_same_results() {
    let folder = Folder::with_scenario("json");
    let effective = folder.run(&["explain", "small.toml", "--format", "toml"]);
    let table: toml::Table = effective.out.parse().unwrap();
    folder.write("small.json", serde_json::to_string_pretty(&table).unwrap());
    let run = |file: &str| {
        let out = format!("out-{file}");
        let args = ["run", file, "--no-charts", "--format", "json", "--out", &out];
        let ended = folder.run(&args);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        ended.out
    };
    // The hash of the scenario as well: it is that of the effective text.
    assert_eq!(run("small.toml"), run("small.json"));
}

#[test]
fn json_on_standard_output_is_the_summary_and_nothing_else() {
    let folder = Folder::with_scenario("format-json");
    let args = ["run", "small.toml", "--no-charts", "--format", "json", "--reps", "3"];
    let ended = folder.run(&args);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(summary["schema"], "herdsim/1");
    assert_eq!(summary["policies"].as_array().unwrap().len(), 2);
    assert_eq!(folder.read("output/small/summary.json"), ended.out);
}

#[test]
fn csv_and_json_lines_can_be_read() {
    let folder = Folder::with_scenario("formats");
    let run = |format: &str| {
        let ended = folder.run(&["run", "small.toml", "--no-charts", "--format", format]);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        ended.out
    };
    let lines = run("jsonl");
    let labels: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["label"].clone())
        .collect();
    assert_eq!(labels, ["full jitter", "none"]);
    let csv = run("csv");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let columns = reader.headers().unwrap().len();
    let rows = reader.records().map(|row| assert_eq!(row.unwrap().len(), columns)).count();
    assert!(rows > 20, "{rows}");
}

#[test]
fn a_pipe_gets_no_colour_and_quiet_is_quiet() {
    let folder = Folder::with_scenario("plain");
    folder.write("bad.toml", SMALL.replace("count = 20", "count = 0"));
    for format in ["table", "json", "jsonl", "csv"] {
        let args = ["run", "small.toml", "--no-charts", "--quiet", "--format", format];
        let ended = ended(folder.herdsim(&args).env("NO_COLOR", "1"));
        assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
        assert!(!ended.out.contains('\u{1b}'), "{format}");
    }
    let escapes = |args: &[&str], variable: &str| {
        let ended = ended(folder.herdsim(args).env(variable, "1"));
        assert_eq!(ended.code, Some(2));
        ended.err.contains('\u{1b}')
    };
    assert!(!escapes(&["run", "bad.toml"], "NO_COLOR"));
    assert!(!escapes(&["run", "bad.toml"], "UNRELATED"));
    assert!(!escapes(&["run", "bad.toml", "--color", "never"], "CLICOLOR_FORCE"));
    assert!(escapes(&["run", "bad.toml", "--color", "always"], "NO_COLOR"));
}

#[test]
fn a_claim_that_is_not_met_gives_exit_code_4_and_all_files() {
    let folder = Folder::new("claims");
    let claims = "[[expect]]\npolicy = \"none\"\nmetric = \"amplification_total\"\nmin = 2\n\
                  [[expect]]\npolicy = \"none\"\nmetric = \"attempts\"\nmin = 1\n";
    folder.write("small.toml", format!("{SMALL}{claims}"));
    let ended = folder.run(&["run", "small.toml", "--no-charts", "--format", "json"]);
    assert_eq!(ended.code, Some(4), "{ended:?}");
    assert!(ended.err.contains("1 of 2 expectations are not met"), "{}", ended.err);
    assert!(ended.err.contains("NOT MET: none: amplification_total >= 2 (found"), "{}", ended.err);
    assert!(!ended.err.contains("attempts >= 1"), "{}", ended.err);
    assert_eq!(folder.read("output/small/summary.json"), ended.out);
    assert_eq!(folder.files("output/small").len(), FILES.len());
}

#[test]
fn a_reader_that_goes_away_is_no_reason_to_complain() {
    let folder = Folder::with_scenario("pipe");
    for args in [
        &["run", "small.toml", "--no-charts", "--quiet"][..],
        &["explain", "demo"],
        &["schema"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
    ] {
        let mut child = Command::new(program())
            .current_dir(folder.path(""))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    }
    // Neither is one of the messages.
    let mut child = Command::new(program())
        .current_dir(folder.path(""))
        .args(["run", "small.toml", "--no-charts"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Sends Ctrl-C to a running program.
#[cfg(unix)]
fn interrupt(child: &std::process::Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_the_replications_that_are_complete() {
    let folder = Folder::with_scenario("interrupt");
    let mut child = Command::new(program())
        .current_dir(folder.path(""))
        .args(["run", "small.toml", "--no-charts", "--reps", "100000", "--jobs", "2"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    interrupt(&child);
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{told}");
    let summary: Value = serde_json::from_str(&folder.read("output/small/summary.json")).unwrap();
    let reps = summary["scenario"]["reps"].as_u64().unwrap();
    assert!((1..100_000).contains(&reps), "{reps}");
    assert!(told.contains(&format!("interrupted after {reps} of 100000 replications")), "{told}");
    assert!(told.contains("the same command runs all of them again"), "{told}");
    let names: Vec<String> = folder.files("output/small").into_iter().map(|(n, _)| n).collect();
    assert_eq!(names, FILES);
    // What is there is what a run of so many replications would have given.
    let args = ["run", "small.toml", "--no-charts", "--format", "json", "--out", "whole", "--reps"];
    let whole = folder.run(&[&args[..], &[&reps.to_string()]].concat());
    let whole: Value = serde_json::from_str(&whole.out).unwrap();
    assert_eq!(whole["policies"], summary["policies"]);
}

#[cfg(unix)]
#[test]
fn a_run_that_is_interrupted_before_it_has_anything_leaves_nothing() {
    let folder = Folder::with_scenario("nothing");
    // One replication of hours, which stops in the middle.
    let long = ["--set", "horizon=500h", "--set", "bin=1m", "--set", "web.count=2000"];
    let mut child = Command::new(program())
        .current_dir(folder.path(""))
        .args(["run", "small.toml", "--no-charts"])
        .args(long)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    interrupt(&child);
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{told}");
    assert!(told.contains("interrupted: what is whole is kept"), "{told}");
    assert!(told.contains("interrupted before a replication was complete"), "{told}");
    assert!(!folder.path("output").exists(), "not even an empty folder");
    let again = folder.run(&["run", "small.toml", "--no-charts"]);
    assert_eq!(again.code, Some(0), "{again:?}");
}

/// The verbs of `herdsim --help`.
fn verbs(folder: &Folder) -> Vec<String> {
    let help = folder.run(&["--help"]).out;
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let words = list.lines().filter_map(|line| line.split_whitespace().next());
    words.filter(|word| *word != "help").map(str::to_string).collect()
}

#[test]
fn the_example_of_every_verb_runs() {
    let folder = Folder::new("examples");
    std::fs::create_dir(folder.path("scenarios")).unwrap();
    for entry in std::fs::read_dir("scenarios").unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        std::fs::copy(&path, folder.path(&format!("scenarios/{name}"))).unwrap();
    }
    let verbs = verbs(&folder);
    for verb in ["demo", "run", "check", "explain", "init", "schema", "completions", "man"] {
        assert!(verbs.iter().any(|known| known == verb), "{verb}: {verbs:?}");
    }
    for verb in verbs {
        let help = folder.run(&[&verb, "--help"]).out;
        let example = help.lines().skip_while(|line| *line != "Example:").nth(1);
        let words: Vec<&str> = example.expect(&verb).split_whitespace().collect();
        assert_eq!(words[..2], ["herdsim", verb.as_str()], "{help}");
        let ended = folder.run(&words[1..]);
        assert_eq!(ended.code, Some(0), "{words:?}: {}", ended.err);
        assert!(!ended.out.is_empty() || verb == "init", "{words:?}");
    }
}

#[test]
fn the_exit_codes_stand_in_the_help() {
    let folder = Folder::new("codes");
    let help = folder.run(&["--help"]);
    assert_eq!((help.code, help.err.as_str()), (Some(0), ""));
    for code in ["0    done", "1    internal error", "2    usage", "4    an [[expect]]", "130  "] {
        assert!(help.out.contains(code), "{code}");
    }
    assert_eq!(folder.run(&["--version"]).out, "herdsim 0.1.0\n");
}

#[test]
fn completions_and_manual_pages_name_every_verb() {
    let folder = Folder::new("completions");
    let verbs = verbs(&folder);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ended = folder.run(&["completions", shell]);
        assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
        assert!(verbs.iter().all(|verb| ended.out.contains(verb)), "{shell}");
        assert!(ended.out.contains("no-charts") && ended.out.len() > 1000, "{shell}");
    }
    let page = folder.run(&["man"]).out;
    assert!(page.contains(".TH herdsim 1") && page.contains("Exit codes"), "{page}");
    for verb in verbs {
        assert!(page.contains(&format!("herdsim\\-{verb}(1)")), "{verb}");
        let own = folder.run(&["man", &verb]).out;
        assert!(own.contains(".SH NAME") && own.contains("Example"), "{verb}");
    }
}

#[test]
fn init_writes_a_scenario_that_runs_at_once() {
    let folder = Folder::new("init");
    assert_eq!(folder.run(&["init", "my.toml"]).code, Some(0));
    let text = folder.read("my.toml");
    assert!(text.lines().filter(|line| line.contains("# ")).count() > 15, "{text}");
    let check = folder.run(&["check", "my.toml"]);
    assert_eq!((check.out.as_str(), check.err.as_str()), ("my.toml: ok, 2 policies\n", ""));
    assert_eq!(folder.run(&["run", "my.toml"]).code, Some(0));
    assert_eq!(folder.run(&["init", "-"]).out, text);
}

#[test]
fn init_writes_over_a_file_only_when_forced() {
    let folder = Folder::with_scenario("init-force");
    let refused = folder.run(&["init", "small.toml"]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
    assert!(refused.err.contains("small.toml is there already"), "{}", refused.err);
    assert_eq!(folder.read("small.toml"), SMALL);
    assert_eq!(folder.run(&["init", "small.toml", "--force"]).code, Some(0));
    assert_ne!(folder.read("small.toml"), SMALL);
    let nowhere = folder.run(&["init", "no/such/folder.toml"]);
    assert_eq!(nowhere.code, Some(2));
    assert!(nowhere.err.contains("cannot write no/such/folder.toml"), "{}", nowhere.err);
}

#[test]
fn a_verbose_run_says_where_its_numbers_come_from() {
    let folder = Folder::with_scenario("verbose");
    let told = |reps: &str| {
        let args = ["run", "small.toml", "--no-charts", "-v", "--reps", reps, "--force"];
        let ended = folder.run(&args);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        ended.out
    };
    let few = told("3");
    let version = format!("herdsim {}; generator {}\n", env!("CARGO_PKG_VERSION"), GENERATOR);
    assert!(few.contains(&version), "{few}");
    assert!(few.contains("streams: found by seed, purpose, key"), "{few}");
    // Long lists are broken.
    let flat = few.split_whitespace().collect::<Vec<_>>().join(" ");
    for purpose in Purpose::ALL {
        assert!(flat.contains(&format!(" {}", purpose.name())), "{}", purpose.name());
    }
    let seed = |index: u64| Seed::new(7).replication(index).as_u64();
    let seeds = format!("seeds: 0: 7; 1: {}; 2: {}", seed(1), seed(2));
    assert!(flat.contains(&seeds) && !flat.contains("i > 0"), "{seeds}\n{few}");
    assert!(flat.contains("million events in"), "{few}");
    let many = told("12");
    let flat = many.split_whitespace().collect::<Vec<_>>().join(" ");
    let rule = "replication i > 0: the first number of the stream (7, replication, i, 0)";
    assert!(flat.contains(&format!("7: {};", seed(7))) && flat.contains(rule), "{many}");
    assert!(!flat.contains(&seed(8).to_string()));
    // That rule is true.
    let first = Seed::new(7).stream(Purpose::Replication, 5, 0).draw();
    assert_eq!(first, seed(5));
}
