//! The definition of recovery, tried on runs whose recovery is known.

mod common;

use common::scenario;
use herdsim::metrics::{Recovery, RunResult};
use herdsim::rng::Seed;
use herdsim::sim::simulate;

/// 40 calls per second for five workers that can serve 50, hurt from 60 s to 70 s.
fn text(load: &str, retry: &str, server: &str, fault: &str) -> String {
    format!(
        "seed = 1\nhorizon = \"300s\"\n[[clients]]\nname = \"c\"\ncount = 400\nload = {load}\n\
         {retry}\n[server]\nworkers = 5\nservice_time = {{ exponential = \"100ms\" }}\n{server}\n\
         [[faults]]\nat = \"60s\"\nfor = \"10s\"\n{fault}\n"
    )
}

const OPEN: &str = "{ poisson = \"0.1/s\" }";
const PATIENT: &str = "timeout = \"none\"\nretry = \"none\"";
const PAUSE: &str = "kind = \"outage\"\nmode = \"pause\"";

/// One run for every seed.
fn runs(text: &str, seeds: std::ops::Range<u64>) -> Vec<RunResult> {
    let scenario = scenario(text);
    seeds.map(|seed| simulate(&scenario.policies[0], Seed::new(seed), false)).collect()
}

/// Seconds to recovery; `None` when there is none.
fn seconds(run: &RunResult) -> Option<f64> {
    match run.recovery {
        Recovery::After(took) => Some(took.as_secs_f64()),
        Recovery::NotAsked | Recovery::NotWithin(_) => None,
    }
}

/// The share of runs that do not count as recovered at once, though nothing was wrong.
fn false_alarms(load: &str, fault: &str) -> f64 {
    let runs = runs(&text(load, PATIENT, "", fault), 0..60);
    let alarms = runs.iter().filter(|run| seconds(run) != Some(0.0)).count();
    alarms as f64 / 60.0
}

#[test]
fn a_healthy_run_is_recovered_from_the_start() {
    let closed = "{ closed = { think = { exponential = \"10s\" } } }";
    for load in [OPEN, closed, "{ periodic = \"10s\" }"] {
        let errors = false_alarms(load, "kind = \"errors\"\nshare = \"0%\"");
        let brownout = false_alarms(load, "kind = \"brownout\"\nslowdown = 1");
        println!("{load}: false alarms {errors}, {brownout}");
        assert_eq!(errors, brownout, "faults that do nothing are alike");
        assert!(errors <= 0.05, "{load}: {errors} of healthy runs are not recovered at once");
    }
}

#[test]
fn a_pause_takes_as_long_to_drain_as_a_fluid() {
    // λ T calls wait at the end; the service gains c μ − λ on them per second, and is back when
    // as few wait as the twin has waiting 99 % of the time: 17 = ln(C / 0.01) / ln(1 / ρ) − 1.
    let took: Vec<f64> = runs(&text(OPEN, PATIENT, "", PAUSE), 0..60)
        .iter()
        .map(|run| seconds(run).expect("it recovers"))
        .collect();
    let mean = took.iter().sum::<f64>() / took.len() as f64;
    let fluid = (40.0 * 10.0 - 17.0) / (50.0 - 40.0);
    println!("mean {mean}, fluid {fluid}");
    // The standard deviation of one run is √(2 μ λ T / (μ − λ)³) = 6.3 s, of the mean 0.82 s.
    assert!((mean - fluid).abs() < 4.0 * 0.82, "{mean} s, not {fluid} s");
}

#[test]
fn a_restart_of_known_length_is_a_recovery_of_that_length() {
    // The queue of a pause fells the service, which is down for 30 s, and nobody retries.
    let crash = "crash = { when = \"queue > 200\", restart = \"30s\" }";
    for run in runs(&text(OPEN, PATIENT, crash, PAUSE), 0..20) {
        let (fell, _) = run.crashes[0];
        let up = fell.as_secs_f64() + 30.0 - 70.0;
        let took = seconds(&run).expect("it recovers");
        // A window of 10 s may miss 5 % of its calls: half a second, more or less by chance.
        assert!((-0.9..=0.9).contains(&(took - up)), "{took} s, not {up} s");
    }
}

/// The share of windows of `width` bins from bin `from` on in which one run succeeds with 5 %
/// less than another.
fn missed(own: &[u32], twin: &[u32], width: usize, from: usize) -> f64 {
    let sum = |series: &[u32], s: usize| f64::from(series[s..s + width].iter().sum::<u32>());
    let windows = from..own.len() - width;
    let miss = windows.clone().filter(|s| sum(own, *s) < 0.95 * sum(twin, *s)).count();
    miss as f64 / windows.len() as f64
}

/// The share of windows of 9 s and of 90 s that miss long after the fault: against the twin, and
/// against a healthy run of another seed.
fn noise(load: &str, retry: &str) -> [(f64, f64); 2] {
    let fault = "kind = \"outage\"";
    let hurt = runs(&text(load, retry, "", fault), 0..24);
    let nothing = "kind = \"errors\"\nshare = 0";
    let healthy = runs(&text(load, retry, "", nothing), 0..24);
    let share = |width: usize, shift: usize| {
        let pair = |i: usize| {
            let twin = &healthy[(i + shift) % 24].timeline.succeeded;
            missed(&hurt[i].timeline.succeeded, twin, width, 1_500)
        };
        (0..24).map(pair).sum::<f64>() / 24.0
    };
    [90, 900].map(|width| (share(width, 0), share(width, 1)))
}

#[test]
fn common_random_numbers_take_the_noise_out_of_windows() {
    let retry = "timeout = \"2s\"\nretry = { max_attempts = 5, jitter = \"full\", \
                 backoff = { exponential = { base = \"100ms\" } } }";
    // Windows that `SHARED_NOISE` allows, and those that unshared noise would call for.
    let open = noise(OPEN, retry);
    let closed = noise("{ closed = { think = { exponential = \"10s\" } } }", retry);
    for (load, [short, long]) in [("open", open), ("closed", closed)] {
        println!("{load}: 9 s windows miss {short:?} (twin, other seed), 90 s {long:?}");
        assert!(short.1 > 0.15, "{load}: other seeds miss one window in four");
        assert!(long.1 < 0.05, "{load}: long windows hardly miss");
    }
    assert_eq!(open[0].0, 0.0, "calls that do not wait for answers are the twin's own");
    assert!(closed[0].0 < 0.03, "clients that do are late, each by a little");
}

#[test]
fn a_closed_loop_recovers_though_its_calls_are_no_longer_those_of_the_twin() {
    let retry = "timeout = \"none\"\nretry = { max_attempts = \"unlimited\", jitter = \"full\", \
                 backoff = { exponential = { base = \"100ms\" } }, cap = \"10s\" }";
    let load = "{ closed = { think = { exponential = \"10s\" } } }";
    let text = text(load, retry, "", "kind = \"outage\"")
        .replace("300s", "600s")
        .replace("\"10s\"\nkind", "\"60s\"\nkind");
    let mut took: Vec<f64> =
        runs(&text, 0..20).iter().map(|run| seconds(run).unwrap_or(f64::INFINITY)).collect();
    took.sort_by(f64::total_cmp);
    // The last waits begin 10 s before the end of the outage at most; the queue drains meanwhile.
    assert!((10.0..20.0).contains(&took[10]), "{took:?}");
    assert!(took[18] < 30.0, "{took:?}");
}
