//! Every scenario that the repository ships runs, asks a question and keeps what it claims.

mod common;

use std::path::{Path, PathBuf};

use common::{mean, study};
use herdsim::metrics::Metric;
use herdsim::scenario::{Options, Scenario, read};
use herdsim::study::{Answer, PolicyResult, StudyResult, check};

fn shipped() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|ext| ext == "toml")).collect();
    files.sort();
    assert!(files.len() >= 3, "scenarios are missing: {files:?}");
    files
}

fn load(path: &Path) -> Scenario {
    match read(path.to_str().unwrap(), &Options::default()) {
        Ok(loaded) => loaded.scenario,
        Err(error) => panic!("{}", error.render(false)),
    }
}

fn named(name: &str) -> (Scenario, StudyResult) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(name);
    let scenario = load(&file);
    let study = study(&scenario);
    (scenario, study)
}

fn policy<'a>(study: &'a StudyResult, label: &str) -> &'a PolicyResult {
    study.policies.iter().find(|policy| policy.label == label).unwrap()
}

#[test]
fn every_scenario_opens_with_the_question_it_asks() {
    for path in shipped() {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("#:schema ../scenario.schema.json"), "{path:?}");
        let first = lines.next().unwrap_or_default();
        assert!(first.starts_with("# ") && first.contains('?'), "{path:?}: {first}");
        let scenario = load(&path);
        assert!(scenario.question.ends_with('?'), "{path:?}: {}", scenario.question);
    }
}

#[test]
fn every_scenario_keeps_what_it_claims() {
    for path in shipped() {
        let scenario = load(&path);
        assert!(!scenario.expects.is_empty(), "{path:?} claims nothing");
        for claim in check(&scenario.expects, &study(&scenario)) {
            assert_eq!(claim.answer, Answer::Met, "{path:?}: {claim:?}");
        }
    }
}

#[test]
fn nobody_is_connected_any_more_once_the_server_only_works_for_those_who_have_gone() {
    let (_, study) = named("nats-reconnect.toml");
    let slow = policy(&study, "30/s");
    assert_eq!(mean(slow, Metric::Succeeded), 300.0, "30/s for the first ten seconds");
    let late: u32 = slow.first.timeline.succeeded[101..].iter().sum();
    assert_eq!(late, 0, "nobody is connected after 10.1 s, to the end of ten minutes");
    // A completion wins a tie with the timeout: exactly 50 s and 30 s.
    assert_eq!(mean(policy(&study, "40/s"), Metric::DrainS), 50.0);
    assert_eq!(mean(policy(&study, "50/s"), Metric::DrainS), 30.0);
}

#[test]
fn the_edge_of_the_reconnection_storm_lies_at_a_third_of_the_clients_per_ten_seconds() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/nats-reconnect.toml");
    for (rate, recovers) in [(33, false), (34, true)] {
        let set = vec![format!("server.rate={rate}/s")];
        let options = Options { set, ..Options::default() };
        let mut scenario = read(path.to_str().unwrap(), &options).ok().unwrap().scenario;
        scenario.policies.truncate(1);
        let result = study(&scenario).policies.remove(0);
        let all = mean(&result, Metric::Succeeded) == 1000.0;
        assert_eq!(all, recovers, "{rate}/s: {} connected", mean(&result, Metric::Succeeded));
    }
}

#[test]
fn pollers_in_phase_wait_for_one_another_and_spread_ones_do_not() {
    let (_, study) = named("poller-phase-lock.toml");
    let p50 = |label| mean(policy(&study, label), Metric::LatencyP50Ms);
    assert!((p50("in phase") - 2_600.0).abs() < 10.0, "{}", p50("in phase"));
    assert!((p50("evenly spread") - 200.0).abs() < 1.0, "{}", p50("evenly spread"));
    assert!(p50("random phases") < 350.0, "{}", p50("random phases"));
    // The same load in all three.
    let load = |label| {
        mean(policy(&study, label), Metric::InSystemMean)
            - mean(policy(&study, label), Metric::QueueMean)
    };
    for label in ["in phase", "random phases", "evenly spread"] {
        assert!((load(label) - 0.5).abs() < 0.001, "{label}: {}", load(label));
    }
}

#[test]
fn the_herd_of_the_demo_falls_again_and_again_unless_it_is_spread() {
    let (_, study) = named("thundering-herd.toml");
    let recovery = |label| policy(&study, label).recovery.unwrap().p50.unwrap();
    let falls = |label| mean(policy(&study, label), Metric::Relapses);
    assert!(recovery("constant 2 s") > 20.0 * recovery("exponential"));
    assert!(recovery("exponential") > 2.0 * recovery("full jitter"));
    assert!(recovery("full jitter") > recovery("full jitter + quota"));
    assert!(falls("constant 2 s") > 20.0);
    assert_eq!((falls("exponential"), falls("full jitter")), (1.0, 0.0));
    // The quota spares the service most of the attempts of those who meet the outage.
    let amplification = |label| mean(policy(&study, label), Metric::Amplification);
    assert!(amplification("full jitter + quota") < amplification("full jitter") / 3.0);
    // In step without jitter, not with it.
    let sync = |label| policy(&study, label).overall.get(Metric::SyncIndex);
    assert!(sync("constant 2 s").unwrap().mean > 0.4);
    assert_eq!(sync("full jitter"), None);
}
