//! Single values: numbers, words, and things with a unit.

use std::time::Duration;

use super::node::{Node, Value};
use super::out::{Got, Out};
use super::suggest;
use super::walk::Context;
use crate::time::{format_duration, parse_duration};
use crate::units::{Rate, Share};

/// The longest duration: a quarter of the clock, so that sums of a few stay on it.
const LONGEST: Duration = Duration::from_nanos(1 << 62);

/// Any text.
pub(super) fn text(context: &mut Context, node: &Node) -> Got<String> {
    match &node.value {
        Value::Text(text) => (Some(text.clone()), Out::quoted(node, text)),
        _ => context.unfit(node, "a text in quotes", "\"…\""),
    }
}

/// The name of a client group or service.
pub(super) fn name(context: &mut Context, node: &Node) -> Got<String> {
    let (name, out) = text(context, node);
    let fits = |name: &String| {
        !name.is_empty()
            && name.len() <= 100
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
    };
    let bare = |name: &String| !name.bytes().any(|b| b.is_ascii_alphabetic() || b == b'_');
    match name {
        Some(name) if fits(&name) && bare(&name) => {
            context.bad(node, "a name needs a letter, so that it is not taken for an index")
        }
        Some(name) if !fits(&name) => context
            .bad(node, "a name consists of letters, digits, `_` and `-`, at most 100 of them"),
        name => (name, out),
    }
}

/// `true` or `false`.
pub(super) fn flag(context: &mut Context, node: &Node) -> Got<bool> {
    match node.value {
        Value::Flag(flag) => (Some(flag), Out::leaf(node, flag.to_string())),
        _ => context.unfit(node, "true or false", "true"),
    }
}

/// One of these words.
pub(super) fn word<T: Copy>(context: &mut Context, node: &Node, choices: &[(&str, T)]) -> Got<T> {
    let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
    let Some(text) = node.text() else {
        let wanted = format!("one of {}", suggest::listed(&words));
        return context.unfit(node, &wanted, &format!("\"{}\"", words[0]));
    };
    match choices.iter().find(|(word, _)| *word == text) {
        Some((word, value)) => (Some(*value), Out::quoted(node, word)),
        None => unknown_word(context, node, text, &words),
    }
}

/// Writes down a word that is none of those allowed.
pub(super) fn unknown_word<T>(
    context: &mut Context,
    node: &Node,
    text: &str,
    words: &[&str],
) -> Got<T> {
    let message = format!("unknown word \"{}\"", super::node::shorten(text));
    let problem = super::diagnostics::Problem::new(node.place, message);
    context.report(problem.help(suggest::help(text, words)));
    (None, Out::Nothing)
}

/// A whole number from `least` to `most`, both included.
pub(super) fn whole(context: &mut Context, node: &Node, least: u64, most: u64) -> Got<u64> {
    let Value::Whole(number) = node.value else {
        return context.unfit(node, "a whole number", &least.max(1).to_string());
    };
    match u64::try_from(number) {
        Ok(value) if (least..=most).contains(&value) => {
            (Some(value), Out::leaf(node, value.to_string()))
        }
        _ if number < i128::from(least) => {
            context.bad(node, format!("{number} is too small: it must be {least} or more"))
        }
        _ => {
            // A number beyond the reader's own limit stands there as that limit.
            let shown = match number {
                i128::MAX => "a number of more than 38 digits".to_string(),
                number => number.to_string(),
            };
            context.bad(node, format!("{shown} is too large: it must be {most} or less"))
        }
    }
}

/// A whole number of 32 bits, at least `least`.
pub(super) fn small(context: &mut Context, node: &Node, least: u32) -> Got<u32> {
    let (value, out) = whole(context, node, least.into(), u32::MAX.into());
    (value.and_then(|value| u32::try_from(value).ok()), out)
}

/// A finite number, at least `least`.
pub(super) fn number(context: &mut Context, node: &Node, least: f64) -> Got<f64> {
    let value = match node.value {
        Value::Whole(number) => number as f64,
        Value::Number(number) => number,
        _ => return context.unfit(node, "a number", "2"),
    };
    if !value.is_finite() {
        return context.bad(node, format!("{value} is not a finite number"));
    }
    if value < least {
        return context.bad(node, format!("{value} is too small: it must be {least} or more"));
    }
    // Minus zero is zero, and better written without its sign.
    let value = value + 0.0;
    (Some(value), Out::leaf(node, spelled_number(value)))
}

/// The shortest spelling of a number: whole numbers without a fraction.
fn spelled_number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        format!("{value:.0}")
    } else {
        format!("{value:?}")
    }
}

/// The spelling of a share: a percentage where that reads back as the same share.
fn spelled_share(share: Share) -> String {
    let part = share.as_f64();
    // The decimal point is moved in the digits themselves: a product would be rounded.
    let shifted = format!("{part:e}");
    let percent = shifted.split_once('e').and_then(|(digits, power)| {
        format!("{digits}e{}", power.parse::<i32>().ok()? + 2).parse::<f64>().ok()
    });
    match percent {
        Some(percent) if part == 0.0 || percent >= 1e-3 => {
            let text = format!("{percent}%");
            match Share::parse(&text) {
                Ok(read) if read == share => format!("\"{text}\""),
                _ => format!("{part:?}"),
            }
        }
        _ => format!("{part:?}"),
    }
}

/// A finite number above zero.
pub(super) fn positive_number(context: &mut Context, node: &Node) -> Got<f64> {
    match number(context, node, 0.0) {
        (Some(value), _) if value <= 0.0 => context.bad(node, "it must be above zero"),
        got => got,
    }
}

/// A duration.
pub(super) fn duration(context: &mut Context, node: &Node) -> Got<Duration> {
    let parsed = match &node.value {
        // Two characters look like the sign of micro, and the parser knows the other one.
        Value::Text(text) => parse_duration(&text.replace('\u{3bc}', "\u{b5}"))
            .map_err(|message| clock(text).unwrap_or(message)),
        Value::Whole(number) => Err(needs_unit(number)),
        Value::Number(number) => Err(needs_unit(number)),
        _ => return context.unfit(node, "a duration", "\"1s\""),
    };
    match parsed {
        Ok(value) if value >= LONGEST => context.bad(node, "longer than 146 years"),
        Ok(value) => (Some(value), Out::quoted(node, &format_duration(value))),
        Err(message) => {
            let problem = super::diagnostics::Problem::new(node.place, plain(&message));
            context.report(
                problem.help("durations are written \"250ms\", \"30s\", \"1m30s\", \"6h\""),
            );
            (None, Out::Nothing)
        }
    }
}

/// The message of the duration parser without what the help says better.
fn plain(message: &str) -> String {
    match message.split_once(", supported units") {
        Some((message, _)) => message.to_string(),
        None if message.starts_with("expected number") => {
            "no duration begins like this".to_string()
        }
        None => message.to_string(),
    }
}

/// What is wrong with a number that the parser of durations does not know though others do.
fn clock(text: &str) -> Option<String> {
    let text = text.trim();
    let unit = text.trim_end_matches(char::is_alphabetic).len();
    let (number, unit) = text.split_at(unit);
    let number: f64 = number.parse().ok().filter(|number: &f64| *number >= 0.0)?;
    let fraction = unit == "ns" && number.fract() != 0.0;
    let exponent = text[..text.len() - unit.len()].contains(['e', 'E']);
    (fraction || exponent).then(|| {
        "expected a whole number or decimal with a unit, such as \"250ms\" or \"1.5s\"; the clock \
         counts whole nanoseconds"
            .to_string()
    })
}

fn needs_unit(number: &impl std::fmt::Display) -> String {
    format!("a duration needs a unit, such as \"{number}s\" or \"{number}ms\"")
}

/// A duration above zero.
pub(super) fn positive(context: &mut Context, node: &Node) -> Got<Duration> {
    match duration(context, node) {
        (Some(value), _) if value.is_zero() => context.bad(node, "it must be longer than zero"),
        got => got,
    }
}

/// A rate.
pub(super) fn rate(context: &mut Context, node: &Node) -> Got<Rate> {
    let parsed = match &node.value {
        Value::Text(text) => Rate::parse(text),
        Value::Whole(number) => Err(format!("a rate needs a unit, such as \"{number}/s\"")),
        Value::Number(number) => Err(format!("a rate needs a unit, such as \"{number}/s\"")),
        _ => return context.unfit(node, "a rate", "\"90/s\""),
    };
    match parsed {
        Ok(rate) => (Some(rate), Out::quoted(node, &rate.to_string())),
        Err(message) => {
            let problem = super::diagnostics::Problem::new(node.place, message);
            context.report(problem.help("rates are written \"90/s\", \"30/min\", \"2/h\""));
            (None, Out::Nothing)
        }
    }
}

/// A rate of calls, or none, that the clock can keep apart.
pub(super) fn slow_rate(context: &mut Context, node: &Node) -> Got<Rate> {
    match rate(context, node) {
        (Some(rate), _) if rate.mean_gap().is_some_and(|gap| gap.is_zero()) => {
            context.bad(node, "faster than one per nanosecond")
        }
        got => got,
    }
}

/// A rate above zero whose mean gap the clock can tell from zero.
pub(super) fn positive_rate(context: &mut Context, node: &Node) -> Got<Rate> {
    match slow_rate(context, node) {
        (Some(rate), out) => match rate.mean_gap() {
            None => context.bad(node, "it must be above zero"),
            Some(gap) if gap >= LONGEST => context.bad(node, "slower than one in 146 years"),
            Some(_) => (Some(rate), out),
        },
        got => got,
    }
}

/// A share, `"5%"` or 0.05.
pub(super) fn share(context: &mut Context, node: &Node) -> Got<Share> {
    let number = match &node.value {
        Value::Text(text) => match Share::parse(text) {
            Ok(share) => share.as_f64(),
            Err(message) => return context.bad(node, message),
        },
        Value::Whole(number) => *number as f64,
        Value::Number(number) => *number,
        _ => return context.unfit(node, "a share", "\"5%\" or 0.05"),
    };
    // Minus zero is zero, and better written without its sign.
    match Share::new(number + 0.0) {
        Some(share) => (Some(share), Out::leaf(node, spelled_share(share))),
        None => context.bad(node, format!("a share lies between 0 and 1, not {number}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_spelled_as_a_percentage_that_reads_back_as_itself() {
        let cases = [(0.0, "\"0%\""), (0.05, "\"5%\""), (0.07, "\"7%\""), (1.0, "\"100%\"")];
        for (part, text) in cases {
            assert_eq!(spelled_share(Share::new(part).unwrap()), text);
        }
        for step in 0..=100_000u32 {
            let share = Share::new(f64::from(step) / 100_000.0).unwrap();
            let text = spelled_share(share);
            let back = match text.strip_prefix('"') {
                Some(text) => Share::parse(text.trim_end_matches('"')).unwrap().as_f64(),
                None => text.parse().unwrap(),
            };
            assert_eq!(back, share.as_f64(), "{text}");
        }
    }

    #[test]
    fn a_whole_number_has_no_fraction() {
        let cases = [(2.0, "2"), (2.5, "2.5"), (1e300, "1e300"), (0.1, "0.1"), (1e-9, "1e-9")];
        for (value, text) in cases {
            assert_eq!(spelled_number(value), text);
        }
    }
}
