//! A time that a run ends before is "not within" that time: it is shown with its share of the
//! replications and the quantiles that remain, and never left out of a mean.

mod common;

use std::path::Path;

use common::study;
use herdsim::metrics::Metric;
use herdsim::report::{csv, json, table};
use herdsim::scenario::{Options, read_text};
use herdsim::study::{Answer, StudyResult, check};

/// Ten calls at time zero to one worker of one second each: the last is done after some 10 s.
/// The outage before them ends at 2 s.
fn burst(horizon: &str, rest: &str) -> String {
    format!(
        "seed = 5\nreps = 40\nhorizon = \"{horizon}\"\nbin = \"100ms\"\n[[clients]]\nname = \"c\"\n\
         count = 10\nload = {{ burst = \"0s\" }}\ntimeout = \"none\"\nretry = \"none\"\n\
         [server]\nworkers = 1\nservice_time = {{ exponential = \"1s\" }}\n\
         [[faults]]\nkind = \"outage\"\nmode = \"pause\"\nat = \"0s\"\nfor = \"2s\"\n{rest}"
    )
}

fn played(text: &str) -> StudyResult {
    study(&common::scenario(text))
}

#[test]
fn a_time_that_some_runs_end_before_has_quantiles_and_no_mean() {
    let (short, long) = (played(&burst("12s", "")), played(&burst("60s", "")));
    let (cut, whole) = (&short.policies[0], &long.policies[0]);
    // The same seeds: what the short runs did see is what the long ones saw.
    let times = |metric| cut.censored.iter().find(|(m, _)| *m == metric).map(|(_, time)| *time);
    let drained = times(Metric::DrainS).expect("some runs end before the burst has drained");
    assert_eq!(drained.n, 40);
    assert!(0 < drained.censored && drained.censored < 20, "{drained:?}");
    assert_eq!(cut.overall.get(Metric::DrainS), None, "a mean of those that drained flatters");
    let mean = whole.overall.get(Metric::DrainS).unwrap();
    assert!(whole.censored.is_empty() && mean.n == 40);
    // The median of the long runs is below 12 s, and the short ones know it as well.
    let json = json::summary(&short);
    let shown = &json["policies"][0]["drain_s"];
    assert!(shown["mean"].is_null(), "{shown}");
    assert_eq!(shown["n"], 40);
    assert_eq!(shown["censored"], u64::from(drained.censored));
    assert_eq!(shown["p50"].as_f64(), drained.p50);
    assert!((drained.p50.unwrap() - mean.mean).abs() < 2.0, "{drained:?}, mean {}", mean.mean);
    let mut rows = Vec::new();
    csv::summary(&short, &mut rows).unwrap();
    let rows = String::from_utf8(rows).unwrap();
    assert!(rows.contains(&format!("drain_s.censored,{}", drained.censored)), "{rows}");
    // The row that every study has is there too, without a mean.
    assert!(rows.contains("whole,drain_s,,,,40\n"), "{rows}");
}

#[test]
fn a_claim_about_the_mean_of_such_a_time_is_not_met_by_the_fast_runs() {
    let expect = "[[expect]]\nmetric = \"drain_s\"\nmax = \"30s\"\n";
    let answer = |horizon: &str| {
        let text = burst(horizon, expect);
        let loaded = read_text("t.toml", &text, Path::new("."), &Options::default()).unwrap();
        let study = study(&loaded.scenario);
        check(&loaded.scenario.expects, &study)[0].answer
    };
    assert_eq!(answer("60s"), Answer::Met);
    assert_eq!(answer("12s"), Answer::NotMet);
    assert_eq!(answer("3s"), Answer::NotMet);
}

/// A service that retries keep down in every run, or in some.
fn stuck(load: &str) -> StudyResult {
    played(&format!(
        "seed = 3\nreps = 12\nhorizon = \"4m\"\n[[clients]]\nname = \"web\"\ncount = 400\n\
         load = {{ poisson = \"{load}/s\" }}\ntimeout = \"2s\"\n\
         retry = {{ max_attempts = 4, backoff = {{ constant = \"500ms\" }} }}\n[server]\n\
         workers = 10\nservice_time = {{ exponential = \"100ms\" }}\nqueue = {{ capacity = 400 }}\n\
         [[faults]]\nkind = \"outage\"\nmode = \"pause\"\nat = \"30s\"\nfor = \"10s\"\n"
    ))
}

#[test]
fn a_policy_that_never_recovers_is_shown_as_not_within_with_an_interval_for_the_share() {
    let study = stuck("0.2");
    let policy = &study.policies[0];
    let time = policy.recovery.unwrap();
    assert_eq!((time.p50, time.censored, time.n), (None, 12, 12));
    let table = table::text(&study);
    // Wilson: 0 of 12 is 0 to 24 %.
    for part in [">", "0 of 12", "0…24 %"] {
        assert!(table.contains(part), "{table}");
    }
    let verdict = &policy.verdict;
    assert!(verdict.text.contains("not back to normal within"), "{verdict:?}");
    assert_eq!(verdict.evidence[0], "0 of 12 runs recover (95 % interval 0 % to 24 %)");
    assert_eq!(policy.overall.get(Metric::RecoveryS), None);
}
