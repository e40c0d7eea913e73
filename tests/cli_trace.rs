//! `--trace`: every event of a small run, as scripts read it.

mod cli_support;
mod common;

use std::collections::{BTreeMap, BTreeSet};

use cli_support::{Ended, Folder, SMALL, ended};
use common::{by_hand, read_trace, scenario};
use herdsim::report::trace;
use serde_json::Value;

/// Everything that can happen, happens here.
const RICH: &str = r#"
seed = 9
horizon = "30s"
[[clients]]
name = "web"
count = 40
target = "front"
load = { poisson = "1/s" }
timeout = { uniform = ["20ms", "600ms"] }
sharing = { budget = "process:10" }
[clients.retry]
max_attempts = 4
backoff = { exponential = { base = "200ms" } }
jitter = "full"
budget = { aws-quota = { capacity = 40 } }
[[clients]]
name = "jobs"
count = 3
target = "back"
load = { periodic = "1s" }
timeout = "1s"
[[clients.retry.layers]]
max_attempts = 2
backoff = { constant = "2s" }
[[clients.retry.layers]]
max_attempts = 2
backoff = { constant = "10ms" }
[[services]]
name = "front"
workers = 12
service_time = { exponential = "20ms" }
network = "10ms"
[[services.calls]]
to = "back"
timeout = "200ms"
retry = { max_attempts = 2, backoff = { constant = "50ms" } }
[[services.calls]]
to = "log"
timeout = "1s"
retry = "none"
[[services]]
name = "back"
workers = 5
service_time = { exponential = "60ms" }
queue = { capacity = 20 }
crash = { when = "queue > 15", restart = "3s" }
[[services]]
name = "log"
workers = 10
service_time = "1ms"
[[faults]]
kind = "brownout"
target = "back"
slowdown = 4
at = "5s"
for = "4s"
[[actions]]
at = "20s"
set = { "back.workers" = 9 }
[[policy]]
label = "with quota"
[[policy]]
label = "never \"again\""
set = { "web.retry" = "none" }
"#;

fn folder(name: &str) -> Folder {
    let folder = Folder::with_scenario(name);
    folder.write("rich.toml", RICH);
    folder
}

/// Runs a scenario of the folder with `--trace t.jsonl`.
fn traced(folder: &Folder, args: &[&str]) -> Ended {
    let all = [&["run"], args, &["--no-charts", "--trace", "t.jsonl"]].concat();
    folder.run(&all)
}

/// The trace of the rich scenario, without its header.
fn rich() -> Vec<Value> {
    common::trace(&scenario(RICH)).split_off(1)
}

fn text<'a>(line: &'a Value, key: &str) -> &'a str {
    line[key].as_str().unwrap_or_else(|| panic!("no {key} in {line}"))
}

fn events<'a>(lines: &'a [Value], event: &'a str) -> impl Iterator<Item = &'a Value> {
    lines.iter().filter(move |line| line["event"] == event)
}

#[test]
fn a_trace_worked_out_by_hand_comes_out_of_the_program() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/traces");
    for name in ["t4", "t6"] {
        let folder = Folder::new(&format!("trace-{name}"));
        let done = traced(&folder, &[&format!("{fixtures}/{name}.toml")]);
        assert_eq!(done.code, Some(0), "{done:?}");
        let wanted = std::fs::read_to_string(format!("{fixtures}/{name}.events")).unwrap();
        let found = by_hand(&read_trace(&folder.read("t.jsonl")));
        assert_eq!(found, wanted.lines().collect::<Vec<_>>());
    }
}

#[test]
fn the_same_scenario_makes_the_same_trace_on_any_number_of_threads() {
    let folder = folder("trace-bytes");
    let mut traces = Vec::new();
    for args in [["--jobs", "1"], ["--jobs", "2"], ["--reps", "3"]] {
        let done = traced(&folder, &[&["rich.toml", "--force"], &args[..]].concat());
        assert_eq!(done.code, Some(0), "{done:?}");
        assert!(done.err.contains("lines of events to t.jsonl"), "{}", done.err);
        traces.push(folder.read("t.jsonl"));
    }
    assert!(traces[0] == traces[1]);
    // More replications are another scenario: the header has another hash, the rest is the same.
    let rest = |trace: &str| trace.split_once('\n').unwrap().1.to_string();
    assert!(rest(&traces[0]) == rest(&traces[2]));
    let mut bytes = Vec::new();
    trace::write(&mut bytes, &scenario(RICH), trace::MOST_LINES).unwrap();
    assert!(rest(&traces[0]).as_bytes() == rest(&String::from_utf8(bytes).unwrap()).as_bytes());
    assert_eq!(folder.names(), ["output", "rich.toml", "small.toml", "t.jsonl"]);
}

#[test]
fn the_first_line_says_what_the_trace_is() {
    let folder = folder("trace-header");
    assert_eq!(traced(&folder, &["rich.toml"]).code, Some(0));
    let lines = read_trace(&folder.read("t.jsonl"));
    let summary: Value = serde_json::from_str(&folder.read("output/rich/summary.json")).unwrap();
    assert_eq!(lines[0]["schema"], "herdsim-trace/1");
    assert_eq!(lines[0]["herdsim"], env!("CARGO_PKG_VERSION"));
    for key in ["hash", "title"] {
        assert_eq!(lines[0]["scenario"][key], summary["scenario"][key]);
    }
    for key in ["generator", "seed"] {
        assert_eq!(lines[0][key], summary["scenario"][key]);
    }
    assert_eq!(lines[0]["policies"], serde_json::json!(["with quota", "never \"again\""]));
    assert_eq!(lines[0]["horizon_ns"], 30_000_000_000_u64);
}

/// The events of docs/trace.md with their fields.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let page = include_str!("../docs/trace.md");
    let table = page.split("| event | further fields |").nth(1).unwrap();
    let mut events = BTreeMap::new();
    for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let fields = cells[2].split(", ").flat_map(|field| match field {
            "call" => vec!["caller", "client", "call", "root"],
            field => vec![field.trim_matches('`')],
        });
        let fields: BTreeSet<String> = fields.map(str::to_string).collect();
        events.insert(cells[1].trim_matches('`').to_string(), fields);
    }
    events
}

#[test]
fn every_event_and_every_field_is_documented_and_happens() {
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    // A run that begins settled has attempts from the start.
    let settled = format!("start = {{ state = \"stationary\", settle = \"20s\" }}\n{RICH}");
    for line in rich().into_iter().chain(common::trace(&scenario(&settled)).into_iter().skip(1)) {
        let mut keys: BTreeSet<String> = line.as_object().unwrap().keys().cloned().collect();
        for common in ["t_ns", "t_s", "policy", "event"] {
            assert!(keys.remove(common), "{line} has no {common}");
        }
        seen.entry(text(&line, "event").to_string()).or_default().extend(keys);
    }
    assert_eq!(seen, documented());
}

#[test]
fn time_goes_on_and_is_told_twice() {
    let mut before = ("with quota".to_string(), 0);
    for line in rich() {
        let now = line["t_ns"].as_u64().unwrap();
        assert!((line["t_s"].as_f64().unwrap() * 1e9 - now as f64).abs() < 1.0, "{line}");
        let policy = text(&line, "policy");
        assert!(policy != before.0 || now >= before.1, "{line}");
        before = (policy.to_string(), now);
    }
    assert_eq!(before, ("never \"again\"".to_string(), 30_000_000_000));
}

#[test]
fn attempts_sent_are_those_decided_and_those_open() {
    let lines = rich();
    for policy in ["with quota", "never \"again\""] {
        let of: Vec<Value> = lines.iter().filter(|l| l["policy"] == policy).cloned().collect();
        let count = |event: &str| events(&of, event).count() as u64;
        let end = &of[of.len() - 1];
        assert_eq!(end["event"], "run_ended");
        let open = |key: &str| end[key].as_u64().unwrap();
        assert_eq!(count("attempt_sent"), count("attempt_decided") + open("open_attempts"));
        assert_eq!(count("call_began"), count("call_ended") + open("open_calls"));
        assert!(count("attempt_sent") > 1_000);
        // No attempt is decided twice, and none that was not sent.
        let names = |event: &str| -> Vec<(u64, u64)> {
            let name = |l: &Value| (l["call"].as_u64().unwrap(), l["attempt"].as_u64().unwrap());
            events(&of, event).map(name).collect()
        };
        let sent: BTreeSet<_> = names("attempt_sent").into_iter().collect();
        let decided = names("attempt_decided");
        assert_eq!(decided.iter().collect::<BTreeSet<_>>().len(), decided.len());
        assert!(decided.iter().all(|name| sent.contains(name)));
    }
}

#[test]
fn a_trace_is_of_the_run_that_the_results_are_of() {
    let folder = folder("trace-results");
    assert_eq!(traced(&folder, &["rich.toml"]).code, Some(0));
    let lines = read_trace(&folder.read("t.jsonl"));
    let summary: Value = serde_json::from_str(&folder.read("output/rich/summary.json")).unwrap();
    for policy in summary["policies"].as_array().unwrap() {
        let of: Vec<Value> =
            lines.iter().filter(|l| l["policy"] == policy["label"]).cloned().collect();
        let count = |keep: &dyn Fn(&Value) -> bool| of.iter().filter(|l| keep(l)).count() as f64;
        for (name, service) in policy["services"].as_object().unwrap() {
            let here = |l: &Value| l["service"] == name.as_str();
            let metric = |name: &str| service[name].as_f64().unwrap();
            let outcome = |word: &str| count(&|l| here(l) && l["outcome"] == word);
            assert_eq!(count(&|l| here(l) && l["event"] == "attempt_sent"), metric("attempts"));
            assert_eq!(count(&|l| here(l) && l["event"] == "timed_out"), metric("timed_out"));
            for word in ["rejected", "errored", "lost"] {
                assert_eq!(outcome(word), metric(word), "{word}");
            }
            // Work whose answer came too late was served when it was decided.
            let late = count(&|l| here(l) && l["event"] == "came_late");
            assert_eq!(outcome("wasted") + late, metric("wasted"));
            assert_eq!(outcome("served") + outcome("wasted"), metric("served"));
        }
        for (name, group) in policy["clients"].as_object().unwrap() {
            let ended = |l: &Value| l["caller"] == name.as_str() && l["event"] == "call_ended";
            let metric = |name: &str| group[name].as_f64().unwrap();
            assert_eq!(count(&|l| ended(l) && l["failure"].is_null()), metric("succeeded"));
            assert_eq!(count(&|l| ended(l) && !l["failure"].is_null()), metric("failed"));
        }
    }
}

#[test]
fn a_call_can_be_followed_through_all_services() {
    let lines = rich();
    let lines: Vec<Value> = lines.into_iter().filter(|l| l["policy"] == "with quota").collect();
    let services = BTreeSet::from(["front", "back", "log"]);
    let whole = events(&lines, "call_ended").find(|line| {
        let root = |l: &&Value| l["root"] == line["call"];
        let of = events(&lines, "attempt_sent").filter(root).map(|l| text(l, "service"));
        of.collect::<BTreeSet<_>>() == services
    });
    let call = &whole.unwrap()["call"];
    let own: Vec<&Value> = lines.iter().filter(|l| l["root"] == *call).collect();
    assert_eq!(own[0]["event"], "call_began");
    assert_eq!((&own[0]["caller"], &own[0]["call"]), (&Value::from("web"), call));
    let inner: Vec<&&Value> =
        own.iter().filter(|l| l["event"] == "call_began" && l["call"] != *call).collect();
    let callers: BTreeSet<&str> = inner.iter().map(|l| text(l, "caller")).collect();
    assert_eq!(callers, BTreeSet::from(["front.calls.0", "front.calls.1"]));
    assert!(inner.iter().all(|l| l["parent"] == *call && l["client"].is_null()));
    // A wait is told beforehand, and lasts so long.
    let waits = |event: &'static str, key: &'static str| -> Vec<(Value, u64)> {
        let named = events(&lines, event).map(|l| (l["call"].clone(), l[key].as_u64().unwrap()));
        named.filter(|(call, _)| *call != Value::Null).collect()
    };
    let began = waits("backoff_began", "wait_ns");
    let ended = waits("backoff_ended", "waited_ns");
    let told = ended.iter().filter(|wait| began.contains(wait)).count();
    assert!(told * 10 > ended.len() * 9 && told > 100, "{told} of {}", ended.len());
}

#[test]
fn a_run_with_too_many_events_is_refused_and_leaves_nothing() {
    let folder = folder("trace-long");
    let done = traced(&folder, &["small.toml", "--set", "web.load.poisson=2000/s"]);
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""));
    let told = "error: the trace would have more than 1000000 lines: they end at ";
    assert!(done.err.starts_with(told) && done.err.contains("lower `horizon`"), "{}", done.err);
    assert_eq!(folder.names(), ["rich.toml", "small.toml"]);
    // The limit is of lines: one of just so many is written.
    let small = scenario(SMALL);
    let lines = trace::write(std::io::sink(), &small, trace::MOST_LINES).unwrap();
    assert_eq!(trace::write(std::io::sink(), &small, lines).unwrap(), lines);
    let refused = trace::write(std::io::sink(), &small, lines - 1).unwrap_err().to_string();
    assert!(refused.contains("they end at 20.0 s of policy \"none\""), "{refused}");
}

#[test]
fn a_file_that_is_no_trace_of_the_scenario_is_kept_unless_forced() {
    let folder = folder("trace-kept");
    folder.write("t.jsonl", "notes\n");
    let refused = traced(&folder, &["small.toml"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    let told = "error: t.jsonl is there and is no trace of this scenario: choose another --trace, \
                or --force\n";
    assert_eq!(refused.err, told);
    assert_eq!(folder.read("t.jsonl"), "notes\n");
    assert!(!folder.path("output").exists());
    assert_eq!(traced(&folder, &["small.toml", "--force"]).code, Some(0));
    let trace = folder.read("t.jsonl");
    assert!(trace.starts_with("{\"schema\":\"herdsim-trace/1\""));
    // The same scenario again needs no force; another one does.
    assert_eq!(traced(&folder, &["small.toml"]).code, Some(0));
    assert_eq!(folder.read("t.jsonl"), trace);
    assert_eq!(traced(&folder, &["rich.toml"]).code, Some(2));
    let own = folder.run(&["run", "small.toml", "--no-charts", "--trace", "small.toml"]);
    assert_eq!(own.code, Some(2), "the scenario is no trace either");
    assert_eq!(folder.read("small.toml"), SMALL);
    assert_eq!(folder.names(), ["output", "rich.toml", "small.toml", "t.jsonl"]);
}

#[test]
fn a_place_that_takes_no_file_is_told_before_the_run() {
    let folder = folder("trace-place");
    let told = |path: &str| {
        let done = folder.run(&["run", "small.toml", "--trace", path, "--force"]);
        assert_eq!(done.code, Some(2), "{done:?}");
        done.err
    };
    let missing = told("nowhere/t.jsonl");
    assert!(missing.starts_with("error: cannot write nowhere/t.jsonl: "), "{missing}");
    let here = "error: . is not a file: choose another --trace\n";
    assert_eq!(told("."), here);
    assert!(told("/dev/null").contains("/dev/null is not a file"));
    assert!(std::path::Path::new("/dev/null").exists());
    assert_eq!(folder.names(), ["rich.toml", "small.toml"]);
}

#[cfg(unix)]
#[test]
fn a_folder_without_permission_is_told_before_the_run() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("trace-permission");
    let closed = folder.path("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o555)).unwrap();
    if std::fs::write(closed.join("probe"), "").is_ok() {
        println!("skipped: this user may write everywhere");
        return;
    }
    let done = folder.run(&["run", "small.toml", "--trace", "closed/t.jsonl"]);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.starts_with("error: cannot write closed/t.jsonl: "), "{}", done.err);
}

#[test]
fn the_demo_can_be_traced_when_it_is_small() {
    let folder = Folder::new("trace-demo");
    let set = ["--set", "horizon=70s", "--set", "app.count=40"];
    let args = [&["demo", "--no-charts", "--quiet", "--trace", "d.jsonl"][..], &set].concat();
    let done = ended(&mut folder.herdsim(&args));
    // It is not the herd of which the demo claims something: the trace is there all the same.
    assert_eq!(done.code, Some(4), "{done:?}");
    assert!(read_trace(&folder.read("d.jsonl")).len() > 1_000);
}

#[test]
fn the_demo_as_it_is_has_no_trace_and_says_at_once_what_has_one() {
    let folder = Folder::new("trace-demo-whole");
    let done = folder.run(&["demo", "--trace", "d.jsonl"]);
    assert_eq!(done.code, Some(2), "{done:?}");
    let help = "herdsim demo --set horizon=2m --trace FILE";
    assert!(done.err.contains(help), "{}", done.err);
    assert!(!folder.path("output").exists() && !folder.path("d.jsonl").exists());
    let args: Vec<&str> =
        help.split(' ').skip(1).map(|a| if a == "FILE" { "d" } else { a }).collect();
    let small = folder.run(&[&args[..], &["--no-charts", "-q"]].concat());
    assert_eq!(small.code, Some(4), "{small:?}");
    assert!(folder.path("d").exists());
}
