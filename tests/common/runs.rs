//! Replications of one system, and intervals that must hold what is known exactly.

use super::scenario;
use herdsim::metrics::{Metric, RunResult};
use herdsim::rng::Seed;
use herdsim::sim::simulate;
use herdsim::stats::{mean_interval, t_quantile};

/// Intervals that a file looks at, at most: together they hold with 99.9 %.
const CHECKS: f64 = 130.0;

/// Independent replications of one system.
pub struct Runs {
    pub name: &'static str,
    pub runs: Vec<RunResult>,
}

/// A system with calls at `load`, as often as it says.
pub fn runs(name: &'static str, n: u64, horizon: &str, load: &str, rest: &str) -> Runs {
    let clients = if load.contains("closed") { 20 } else { 1 };
    // A seed for every system, so that they are independent.
    let seed = name.bytes().fold(2024u64, |seed, byte| seed * 31 % 1_000_003 + u64::from(byte));
    system(
        name,
        n,
        &format!(
            "seed = {seed}\nhorizon = \"{horizon}\"\nwarmup = \"400s\"\nbin = \"100s\"\n\
             [[clients]]\nname = \"c\"\ncount = {clients}\nload = {{ {load} }}\n{rest}"
        ),
    )
}

pub fn system(name: &'static str, n: u64, text: &str) -> Runs {
    let scenario = scenario(text);
    let seed = Seed::new(scenario.seed);
    let one = |i| simulate(&scenario.policies[0], seed.replication(i), false);
    Runs { name, runs: (0..n).map(one).collect() }
}

/// A service called without limit to patience.
pub fn server(keys: &str) -> String {
    format!("timeout = \"none\"\nretry = \"none\"\n[server]\n{keys}\n")
}

impl Runs {
    /// The interval of a number found in every run holds `exact`, and is no wider than `within`.
    pub fn agree(&self, what: &str, exact: f64, within: f64, find: impl Fn(&RunResult) -> f64) {
        let values: Vec<f64> = self.runs.iter().map(find).collect();
        let interval = mean_interval(&values).unwrap();
        let df = values.len() as u64 - 1;
        let wider = t_quantile(df, 1.0 - 0.001 / CHECKS) / t_quantile(df, 0.95);
        let half = (interval.hi - interval.mean) * wider;
        let name = self.name;
        let off = interval.mean - exact;
        println!("{name}: {what} {} not {exact}: {off:+.5} of ± {half:.5}", interval.mean);
        assert!(off.abs() <= half, "{name}: {what} is {} ± {half}, not {exact}", interval.mean);
        assert!(half <= within * exact, "{name}: {what}: ± {half} says too little of {exact}");
    }

    pub fn metric(&self, metric: Metric, exact: f64, within: f64) {
        self.agree(metric.name(), exact, within, |run| of_service(run, metric));
    }

    pub fn whole(&self, metric: Metric, exact: f64, within: f64) {
        self.agree(metric.name(), exact, within, |run| run.overall.get(metric).unwrap());
    }

    /// The share of attempts that are refused.
    pub fn refused(&self, exact: f64, within: f64) {
        self.agree("refused", exact, within, |run| {
            of_service(run, Metric::Rejected) / of_service(run, Metric::Attempts)
        });
    }
}

pub fn of_service(run: &RunResult, metric: Metric) -> f64 {
    run.services[0].1.get(metric).unwrap_or_else(|| panic!("no {metric}"))
}

/// The share of calls that find all of `c` servers busy: Erlang's first formula.
pub fn erlang_b(c: u32, a: f64) -> f64 {
    (1..=c).fold(1.0, |b, k| a * b / (f64::from(k) + a * b))
}

/// The share of calls that wait: Erlang's second formula.
pub fn erlang_c(c: u32, a: f64) -> f64 {
    let b = erlang_b(c, a);
    b / (1.0 - a / f64::from(c) * (1.0 - b))
}

/// Stationary probabilities of a birth-death chain on 0 … n.
pub fn chain(n: u32, up: impl Fn(u32) -> f64, down: impl Fn(u32) -> f64) -> Vec<f64> {
    let mut p = vec![1.0];
    for k in 0..n {
        p.push(p[k as usize] * up(k) / down(k + 1));
    }
    let sum: f64 = p.iter().sum();
    p.iter().map(|x| x / sum).collect()
}

/// Mean of a function of the state.
pub fn mean(p: &[f64], of: impl Fn(u32) -> f64) -> f64 {
    p.iter().zip(0..).map(|(p, k)| p * of(k)).sum()
}

pub fn close(found: f64, known: f64) {
    assert!((found / known - 1.0).abs() < 1e-9, "{found} is not {known}");
}
