//! `--until` runs as many replications as it takes, and says so when the most are not enough.

mod cli_support;

use cli_support::{Ended, Folder, ended};

/// A burst to one worker of memoryless work: the drain takes 30 s, give or take.
const BURST: &str = "seed = 3\nhorizon = \"5m\"\n[[clients]]\nname = \"c\"\ncount = 30\n\
    load = { burst = \"0s\" }\ntimeout = \"none\"\nretry = \"none\"\n[server]\nworkers = 1\n\
    service_time = { exponential = \"1s\" }\n";

fn run(folder: &Folder, args: &[&str]) -> Ended {
    let fixed = ["run", "burst.toml", "--no-charts", "--format", "json", "--force"];
    ended(&mut folder.herdsim(&[&fixed, args].concat()))
}

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("burst.toml", BURST);
    folder
}

#[test]
fn a_mean_that_is_known_well_enough_has_the_results_of_that_many_replications() {
    let folder = folder("until-reached");
    let done = run(&folder, &["--until", "drain_s=5%"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.err.contains("drain_s is known to ±"), "{}", done.err);
    let summary: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    let drain = &summary["policies"][0]["drain_s"];
    let part = |key: &str| drain[key].as_f64().unwrap();
    // Law's rule: the half-width is at most γ / (1 + γ) of the mean.
    let relative = (part("hi") - part("lo")) / 2.0 / part("mean");
    assert!(relative <= 0.05 / 1.05, "{drain}");
    let n = drain["n"].as_u64().unwrap();
    assert!(n > 20 && n < 1000, "{n}: the spread is 18 % of the mean");
    let again = run(&folder, &["--reps", &n.to_string()]);
    assert_eq!(again.out, done.out);
}

#[test]
fn what_the_most_replications_do_not_reach_is_said() {
    let folder = folder("until-not-reached");
    let done = run(&folder, &["--until", "drain_s=0.5%", "--reps", "15"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.err.contains("drain_s: NOT REACHED, ±"), "{}", done.err);
    assert!(done.err.contains("after 15 replications"), "{}", done.err);
}

#[test]
fn a_wish_that_makes_no_sense_is_refused_before_anything_is_run() {
    let folder = folder("until-bad");
    for (wish, reason) in [
        ("drain_s", "there is no \"=\""),
        ("drain_s=0%", "no width"),
        ("drain_s=often", "help: for example"),
        ("drian_s=5%", "did you mean \"drain_s\"?"),
        ("recovery_s=5%", "no mean"),
        ("quota_end=5%", "quota_end has no mean under \"as written\""),
    ] {
        let done = run(&folder, &["--until", wish]);
        assert_eq!(done.code, Some(2), "{wish}: {done:?}");
        assert!(done.err.contains(reason), "{wish}: {}", done.err);
    }
    let done = run(&folder, &["--until", "drain_s=5%", "--reps", "1"]);
    assert_eq!(done.code, Some(2), "{done:?}");
}
