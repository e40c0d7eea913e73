//! The wait from retry to retry, its spread and its cap.

use std::time::Duration;

use crate::policy::backoff::{
    Backoff, Cap, CapPosition, Growth, Jitter, Quantum, Rounding, growth, jitter,
};
use crate::scenario::keys;
use crate::scenario::scalars::{duration, positive, word};
use crate::scenario::walk::Walk;
use crate::time::format_duration;

use super::form::form;

/// The waits of a layer; `None` when `backoff` is absent or bad.
pub(super) fn backoff(walk: &mut Walk<'_, '_>) -> Option<Backoff> {
    let growth =
        walk.get("backoff", |context, node| form(context, node, &keys::BACKOFF, growth::FORMS));
    let jitter =
        walk.get("jitter", |context, node| form(context, node, &keys::JITTER, jitter::FORMS));
    let (name, growth) = growth.unzip();
    let jitter = jitter.map(|(_, jitter)| jitter);
    let spread = growth.as_ref().is_some_and(Growth::draws_its_own_spread);
    if spread && jitter.as_ref().is_some_and(|jitter| *jitter != Jitter::none()) {
        let name = name.unwrap_or_default();
        let message = format!("`jitter` beside `{name}`, which draws its own spread");
        let help = format!("write jitter = {}, or leave it out", jitter::DEFAULT);
        walk.wrong("jitter", message, &help);
    }
    let first = walk.get("first", duration);
    let cap = cap(walk, growth.as_ref(), spread);
    let floor = floor(walk, cap);
    let quantum = quantum(walk);
    Some(Backoff { first, growth: growth?, jitter: jitter?, cap, floor, quantum })
}

fn floor(walk: &mut Walk<'_, '_>, cap: Option<Cap>) -> Option<Duration> {
    let floor = walk.get("floor", positive)?;
    if let Some(cap) = cap.filter(|cap| cap.longest < floor) {
        let most = format_duration(cap.longest);
        let message = format!("`floor` is longer than `cap`, {most}");
        walk.wrong("floor", message, &format!("write floor = \"{most}\" or shorter"));
    }
    Some(floor)
}

fn quantum(walk: &mut Walk<'_, '_>) -> Option<Quantum> {
    let unit = walk.get("quantum", positive);
    let choices = [("down", Rounding::Down), ("nearest", Rounding::Nearest), ("up", Rounding::Up)];
    let rounding = walk.get("rounding", |context, node| word(context, node, &choices));
    match (walk.raw("quantum").is_some(), walk.raw("rounding").is_some()) {
        (false, true) => {
            let message = "`rounding` without `quantum`".to_string();
            walk.wrong("rounding", message, "give a quantum, or leave `rounding` out");
        }
        (true, false) => walk.computed("rounding", "\"down\"".to_string()),
        _ => {}
    }
    Some(Quantum { unit: unit?, rounding: rounding.unwrap_or(Rounding::Down) })
}

fn cap(walk: &mut Walk<'_, '_>, growth: Option<&Growth>, spread: bool) -> Option<Cap> {
    let longest = walk.get("cap", positive);
    let position = cap_position(walk, spread);
    let longest = longest?;
    let base = growth.map(Growth::first_wait).unwrap_or_default();
    if longest < base {
        let wait = format_duration(base);
        let message = format!("`cap` is shorter than the first wait of `backoff`, {wait}");
        walk.wrong("cap", message, &format!("write cap = \"{wait}\" or longer"));
    }
    Some(Cap { longest, position })
}

/// Where the cap acts; after the draw where the growth itself draws (`spread`).
fn cap_position(walk: &mut Walk<'_, '_>, spread: bool) -> CapPosition {
    let choices = [
        ("before-jitter", CapPosition::BeforeJitter),
        ("after-jitter", CapPosition::AfterJitter),
        ("around-jitter", CapPosition::AroundJitter),
    ];
    let position = walk.get("cap_position", |context, node| word(context, node, &choices));
    match (walk.raw("cap").is_some(), walk.raw("cap_position").is_some()) {
        (false, true) => {
            let message = "`cap_position` without `cap`".to_string();
            walk.wrong("cap_position", message, "give a cap, or leave `cap_position` out");
        }
        (true, false) if spread => {
            walk.derived("cap_position", "\"after-jitter\"".to_string());
        }
        (true, false) => walk.computed("cap_position", "\"before-jitter\"".to_string()),
        _ => {}
    }
    // The draw has come first, and the capped wait is the next one's previous.
    if spread { CapPosition::AfterJitter } else { position.unwrap_or(CapPosition::BeforeJitter) }
}
