//! The wait from retry to retry, its spread and its cap.

use std::time::Duration;

use crate::policy::backoff::growth::{Constant, Decorrelated, Exponential, Linear, Schedule};
use crate::policy::backoff::jitter::{Equal, Full, None as NoJitter, Proportional};
use crate::policy::backoff::{Backoff, Cap, CapPosition, Growth, Jitter};
use crate::scenario::keys;
use crate::scenario::node::{Node, Value};
use crate::scenario::out::{Got, Out};
use crate::scenario::scalars::{duration, number, positive, share, unknown_word, word};
use crate::scenario::walk::{Context, Walk, list};
use crate::time::format_duration;

/// The waits of a layer; `None` when `backoff` is absent or bad.
pub(super) fn backoff(walk: &mut Walk<'_, '_>) -> Option<Backoff> {
    let growth = walk.get("backoff", growth);
    let jitter = walk.get("jitter", jitter);
    let decorrelated = matches!(growth, Some(Growth::Decorrelated(_)));
    if decorrelated && jitter.as_ref().is_some_and(|jitter| *jitter != Jitter::None(NoJitter {})) {
        let message = "`jitter` beside `decorrelated`, which draws its own spread".to_string();
        walk.wrong("jitter", message, "write jitter = \"none\", or leave it out");
    }
    let cap = cap(walk, growth.as_ref(), decorrelated);
    Some(Backoff { growth: growth?, jitter: jitter?, cap })
}

/// What waits before the first retry: a cap below it would only hide it.
fn first_wait(growth: &Growth) -> Duration {
    match growth {
        Growth::Constant(growth) => growth.wait,
        Growth::Linear(growth) => growth.base,
        Growth::Exponential(growth) => growth.base,
        Growth::Decorrelated(growth) => growth.base,
        Growth::Schedule(growth) => growth.waits.first().copied().unwrap_or_default(),
    }
}

/// Whether the waits stay zero for ever.
pub(super) fn ends_in_zero(growth: &Growth) -> bool {
    match growth {
        Growth::Constant(growth) => growth.wait.is_zero(),
        Growth::Linear(growth) => growth.base.is_zero() && growth.step.is_zero(),
        Growth::Exponential(_) | Growth::Decorrelated(_) => false,
        Growth::Schedule(growth) => growth.waits.last().is_none_or(Duration::is_zero),
    }
}

fn cap(walk: &mut Walk<'_, '_>, growth: Option<&Growth>, decorrelated: bool) -> Option<Cap> {
    let longest = walk.get("cap", positive);
    let position = cap_position(walk, decorrelated);
    let longest = longest?;
    let base = growth.map(first_wait).unwrap_or_default();
    if longest < base {
        let wait = format_duration(base);
        let message = format!("`cap` is shorter than the first wait of `backoff`, {wait}");
        walk.wrong("cap", message, &format!("write cap = \"{wait}\" or longer"));
    }
    Some(Cap { longest, position })
}

fn cap_position(walk: &mut Walk<'_, '_>, decorrelated: bool) -> CapPosition {
    let choices =
        [("before-jitter", CapPosition::BeforeJitter), ("after-jitter", CapPosition::AfterJitter)];
    let position = walk.get("cap_position", |context, node| word(context, node, &choices));
    match (walk.raw("cap").is_some(), walk.raw("cap_position").is_some()) {
        (false, true) => {
            let message = "`cap_position` without `cap`".to_string();
            walk.wrong("cap_position", message, "give a cap, or leave `cap_position` out");
        }
        (true, false) if decorrelated => {
            walk.derived("cap_position", "\"after-jitter\"".to_string());
        }
        (true, false) => walk.computed("cap_position", "\"before-jitter\"".to_string()),
        _ => {}
    }
    // Decorrelated: the draw comes first and the capped wait is the next one's previous.
    if decorrelated {
        CapPosition::AfterJitter
    } else {
        position.unwrap_or(CapPosition::BeforeJitter)
    }
}

fn growth(context: &mut Context, node: &Node) -> Got<Growth> {
    let Some(mut walk) = Walk::open(context, node, &keys::BACKOFF) else {
        return (None, Out::Nothing);
    };
    let growth = match walk.exactly_one() {
        Some("constant") => {
            walk.get("constant", duration).map(|wait| Growth::Constant(Constant { wait }))
        }
        Some("linear") => walk.get("linear", linear).map(Growth::Linear),
        Some("exponential") => walk.get("exponential", exponential).map(Growth::Exponential),
        Some("decorrelated") => walk.get("decorrelated", decorrelated).map(Growth::Decorrelated),
        Some("schedule") => walk.get("schedule", schedule).map(Growth::Schedule),
        _ => None,
    };
    (growth, walk.finish())
}

fn linear(context: &mut Context, node: &Node) -> Got<Linear> {
    let Some(mut walk) = Walk::open(context, node, &keys::LINEAR) else {
        return (None, Out::Nothing);
    };
    let base = walk.get("base", duration);
    let step = walk.get("step", duration);
    (base.zip(step).map(|(base, step)| Linear { base, step }), walk.finish())
}

fn exponential(context: &mut Context, node: &Node) -> Got<Exponential> {
    let Some(mut walk) = Walk::open(context, node, &keys::EXPONENTIAL) else {
        return (None, Out::Nothing);
    };
    let base = walk.get("base", positive);
    let factor = walk.get("factor", |context, node| number(context, node, 1.0));
    (base.zip(factor).map(|(base, factor)| Exponential { base, factor }), walk.finish())
}

fn decorrelated(context: &mut Context, node: &Node) -> Got<Decorrelated> {
    let Some(mut walk) = Walk::open(context, node, &keys::DECORRELATED) else {
        return (None, Out::Nothing);
    };
    let base = walk.get("base", positive);
    let factor = walk.get("factor", |context, node| number(context, node, 1.0));
    (base.zip(factor).map(|(base, factor)| Decorrelated { base, factor }), walk.finish())
}

fn schedule(context: &mut Context, node: &Node) -> Got<Schedule> {
    match list(context, node, duration) {
        (Some(waits), _) if waits.is_empty() => {
            context.bad(node, "at least one wait is needed: [\"1s\", \"5s\"]")
        }
        (waits, out) => (waits.map(|waits| Schedule { waits }), out),
    }
}

fn jitter(context: &mut Context, node: &Node) -> Got<Jitter> {
    if matches!(node.value, Value::Table(_)) {
        let Some(mut walk) = Walk::open(context, node, &keys::JITTER) else {
            return (None, Out::Nothing);
        };
        let share = walk.exactly_one().and_then(|name| walk.get(name, share));
        let jitter =
            share.map(|share| Jitter::Proportional(Proportional { share: share.as_f64() }));
        return (jitter, walk.finish());
    }
    let (value, spelled) = match node.text() {
        Some("none") => (Jitter::None(NoJitter {}), "none"),
        Some("full") => (Jitter::Full(Full {}), "full"),
        Some("equal") => (Jitter::Equal(Equal {}), "equal"),
        Some(other) => {
            return unknown_word(context, node, other, &["none", "full", "equal", "proportional"]);
        }
        None => return context.unfit(node, "a jitter", "\"full\" or { proportional = 0.2 }"),
    };
    (Some(value), Out::quoted(node, spelled))
}
