//! The judgement on a policy, in plain words and with the numbers that it rests on.

use super::result::{PolicyResult, Proportion, Verdict};
use crate::fault::{Fault, Kind};
use crate::metrics::{Metric, Recovery};
use crate::scenario::Model;
use crate::time::{format_duration, from_secs};

/// A system whose calls succeed less often than this without any fault has no normal state.
const HEALTHY: f64 = 0.8;

/// The judgement on a policy that has been run.
pub fn verdict(model: &Model, result: &PolicyResult) -> Verdict {
    let (word, text) = match (unhealthy(model, result), result.recovered) {
        (Some(text), _) => ("overloaded", text),
        (None, None) => steady(result),
        (None, Some(Proportion { k, n, .. })) if k == n => recovers(model, result),
        (None, Some(Proportion { k: 0, .. })) => does_not_recover(model, result),
        (None, Some(proportion)) => undecided(model, result, proportion),
    };
    Verdict { word: word.to_string(), text, evidence: evidence(result) }
}

/// Why there is no normal state to come back to, if there is none.
fn unhealthy(model: &Model, result: &PolicyResult) -> Option<String> {
    let first = &result.first;
    if first.twin_crashes > 0 {
        let often = times(first.twin_crashes as f64);
        return Some(format!(
            "The service falls {often} even without the fault: there is no normal to return to."
        ));
    }
    if let Some(share) = first.twin_succeeded {
        let text = "of the calls succeed even without the fault: there is no normal to return to.";
        return (share < HEALTHY).then(|| format!("Only {} {text}", percent(share)));
    }
    if first.recovery != Recovery::NotAsked {
        return None;
    }
    let share = share(result, Metric::Succeeded).filter(|share| *share < HEALTHY)?;
    let cause = cause(model, result).unwrap_or_default();
    Some(format!("Only {} of the calls succeed by the end{cause}.", percent(share)))
}

/// Nothing to recover from: what share of the calls fails?
fn steady(result: &PolicyResult) -> (&'static str, String) {
    let failed = share(result, Metric::Failed);
    let text = match failed {
        Some(failed) if failed > 0.0 => format!("{} of the calls fail for good.", percent(failed)),
        _ => "No call fails for good.".to_string(),
    };
    ("steady", text)
}

fn recovers(model: &Model, result: &PolicyResult) -> (&'static str, String) {
    let took = result.recovery.and_then(|recovery| recovery.p50).unwrap_or(0.0);
    let since = since(model);
    let relapses = mean(result, Metric::Relapses).unwrap_or(0.0);
    let when = if took == 0.0 {
        format!("The service is back to normal as soon as {since}")
    } else {
        format!("The service is back to normal {} after {since}", seconds(took))
    };
    if relapses > 0.0 {
        let text = format!("{when}, having fallen again {} under the retries.", times(relapses));
        return ("relapses", text);
    }
    ("recovers", format!("{when}."))
}

fn does_not_recover(model: &Model, result: &PolicyResult) -> (&'static str, String) {
    let watched = match result.first.recovery {
        Recovery::NotWithin(watched) => watched,
        _ => model.horizon.saturating_since(model.trigger_end()),
    };
    let relapses = mean(result, Metric::Relapses).unwrap_or(0.0);
    let mut text = format!(
        "The service is not back to normal within {} after {}",
        seconds(watched.as_secs_f64()),
        since(model)
    );
    if relapses > 0.0 {
        text.push_str(&format!("; it falls again {}", times(relapses)));
    }
    text.push_str(&cause(model, result).unwrap_or_default());
    text.push('.');
    ("does not recover", text)
}

/// What keeps the service down, as a clause, if that can be told from the end of the run.
fn cause(model: &Model, result: &PolicyResult) -> Option<String> {
    let load = fresh_load(model, result)?;
    if load >= 1.0 {
        return Some(format!(": the calls alone are {} of its capacity", percent(load)));
    }
    retries_at_the_end(result).then(|| {
        let load = percent(load);
        format!(", although the calls alone are {load} of its capacity: the retries keep it down")
    })
}

/// Whether attempts well outnumber new calls in the last tenth of the run.
fn retries_at_the_end(result: &PolicyResult) -> bool {
    let timeline = &result.first.timeline;
    let Some(service) = timeline.services.iter().find(|s| s.name == result.peak_service) else {
        return false;
    };
    let bins = timeline.calls.len();
    let last = bins - bins.div_ceil(10)..bins;
    let attempts: u64 = last.clone().map(|bin| service.load(bin)).sum();
    let calls: u64 = timeline.calls[last].iter().map(|calls| u64::from(*calls)).sum();
    attempts as f64 > 1.1 * calls as f64 + 1.0
}

fn undecided(model: &Model, result: &PolicyResult, p: Proportion) -> (&'static str, String) {
    let (_, rest) = match result.recovery.and_then(|recovery| recovery.p50) {
        Some(_) => recovers(model, result),
        None => does_not_recover(model, result),
    };
    let text = format!(
        "It depends on chance: {} of {} runs recover (95 % interval {} to {}). In the middle \
         run: {}",
        p.k,
        p.n,
        percent(p.lo),
        percent(p.hi),
        lower_first(&rest)
    );
    ("undecided", text)
}

/// What the time is counted from, in words.
fn since(model: &Model) -> &'static str {
    let breaks = |fault: &Fault| matches!(fault.kind, Kind::Breakdowns { .. });
    match &model.faults[..] {
        [] => "the burst",
        faults if faults.iter().all(breaks) => "the breakdowns end",
        _ => "the fault ends",
    }
}

/// New calls after the fault over the capacity of the service under the spike.
///
/// Only where all calls go to that service: otherwise no such ratio has a meaning.
fn fresh_load(model: &Model, result: &PolicyResult) -> Option<f64> {
    let target = |group: &crate::scenario::Group| &model.services[group.caller.target].name;
    if model.groups.iter().any(|group| *target(group) != result.peak_service) {
        return None;
    }
    let timeline = &result.first.timeline;
    let service = timeline.services.iter().find(|s| s.name == result.peak_service)?;
    let capacity = service.capacity_per_s?;
    let first = (model.trigger_end().as_nanos() as u128 / timeline.bin.as_nanos()) as usize;
    let after = timeline.calls.get(first..)?;
    let calls: u64 = after.iter().map(|calls| u64::from(*calls)).sum();
    let span = after.len() as f64 * timeline.bin.as_secs_f64();
    (calls > 0).then(|| calls as f64 / span / capacity)
}

/// The numbers that the judgement rests on.
fn evidence(result: &PolicyResult) -> Vec<String> {
    let mut evidence = Vec::new();
    if let Some(share) = result.recovered.filter(|share| share.n > 1) {
        let Proportion { k, n, lo, hi } = share;
        let (lo, hi) = (percent(lo), percent(hi));
        evidence.push(format!("{k} of {n} runs recover (95 % interval {lo} to {hi})"));
    }
    if let Some(ratio) = mean(result, Metric::PeakOverCapacity) {
        evidence.push(format!("peak load {} of capacity", times_over(ratio)));
    }
    if let Some(relapses) = mean(result, Metric::Relapses).filter(|relapses| *relapses > 0.0) {
        evidence.push(format!("falls again {}", times(relapses)));
    }
    if let Some(ratio) = mean(result, Metric::AmplificationTotal) {
        evidence.push(format!("{ratio:.2} attempts per call"));
    }
    if let Some(open) = mean(result, Metric::Open).filter(|open| *open > 0.0) {
        evidence.push(format!("{} calls are open at the end", open.round()));
    }
    match share(result, Metric::Failed) {
        Some(0.0) => evidence.push("no call fails for good".to_string()),
        Some(failed) => evidence.push(format!("{} of the calls fail for good", percent(failed))),
        None => {}
    }
    if let Some(index) = mean(result, Metric::SyncIndex) {
        let period = mean(result, Metric::SyncPeriodS).unwrap_or(0.0);
        evidence.push(format!("retries in step: {index:.2} at a period of {}", seconds(period)));
    }
    if let Some(p99) = mean(result, Metric::LatencyP99Ms) {
        evidence.push(format!("p99 latency {}", seconds(p99 / 1e3)));
    }
    evidence
}

fn mean(result: &PolicyResult, metric: Metric) -> Option<f64> {
    result.overall.get(metric).map(|estimate| estimate.mean)
}

/// A measure as a share of the calls.
fn share(result: &PolicyResult, metric: Metric) -> Option<f64> {
    let calls = mean(result, Metric::Calls).filter(|calls| *calls > 0.0)?;
    mean(result, metric).map(|count| count / calls)
}

fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent == 0.0 || percent >= 9.95 {
        format!("{percent:.0} %")
    } else if percent >= 0.095 {
        format!("{percent:.1} %")
    } else {
        "less than 0.1 %".to_string()
    }
}

fn times(count: f64) -> String {
    match count {
        1.0 => "once".to_string(),
        2.0 => "twice".to_string(),
        count if count >= 9.95 => format!("{count:.0} times"),
        count => format!("{} times", short(count)),
    }
}

fn times_over(ratio: f64) -> String {
    if ratio >= 9.95 { format!("{ratio:.0}x") } else { format!("{}x", short(ratio)) }
}

/// Seconds as people say them: milliseconds, seconds with a tenth, minutes and seconds.
fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 59.95 => format!("{} s", short(s)),
        _ => format_duration(from_secs(seconds.round())),
    }
}

/// One digit after the point, none for whole numbers.
fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|c| c.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_said_as_people_say_them() {
        assert_eq!(seconds(0.0424), "42 ms");
        assert_eq!(seconds(19.52), "19.5 s");
        assert_eq!(seconds(1752.3), "29m12s");
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(0.0001), "less than 0.1 %");
        assert_eq!(percent(0.052), "5.2 %");
        assert_eq!(times(2.0), "twice");
        assert_eq!(times(2.5), "2.5 times");
        assert_eq!(times(51.0), "51 times");
        assert_eq!(seconds(5.0), "5 s");
        assert_eq!(times_over(7.85), "7.8x");
    }
}
