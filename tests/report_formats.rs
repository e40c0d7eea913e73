//! CSV, JSON and the tables in text: stable keys, intervals, exact numbers.

mod report_support;

use herdsim::metrics::{Metric, Outcome};
use herdsim::report::{csv, json, sparkline, table};
use herdsim::study::{Estimates, StudyResult};
use report_support::{Shape, study};

fn small(reps: u32) -> StudyResult {
    study(Shape { bins: 1000, reps, ..Shape::default() })
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn every_measure_is_a_key_of_the_summary_in_the_order_of_the_table() {
    let summary = json::summary(&small(1));
    let policy = summary["policies"][0].as_object().unwrap();
    let keys: Vec<&str> = policy.keys().map(String::as_str).collect();
    let extra = ["label", "recovered", "peak_service", "clients", "services", "verdict"];
    let measures: Vec<&str> = keys.iter().copied().filter(|key| !extra.contains(key)).collect();
    assert_eq!(measures, Metric::ALL.map(Metric::name));
    assert!(extra.iter().all(|key| keys.contains(key)), "{keys:?}");
    assert_eq!(keys[0], "label");
}

#[test]
fn keys_are_the_same_when_measures_have_no_meaning() {
    let mut bare = small(1);
    for policy in &mut bare.policies {
        (policy.overall, policy.recovered, policy.recovery) = (Estimates::default(), None, None);
        policy.clients = vec![("web".into(), Estimates::default())];
    }
    let keys = |study: &StudyResult| -> Vec<String> {
        json::summary(study)["policies"][0].as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(keys(&bare), keys(&small(1)));
    let summary = json::summary(&bare);
    let policy = &summary["policies"][0];
    assert!(policy["calls"].is_null() && policy["recovered"].is_null());
    assert_eq!(policy["clients"]["web"].as_object().unwrap().len(), 0);
}

#[test]
fn one_replication_gives_plain_numbers_and_several_give_intervals() {
    let one = json::summary(&small(1));
    let first = &one["policies"][0];
    assert_eq!(first["calls"].to_string(), "360000");
    assert_eq!(first["peak_over_capacity"].to_string(), "10.4");
    assert_eq!(first["services"]["server"]["calls"].to_string(), "360000");
    assert_eq!(first["recovery_s"]["p50"], serde_json::Value::Null);
    assert_eq!(first["recovery_s"]["censored"], 1);
    let ten = json::summary(&small(10));
    let calls = &ten["policies"][0]["calls"];
    let keys: Vec<&String> = calls.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["mean", "lo", "hi", "n"]);
    assert_eq!(ten["policies"][1]["recovered"]["k"], 10);
    assert_eq!(ten["schema"], "herdsim/1");
    let scenario: Vec<&String> = ten["scenario"].as_object().unwrap().keys().collect();
    let keys = ["title", "question", "hash", "seed", "reps", "horizon_s", "generator"];
    assert_eq!(scenario, keys);
}

#[test]
fn files_of_results_say_nothing_about_the_simulators_own_work() {
    let text = json::summary_text(&small(1));
    for word in ["events", "wall_s", "bytes_per_client"] {
        assert!(!text.contains(&format!("\"{word}\"")), "{word}");
    }
}

#[test]
fn json_lines_carry_the_scenario_in_each_line() {
    let lines = json::lines(&small(1));
    assert_eq!(lines.lines().count(), 4);
    for line in lines.lines() {
        let policy: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(policy["seed"], 42);
        assert_eq!(policy["hash"], small(1).hash);
        assert!(policy["label"].is_string() && policy["verdict"]["word"].is_string());
    }
}

#[test]
fn the_timeline_has_a_row_per_bin_and_policy_and_its_load_adds_up() {
    let text = text(|out| csv::timeline(&small(1), out));
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let mut expected = vec!["policy", "time_s", "server.load"];
    let outcomes = Outcome::ALL.map(|outcome| format!("server.{}", outcome.name()));
    expected.extend(outcomes.iter().map(String::as_str));
    expected.extend(["server.queued", "server.capacity_per_s", "server.down"]);
    expected.extend(["calls", "succeeded", "failed", "refused", "orbit", "quota"]);
    assert_eq!(head, expected);
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 4000);
    assert_eq!(rows[3][1], "0.6");
    for row in &rows {
        let counts: Vec<u64> = row[2..9].iter().map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(counts[0], counts[1..].iter().sum::<u64>());
    }
}

#[test]
fn distributions_of_calls_are_cumulated_to_one() {
    let text = text(|out| csv::calls(&small(1), out));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "policy,kind,unit,upper_bound,count,cumulative_share");
    assert_eq!(lines[1], "constant 1 s,latency,ms,50,900,0.9");
    assert_eq!(lines[3], "constant 1 s,error_latency,ms,3000.5,4,1");
    assert_eq!(lines[5], "constant 1 s,attempts,attempts,2,200,1");
}

#[test]
fn the_long_summary_never_averages_the_recoveries_that_are_finite() {
    let text = text(|out| csv::summary(&small(10), out));
    assert!(text.starts_with("policy,part,metric,mean,lo,hi,n\n"));
    assert!(text.contains("constant 1 s,whole,recovery_s.p50,,,,10\n"), "{text}");
    assert!(text.contains("constant 1 s,whole,recovery_s.censored,10,,,10\n"));
    assert!(text.contains("exponential,whole,recovered,1,0.7,1,10\n"));
    assert!(!text.contains(",recovery_s,"));
    assert!(text.contains("full jitter,clients:web,calls,360000,342000,378000,10\n"));
}

#[test]
fn the_result_table_shows_intervals_only_when_there_are_some() {
    let one = table::text(&small(1));
    assert!(!one.contains('±') && one.contains(">1m50s") && one.contains("29.5 s"), "{one}");
    assert!(one.contains("360 000") && one.contains("10x"), "{one}");
    let ten = table::text(&small(10));
    assert!(ten.contains("±18 000") && ten.contains("±0.52") && ten.contains("±216 ms"), "{ten}");
    assert!(ten.contains("26.6 s…32.5 s") && ten.contains("0 of 10"), "{ten}");
    assert!(one.lines().all(|line| line == line.trim_end()));
}

/// Widest line of a text in characters.
fn wide(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

#[test]
fn the_result_table_fits_a_terminal_of_a_hundred_columns() {
    for (reps, label) in [(1, "full jitter + quota 01"), (10, "ünï çødé 🦀🦀🦀"), (1, "x")]
    {
        let mut study = small(reps);
        study.policies[2].label = label.repeat(if label == "x" { 300 } else { 1 });
        let text = table::text(&study);
        assert!(wide(&text) <= 100, "{} columns:\n{text}", wide(&text));
        assert!(label == "x" || reps > 1 || text.contains(label), "{text}");
        assert!(label != "x" || text.contains("xxx…"), "{text}");
    }
}

#[test]
fn a_column_that_is_empty_for_every_policy_is_left_out() {
    let table = table::text(&study(Shape { capacity: None, fault: false, ..Shape::default() }));
    assert!(!table.contains("÷cap") && !table.contains("back"), "{table}");
}

#[test]
fn sparklines_share_their_scale_and_say_where_the_fault_was() {
    let text = sparkline::text(&small(1));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].contains("capacity 1 000/s"), "{text}");
    assert!(lines[1].contains("‥‥") && lines[1].contains("outage"), "{text}");
    let bars: Vec<&str> = lines.iter().filter_map(|line| line.split('|').nth(1)).collect();
    assert_eq!(bars.len(), 4);
    assert!(bars.iter().all(|bar| bar.chars().count() == 72), "{text}");
    assert!(bars[0].contains('█') && !bars[3].contains('█'), "{text}");
    assert!(lines[2].ends_with("peak after the fault 10 400/s"), "{text}");
}

#[test]
fn nothing_to_show_gives_no_sparkline() {
    assert_eq!(sparkline::text(&study(Shape { scale: 0.0, ..Shape::default() })), "");
    assert_eq!(sparkline::text(&study(Shape { policies: 0, ..Shape::default() })), "");
    assert_eq!(sparkline::text(&study(Shape { bins: 0, ..Shape::default() })), "");
}

#[test]
fn capacities_that_differ_stand_at_the_lines() {
    let mut study = small(1);
    study.policies[1].first.timeline.services[0].capacity_per_s = Some(500.0);
    let text = sparkline::text(&study);
    let lines: Vec<&str> = text.lines().collect();
    assert!(!lines[0].contains("capacity"), "{text}");
    assert!(
        lines[2].ends_with("capacity 1 000/s") && lines[3].ends_with("capacity 500/s"),
        "{text}"
    );
}
