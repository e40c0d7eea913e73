//! The suite that `herdsim verify` runs: which models, how often, and what counts as agreement.

use serde::Deserialize;

use super::exact;
use super::experiment::experiment;
use super::harness::{Effort, Found, Row, examine};
use super::params::Params;
use crate::rng::{Purpose, Seed, combine};

/// How sure all intervals of a suite together are: 99.9 %.
pub const TOGETHER: f64 = 0.999;
/// The half-width that says enough, relative to the exact value; of a share, to the smaller one
/// of what it is and what it leaves, for 95 % ± 5 % would say nothing about the 5 %.
const WITHIN: f64 = 0.1;
/// Replications at first, and at most; they double from look to look.
const FIRST: u64 = 30;
const MOST: u64 = 480;
/// Looks at a row, at most: 30, 60, … 480 replications.
const LOOKS: usize = 5;

/// The rows, one line each; their values come from the formulas.
const ROWS: &str = include_str!("suite.json");

/// A row of the suite as it is listed.
#[derive(Deserialize)]
struct Listed {
    model: String,
    params: Params,
    metric: String,
}

/// The rows of the suite with their exact values.
///
/// # Panics
/// When the list that is built in has a row without a formula or an experiment.
pub fn suite() -> Vec<Row> {
    let listed: Vec<Listed> = serde_json::from_str(ROWS).expect("the list is built in");
    listed.into_iter().map(known).collect()
}

fn known(Listed { model, params, metric }: Listed) -> Row {
    assert!(experiment(&model, &params, &metric).is_some(), "no experiment: {metric} of {model}");
    let value = exact::value(&model, &params, &metric);
    let value = value.unwrap_or_else(|| panic!("no formula: {metric} of {model}, {params}"));
    assert!(value.is_finite(), "{metric} of {model}, {params} is {value}");
    Row { model, params, metric, value }
}

impl Row {
    /// Whether the value is a share of a whole.
    fn is_share(&self) -> bool {
        let words = ["P(", "fraction", "blocking", "congestion", "utilisation"];
        (0.0..=1.0).contains(&self.value) && words.iter().any(|word| self.metric.contains(word))
    }

    /// The half-width that says enough.
    fn within(&self) -> f64 {
        let size = self.value.abs();
        WITHIN * if self.is_share() { size.min(1.0 - size) } else { size }
    }

    /// Simulates it as one of `rows` on so many threads (`None` for one per core), whose intervals
    /// hold together with 99.9 % at least (Bonferroni). Every row has a seed of
    /// its own, so that rows are independent. `None` where there is no experiment.
    ///
    /// # Errors
    /// When the threads cannot be started.
    pub fn examine(
        &self,
        seed: u64,
        rows: usize,
        jobs: Option<usize>,
    ) -> Result<Option<Found>, String> {
        let effort = Effort {
            seed: self.seed(seed),
            level: level(rows),
            within: self.within(),
            first: FIRST,
            most: MOST,
            jobs,
        };
        examine(self, &effort)
    }

    /// The seed of this row in a suite of that seed.
    fn seed(&self, seed: u64) -> u64 {
        let name = format!("{} {} {}", self.model, self.params, self.metric);
        let key = name.bytes().fold(0, |key, byte| combine(key, u64::from(byte)));
        Seed::new(seed).stream(Purpose::Replication, key, 0).draw()
    }
}

/// The level of one interval of a suite of so many rows, each of which may be looked at several
/// times.
pub fn level(rows: usize) -> f64 {
    1.0 - (1.0 - TOGETHER) / (LOOKS * rows.max(1)) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_measured_by_what_it_leaves() {
        let row = |metric: &str, value| Row {
            model: String::new(),
            params: Params::default(),
            metric: metric.to_string(),
            value,
        };
        assert!((row("E[fraction admitted]", 0.95).within() - 0.005).abs() < 1e-12);
        assert!((row("P(loss)", 0.2).within() - 0.02).abs() < 1e-12);
        assert!((row("L", 0.95).within() - 0.095).abs() < 1e-12);
    }

    #[test]
    fn so_many_looks_are_what_doubling_leads_to() {
        let looks = (0..).take_while(|k| FIRST << k <= MOST).count();
        assert_eq!(looks, LOOKS);
    }
}
