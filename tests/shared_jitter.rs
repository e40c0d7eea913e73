//! `sharing.rng`: calls that share a generator wait exactly alike, and the herd stays a herd.

mod common;

use common::{mean, run};
use herdsim::metrics::Metric;

/// Peak of retries of a hundred clients, ten to a process, that fail together: load in 10 ms.
fn peak(rng: &str) -> f64 {
    let policy = run(&format!(
        "seed = 3\nhorizon = \"20s\"\n[measure]\npeak_width = \"10ms\"\n[[clients]]\nname = \"c\"\n\
         count = 100\nload = {{ burst = \"1s\" }}\ntimeout = \"none\"\n\
         sharing = {{ rng = \"{rng}\" }}\n\
         retry = {{ max_retries = 1, backoff = {{ constant = \"5s\" }}, jitter = \"full\" }}\n\
         [server]\nrate = \"1000/s\"\n[[faults]]\nkind = \"outage\"\n\
         mode = \"reject\"\nat = \"500ms\"\nfor = \"501ms\"\n"
    ));
    mean(&policy, Metric::PeakPerS)
}

#[test]
fn the_jitter_of_a_process_spreads_processes_and_not_its_requests() {
    // All draws lie in 5 s: a fleet with one generator comes back at one instant, ten processes at
    // ten instants, and calls of their own one by one.
    let bins = 100.0;
    assert_eq!(peak("fleet"), 100.0 * bins);
    assert!((10.0 * bins..=20.0 * bins).contains(&peak("process:10")), "{}", peak("process:10"));
    assert!(peak("call") <= 5.0 * bins, "{}", peak("call"));
}
