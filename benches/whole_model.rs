//! The whole model through an outage: clients that think, an overloaded service, full jitter, a
//! retry quota, all measures; in events per second. The twin without faults that recovery is
//! measured against is part of the work and of the count.
//!
//! `cargo bench --bench whole_model`

use std::path::Path;
use std::time::Instant;

use herdsim::rng::Seed;
use herdsim::scenario::{Options, Scenario, read_text};
use herdsim::sim::simulate;

/// A system of so many clients at 80 % load, down for an eighth of the time.
fn scenario(clients: u32, seconds: u32) -> Scenario {
    let workers = 100;
    let work_us = f64::from(workers) / (1.25 * f64::from(clients)) * 1e6;
    let text = format!(
        "seed = 1\nhorizon = \"{seconds}s\"\n\
         [[clients]]\nname = \"c\"\ncount = {clients}\n\
         load = {{ closed = {{ think = {{ exponential = \"1s\" }} }} }}\n\
         timeout = \"1s\"\n\
         [clients.retry]\nmax_attempts = 10\njitter = \"full\"\ncap = \"20s\"\n\
         backoff = {{ exponential = {{ base = \"100ms\" }} }}\nbudget = \"aws-quota\"\n\
         [server]\nworkers = {workers}\nservice_time = {{ exponential = \"{work_us:.0}us\" }}\n\
         network = \"500us\"\nqueue = {{ capacity = {clients} }}\n\
         [[faults]]\nkind = \"outage\"\nat = \"{}s\"\nfor = \"{}s\"\nrecover = \"ramp {}s\"\n",
        seconds / 4,
        seconds / 8,
        seconds / 12,
    );
    let loaded = read_text("bench.toml", &text, Path::new("."), &Options::default());
    loaded.unwrap_or_else(|error| panic!("{}", error.render(false))).scenario
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn main() {
    println!("{:>10}  {:>12}  {:>12}  {:>9}", "clients", "events", "events/s", "ns/event");
    for (clients, seconds) in [(1_000, 240), (10_000, 48), (100_000, 24), (1_000_000, 12)] {
        let scenario = scenario(clients, seconds);
        let start = Instant::now();
        let result = simulate(&scenario.policies[0], Seed::new(1), false);
        let took = start.elapsed().as_secs_f64();
        let rate = result.events as f64 / took;
        println!("{clients:>10}  {:>12}  {rate:>12.0}  {:>9.0}", result.events, 1e9 / rate);
    }
}
