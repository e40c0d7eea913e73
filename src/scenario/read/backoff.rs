//! The wait from retry to retry, its spread and its cap.

use crate::policy::backoff::{Backoff, Cap, CapPosition, Growth, Jitter, growth, jitter};
use crate::scenario::keys;
use crate::scenario::scalars::{positive, word};
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
    let cap = cap(walk, growth.as_ref(), spread);
    Some(Backoff { growth: growth?, jitter: jitter?, cap })
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
    let choices =
        [("before-jitter", CapPosition::BeforeJitter), ("after-jitter", CapPosition::AfterJitter)];
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
