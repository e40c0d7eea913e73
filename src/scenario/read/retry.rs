//! Retries: none, one layer, or several around one another.

use std::time::Duration;

use crate::failure::{FailureClass, FailureSet};
use crate::policy::backoff::Backoff;
use crate::policy::budget::Shared;
use crate::policy::{Layer, Scope};
use crate::scenario::keys;
use crate::scenario::node::Node;
use crate::scenario::out::{Got, Out};
use crate::scenario::presets;
use crate::scenario::scalars::{positive, share, small, word};
use crate::scenario::walk::{Context, Walk, list};
use crate::scenario::zero_wait::MOST_WITHOUT_WAIT;

use super::backoff::backoff;
use super::budget::budget;

/// Layers of retries, the outermost first. Budgets are shared by [`Scope::Client`] until the
/// group says otherwise.
pub(super) fn retry(context: &mut Context, node: &Node) -> Got<Vec<Layer>> {
    if node.text() == Some("none") {
        return (Some(Vec::new()), Out::quoted(node, "none"));
    }
    if node.get("layers").is_none() {
        let (layer, out) = layer(context, node);
        return (layer.map(|layer| vec![layer]), out);
    }
    let Some(mut walk) = Walk::open(context, node, &keys::LAYERS) else {
        return (None, Out::Nothing);
    };
    let layers = walk.list("layers", layer);
    if layers.as_ref().is_some_and(Vec::is_empty) {
        walk.wrong(
            "layers",
            "at least one layer is needed".to_string(),
            "for none: retry = \"none\"",
        );
    }
    (layers.filter(|layers| !layers.is_empty()), walk.finish())
}

/// One layer: a table, or the preset that it names with what is different.
pub(in crate::scenario) fn layer(context: &mut Context, node: &Node) -> Got<Layer> {
    if node.text().is_none() && node.get("preset").is_none() {
        return layer_of(context, node);
    }
    match presets::expanded(node) {
        Ok(layer) => layer_of(context, &layer),
        Err(problem) => {
            context.report(problem);
            (None, Out::Nothing)
        }
    }
}

fn layer_of(context: &mut Context, node: &Node) -> Got<Layer> {
    let Some(mut walk) = Walk::open(context, node, &keys::LAYER) else {
        return (None, Out::Nothing);
    };
    let attempts = attempts(&mut walk);
    let waits = backoff(&mut walk);
    let max_elapsed: Option<Duration> = walk.get("max_elapsed", positive);
    let rules = walk.get("budget", budget);
    let retry_on = walk.get("retry_on", classes);
    let give_up = walk.get("give_up", share);
    let backoff = match (waits, attempts) {
        (None, Some(Some(1))) if walk.raw("backoff").is_none() => Some(Backoff::none()),
        (None, Some(_)) if walk.raw("backoff").is_none() => {
            walk.demand("backoff", "");
            None
        }
        (waits, _) => waits,
    };
    if let (Some(backoff), Some(attempts)) = (&backoff, attempts) {
        refuse_endless(&mut walk, backoff, attempts);
    }
    let budget = rules.map(|budget| Shared { budget, scope: Scope::Client });
    let layer = attempts.zip(backoff).zip(retry_on).zip(give_up);
    let layer = layer.map(|(((max_attempts, backoff), retry_on), give_up)| Layer {
        max_attempts,
        max_elapsed,
        backoff,
        budget,
        retry_on,
        give_up,
    });
    (layer, walk.finish())
}

/// Attempts in all; `None` inside for no limit.
fn attempts(walk: &mut Walk<'_, '_>) -> Option<Option<u32>> {
    match walk.exactly_one()? {
        "max_attempts" => walk.get("max_attempts", |context, node| times(context, node, 1)),
        name => {
            let retries = walk.get(name, |context, node| times(context, node, 0))?;
            // As many retries as the counter holds are as good as no limit.
            Some(retries.and_then(|retries| retries.checked_add(1)))
        }
    }
}

fn times(context: &mut Context, node: &Node, least: u32) -> Got<Option<u32>> {
    if node.text().is_some() {
        return word(context, node, &[("unlimited", None)]);
    }
    let (value, out) = small(context, node, least);
    (value.map(Some), out)
}

/// Refuses retries without end or wait: they could keep the clock at one instant for ever.
fn refuse_endless(walk: &mut Walk<'_, '_>, backoff: &Backoff, attempts: Option<u32>) {
    if backoff.waits_zero_for_ever() && attempts.is_none_or(|most| most > MOST_WITHOUT_WAIT) {
        let message = "so many retries with a wait of zero could stop the clock for ever";
        let help = "limit `max_attempts`, or end in a wait above zero";
        walk.wrong("backoff", message.to_string(), help);
    }
}

fn classes(context: &mut Context, node: &Node) -> Got<FailureSet> {
    let choices = FailureClass::ALL.map(|class| (class.name(), class));
    let (classes, out) = list(context, node, |context, node| word(context, node, &choices));
    (classes.map(|classes| FailureSet::of(&classes)), out)
}
