//! Intervals of 95 % hold the truth in 95 % of all cases: a test of the intervals themselves.

mod common;

use common::{scenario, study};
use herdsim::metrics::Metric;

/// The mean number at M/M/1/1 with calls and work of one per second, with its interval from ten
/// replications.
fn interval(seed: u64) -> (f64, f64) {
    let text = format!(
        "seed = {seed}\nreps = 10\nhorizon = \"110s\"\nwarmup = \"10s\"\nbin = \"10s\"\n\
         [[clients]]\nname = \"c\"\ncount = 1\nload = {{ poisson = \"1/s\" }}\n\
         timeout = \"none\"\nretry = \"none\"\n[server]\nworkers = 1\n\
         service_time = {{ exponential = \"1s\" }}\nqueue = {{ capacity = 0 }}\n"
    );
    let policy = study(&scenario(&text)).policies.remove(0);
    let found = policy.services[0].1.get(Metric::InSystemMean).unwrap();
    (found.lo, found.hi)
}

#[test]
fn as_many_intervals_hold_the_truth_as_they_say() {
    // Such a server is busy half of the time. Of 1,000 intervals that hold the truth with 95 %
    // each, 926 to 971 hold it in 999 of 1,000 cases.
    let intervals: Vec<(f64, f64)> = (0..1_000).map(interval).collect();
    let held =
        |truth: f64| intervals.iter().filter(|(lo, hi)| *lo <= truth && truth <= *hi).count();
    println!("{} of 1,000 intervals hold the truth", held(0.5));
    assert!((926..=971).contains(&held(0.5)), "{} of 1,000 intervals hold the truth", held(0.5));
    // They are narrow enough to miss what is not the truth.
    assert!(held(0.55) < 700, "{} of 1,000 intervals hold what is wrong", held(0.55));
}
