//! Published storms: a queue that never drains, peaks of reconnection, a knee that is a matter of
//! luck.
//!
//! Not expressible yet: the queues that serve the last comer first of `queueingsimulator`, the
//! breakers and budgets of other simulators. Not enough is given to repeat the MongoDB storms of
//! Huang and others (OSDI 2022): they are of a real system whose capacity is not told.

mod common;

use std::path::Path;

use common::scenario;
use herdsim::metrics::{Metric, Record, Recorder};
use herdsim::rng::Seed;
use herdsim::scenario::{Options, read_text};
use herdsim::sim::{play, simulate};
use herdsim::stats::mean_interval;
use herdsim::time::SimTime;

/// When the spike of a storm is over, in seconds.
const SPIKE_ENDS: f64 = 125.0;

/// How a queue drains after its spike.
#[derive(Debug, Default)]
struct Drain {
    /// From the end of the spike until nobody is at the service.
    empty_s: Option<f64>,
    /// Calls that succeeded later than 15 s after the spike.
    late_successes: u64,
}

impl Recorder for Drain {
    fn record(&mut self, now: SimTime, record: Record) {
        let after = now.as_secs_f64() - SPIKE_ENDS;
        match record {
            Record::Level { in_system: 0, .. } if after > 0.0 => {
                self.empty_s.get_or_insert(after);
            }
            Record::CallEnded { failure: None, .. } if after > 15.0 => self.late_successes += 1,
            _ => {}
        }
    }
}

/// The storm of DesCartes: 9.3 calls per second for 10/s of capacity, a queue of 100, patience of
/// 4 s, and 5 s of three times the load; calls that find the queue full are not retried.
fn descartes(retries: u32, seeds: u64) -> Vec<Drain> {
    let load = "{ step = [{ at = \"0s\", rate = \"9.3/s\" }, { at = \"120s\", rate = \"30/s\" }, \
                { at = \"125s\", rate = \"9.3/s\" }] }";
    let scenario = scenario(&format!(
        "seed = 1\nhorizon = \"400s\"\nbin = \"1s\"\n\
         [[clients]]\nname = \"c\"\ncount = 1\nload = {load}\ntimeout = \"4s\"\n\
         retry = {{ max_retries = {retries}, backoff = {{ constant = \"0s\" }}, \
         retry_on = [\"timeout\"] }}\n\
         [server]\nworkers = 1\nservice_time = {{ exponential = \"100ms\" }}\n\
         queue = {{ capacity = 100 }}\n"
    ));
    let model = &scenario.policies[0].model;
    (0..seeds).map(|seed| play(model, &[], Seed::new(seed), Drain::default()).0).collect()
}

#[test]
fn with_three_retries_the_queue_of_descartes_never_drains() {
    // An independent program: none of 200 runs drains, and nobody is served any more.
    let runs = descartes(3, 200);
    assert!(runs.iter().all(|run| run.empty_s.is_none() && run.late_successes == 0));
}

#[test]
fn without_retries_the_queue_of_descartes_drains_in_two_minutes() {
    // An independent program: 196 of 200 runs drain by 400 s; after 64, 106 and 182 s a tenth,
    // half and nine tenths have. Shares of two samples of 200 differ by less than 3.29 errors.
    let runs = descartes(0, 200);
    for (by_s, share) in [(64.0, 0.1f64), (106.0, 0.5), (182.0, 0.9), (275.0, 0.98)] {
        let drained = runs.iter().filter(|run| run.empty_s.is_some_and(|s| s <= by_s)).count();
        let (found, allowed) =
            (drained as f64 / 200.0, 3.29 * (share * (1.0 - share) / 100.0).sqrt());
        assert!((found - share).abs() <= allowed, "by {by_s} s: {found}, not {share} ± {allowed}");
    }
}

/// When attempts were sent, by their number within the call.
#[derive(Default)]
struct Sent {
    rounds: Vec<Vec<u64>>,
}

impl Recorder for Sent {
    fn record(&mut self, now: SimTime, record: Record) {
        if let Record::AttemptSent { number, .. } = record {
            self.rounds.resize(self.rounds.len().max(number as usize), Vec::new());
            self.rounds[number as usize - 1].push(now.as_nanos());
        }
    }
}

/// The most attempts of a round in any window of 100 ms.
fn peak(times: &[u64]) -> usize {
    let within = |(first, time): (usize, &u64)| {
        times.partition_point(|other| *other < time + 100_000_000) - first
    };
    times.iter().enumerate().map(within).max().unwrap_or(0)
}

/// 500 agents that lose their server and try again after 1, 2, 4 … 32 times `base` with jitter:
/// the peaks of the six retries in each of `seeds` runs.
fn agents(base: &str, jitter: &str, seeds: u64) -> Vec<Vec<f64>> {
    let scenario = scenario(&format!(
        "seed = 1\nhorizon = \"200s\"\nbin = \"1s\"\n\
         [[clients]]\nname = \"c\"\ncount = 500\nload = {{ burst = \"0s\" }}\ntimeout = \"none\"\n\
         retry = {{ max_retries = 6, backoff = {{ exponential = {{ base = \"{base}\" }} }}, \
         jitter = \"{jitter}\" }}\n\
         [server]\nworkers = 1\nservice_time = \"0s\"\n\
         [[faults]]\nkind = \"outage\"\nat = \"0s\"\nfor = \"200s\"\n"
    ));
    let model = &scenario.policies[0].model;
    let run = |seed| -> Vec<f64> {
        let rounds = play(model, &[], Seed::new(seed), Sent::default()).0.rounds;
        rounds[1..].iter().map(|times| peak(times) as f64).collect()
    };
    (0..seeds).map(run).collect()
}

/// Runs of the agents.
const RUNS: u64 = 2_000;

/// The mean peaks of 2,000 runs are those of an independent program over 8,000 runs, and those
/// published, which have a decimal and so are means of at least 10 runs (99.9 % each).
fn peaks(base: &str, jitter: &str, independent: [f64; 6], published: [f64; 6]) {
    let runs = agents(base, jitter, RUNS);
    for round in 0..6 {
        let values: Vec<f64> = runs.iter().map(|run| run[round]).collect();
        let interval = mean_interval(&values).unwrap();
        // 1.961 is the 97.5 % quantile of Student's t with 1,999 degrees of freedom.
        let spread = (interval.hi - interval.lo) / 2.0 / 1.961 * (RUNS as f64).sqrt();
        for (value, n, digit) in
            [(independent[round], 8_000.0, 0.01f64), (published[round], 10.0, 0.1)]
        {
            let allowed = 3.29 * spread * (1.0 / RUNS as f64 + 1.0f64 / n).sqrt() + digit / 2.0;
            let (what, found) = (format!("{jitter}, retry {}", round + 1), interval.mean);
            assert!((found - value).abs() <= allowed, "{what}: {found}, not {value} ± {allowed}");
        }
    }
}

#[test]
fn the_peaks_of_reconnecting_agents_fall_with_every_retry_only_with_jitter() {
    // The table of pull request 2609 of microsoft/retina. Its "added" jitter waits between once
    // and twice the wait: equal jitter of twice the base. Full jitter is as wide and peaks alike.
    peaks("1s", "none", [500.0; 6], [500.0; 6]);
    let equal = [118.89, 64.28, 36.79, 22.24, 14.24, 9.60];
    peaks("1s", "equal", equal, [119.2, 62.5, 36.1, 22.8, 13.6, 9.3]);
    let wide = [66.44, 37.19, 22.32, 14.22, 9.61, 6.85];
    for (base, jitter) in [("2s", "equal"), ("1s", "full")] {
        peaks(base, jitter, wide, [66.5, 37.1, 22.4, 14.7, 9.7, 6.8]);
    }
}

/// The distribution function of the sum of four exponential times of 10 ms (an Erlang, and so a
/// gamma, of mean 40 ms and coefficient of variation 0.5), inverted by bisection.
fn erlang(p: f64) -> f64 {
    let below = |x: f64| 1.0 - libm::exp(-x) * (1.0 + x * (1.0 + x / 2.0 * (1.0 + x / 3.0)));
    let (mut low, mut high) = (0.0, 60.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if below(middle) < p { low = middle } else { high = middle }
    }
    low * 0.010
}

/// The retry storm of breakscale: an API before a database of four workers; the share of calls
/// that fail in each of `seeds` runs of two minutes.
fn breakscale(rate: u32, seeds: u64) -> Vec<f64> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let quantiles = (0..4_000).map(|i| format!("{:.9}\n", erlang((f64::from(i) + 0.5) / 4_000.0)));
    let file = format!("erlang-{rate}.csv");
    std::fs::write(folder.join(&file), quantiles.collect::<String>()).unwrap();
    let text = format!(
        "seed = 1\nhorizon = \"120s\"\nbin = \"1s\"\n\
         [[clients]]\nname = \"c\"\ncount = 1\ntarget = \"api\"\n\
         load = {{ poisson = \"{rate}/s\" }}\ntimeout = \"3s\"\nretry = \"none\"\n\
         [[services]]\nname = \"api\"\nworkers = 32\nservice_time = \"5ms\"\n\
         queue = {{ capacity = 256 }}\n\
         [[services.calls]]\nto = \"db\"\ntimeout = \"250ms\"\n\
         retry = {{ max_retries = 2, backoff = {{ constant = \"0s\" }} }}\n\
         [[services]]\nname = \"db\"\nworkers = 4\nqueue = {{ capacity = 64 }}\n\
         service_time = {{ empirical = \"{file}\" }}\n"
    );
    let loaded = read_text("breakscale.toml", &text, folder, &Options::default());
    let scenario = loaded.unwrap_or_else(|error| panic!("{}", error.render(false))).scenario;
    let failed = |seed| {
        let run = simulate(&scenario.policies[0], Seed::new(seed), false).overall;
        run.get(Metric::Failed).unwrap() / run.get(Metric::Calls).unwrap()
    };
    (0..seeds).map(failed).collect()
}

/// A share of runs like that which four published runs all had: rarer than 1 in 100 otherwise.
fn four_of_four(what: &str, runs: &[f64], like: impl Fn(f64) -> bool) {
    let share = runs.iter().filter(|failed| like(**failed)).count() as f64 / runs.len() as f64;
    assert!(libm::pow(share, 4.0) >= 0.01, "{what}: only {share} of the runs");
}

#[test]
fn whether_the_storm_of_breakscale_breaks_out_is_a_matter_of_luck() {
    // Four seeds each: none fails at 80/s, 39 to 95 % at 85/s, 46 to 99 % at 90/s, at least
    // 96.9 % at 108/s.
    let [at_80, at_85, at_90, at_108] = [80, 85, 90, 108].map(|rate| breakscale(rate, 60));
    four_of_four("80/s", &at_80, |failed| failed == 0.0);
    four_of_four("85/s", &at_85, |failed| (0.39..=0.99).contains(&failed));
    four_of_four("90/s", &at_90, |failed| (0.46..=0.99).contains(&failed));
    four_of_four("108/s", &at_108, |failed| failed >= 0.969);
    // "Completely stable at 80/s" was four lucky seeds: some runs collapse there, and at 85/s
    // others pass untouched.
    assert!(at_80.iter().any(|failed| *failed > 0.5), "{at_80:?}");
    assert!(at_85.contains(&0.0), "{at_85:?}");
}
