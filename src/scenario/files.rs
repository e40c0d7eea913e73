//! Files that a scenario names: recorded calls and measured durations.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::source::{LARGEST_DATA, read_bytes};
use crate::load::Recorded;
use crate::time::{SimTime, parse_duration};

/// The files that were read so far, each once.
pub(super) struct Files {
    folder: PathBuf,
    bytes: BTreeMap<String, Result<Arc<[u8]>, String>>,
    traces: BTreeMap<String, Result<Calls, String>>,
    samples: BTreeMap<String, Result<Arc<[Duration]>, String>>,
}

/// The calls of a trace.
pub(super) type Calls = Arc<Recorded>;

impl Files {
    /// No files yet; names are sought from `folder`.
    pub(super) fn new(folder: PathBuf) -> Files {
        let (bytes, traces, samples) = Default::default();
        Files { folder, bytes, traces, samples }
    }

    /// Every file that was read: its name without folders and its bytes, in the order of names.
    pub(super) fn all(&self) -> Vec<(String, Vec<u8>)> {
        let read = self.bytes.iter().filter_map(|(name, bytes)| Some((name, bytes.as_ref().ok()?)));
        let mut all: Vec<_> = read.map(|(name, bytes)| (base(name), bytes.to_vec())).collect();
        all.sort();
        all.dedup();
        all
    }

    /// The calls of a trace.
    pub(super) fn trace(&mut self, name: &str) -> Result<Calls, String> {
        if !self.traces.contains_key(name) {
            let calls = self.read(name).and_then(|bytes| parse_trace(name, &bytes));
            self.traces.insert(name.to_string(), calls);
        }
        self.traces[name].clone()
    }

    /// The durations of a file of measured values.
    pub(super) fn sample(&mut self, name: &str) -> Result<Arc<[Duration]>, String> {
        if !self.samples.contains_key(name) {
            let values = self.read(name).and_then(|bytes| parse_sample(name, &bytes));
            self.samples.insert(name.to_string(), values);
        }
        self.samples[name].clone()
    }

    fn read(&mut self, name: &str) -> Result<Arc<[u8]>, String> {
        if !self.bytes.contains_key(name) {
            let bytes = self.load(name);
            self.bytes.insert(name.to_string(), bytes);
        }
        self.bytes[name].clone()
    }

    fn load(&self, name: &str) -> Result<Arc<[u8]>, String> {
        if name.is_empty() || name.contains('\0') {
            return Err("not the name of a file".to_string());
        }
        let bytes: Arc<[u8]> = read_bytes(&self.folder.join(name), LARGEST_DATA)
            .map_err(|reason| format!("cannot read {name}: {reason}"))?
            .into();
        // Results keep the files beside the scenario, where two of one name cannot lie.
        let twin = self.bytes.iter().find(|(other, known)| {
            base(other) == base(name) && known.as_ref().is_ok_and(|known| *known != bytes)
        });
        match twin {
            Some((other, _)) => {
                Err(format!("{name} and {other} differ but have one name: rename one"))
            }
            None => Ok(bytes),
        }
    }
}

/// The name of a file without its folders.
pub(super) fn base(name: &str) -> String {
    let base = Path::new(name).file_name().and_then(|base| base.to_str());
    base.unwrap_or(name).to_string()
}

/// Reads `time,calls`: the moments of one second or so may come in several lines.
fn parse_trace(name: &str, bytes: &[u8]) -> Result<Calls, String> {
    let mut calls: Vec<(SimTime, u32)> = Vec::new();
    for (index, row) in rows(name, bytes).enumerate() {
        let (line, cells) = row?;
        let done = match index {
            0 if cells == ["time", "calls"] => Ok(()),
            0 => Err("the header must be `time,calls`".to_string()),
            _ => add_calls(&mut calls, &cells),
        };
        done.map_err(|what| format!("{name} line {line}: {what}"))?;
    }
    if calls.is_empty() {
        Err(format!("{name} has no calls"))
    } else {
        Ok(Arc::new(Recorded::new(calls)))
    }
}

/// Adds the calls of a row to those before it.
fn add_calls(calls: &mut Vec<(SimTime, u32)>, cells: &[String]) -> Result<(), String> {
    let [time, count] = cells else {
        return Err(format!("expected time and calls, not {} cells", cells.len()));
    };
    let at = SimTime::ZERO.saturating_add(moment(time)?);
    let count: u32 = count.parse().map_err(|_| format!("\"{count}\" is no number of calls"))?;
    match calls.last_mut() {
        Some((last, _)) if at < *last => return Err(format!("{time} is before the line above")),
        Some((last, sum)) if at == *last => {
            *sum = sum.checked_add(count).ok_or("too many calls")?;
        }
        _ => calls.push((at, count)),
    }
    Ok(())
}

/// Reads one column of durations, with or without a header.
fn parse_sample(name: &str, bytes: &[u8]) -> Result<Arc<[Duration]>, String> {
    let mut values = Vec::new();
    let mut header = None;
    for (index, row) in rows(name, bytes).enumerate() {
        let (line, cells) = row?;
        let [cell] = &cells[..] else {
            return Err(format!("{name} line {line}: expected one value, not {}", cells.len()));
        };
        match moment(cell) {
            Ok(value) => values.push(value),
            Err(_) if index == 0 && cell.starts_with(|c: char| c.is_alphabetic()) => {
                header = Some(cell.clone());
            }
            Err(what) => return Err(format!("{name} line {line}: {what}")),
        }
    }
    match header {
        _ if !values.is_empty() => Ok(values.into()),
        Some(cell) => {
            let cell = super::node::shorten(&cell);
            Err(format!("{name} has no values: its only line, \"{cell}\", is no time"))
        }
        None => Err(format!("{name} has no values")),
    }
}

/// The rows of a CSV text with their lines, cells without blanks around them.
fn rows(name: &str, bytes: &[u8]) -> impl Iterator<Item = Result<(u64, Vec<String>), String>> {
    let reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
    reader.into_records().map(move |record| {
        let record = record.map_err(|error| format!("{name}: {error}"))?;
        let line = record.position().map_or(0, csv::Position::line);
        Ok((line, record.iter().map(|cell| cell.trim().to_string()).collect()))
    })
}

/// Seconds as a plain number, or a duration with its unit.
fn moment(cell: &str) -> Result<Duration, String> {
    let parsed = match cell.parse::<f64>() {
        Ok(seconds) if (0.0..4.0e9).contains(&seconds) => {
            return Ok(crate::time::from_secs(seconds));
        }
        Ok(_) => Err(format!("\"{cell}\" is no time: it must be between 0 and 4e9 seconds")),
        Err(_) => parse_duration(cell).map_err(|error| format!("\"{cell}\": {error}")),
    };
    match parsed {
        Ok(value) if value.as_secs() >= 4_000_000_000 => Err(format!("\"{cell}\" is too long")),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_at_one_moment_add_up_whatever_the_spelling_of_the_time() {
        let calls = parse_trace("t.csv", b"time,calls\n0,5\n1.5,1\n1500ms,2\n1m,3\n").unwrap();
        let seconds: Vec<(f64, u32)> =
            calls.rows().iter().map(|(at, n)| (at.as_secs_f64(), *n)).collect();
        assert_eq!(seconds, [(0.0, 5), (1.5, 3), (60.0, 3)]);
    }

    #[test]
    fn a_bad_line_is_named() {
        let cases: [(&[u8], &str); 9] = [
            (b"", "has no calls"),
            (b"0,5\n", "line 1: the header must be `time,calls`"),
            (b"time,calls\n", "has no calls"),
            (b"time,calls\n0,5\n1\n", "line 3: expected time and calls, not 1 cells"),
            (b"time,calls\n-1,5\n", "line 2: \"-1\" is no time"),
            (b"time,calls\nnan,5\n", "line 2: \"nan\" is no time"),
            (b"time,calls\n0,1.5\n", "line 2: \"1.5\" is no number of calls"),
            (b"time,calls\n0,4294967295\n0,1\n", "line 3: too many calls"),
            (b"time,calls\n\xff,1\n", "UTF-8"),
        ];
        for (bytes, message) in cases {
            let told = parse_trace("t.csv", bytes).unwrap_err();
            assert!(told.contains(message), "{told}");
        }
    }

    #[test]
    fn a_column_of_values_may_have_a_header() {
        assert_eq!(parse_sample("s.csv", b"latency\n0.5\n2ms\n").unwrap().len(), 2);
        assert_eq!(parse_sample("s.csv", b"0.5\n").unwrap().len(), 1);
        let told = parse_sample("s.csv", b"latency\n").unwrap_err();
        assert!(told.contains("its only line, \"latency\", is no time"), "{told}");
        for bad in [&b""[..], b"latency\n", b"1,2\n", b"1\nx\n"] {
            assert!(parse_sample("s.csv", bad).is_err());
        }
    }
}
