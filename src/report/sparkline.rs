//! The load over time in one line of text per policy.

use crate::metrics::Metric;
use crate::report::text;
use crate::report::window::{self, Binning, Window};
use crate::study::{PolicyResult, StudyResult};

/// Columns of a sparkline.
const COLUMNS: usize = 72;
/// Longest label of a policy.
const LABEL: usize = 28;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The sparklines of all policies on one scale, between a ruler of the faults and a time axis.
pub fn text(study: &StudyResult) -> String {
    let name = window::peak_service(study);
    let window = window::compare(study, &study.policies);
    let rows: Vec<Vec<f64>> =
        study.policies.iter().map(|policy| columns(policy, name, window)).collect();
    let top = rows.iter().flatten().copied().fold(0.0, f64::max);
    if top <= 0.0 {
        return String::new();
    }
    let labels: Vec<String> =
        study.policies.iter().map(|p| text::shortened(&text::printable(&p.label), LABEL)).collect();
    let wide = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let mut out = format!("{}\n", caption(study, name, top));
    if !study.faults.is_empty() {
        let ruler = fault_ruler(study, window);
        out.push_str(&format!("{:wide$}  {}\n", "", ruler.trim_end()));
    }
    for ((policy, label), row) in study.policies.iter().zip(&labels).zip(&rows) {
        let bars: String = row.iter().map(|value| bar(*value, top)).collect();
        let end = [peak(study, policy), own_capacity(study, policy, name)].concat();
        out.push_str(&format!("{label:wide$} |{bars}|{end}\n"));
    }
    out.push_str(&format!("{:wide$}  {}\n", "", time_axis(window).trim_end()));
    out
}

fn caption(study: &StudyResult, name: &str, top: f64) -> String {
    let series = study.policies.first().and_then(|policy| window::service(policy, name));
    let first = study.policies.first().and_then(|policy| capacity(policy, name));
    let common = if differs(study, name) { None } else { first };
    let name = text::printable(series.map_or(name, |series| &series.name));
    format!("load of {name} over time: █ = {}/s{}", text::number(top), in_words(common))
}

fn capacity(policy: &PolicyResult, name: &str) -> Option<f64> {
    window::service(policy, name).and_then(|series| series.capacity_per_s)
}

fn in_words(capacity: Option<f64>) -> String {
    capacity.map(|c| format!(", capacity {}/s", text::number(c))).unwrap_or_default()
}

/// Whether policies change the capacity.
fn differs(study: &StudyResult, name: &str) -> bool {
    study.policies.windows(2).any(|pair| capacity(&pair[0], name) != capacity(&pair[1], name))
}

/// The capacity of a policy, where it does not stand in the caption for all of them.
fn own_capacity(study: &StudyResult, policy: &PolicyResult, name: &str) -> String {
    if differs(study, name) { in_words(capacity(policy, name)) } else { String::new() }
}

/// The peak that the table has: a higher bar may stand within the fault.
fn peak(study: &StudyResult, policy: &PolicyResult) -> String {
    let after = if study.faults.is_empty() { "" } else { " after the fault" };
    let peak = policy.overall.get(Metric::PeakPerS);
    peak.map(|peak| format!(" peak{after} {}/s", text::number(peak.mean))).unwrap_or_default()
}

/// The highest load per second in each column. Loads are taken over a second, or over the column
/// where that is shorter, so that a spike does not vanish in a column of a minute.
fn columns(policy: &PolicyResult, name: &str, window: Window) -> Vec<f64> {
    let Some(series) = window::service(policy, name) else {
        return vec![0.0; COLUMNS];
    };
    let seconds = window.seconds().max(1e-9);
    let most = (seconds.ceil() as u64).max(COLUMNS as u64);
    let binning = Binning::new(&policy.first.timeline, window, most);
    let mut columns = vec![0.0; COLUMNS];
    for (place, count) in window::load(series, binning).into_iter().enumerate() {
        let rate = count as f64 / binning.seconds();
        let first = column(binning.start(place), window);
        let last = column(binning.start(place + 1) - binning.seconds() / 1e3, window);
        for value in columns.iter_mut().take(last + 1).skip(first) {
            *value = f64::max(*value, rate);
        }
    }
    columns
}

/// The column of a moment in seconds, held to the first and the last one.
fn column(at: f64, window: Window) -> usize {
    let share = (at - window.from as f64 / 1e9) / window.seconds().max(1e-9);
    ((share * COLUMNS as f64).floor().max(0.0) as usize).min(COLUMNS - 1)
}

/// Nothing is a space; anything at all is at least the lowest bar.
fn bar(value: f64, top: f64) -> char {
    if value <= 0.0 {
        return ' ';
    }
    let level = (value / top * BARS.len() as f64).ceil() as usize;
    BARS[level.clamp(1, BARS.len()) - 1]
}

/// Dots over the faults; their names within them or behind, where nothing else stands.
fn fault_ruler(study: &StudyResult, window: Window) -> String {
    let shown = study.faults.iter().filter(|fault| {
        let (begins, ends) = (fault.begins.as_nanos(), fault.ends.as_nanos());
        ends > window.from && begins < window.to && ends > begins
    });
    let places = shown.map(|fault| {
        let first = column(fault.begins.as_secs_f64(), window);
        let last = column(fault.ends.as_secs_f64() - 1e-9, window);
        (first, last.max(first), &fault.label)
    });
    let mut ruler = vec![' '; COLUMNS];
    for (first, last, _) in places.clone() {
        ruler[first..=last].fill('‥');
    }
    for (first, last, label) in places {
        let kind = label.split(' ').next().unwrap_or_default();
        let words = [label.as_str(), kind].map(|word| format!(" {} ", text::printable(word)));
        let room = last + 1 - first;
        let fits = words.iter().find(|word| word.chars().count() + 2 <= room);
        let within = fits.map(|word| (first + (room - word.chars().count()) / 2, word.as_str()));
        let (place, word) = within.unwrap_or((last + 1, words[1].trim_end()));
        let free = if within.is_some() { '‥' } else { ' ' };
        let long = word.chars().count();
        if ruler.iter().skip(place).take(long).filter(|c| **c == free).count() == long {
            put(&mut ruler, place, word);
        }
    }
    ruler.into_iter().collect()
}

/// Moments under the first, the middle and the last column.
fn time_axis(window: Window) -> String {
    let at = |share: f64| text::seconds(window.from as f64 / 1e9 + window.seconds() * share);
    let mut axis = vec![' '; COLUMNS + 2];
    for (share, place) in [(0.0, 0), (0.25, 18), (0.5, 36), (0.75, 54)] {
        put(&mut axis, place, &at(share));
    }
    let last = at(1.0);
    put(&mut axis, COLUMNS.saturating_sub(last.chars().count()), &last);
    axis.into_iter().collect()
}

fn put(line: &mut [char], place: usize, word: &str) {
    for (slot, letter) in line.iter_mut().skip(place).zip(word.chars()) {
        *slot = letter;
    }
}
