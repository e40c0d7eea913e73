//! Simulated time: integer nanoseconds since the run began, and durations as text.

use std::fmt;
use std::ops::{Add, Sub};
use std::time::Duration;

/// Nanoseconds in one second.
pub const NANOS_PER_SEC: u64 = 1_000_000_000;

/// A moment of the simulation: nanoseconds since the run began (0 … 2^64 − 1, 584 years).
///
/// Integer, so that two events at the same instant are really at the same instant: in a
/// synchronized herd ties are the rule, and a float would break them by rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimTime(u64);

impl SimTime {
    /// The start of the run.
    pub const ZERO: SimTime = SimTime(0);
    /// Later than everything that can be scheduled.
    pub const FOREVER: SimTime = SimTime(u64::MAX);

    /// The moment `nanos` nanoseconds after the start.
    pub const fn from_nanos(nanos: u64) -> Self {
        SimTime(nanos)
    }

    /// Nanoseconds since the start.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Seconds since the start, for reports only (rounded to the nearest float).
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / NANOS_PER_SEC as f64
    }

    /// How long ago `earlier` was, or zero when it is not in the past.
    pub fn saturating_since(self, earlier: SimTime) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }

    /// This moment so many nanoseconds later, or [`SimTime::FOREVER`] beyond the clock.
    #[inline]
    pub const fn after(self, nanos: u64) -> SimTime {
        SimTime(self.0.saturating_add(nanos))
    }

    /// This moment `by` later, or [`SimTime::FOREVER`] when that is beyond the clock.
    pub fn saturating_add(self, by: Duration) -> SimTime {
        SimTime(self.0.saturating_add(nanos(by)))
    }
}

impl Add<Duration> for SimTime {
    type Output = SimTime;

    fn add(self, by: Duration) -> SimTime {
        let sum = self.0.checked_add(nanos(by));
        SimTime(sum.unwrap_or_else(|| panic!("{self} + {by:?} is beyond the clock")))
    }
}

impl Sub for SimTime {
    type Output = Duration;

    fn sub(self, earlier: SimTime) -> Duration {
        let gap = self.0.checked_sub(earlier.0);
        Duration::from_nanos(gap.unwrap_or_else(|| panic!("{earlier} is after {self}")))
    }
}

impl fmt::Display for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", format_duration(Duration::from_nanos(self.0)))
    }
}

/// The nanoseconds of a duration; a duration beyond 584 years counts as 584 years.
#[inline]
pub fn nanos(duration: Duration) -> u64 {
    let whole = duration.as_secs().saturating_mul(NANOS_PER_SEC);
    whole.saturating_add(u64::from(duration.subsec_nanos()))
}

/// The seconds of a duration, as the float that is nearest to them.
///
/// `Duration::as_secs_f64` rounds whole seconds and the rest by themselves, so that a duration
/// twice as long does not always give a number twice as large.
pub fn secs(duration: Duration) -> f64 {
    duration.as_nanos() as f64 / NANOS_PER_SEC as f64
}

/// The duration of so many seconds, rounded to the nearest nanosecond; negative and NaN give zero.
#[inline]
pub fn from_secs(seconds: f64) -> Duration {
    Duration::from_nanos(rounded(seconds * NANOS_PER_SEC as f64))
}

/// A duration times a factor (≥ 0), rounded to the nearest nanosecond.
#[inline]
pub fn scaled(duration: Duration, factor: f64) -> Duration {
    Duration::from_nanos(scaled_nanos(duration, factor))
}

/// The same as a number of nanoseconds.
#[inline]
pub fn scaled_nanos(duration: Duration, factor: f64) -> u64 {
    rounded(nanos(duration) as f64 * factor)
}

/// So many nanoseconds, rounded.
///
/// Float to integer casts saturate in Rust, so that infinity is the longest duration; from 2^53 on
/// a float is a whole number anyway. Rounding is by hand: without SSE 4.1, which not every machine
/// has, `round` is a slow call.
#[inline]
fn rounded(nanos: f64) -> u64 {
    if nanos.abs() < 4e18 {
        // Signed, because a machine converts only these in one step.
        let whole = nanos as i64;
        let up = nanos - whole as f64 >= 0.5;
        return (whole + i64::from(up)).max(0) as u64;
    }
    nanos as u64
}

/// Reads a duration with its unit: `"250ms"`, `"1m30s"`, `"1.5s"`.
///
/// # Errors
/// A sentence that says what is wrong: no unit, an unknown unit, beyond 584 years.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let trimmed = text.trim();
    if !trimmed.is_empty() && trimmed.parse::<f64>().is_ok() {
        return Err(format!("a duration needs a unit, such as \"{trimmed}s\" or \"{trimmed}ms\""));
    }
    let parsed = humantime::parse_duration(trimmed).map_err(|error| error.to_string())?;
    if parsed.as_nanos() > u128::from(u64::MAX) {
        return Err("longer than the 584 years that the clock can hold".to_string());
    }
    Ok(parsed)
}

/// Writes a duration in the one way that herdsim prints it: `1m30s`, `250ms`, `1h`; reading it
/// back gives the same duration.
pub fn format_duration(duration: Duration) -> String {
    let mut rest = nanos(duration);
    if rest == 0 {
        return "0s".to_string();
    }
    let units = [
        (3600 * NANOS_PER_SEC, "h"),
        (60 * NANOS_PER_SEC, "m"),
        (NANOS_PER_SEC, "s"),
        (1_000_000, "ms"),
        (1_000, "us"),
        (1, "ns"),
    ];
    let mut text = String::new();
    for (size, unit) in units {
        if rest >= size {
            text.push_str(&format!("{}{unit}", rest / size));
            rest %= size;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_as_long_is_twice_as_many_seconds() {
        let odd = |ns: u64| Duration::from_nanos(ns);
        for ns in (1..40_000).map(|i| i * 86_243_947) {
            assert_eq!(secs(odd(2 * ns)), 2.0 * secs(odd(ns)), "{ns}");
            assert_eq!(secs(odd(ns)), SimTime::from_nanos(ns).as_secs_f64());
        }
        assert_eq!(secs(Duration::MAX), 18_446_744_073_709_551_616.0);
    }

    #[test]
    fn seconds_are_rounded_to_the_nearest_nanosecond_and_halves_up() {
        let rounded = |seconds: f64| (seconds * 1e9).round() as u64;
        let odd = (0..20_000u32).map(|i| f64::from(i) * 0.000_000_000_5 + f64::from(i % 7) / 3.0);
        let large = [0.499_999_999_999_999e-9, 9.007e6, 9.2e9, 1.8e10, 1e30, -0.7, f64::NAN];
        for seconds in odd.chain(large).chain([f64::INFINITY, -0.0]) {
            assert_eq!(nanos(from_secs(seconds)), rounded(seconds), "{seconds}");
        }
    }

    #[test]
    fn a_printed_duration_reads_back_as_itself() {
        for nanos in [0, 1, 999, 1_000, 250_000_000, 90_000_000_000, 3_600_000_000_001, 12_345] {
            let duration = Duration::from_nanos(nanos);
            assert_eq!(parse_duration(&format_duration(duration)), Ok(duration), "{nanos} ns");
        }
        assert_eq!(format_duration(Duration::from_millis(90_250)), "1m30s250ms");
    }

    #[test]
    fn a_bare_number_is_refused_with_the_right_spelling() {
        let message = parse_duration("5").unwrap_err();
        assert!(message.contains("\"5s\""), "{message}");
    }

    #[test]
    fn fractions_of_a_second_are_read() {
        assert_eq!(parse_duration("1.5s"), Ok(Duration::from_millis(1500)));
    }
}
