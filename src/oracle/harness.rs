//! Simulates a model until its number is known well enough, and says whether it is the exact one.

use std::path::Path;

use super::experiment::{Experiment, Reading, experiment};
use super::params::Params;
use super::watch::Watched;
use crate::rng::Seed;
use crate::scenario::{Options, PolicyCase, Scenario, read_text};
use crate::sim::{play, simulate};
use crate::stats::{mean_interval, t_quantile};
use crate::study::in_parallel;

/// A number that theory knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The model, such as `M/M/c/K`.
    pub model: String,
    /// Its parameters.
    pub params: Params,
    /// What the number is.
    pub metric: String,
    /// The exact value.
    pub value: f64,
}

/// How much is simulated, and what counts as agreement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Seed of the first replication; the others are drawn from it.
    pub seed: u64,
    /// The level of the interval that must hold the exact value (0 … 1), such as 0.999 after
    /// Bonferroni: 1 − 0.001 / rows.
    pub level: f64,
    /// The half-width of that interval (≥ 0) at which it says enough, in the unit of the value.
    pub within: f64,
    /// Replications at first (≥ 2); they are doubled until the interval says enough.
    pub first: u64,
    /// Replications at most.
    pub most: u64,
    /// Threads (≥ 1); `None` for one per core. What is found does not depend on it.
    pub jobs: Option<usize>,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// Mean over the replications.
    pub mean: f64,
    /// Half-width of the interval at the level of the effort.
    pub half: f64,
    /// Replications.
    pub n: u64,
    /// The distance of the exact value from the mean, in standard errors; 0 where both are equal.
    pub t: f64,
    /// What it says.
    pub answer: Answer,
}

/// Whether the simulator gives the exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The interval holds the exact value and says enough.
    Agrees,
    /// The interval does not hold it.
    Differs,
    /// The interval holds it, but is too wide to mean much: the replications ran out.
    TooWide,
}

/// Simulates the model of a row; `None` where there is no experiment for it.
///
/// # Errors
/// When the threads cannot be started.
pub fn examine(row: &Row, effort: &Effort) -> Result<Option<Found>, String> {
    let Some(experiment) = experiment(&row.model, &row.params, &row.metric) else {
        return Ok(None);
    };
    let scenario = scenario(&experiment);
    let case = &scenario.policies[0];
    let mut values = Vec::new();
    let mut wanted = effort.first.max(2);
    loop {
        let more = values.len() as u64..wanted;
        let one = |n| replicate(&experiment, case, Seed::new(effort.seed).replication(n));
        values.extend(in_parallel(more, effort.jobs, one)?);
        let found = judge(&values, row.value, effort);
        if found.answer != Answer::TooWide || wanted >= effort.most {
            return Ok(Some(found));
        }
        wanted = (wanted * 2).min(effort.most);
    }
}

/// The scenario of an experiment.
fn scenario(experiment: &Experiment) -> Scenario {
    let text = format!("seed = 1\n{}", experiment.scenario);
    match read_text("oracle.toml", &text, Path::new("."), &Options::default()) {
        Ok(loaded) => loaded.scenario,
        Err(error) => panic!("an oracle's scenario is refused: {}\n{text}", error.render(false)),
    }
}

/// How often a run that was too short for its watch is repeated, four times as long.
const LONGER: u32 = 8;

/// The number of one replication.
fn replicate(experiment: &Experiment, case: &PolicyCase, seed: Seed) -> f64 {
    let watch = match &experiment.reading {
        Reading::Result(read) => return read(&simulate(case, seed, false)),
        Reading::Watch(watch) => watch,
    };
    let mut model = case.model.clone();
    for _ in 0..LONGER {
        let (watched, ..) = play(&model, &case.actions, seed, Watched(watch()));
        if let Some(value) = watched.0.value() {
            return value;
        }
        let longer = model.horizon.as_nanos().saturating_mul(4);
        model.horizon = crate::time::SimTime::from_nanos(longer);
    }
    panic!("{:?} was not enough to see what is sought", model.horizon)
}

/// What the values say of `exact`.
fn judge(values: &[f64], exact: f64, effort: &Effort) -> Found {
    let n = values.len();
    let interval = mean_interval(values).expect("there are values");
    let df = n as u64 - 1;
    let error = (interval.hi - interval.mean) / t_quantile(df, 0.95);
    let half = t_quantile(df, effort.level) * error;
    let off = (interval.mean - exact).abs();
    let t = if off == 0.0 { 0.0 } else { off / error };
    // Constant values must be exact but for the rounding of their units.
    let rounding = 1e-9 * exact.abs();
    let holds = off <= half + rounding;
    let narrow = half <= effort.within;
    // Written so that what is not a number never agrees.
    let answer = match (holds, narrow) {
        (true, true) => Answer::Agrees,
        (true, false) => Answer::TooWide,
        (false, _) => Answer::Differs,
    };
    Found { mean: interval.mean, half, n: n as u64, t, answer }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effort() -> Effort {
        Effort { seed: 1, level: 0.999, within: 0.5, first: 10, most: 20, jobs: None }
    }

    #[test]
    fn an_interval_that_is_too_wide_does_not_agree() {
        let judged = |values: &[f64], exact| judge(values, exact, &effort()).answer;
        assert_eq!(judged(&[9.0, 11.0, 10.0, 10.0], 10.0), Answer::TooWide);
        assert_eq!(judged(&[9.99, 10.01, 10.0, 10.0], 10.0), Answer::Agrees);
        assert_eq!(judged(&[9.99, 10.01, 10.0, 10.0], 10.2), Answer::Differs);
        assert_eq!(judged(&[3.0; 5], 3.0), Answer::Agrees);
        assert_eq!(judged(&[3.0; 5], 3.001), Answer::Differs);
        assert_eq!(judged(&[3.0, f64::NAN, 3.0], 3.0), Answer::Differs);
        assert_eq!(judged(&[3.0, 3.0, 3.0], f64::NAN), Answer::Differs);
        assert_ne!(judged(&[3.0, f64::INFINITY], 3.0), Answer::Agrees);
        assert_ne!(judged(&[3.0, 3.1, 2.9], f64::INFINITY), Answer::Agrees);
    }
}
