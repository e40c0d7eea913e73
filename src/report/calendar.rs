//! The calendar of a retry policy: how long it waits before each retry, computed and not simulated.

use serde_json::{Value, json};

use crate::policy::Layer;
use crate::report::{table, text};
use crate::time::secs;

/// What is known of one retry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Its number (≥ 1).
    pub retry: u32,
    /// The wait before it without jitter (s); of a growth that draws, the longest.
    pub wait: f64,
    /// The shortest wait (s).
    pub low: f64,
    /// The longest wait (s).
    pub high: f64,
    /// The mean wait (s).
    pub mean: f64,
    /// The largest share of clients that wait exactly the same (0 … 1).
    pub atom: f64,
    /// The wait that these clients share (s).
    pub atom_at: f64,
    /// The mean of all waits so far (s).
    pub elapsed: f64,
    /// Whether the cap cuts the wait: without jitter, or with some of the jitter where it acts on
    /// that.
    pub capped: bool,
}

/// The waits of a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Calendar {
    /// What it is called.
    pub name: String,
    /// The retries, from the first.
    pub entries: Vec<Entry>,
    /// Retries that there may be in all, within the time that they have; `None` for no limit.
    pub retries: Option<u32>,
    /// The time within which a retry must begin (s), if there is such a limit.
    pub max_elapsed: Option<f64>,
    /// The cap (s), if there is one.
    pub cap: Option<f64>,
}

impl Calendar {
    /// The calendar of the first `most` retries of a layer, or of all when it has fewer.
    pub fn new(name: &str, layer: &Layer, most: u32) -> Calendar {
        let retries = layer.max_attempts.map(|attempts| attempts.saturating_sub(1));
        let shown = retries.unwrap_or(most).min(most);
        let mut elapsed = 0.0;
        let laws = layer.backoff.laws(shown);
        let mut least = 0.0;
        let entries = (1..).zip(laws).map_while(|(retry, law)| {
            least += law.low();
            // Later than that none can begin, however short the waits and the attempts are.
            if layer.max_elapsed.is_some_and(|most| least > secs(most)) {
                return None;
            }
            let (wait, capped) = layer.backoff.unspread(retry);
            let capped = capped || layer.backoff.cuts(retry, &law);
            let (mean, (atom, atom_at)) = (law.mean(), law.alike());
            elapsed += mean;
            let (low, high) = (law.low(), law.high());
            let wait = secs(wait);
            Some(Entry { retry, wait, low, high, mean, atom, atom_at, elapsed, capped })
        });
        let entries: Vec<Entry> = entries.collect();
        // Where time ends them, no more than these are possible.
        let retries = match entries.len() as u32 {
            possible if possible < shown => Some(possible),
            _ => retries,
        };
        Calendar {
            name: name.to_string(),
            entries,
            retries,
            max_elapsed: layer.max_elapsed.map(secs),
            cap: layer.backoff.cap.map(|cap| secs(cap.longest)),
        }
    }

    /// The mean, the shortest and the longest of all waits together (s).
    pub fn totals(&self) -> [f64; 3] {
        let sum = |of: fn(&Entry) -> f64| self.entries.iter().map(of).sum();
        [sum(|entry| entry.mean), sum(|entry| entry.low), sum(|entry| entry.high)]
    }

    /// The table for people, and below it what it comes to.
    pub fn table(&self) -> String {
        if self.entries.is_empty() {
            return "no retries\n".to_string();
        }
        let head =
            ["retry", "without jitter", "range", "mean", "mean elapsed", "wait alike", "capped"];
        let row = |entry: &Entry| {
            let Entry { retry, wait, low, high, mean, elapsed, .. } = *entry;
            let capped = if entry.capped { "yes" } else { "" };
            vec![
                retry.to_string(),
                text::seconds(wait),
                range(low, high),
                text::seconds(mean),
                text::seconds(elapsed),
                alike(entry.atom),
                capped.to_string(),
            ]
        };
        let rows: Vec<Vec<String>> = self.entries.iter().map(row).collect();
        format!("{}\n{}\n", table::drawn(&head, &rows), self.summary())
    }

    /// What it comes to, in a sentence or two.
    fn summary(&self) -> String {
        let [mean, low, high] = self.totals();
        let count = self.entries.len();
        let retries = text::counted(count, "retry", "retries");
        let first = if self.retries == Some(count as u32) { "" } else { "the first " };
        let spread = match high - low > 1e-9 * high {
            true => format!(" on average, {}", range(low, high)),
            false => String::new(),
        };
        let mut words = format!("{first}{retries}: {} of waiting{spread}; ", text::seconds(mean));
        words.push_str(&self.about_cap());
        if let Some(most) = self.max_elapsed {
            let most = text::seconds(most);
            words.push_str(&format!("; no retry begins later than {most} after the first try"));
        }
        words.push('.');
        words
    }

    fn about_cap(&self) -> String {
        let capped: Vec<&Entry> = self.entries.iter().filter(|entry| entry.capped).collect();
        let cap = self.cap.map(text::seconds).unwrap_or_default();
        match capped[..] {
            [] if self.cap.is_none() => "there is no cap".to_string(),
            [] => "no wait is capped".to_string(),
            [one] => format!("the wait before retry {} meets the cap of {cap}", one.retry),
            [first, ..] => format!("the waits from retry {} on meet the cap of {cap}", first.retry),
        }
    }

    /// As JSON: waits in seconds.
    pub fn json(&self, preset: Option<&str>) -> Value {
        let [total, low, high] = self.totals();
        let waits: Vec<Value> = self.entries.iter().map(entry_json).collect();
        let mut object = json!({
            "unit": "s", "waits": waits, "retries": self.retries, "cap_s": self.cap,
            "max_elapsed_s": self.max_elapsed, "total_s": exact(total), "total_lo_s": exact(low),
            "total_hi_s": exact(high),
        });
        if let Some(preset) = preset {
            object["preset"] = json!(preset);
        }
        object
    }

    /// One line per retry.
    pub fn csv(&self) -> String {
        let mut csv =
            "retry,wait_s,lo_s,hi_s,mean_s,atom_share,atom_at_s,elapsed_s,capped\n".to_string();
        for entry in &self.entries {
            let Entry { retry, capped, .. } = entry;
            let numbers = [entry.wait, entry.low, entry.high, entry.mean, entry.atom];
            let numbers = numbers.into_iter().chain([entry.atom_at, entry.elapsed]);
            let numbers: Vec<String> = numbers.map(|n| exact(n).to_string()).collect();
            csv.push_str(&format!("{retry},{},{capped}\n", numbers.join(",")));
        }
        csv
    }
}

fn entry_json(entry: &Entry) -> Value {
    json!({
        "retry": entry.retry,
        "wait_s": exact(entry.wait),
        "lo_s": exact(entry.low),
        "hi_s": exact(entry.high),
        "mean_s": exact(entry.mean),
        "atom_share": exact(entry.atom),
        "atom_at_s": exact(entry.atom_at),
        "elapsed_s": exact(entry.elapsed),
        "capped": entry.capped,
    })
}

/// Without the last digits of a float, which sums leave behind: to 12 digits.
pub(super) fn exact(value: f64) -> f64 {
    format!("{value:.11e}").parse().unwrap_or(value)
}

/// `80 ms … 120 ms`; a single value where both are alike.
pub(super) fn range(low: f64, high: f64) -> String {
    let (from, to) = (text::seconds(low), text::seconds(high));
    if from == to { from } else { format!("{from} … {to}") }
}

/// A share of clients that wait alike, as a percentage; in a continuous law nobody does.
pub(super) fn alike(share: f64) -> String {
    match share {
        share if share <= 0.0 => "none".to_string(),
        share if share < 0.0005 => "< 0.1 %".to_string(),
        share => text::percent(share),
    }
}
