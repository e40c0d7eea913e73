//! Numbers as people read them: grouped thousands, three digits that matter, a unit.

use std::fmt::Write;

use crate::metrics::Unit;
use crate::study::Estimate;
use crate::time::NANOS_PER_SEC;

/// A whole number in groups of three: `12 345`.
pub(super) fn grouped(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    if value < 0.0 && digits != "0" { format!("-{text}") } else { text }
}

/// A number with at most three digits after its first one that matter: `12 345`, `10.4`, `0.035`.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return "–".to_string();
    }
    if size >= 99.95 || value.fract() == 0.0 {
        return grouped(value);
    }
    let text = match size {
        s if s >= 9.995 => format!("{value:.1}"),
        s if s >= 0.9995 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    };
    trimmed(&text)
}

/// A number on an axis: `1 000`, `20 k`, `1.5 M`.
pub(super) fn tick(value: f64) -> String {
    let size = value.abs();
    match size {
        s if s >= 1e9 => format!("{} G", number(value / 1e9)),
        s if s >= 1e6 => format!("{} M", number(value / 1e6)),
        s if s >= 1e4 => format!("{} k", number(value / 1e3)),
        _ => number(value),
    }
}

/// A length of time as people read it: `338 ms`, `19.5 s`, `25m53s`, `1h10m`, `12d4h`.
pub(super) fn seconds(value: f64) -> String {
    if value < 0.0 {
        return format!("-{}", seconds(-value));
    }
    match value {
        v if !v.is_finite() => "–".to_string(),
        v if v > 0.0 && v < 0.9995 => format!("{} ms", number(v * 1e3)),
        v if v < 59.95 => format!("{} s", trimmed(&format!("{v:.1}"))),
        v if v < 3599.5 => pair(v, 60.0, "m", "s"),
        v if v < 172_770.0 => pair(v / 60.0, 60.0, "h", "m"),
        v => pair(v / 3600.0, 24.0, "d", "h"),
    }
}

/// A number of small parts as large ones and the rest: `25m53s`, `2h`.
fn pair(value: f64, per: f64, large: &str, small: &str) -> String {
    let parts = value.round();
    let (whole, rest) = ((parts / per).floor(), parts % per);
    let whole = grouped(whole);
    if rest == 0.0 { format!("{whole}{large}") } else { format!("{whole}{large}{rest}{small}") }
}

/// How many times something is, with two digits that matter: `7.9x`, `0.85x`, `31x`.
pub(super) fn ratio(value: f64) -> String {
    if value.is_finite() { format!("{}x", digits(value)) } else { "–".to_string() }
}

/// A number with two digits that matter, or all those before the point: `7.9`, `0.85`, `31`.
pub(super) fn digits(value: f64) -> String {
    let places = match value.abs() {
        size if !size.is_finite() => return "–".to_string(),
        size if size >= 9.95 => return grouped(value),
        size if size >= 0.995 || size == 0.0 => 1,
        size if size >= 0.0995 => 2,
        _ => 3,
    };
    trimmed(&format!("{value:.places$}"))
}

/// How often something happened: `once`, `twice`, `51 times`.
pub(super) fn times(count: f64) -> String {
    match count {
        1.0 => "once".to_string(),
        2.0 => "twice".to_string(),
        count => format!("{} times", number(count)),
    }
}

/// A share as a percentage: `0.0 %`, `12.5 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A value of a measure with its unit.
pub(super) fn with_unit(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Count | Unit::Ratio => number(value),
        Unit::PerSecond => format!("{}/s", number(value)),
        Unit::Seconds => seconds(value),
        Unit::Milliseconds => seconds(value / 1e3),
        Unit::Minutes => format!("{} min", number(value)),
    }
}

/// A mean with the half-width of its interval, or the plain value when there is no interval.
pub(super) fn estimate(estimate: Estimate, say: impl Fn(f64) -> String) -> String {
    let mean = say(estimate.mean);
    if estimate.n < 2 {
        return mean;
    }
    let half = (estimate.hi - estimate.lo) / 2.0;
    format!("{mean} ± {}", say(half))
}

/// Nanoseconds as seconds, exactly: `0.1`, `90`.
pub(super) fn exact_seconds(nanos: u128) -> String {
    let second = u128::from(NANOS_PER_SEC);
    let (whole, rest) = (nanos / second, (nanos % second) as u32);
    // Tables have hundreds of thousands of them, and the longer integers are slower to print.
    let mut text = match u64::try_from(whole) {
        Ok(whole) => whole.to_string(),
        Err(_) => whole.to_string(),
    };
    if rest > 0 {
        // Writing to a string cannot fail.
        let _ = write!(text, ".{rest:09}");
        text.truncate(text.trim_end_matches('0').len());
    }
    text
}

/// Without the zeros that say nothing.
fn trimmed(text: &str) -> String {
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

/// `1 policy`, `3 policies`.
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count as f64), if count == 1 { one } else { many })
}

/// Without characters that no file may hold: control characters become spaces.
pub(super) fn printable(text: &str) -> String {
    let bad = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    visible(text).chars().map(|c| if bad(c) { ' ' } else { c }).collect()
}

/// With a � for each character that would change the direction of what stands around it.
pub fn visible(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if turns(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// Cut to so many characters, with an ellipsis where something is missing.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_three_digits_that_matter() {
        let shown: Vec<String> =
            [0.0, 12_345.0, 1234.5, 99.96, 10.44, 1.005, 0.0346, -0.0001].map(number).to_vec();
        assert_eq!(shown, ["0", "12 345", "1 234", "100", "10.4", "1", "0.035", "0"]);
    }

    #[test]
    fn times_carry_the_unit_that_fits() {
        assert_eq!(seconds(0.25), "250 ms");
        assert_eq!(seconds(19.52), "19.5 s");
        let long = [59.96, 1553.0, 3599.6, 4200.0, 172_800.0, 315_360_000.0].map(seconds);
        assert_eq!(long, ["1m", "25m53s", "1h", "1h10m", "2d", "3 650d"]);
        assert_eq!([0.0, 5.0, -0.338].map(seconds), ["0 s", "5 s", "-338 ms"]);
        assert_eq!(exact_seconds(100_000_000), "0.1");
        assert_eq!(exact_seconds(90_000_000_000), "90");
    }

    #[test]
    fn ratios_have_two_digits_that_matter() {
        let shown = [7.851, 0.8513, 0.259, 33.3, 1043.0, 1.0, 0.0, 0.0123].map(ratio);
        assert_eq!(shown, ["7.9x", "0.85x", "0.26x", "33x", "1 043x", "1x", "0x", "0.012x"]);
    }

    #[test]
    fn nothing_changes_the_direction_of_the_text() {
        assert_eq!(printable("a\u{202e}b\u{2066}c\u{7}d"), "a\u{fffd}b\u{fffd}c d");
    }

    #[test]
    fn an_estimate_of_one_run_has_no_interval() {
        let one = Estimate { mean: 3.0, lo: 3.0, hi: 3.0, n: 1 };
        assert_eq!(estimate(one, seconds), "3 s");
        let two = Estimate { mean: 3.0, lo: 2.5, hi: 3.5, n: 2 };
        assert_eq!(estimate(two, |v| with_unit(v, Unit::PerSecond)), "3/s ± 0.5/s");
    }
}
