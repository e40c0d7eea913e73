//! Whether the results keep what the scenario claims.

use super::result::{Estimate, Estimates, PolicyResult, StudyResult};
use crate::metrics::Metric;
use crate::scenario::{Expect, Part, Subject};

/// The answer to one claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The whole interval keeps the bounds.
    Met,
    /// The whole interval lies outside the bounds, or there is no such number.
    NotMet,
    /// The interval straddles a bound.
    Undecided,
}

/// A claim with its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The claim in words.
    pub summary: String,
    /// The answer.
    pub answer: Answer,
    /// The number found, in words.
    pub found: String,
}

/// Answers every claim of a scenario.
pub fn check(expects: &[Expect], study: &StudyResult) -> Vec<Claim> {
    let answer = |expect: &Expect| {
        let range = range(expect, &study.policies[expect.policy], study.reps);
        let (answer, found) = match range {
            None => (Answer::NotMet, "no such number".to_string()),
            Some((lo, hi)) if lo == hi => (judge(expect, lo, hi), number(lo)),
            Some((lo, hi)) => (judge(expect, lo, hi), format!("{} … {}", number(lo), number(hi))),
        };
        Claim { summary: expect.summary.clone(), answer, found }
    };
    expects.iter().map(answer).collect()
}

/// A number with at most four significant digits after the point.
fn number(value: f64) -> String {
    if !value.is_finite() {
        return "never".to_string();
    }
    let digits = match value.abs() {
        v if v >= 1000.0 => 1,
        v if v >= 1.0 => 3,
        _ => 6,
    };
    let text = format!("{value:.digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn judge(expect: &Expect, lo: f64, hi: f64) -> Answer {
    let min = expect.min.unwrap_or(f64::NEG_INFINITY);
    let max = expect.max.unwrap_or(f64::INFINITY);
    if lo >= min && hi <= max {
        Answer::Met
    } else if hi < min || lo > max {
        Answer::NotMet
    } else {
        Answer::Undecided
    }
}

/// The 95 % interval of what a claim is about; the upper end of a time that is not known because
/// too few runs recovered is infinite.
fn range(expect: &Expect, policy: &PolicyResult, reps: u32) -> Option<(f64, f64)> {
    let estimates: &Estimates = match expect.part {
        Part::Whole => &policy.overall,
        Part::Clients(index) => &policy.clients[index].1,
        Part::Service(index) => &policy.services[index].1,
    };
    match expect.subject {
        Subject::Mean(metric) => {
            let unseen = policy.censored.iter().find(|(other, _)| *other == metric);
            match unseen.filter(|_| expect.part == Part::Whole) {
                // A time that some runs did not live to see has no mean that a bound could hold,
                // and those that did see it may have done so at any time.
                Some((_, time)) if expect.max.is_none() && time.censored < time.n => {
                    Some((0.0, f64::INFINITY))
                }
                Some(_) => Some((f64::INFINITY, f64::INFINITY)),
                None => mean(metric, estimates, reps),
            }
        }
        Subject::Recovered => policy.recovered.map(|p| {
            let share = f64::from(p.k) / f64::from(p.n);
            if p.n == 1 { (share, share) } else { (p.lo, p.hi) }
        }),
        Subject::RecoveryP50 => policy.recovery.map(|recovery| {
            let never = f64::INFINITY;
            let lo = recovery.lo.or(recovery.p50).unwrap_or(never);
            // Few replications do not determine the upper end: their slowest stands for it.
            (lo, recovery.hi.or(recovery.p95).unwrap_or(never))
        }),
        Subject::RecoveryP95 => policy.recovery.map(|recovery| {
            let p95 = recovery.p95.unwrap_or(f64::INFINITY);
            (p95, p95)
        }),
    }
}

/// The interval of a mean. Retries that are not in step have a synchronization of zero.
fn mean(metric: Metric, estimates: &Estimates, reps: u32) -> Option<(f64, f64)> {
    match (metric, estimates.get(metric)) {
        (Metric::SyncIndex, None) => Some((0.0, 0.0)),
        (Metric::SyncIndex, Some(Estimate { hi, n, .. })) if n < reps => Some((0.0, hi)),
        (_, estimate) => estimate.map(|Estimate { lo, hi, .. }| (lo, hi)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_most_ten() -> Expect {
        Expect {
            summary: String::new(),
            policy: 0,
            part: Part::Whole,
            subject: Subject::Recovered,
            min: None,
            max: Some(10.0),
        }
    }

    #[test]
    fn an_interval_that_straddles_the_bound_decides_nothing() {
        let expect = at_most_ten();
        assert_eq!(judge(&expect, 8.0, 9.0), Answer::Met);
        assert_eq!(judge(&expect, 9.0, 11.0), Answer::Undecided);
        assert_eq!(judge(&expect, 11.0, f64::INFINITY), Answer::NotMet);
    }
}
