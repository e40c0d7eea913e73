//! The numbers of a run put into words, for titles, panels and alternative texts.

use std::time::Duration;

use crate::metrics::{Metric, Recovery};
use crate::report::text;
use crate::report::window;
use crate::study::{PolicyResult, StudyResult};
use crate::time::{SimTime, format_duration};

/// Longest name of a policy inside a sentence.
const NAME: usize = 30;

/// The name of a policy, fit for a sentence.
pub(super) fn name(policy: &PolicyResult) -> String {
    text::shortened(&text::printable(&policy.label), NAME)
}

/// The peak: `peak 10.4x capacity`, or in attempts per second where nothing limits the service.
pub(super) fn peak(policy: &PolicyResult) -> String {
    let over = policy.overall.get(Metric::PeakOverCapacity).map(|peak| peak.mean);
    let per_s = policy.overall.get(Metric::PeakPerS).map(|peak| peak.mean);
    match (over, per_s) {
        (Some(over), _) => format!("peak {}x capacity", text::number(over)),
        (None, Some(per_s)) => format!("peak {}/s", text::number(per_s)),
        (None, None) => "no load after the fault".to_string(),
    }
}

/// Whether and when it recovered, in the words of a title; nothing when there was nothing to
/// recover from.
pub(super) fn recovery(study: &StudyResult, policy: &PolicyResult) -> Option<String> {
    let observed = match policy.first.recovery {
        Recovery::NotWithin(observed) => observed,
        _ => study.horizon.saturating_since(window::origin(study)),
    };
    let within = format!("not recovered within {}", format_duration(observed));
    let (share, time) = (policy.recovered, policy.recovery);
    match (share.filter(|_| study.reps > 1), time.and_then(|time| time.p50)) {
        (Some(share), Some(p50)) => Some(format!(
            "recovered in {} of {} runs, median +{}",
            share.k,
            share.n,
            text::seconds(p50)
        )),
        (Some(share), None) if share.k > 0 => {
            Some(format!("recovered in {} of {} runs", share.k, share.n))
        }
        (Some(_), None) => Some(within),
        (None, _) => match policy.first.recovery {
            Recovery::NotAsked => None,
            Recovery::After(after) => Some(recovered_tick(after)),
            Recovery::NotWithin(_) => Some(within),
        },
    }
}

/// The words at the tick of recovery.
pub(super) fn recovered_tick(after: Duration) -> String {
    format!("recovered +{}", text::seconds(after.as_secs_f64()))
}

/// When the first run was back to normal.
pub(super) fn recovered_at(study: &StudyResult, policy: &PolicyResult) -> Option<(f64, Duration)> {
    match policy.first.recovery {
        Recovery::After(after) => {
            Some((window::origin(study).saturating_add(after).as_secs_f64(), after))
        }
        Recovery::NotWithin(_) | Recovery::NotAsked => None,
    }
}

/// A finding about one policy.
pub(super) fn finding(study: &StudyResult, policy: &PolicyResult) -> String {
    let tail = recovery(study, policy).map(|words| format!(", {words}")).unwrap_or_default();
    format!("{}: {}{tail}", name(policy), peak(policy))
}

/// A finding about all policies: the highest and the lowest peak, and how many recover.
pub(super) fn comparison(study: &StudyResult) -> String {
    let policies = &study.policies;
    let height = |policy: &PolicyResult| {
        let metric = [Metric::PeakOverCapacity, Metric::PeakPerS].into_iter();
        metric.filter_map(|metric| policy.overall.get(metric)).map(|found| found.mean).next()
    };
    let mut ranked: Vec<(f64, &PolicyResult)> =
        policies.iter().filter_map(|policy| height(policy).map(|peak| (peak, policy))).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (Some((low, lowest)), Some((high, highest))) = (ranked.first(), ranked.last()) else {
        return text::counted(policies.len(), "policy", "policies");
    };
    if policies.len() == 1 {
        return finding(study, highest);
    }
    let tail = recovering(policies).map(|words| format!("; {words}")).unwrap_or_default();
    if text::number(*low) == text::number(*high) {
        return format!("all policies: {}{tail}", peak(highest));
    }
    let high = peak(highest).replacen("peak ", "peaks at ", 1);
    let low = peak(lowest).replacen("peak ", "", 1).replacen(" capacity", "", 1);
    format!("{} {high}, {} at {low}{tail}", name(highest), name(lowest))
}

/// How many of the policies recover in at least half of the runs.
fn recovering(policies: &[PolicyResult]) -> Option<String> {
    let asked: Vec<bool> =
        policies.iter().filter_map(|p| p.recovered.map(|share| share.k * 2 > share.n)).collect();
    let well = asked.iter().filter(|well| **well).count();
    match (well, asked.len()) {
        (_, 0) => None,
        (0, 1) => Some("it does not recover".to_string()),
        (1, 1) => Some("it recovers".to_string()),
        (0, _) => Some("none recovers".to_string()),
        (well, all) if well == all => Some("all recover".to_string()),
        (well, all) => Some(format!("{well} of {all} recover")),
    }
}

/// The faults in words: `outage of server from 60 s to 90 s`.
pub(super) fn faults(study: &StudyResult) -> String {
    let seconds = |time: &SimTime| text::seconds(time.min(&study.horizon).as_secs_f64());
    let each = study.faults.iter().take(5).map(|(begin, end, label)| {
        format!("{} from {} to {}", text::printable(label), seconds(begin), seconds(end))
    });
    let each: Vec<String> = each.collect();
    match study.faults.len() {
        0 => "No fault is scheduled.".to_string(),
        n if n > each.len() => format!("Faults: {}, and more.", each.join(", ")),
        _ => format!("Faults: {}.", each.join(", ")),
    }
}

/// What the time axis shows, when it is not the whole run.
pub(super) fn time_name(study: &StudyResult, window: window::Window) -> String {
    let end = study.horizon.as_nanos();
    if window.from == 0 && window.to >= end {
        return "time (s)".to_string();
    }
    let at = |nanos: u64| text::number(nanos as f64 / 1e9);
    format!("time (s): {} to {} of {}", at(window.from), at(window.to), at(end))
}
