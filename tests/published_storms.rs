//! Published storms: a queue that never drains, reconnection peaks, retries from hop to hop.
mod common;

use common::scenario;
use herdsim::metrics::{Record, Recorder};
use herdsim::rng::Seed;
use herdsim::sim;
use herdsim::time::SimTime;

/// When attempts were sent, by their number within the call.
#[derive(Default)]
struct Sent {
    times: Vec<Vec<u64>>,
}

impl Recorder for Sent {
    fn record(&mut self, now: SimTime, record: Record) {
        if let Record::AttemptSent { number, .. } = record {
            let round = number as usize - 1;
            self.times.resize(self.times.len().max(round + 1), Vec::new());
            self.times[round].push(now.as_nanos());
        }
    }
}

fn peak(times: &[u64], width: u64) -> usize {
    let mut first = 0;
    let mut most = 0;
    for (last, time) in times.iter().enumerate() {
        while times[first] + width <= *time {
            first += 1;
        }
        most = most.max(last + 1 - first);
    }
    most
}

#[test]
fn print_peaks() {
    for jitter in ["none", "equal", "full", "{ proportional = \"50%\" }"] {
        let j = if jitter.starts_with('{') { jitter.to_string() } else { format!("\"{jitter}\"") };
        let text = format!(
            "seed = 1\nhorizon = \"120s\"\nbin = \"1s\"\n\
            [[clients]]\nname = \"c\"\ncount = 500\nload = {{ burst = \"0s\" }}\ntimeout = \"none\"\n\
            retry = {{ max_retries = 6, backoff = {{ exponential = {{ base = \"1s\" }} }}, jitter = {j} }}\n\
            [server]\nworkers = 1\nservice_time = \"0s\"\n\
            [[faults]]\nkind = \"outage\"\nat = \"0s\"\nfor = \"120s\"\n"
        );
        let s = scenario(&text);
        let case = &s.policies[0];
        let mut sums = vec![0.0; 7];
        let mut all = vec![0.0; 1];
        for seed in 0..100 {
            let t = sim::play(&case.model, &[], Seed::new(seed), Sent::default()).0.times;
            for (k, times) in t.iter().enumerate() {
                sums[k] += peak(times, 100_000_000) as f64 / 100.0;
            }
            let mut m: Vec<u64> = t[1..].concat();
            m.sort();
            all[0] += peak(&m, 100_000_000) as f64 / 100.0;
        }
        println!("{jitter} {sums:.1?} {all:?}");
    }
}
