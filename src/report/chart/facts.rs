//! The numbers of a run put into words, for titles, panels and alternative texts.

use std::time::Duration;

use super::colour::{Colour, DOWN, GOOD};
use crate::metrics::{Metric, Recovery};
use crate::report::text;
use crate::report::window::{self, Window};
use crate::study::{Estimate, PolicyResult, RecoveryTime, StudyResult};
use crate::time::SimTime;

/// Longest name of a policy inside a sentence.
const NAME: usize = 30;

/// The name of a policy, fit for a sentence.
pub(super) fn name(policy: &PolicyResult) -> String {
    text::shortened(&text::printable(&policy.label), NAME)
}

/// The highest load after the fault, over the capacity, or per second where nothing limits it.
fn highest(policy: &PolicyResult) -> Option<(Estimate, Metric)> {
    let metrics = [Metric::PeakOverCapacity, Metric::PeakPerS].into_iter();
    metrics.filter_map(|metric| policy.overall.get(metric).map(|found| (found, metric))).next()
}

/// A load in words: `7.9x capacity`, `1 671/s`.
fn load(value: f64, metric: Metric) -> String {
    match metric {
        Metric::PeakOverCapacity => format!("{} capacity", text::ratio(value)),
        _ => format!("{}/s", text::number(value)),
    }
}

/// What the peak is measured after: a burst in the fault itself is not part of it.
fn after(study: &StudyResult) -> &'static str {
    if study.faults.is_empty() { "" } else { " after the fault" }
}

/// The peak and the relapses: `peak 7.9x capacity after the fault, falls 51 times`.
pub(super) fn course(study: &StudyResult, policy: &PolicyResult) -> String {
    let peak = highest(policy).map_or("no load".to_string(), |(peak, metric)| {
        format!("peak {}", load(peak.mean, metric))
    });
    let peak = format!("{peak}{}", after(study));
    let falls = falls(policy).map(|falls| format!(", falls {falls}"));
    format!("{peak}{}", falls.unwrap_or_default())
}

/// How often it fell again, when it did.
fn falls(policy: &PolicyResult) -> Option<String> {
    let relapses = policy.overall.get(Metric::Relapses).map(|relapses| relapses.mean);
    relapses.filter(|relapses| *relapses > 0.0).map(text::times)
}

/// For how long it was observed after the faults.
fn observed(study: &StudyResult, policy: &PolicyResult) -> String {
    let observed = match policy.first.recovery {
        Recovery::NotWithin(observed) => observed,
        _ => study.horizon.saturating_since(window::origin(study)),
    };
    text::seconds(observed.as_secs_f64())
}

/// Whether and when it was back, `back after 19.5 s`; nothing when there was nothing to
/// recover from.
pub(super) fn back(study: &StudyResult, policy: &PolicyResult) -> Option<String> {
    let share = policy.recovered?;
    let never = || format!("not back within {}", observed(study, policy));
    if study.reps < 2 {
        return match policy.first.recovery {
            Recovery::NotAsked => None,
            Recovery::After(after) => {
                Some(format!("back after {}", text::seconds(after.as_secs_f64())))
            }
            Recovery::NotWithin(_) => Some(never()),
        };
    }
    let median = policy.recovery.and_then(|time| time.p50);
    match median {
        Some(p50) if share.k == share.n => {
            Some(format!("back after {} (median of {} runs)", text::seconds(p50), share.n))
        }
        _ if share.k == 0 => Some(format!("{} in any of {} runs", never(), share.n)),
        Some(p50) => {
            let median = text::seconds(p50);
            Some(format!("back in {} of {} runs (median {median})", share.k, share.n))
        }
        None => Some(format!("back in {} of {} runs", share.k, share.n)),
    }
}

/// The words at the tick of recovery.
pub(super) fn recovered_tick(after: Duration) -> String {
    format!("recovered +{}", text::seconds(after.as_secs_f64()))
}

/// When the run that is shown was back to normal.
pub(super) fn recovered_at(study: &StudyResult, policy: &PolicyResult) -> Option<(f64, Duration)> {
    match policy.first.recovery {
        Recovery::After(after) => {
            Some((window::origin(study).saturating_add(after).as_secs_f64(), after))
        }
        Recovery::NotWithin(_) | Recovery::NotAsked => None,
    }
}

/// What becomes of the run that is shown after the window, where its recovery lies beyond it.
pub(super) fn beyond(
    study: &StudyResult,
    policy: &PolicyResult,
    window: Window,
) -> Option<(String, Colour)> {
    match policy.first.recovery {
        Recovery::After(after) => {
            let at = window::origin(study).saturating_add(after).as_nanos();
            let words = format!("recovers at +{} →", text::seconds(after.as_secs_f64()));
            (at > window.to).then_some((words, GOOD))
        }
        Recovery::NotWithin(_) => {
            // An arrow where there is more to the right of the window.
            let arrow = if window.to < study.horizon.as_nanos() { " →" } else { "" };
            Some((format!("not within {}{arrow}", observed(study, policy)), DOWN))
        }
        Recovery::NotAsked => None,
    }
}

/// A finding about one policy.
pub(super) fn finding(study: &StudyResult, policy: &PolicyResult) -> String {
    let (name, course) = (name(policy), course(study, policy));
    match back(study, policy) {
        Some(back) => format!("{name}: {back}; {course}"),
        None => format!("{name}: {course}"),
    }
}

/// A finding about all policies: who is back first and last, or else whose peak is highest.
pub(super) fn comparison(study: &StudyResult) -> String {
    match study.policies.as_slice() {
        [] => "no policy".to_string(),
        [one] => finding(study, one),
        all if all.iter().any(|policy| policy.recovered.is_none()) => peaks(study),
        _ => recoveries(study),
    }
}

/// Ends of the 95 % interval that have no end stand for "never".
fn open(end: Option<f64>) -> f64 {
    end.unwrap_or(f64::INFINITY)
}

/// The upper end of the median. Too few replications leave it open although all of them
/// recovered: then it is the end of what was seen.
fn upper(time: &RecoveryTime) -> f64 {
    open(time.hi.or(time.p95.filter(|_| time.censored == 0)))
}

/// Who is back first, and who last; no winner where chance alone could have made the difference.
fn recoveries(study: &StudyResult) -> String {
    let mut ranked: Vec<(f64, RecoveryTime, &PolicyResult)> = study
        .policies
        .iter()
        .filter_map(|policy| policy.recovery.map(|time| (open(time.p50), time, policy)))
        .collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (Some((low, best, first)), Some((high, worst, last))) = (ranked.first(), ranked.last())
    else {
        return peaks(study);
    };
    let several = study.reps > 1;
    let within = observed(study, last);
    let (fast, slow) = (text::seconds(*low), text::seconds(*high));
    if low.is_infinite() {
        let who = if several { "No policy brings half of the runs" } else { "No policy comes" };
        return format!("{who} back within {within}; {}", peaks(study));
    }
    if several && upper(best) >= open(worst.lo.or(worst.p50)) {
        let slow = if high.is_finite() { slow } else { format!("more than {within}") };
        let what = if best.hi.is_some() { "95 % intervals" } else { "their runs" };
        return format!("No clear winner: back after {fast} to {slow}, {what} overlap");
    }
    if fast == slow {
        return format!("Every policy is back after {fast}");
    }
    let median = if several { " (median)" } else { "" };
    let slow =
        if high.is_finite() { format!("after {slow}") } else { format!("not within {within}") };
    let never = ranked.iter().filter(|(p50, ..)| p50.is_infinite()).count();
    let whom = match never {
        0 | 1 => name(last),
        n => format!("{n} others"),
    };
    format!("Back after {fast}{median} with {}, {slow} with {whom}", name(first))
}

/// Whose peak is the highest, and whose the lowest.
pub(super) fn peaks(study: &StudyResult) -> String {
    let mut ranked: Vec<(Estimate, Metric, &PolicyResult)> = study
        .policies
        .iter()
        .filter_map(|policy| highest(policy).map(|(peak, metric)| (peak, metric, policy)))
        .collect();
    ranked.sort_by(|a, b| a.0.mean.total_cmp(&b.0.mean));
    let (Some((low, _, lowest)), Some((high, metric, highest))) = (ranked.first(), ranked.last())
    else {
        return format!("no load{}", after(study));
    };
    let (most, least) = (load(high.mean, *metric), load(low.mean, *metric));
    if study.reps > 1 && low.hi >= high.lo && ranked.len() > 1 {
        return format!("No clear difference: peaks of {least} to {most}, 95 % intervals overlap");
    }
    if most == least {
        return format!("peak {most}{} under every policy", after(study));
    }
    let falls = falls(highest).map(|falls| format!(" and falls {falls}")).unwrap_or_default();
    let least = match metric {
        Metric::PeakOverCapacity if low.mean < 1.0 && high.mean >= 1.0 => {
            format!("stays below it ({})", text::ratio(low.mean))
        }
        Metric::PeakOverCapacity => format!("at {}", text::ratio(low.mean)),
        _ => format!("at {least}"),
    };
    let (highest, lowest, after) = (name(highest), name(lowest), after(study));
    format!("{highest} peaks at {most}{after}{falls}, {lowest} {least}")
}

/// The faults in words: `outage of server from 60 s to 90 s`.
pub(super) fn faults(study: &StudyResult) -> String {
    // Moments in the seconds of the time axis.
    let moment = |time: &SimTime| text::number(time.min(&study.horizon).as_secs_f64());
    let seconds = |time: &SimTime| format!("{} s", moment(time));
    let each = study.faults.iter().take(5).map(|fault| {
        let fades = fault.gone > fault.ends;
        let fades = fades.then(|| format!(", fading until {}", seconds(&fault.gone)));
        let (from, to) = (seconds(&fault.begins), seconds(&fault.ends));
        let label = text::printable(&fault.label);
        format!("{label} from {from} to {to}{}", fades.unwrap_or_default())
    });
    let each: Vec<String> = each.collect();
    match study.faults.len() {
        0 => "No fault is scheduled.".to_string(),
        n if n > each.len() => format!("Faults: {}, and more.", each.join(", ")),
        _ => format!("Faults: {}.", each.join(", ")),
    }
}

/// What the time axis shows, when it is not the whole run.
pub(super) fn time_name(study: &StudyResult, window: Window) -> String {
    let end = study.horizon.as_nanos();
    if window.from == 0 && window.to >= end {
        return "time (s)".to_string();
    }
    let at = |nanos: u64| text::number(nanos as f64 / 1e9);
    format!("time (s): {} to {} of {}", at(window.from), at(window.to), at(end))
}
