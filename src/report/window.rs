//! Which stretch of a run is worth showing, and how its bins are put together.

use crate::metrics::{Outcome, Recovery, ServiceSeries, Timeline};
use crate::study::{PolicyResult, StudyResult};
use crate::time::{SimTime, nanos};

/// Widths of bins that people can read (ns).
const NICE: [u64; 20] = [
    1_000_000,
    2_000_000,
    5_000_000,
    10_000_000,
    20_000_000,
    50_000_000,
    100_000_000,
    200_000_000,
    500_000_000,
    1_000_000_000,
    2_000_000_000,
    5_000_000_000,
    10_000_000_000,
    30_000_000_000,
    60_000_000_000,
    120_000_000_000,
    300_000_000_000,
    600_000_000_000,
    1_800_000_000_000,
    3_600_000_000_000,
];

/// A stretch of time in nanoseconds (from < to).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Window {
    /// Where it begins (ns).
    pub(super) from: u64,
    /// Where it ends (ns).
    pub(super) to: u64,
}

impl Window {
    /// Its length in seconds.
    pub(super) fn seconds(self) -> f64 {
        (self.to - self.from) as f64 / 1e9
    }
}

/// From the beginning of the first fault to the end of the last one, when there are any.
pub(super) fn faults(study: &StudyResult) -> Option<(SimTime, SimTime)> {
    let begin = study.faults.iter().map(|fault| fault.begins).min()?;
    let end = study.faults.iter().map(|fault| fault.ends).max()?;
    Some((begin.min(study.horizon), end.min(study.horizon)))
}

/// The moment from which recovery is counted: the end of the last fault, or the start.
pub(super) fn origin(study: &StudyResult) -> SimTime {
    faults(study).map_or(SimTime::ZERO, |(_, end)| end)
}

/// A policy that needs so many times longer than the next one is not shown to its end.
const STRAGGLER: u64 = 5;
/// Bins that are shown of a calm run whose load repeats itself.
const CALM: u64 = 420;

/// The stretch to show of one policy: the faults with some lead, until it has recovered; all of
/// the run when it does not.
pub(super) fn whole(study: &StudyResult, policies: &[PolicyResult]) -> Window {
    let recovered = policies.iter().map(recovered).max().flatten();
    bounded(study, policies, recovered)
}

/// The stretch to show of policies side by side: until those that recover in comparable times
/// have recovered. On the axis of one that takes far longer, the others could not be seen.
pub(super) fn compare(study: &StudyResult, policies: &[PolicyResult]) -> Window {
    let span = faults(study).map_or(0, |(begin, end)| end.as_nanos() - begin.as_nanos());
    let mut times: Vec<u64> = policies.iter().filter_map(recovered).collect();
    times.sort_unstable();
    let mut pairs = times.windows(2);
    let visible = |time: u64| span.saturating_add(time).max(1);
    let straggler =
        pairs.position(|pair| visible(pair[1]) > visible(pair[0]).saturating_mul(STRAGGLER));
    let last = straggler.or(times.len().checked_sub(1)).map(|place| times[place]);
    let asked = policies.iter().any(|policy| policy.first.recovery != Recovery::NotAsked);
    match last {
        None if asked && span > 0 => bounded(study, policies, Some(span.saturating_mul(8))),
        None if !asked && span == 0 => calm(study, policies),
        last => bounded(study, policies, last),
    }
}

/// How long it took a policy to recover in the run that is shown (ns).
fn recovered(policy: &PolicyResult) -> Option<u64> {
    match policy.first.recovery {
        Recovery::After(after) => Some(nanos(after)),
        Recovery::NotWithin(_) | Recovery::NotAsked => None,
    }
}

/// The faults with some lead, until so long after them and a little more; without a time, all.
fn bounded(study: &StudyResult, policies: &[PolicyResult], after: Option<u64>) -> Window {
    let horizon = study.horizon.as_nanos().max(1);
    let (begin, end) = faults(study).unwrap_or((SimTime::ZERO, SimTime::ZERO));
    let (begin, end) = (begin.as_nanos(), end.as_nanos());
    // Whoever has nothing to recover from is back at once: a window of no length shows nobody.
    let after = after.filter(|after| *after > 0 || end > 0);
    let span = end - begin;
    let busy = policies.iter().map(last_busy).max().unwrap_or(0);
    let wanted = after.map_or(horizon, |after| end.saturating_add(after.saturating_add(after / 4)));
    let wanted = wanted.max(end.saturating_add(span.saturating_mul(3)));
    let quiet = busy.saturating_add(busy / 20);
    // A burst alone is shown until all is over, unless calls go on until the end.
    let burst = study.faults.is_empty() && quiet < horizon;
    let wanted = if burst { wanted.max(quiet) } else { wanted };
    let to = wanted.min(quiet.max(end));
    let (first_act, last_act) = acts(study).unwrap_or((begin, 0));
    let (begin, to) = (begin.min(first_act), to.max(last_act.saturating_add(last_act / 20)));
    // A round end, so that the axis ends on a number that people read.
    let step = NICE.into_iter().find(|step| *step >= to / 25).unwrap_or(1);
    let mut to = to.div_ceil(step).saturating_mul(step).min(horizon);
    // The rest of the run is worth more than a chart that stops shortly before its end.
    if to > horizon / 5 * 3 && busy > to {
        to = horizon;
    }
    let lead = span.max((to.saturating_sub(begin)) / 5);
    let from = if begin > lead.saturating_add(to / 7) { begin - lead } else { 0 };
    Window { from, to: to.max(from.saturating_add(1)) }
}

/// The stretch to show of runs without faults: the beginning only, when in bins of the whole run
/// the load is level and its spikes are averaged away.
fn calm(study: &StudyResult, policies: &[PolicyResult]) -> Window {
    let whole = bounded(study, policies, None);
    let spiky = policies.iter().any(|policy| {
        let coarse = rates(policy, Binning::new(&policy.first.timeline, whole, CALM));
        let fine = rates(policy, Binning::new(&policy.first.timeline, whole, CALM * 20));
        let (low, high) = (coarse[coarse.len() / 10], coarse[coarse.len() * 9 / 10]);
        low >= high * 0.7 && high > 0.0 && fine[fine.len() - 1] > high * 2.0
    });
    let second = policies.iter().map(|policy| nanos(policy.first.timeline.bin)).max().unwrap_or(0);
    let close = second.clamp(1_000_000_000, u64::MAX / CALM).saturating_mul(CALM);
    let close = close.max(acts(study).map_or(0, |(_, last)| last.saturating_add(last / 20)));
    if spiky { Window { to: whole.to.min(close), ..whole } } else { whole }
}

/// Rates of the busiest service of a policy, in rising order; never empty.
fn rates(policy: &PolicyResult, binning: Binning) -> Vec<f64> {
    let loads = service(policy, &policy.peak_service).map(|series| load(series, binning));
    let loads = loads.filter(|loads| !loads.is_empty()).unwrap_or(vec![0]);
    let mut rates: Vec<f64> = loads.iter().map(|n| *n as f64 / binning.seconds()).collect();
    rates.sort_by(f64::total_cmp);
    rates
}

/// When an operator first and last does something before the end of the run (ns).
fn acts(study: &StudyResult) -> Option<(u64, u64)> {
    let acts = study.actions.iter().filter(|(at, _)| *at < study.horizon);
    let mut acts = acts.map(|(at, _)| at.as_nanos());
    let first = acts.next()?;
    Some(acts.fold((first, first), |(low, high), at| (low.min(at), high.max(at))))
}

/// The end of the last bin in which a service or a caller had something to do (ns).
fn last_busy(policy: &PolicyResult) -> u64 {
    let timeline = &policy.first.timeline;
    let last = |series: &Vec<u32>| series.iter().rposition(|count| *count > 0);
    let services = timeline.services.iter();
    let series = services.flat_map(|s| s.arrivals.iter().chain([&s.queued]));
    let series = series.chain([&timeline.succeeded, &timeline.failed, &timeline.orbit]);
    let bins = series.filter_map(last).max().map_or(0, |bin| bin as u64 + 1);
    nanos(timeline.bin).saturating_mul(bins)
}

/// How the bins of a timeline are put together: `per` of them from `first` on, `count` times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Binning {
    /// First bin of the timeline that is shown.
    pub(super) first: usize,
    /// Bins of the timeline in one of ours (≥ 1).
    pub(super) per: usize,
    /// Our bins.
    pub(super) count: usize,
    /// Width of one of ours (ns, ≥ 1).
    pub(super) width: u64,
}

impl Binning {
    /// Bins of a readable width, at most `most` of them over the window.
    pub(super) fn new(timeline: &Timeline, window: Window, most: u64) -> Binning {
        let bin = nanos(timeline.bin).max(1);
        let least = (window.to - window.from).div_ceil(most.max(1)).max(bin);
        let nice = NICE.into_iter().find(|width| *width >= least && width.is_multiple_of(bin));
        let per = nice.map_or(least.div_ceil(bin), |width| width / bin);
        let width = per.saturating_mul(bin);
        let begin = window.from / width;
        let bins = timeline.calls.len() as u64;
        let count = window.to.div_ceil(width).min(bins.div_ceil(per)).saturating_sub(begin);
        let first = begin.saturating_mul(per);
        Binning { first: first as usize, per: per as usize, count: count as usize, width }
    }

    /// When one of our bins begins, in seconds.
    pub(super) fn start(self, place: usize) -> f64 {
        (self.first as f64 / self.per as f64 + place as f64) * self.seconds()
    }

    /// Width of one of ours, in seconds.
    pub(super) fn seconds(self) -> f64 {
        self.width as f64 / 1e9
    }

    /// Sums of a series over our bins.
    pub(super) fn sums(self, series: &[u32]) -> Vec<u64> {
        let sum = |place| self.part(series, place).iter().map(|n| u64::from(*n)).sum();
        (0..self.count).map(sum).collect()
    }

    /// Which of our bins have a bin that is marked.
    pub(super) fn any(self, series: &[bool]) -> Vec<bool> {
        (0..self.count).map(|place| self.part(series, place).iter().any(|mark| *mark)).collect()
    }

    fn part<T>(self, series: &[T], place: usize) -> &[T] {
        let from = (self.first + place * self.per).min(series.len());
        let to = (from + self.per).min(series.len());
        &series[from..to]
    }
}

/// Load of a service in our bins, whatever became of the attempts.
pub(super) fn load(series: &ServiceSeries, binning: Binning) -> Vec<u64> {
    let mut load = vec![0; binning.count];
    for outcome in 0..Outcome::ALL.len() {
        for (sum, count) in load.iter_mut().zip(binning.sums(&series.arrivals[outcome])) {
            *sum += count;
        }
    }
    load
}

/// The service of this name in a run, or its first one.
pub(super) fn service<'a>(policy: &'a PolicyResult, name: &str) -> Option<&'a ServiceSeries> {
    let services = &policy.first.timeline.services;
    services.iter().find(|series| series.name == name).or(services.first())
}

/// The service that charts show: the one with the highest peak under the baseline.
pub(super) fn peak_service(study: &StudyResult) -> &str {
    study.policies.first().map_or("", |policy| &policy.peak_service)
}
