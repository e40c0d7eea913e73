//! Checked numbers with a unit: rates ("90/s") and shares ("5%").

use std::fmt;
use std::time::Duration;

use crate::time::from_secs;

/// Events per second (≥ 0, finite).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Rate(f64);

impl Rate {
    /// Nothing ever.
    pub const ZERO: Rate = Rate(0.0);

    /// A rate of so many events per second; `None` when negative or not finite.
    pub fn per_second(events: f64) -> Option<Rate> {
        (events.is_finite() && events >= 0.0).then_some(Rate(events))
    }

    /// Events per second.
    pub fn as_per_second(self) -> f64 {
        self.0
    }

    /// Mean time from one event to the next; `None` for a rate of zero.
    pub fn mean_gap(self) -> Option<Duration> {
        (self.0 > 0.0).then(|| from_secs(1.0 / self.0))
    }

    /// Reads `"90/s"`, `"1.5/ms"`, `"30/min"` or `"2/h"`.
    ///
    /// # Errors
    /// A sentence that says what is wrong: no unit, an unknown unit, negative, not finite.
    pub fn parse(text: &str) -> Result<Rate, String> {
        let Some((number, unit)) = text.split_once('/') else {
            return Err(format!("a rate needs a unit, such as \"{}/s\"", text.trim()));
        };
        let seconds = match unit.trim() {
            "ms" => 0.001,
            "s" | "sec" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            other => return Err(format!("unknown unit `{other}` of a rate: use /s, /min or /h")),
        };
        let events: f64 =
            number.trim().parse().map_err(|_| format!("`{}` is not a number", number.trim()))?;
        Rate::per_second(events / seconds)
            .ok_or_else(|| format!("a rate must be zero or more, and finite, not {events}"))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/s", self.0)
    }
}

/// A part of a whole (0 … 1).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Share(f64);

impl Share {
    /// Nothing.
    pub const NONE: Share = Share(0.0);
    /// Everything.
    pub const ALL: Share = Share(1.0);

    /// A share; `None` outside 0 … 1.
    pub fn new(part: f64) -> Option<Share> {
        (0.0..=1.0).contains(&part).then_some(Share(part))
    }

    /// The part as a number between 0 and 1.
    pub fn as_f64(self) -> f64 {
        self.0
    }

    /// Reads `"5%"`.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn parse(text: &str) -> Result<Share, String> {
        let Some(number) = text.trim().strip_suffix('%') else {
            return Err(format!("a share is written \"5%\" or 0.05, not \"{}\"", text.trim()));
        };
        let percent: f64 =
            number.trim().parse().map_err(|_| format!("`{}` is not a number", number.trim()))?;
        Share::new(percent / 100.0)
            .ok_or_else(|| format!("a share lies between 0% and 100%, not {percent}%"))
    }

    /// Whether a uniform 64-bit draw falls into this share, scaled by `level` (0 … 1).
    pub fn hits(self, draw: u64, level: f64) -> bool {
        // 53 bits are what a float holds exactly; the comparison is then exact too.
        ((draw >> 11) as f64) * (1.0 / (1u64 << 53) as f64) < self.0 * level
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_carry_their_unit() {
        assert_eq!(Rate::parse("90/s").unwrap().as_per_second(), 90.0);
        assert_eq!(Rate::parse("30/min").unwrap().as_per_second(), 0.5);
        assert!(Rate::parse("90").unwrap_err().contains("\"90/s\""));
        assert!(Rate::parse("-1/s").is_err());
        assert!(Rate::parse("NaN/s").is_err());
    }

    #[test]
    fn shares_stay_between_nothing_and_everything() {
        assert_eq!(Share::parse("5%").unwrap().as_f64(), 0.05);
        assert!(Share::parse("101%").is_err());
        assert!(Share::parse("5").unwrap_err().contains("\"5%\""));
        assert!(Share::ALL.hits(u64::MAX, 1.0));
        assert!(!Share::new(0.0).unwrap().hits(0, 1.0));
    }
}
