//! When calls begin.

use std::time::Duration;

use crate::load::{Load, Of, Phase, Shape};
use crate::scenario::files;
use crate::scenario::keys;
use crate::scenario::node::{Node, Value};
use crate::scenario::out::{Got, Out};
use crate::scenario::scalars::{duration, positive, positive_rate, slow_rate, text, word};
use crate::scenario::walk::{Context, Walk, list};
use crate::time::SimTime;
use crate::units::Rate;

use super::dist::positive_dist;

/// One load, or several that add up.
pub(super) fn loads(context: &mut Context, node: &Node) -> Got<Vec<Load>> {
    if !matches!(node.value, Value::List(_)) {
        let (one, out) = load(context, node);
        return (one.map(|load| vec![load]), out);
    }
    match list(context, node, load) {
        (Some(loads), _) if loads.is_empty() => context.bad(node, "at least one load is needed"),
        got => got,
    }
}

fn load(context: &mut Context, node: &Node) -> Got<Load> {
    let Some(mut walk) = Walk::open(context, node, &keys::LOAD) else {
        return (None, Out::Nothing);
    };
    let chosen = walk.exactly_one();
    let shape = match chosen {
        Some("burst") => walk.get("burst", duration).map(|at| Shape::Burst { at }),
        Some("periodic") => periodic(&mut walk),
        Some("poisson") => walk.get("poisson", positive_rate).map(|rate| Shape::Poisson { rate }),
        Some("closed") => walk.get("closed", closed),
        Some("ramp") => walk.get("ramp", ramp),
        Some("step") => walk.get("step", steps).map(|steps| Shape::Step { steps }),
        Some("trace") => walk.get("trace", trace),
        _ => None,
    };
    let of = of(&mut walk, chosen);
    let load = shape.map(|shape| Load { shape, of });
    (load, walk.finish())
}

fn of(walk: &mut Walk<'_, '_>, shape: Option<&'static str>) -> Of {
    let choices = [("client", Of::Client), ("group", Of::Group)];
    let of = walk.get("of", |context, node| word(context, node, &choices));
    if walk.raw("phase").is_some() && shape.is_some_and(|shape| shape != "periodic") {
        walk.wrong("phase", "`phase` belongs to `periodic` only".to_string(), "remove it");
    }
    match (of, shape) {
        (Some(Of::Group), Some("closed")) => {
            let message = "a `closed` load is always of a client".to_string();
            walk.wrong("of", message, "write of = \"client\", or leave it out");
            Of::Client
        }
        (Some(of), _) => of,
        (None, Some("trace")) => {
            walk.computed("of", "\"group\"".to_string());
            Of::Group
        }
        (None, _) => {
            walk.computed("of", "\"client\"".to_string());
            Of::Client
        }
    }
}

fn periodic(walk: &mut Walk<'_, '_>) -> Option<Shape> {
    let every = walk.get("periodic", positive);
    let choices = [("random", Phase::Random), ("same", Phase::Same), ("even", Phase::Even)];
    let phase = walk.get("phase", |context, node| word(context, node, &choices));
    if walk.raw("phase").is_none() {
        walk.computed("phase", "\"random\"".to_string());
    }
    Some(Shape::Periodic { every: every?, phase: phase.unwrap_or(Phase::Random) })
}

fn closed(context: &mut Context, node: &Node) -> Got<Shape> {
    let Some(mut walk) = Walk::open(context, node, &keys::CLOSED) else {
        return (None, Out::Nothing);
    };
    let think = walk.get("think", positive_dist);
    (think.map(|think| Shape::Closed { think }), walk.finish())
}

fn ramp(context: &mut Context, node: &Node) -> Got<Shape> {
    let Some(mut walk) = Walk::open(context, node, &keys::RAMP) else {
        return (None, Out::Nothing);
    };
    let from = walk.get("from", slow_rate);
    let to = walk.get("to", slow_rate);
    let over: Option<Duration> = walk.get("over", positive);
    let idle = |rate: Option<Rate>| rate.is_some_and(|rate| rate.as_per_second() <= 0.0);
    if idle(from) && idle(to) {
        walk.wrong("to", "`from` and `to` must not both be zero".to_string(), "");
    }
    let shape = from.zip(to).zip(over).map(|((from, to), over)| Shape::Ramp { from, to, over });
    (shape, walk.finish())
}

fn steps(context: &mut Context, node: &Node) -> Got<Vec<(SimTime, Rate)>> {
    let (steps, out) = list(context, node, step);
    let Some(steps) = steps else {
        return (None, out);
    };
    if steps.is_empty() {
        return context
            .bad(node, "at least one step is needed: [{ at = \"0s\", rate = \"90/s\" }]");
    }
    if let Some(late) = steps.windows(2).position(|pair| pair[0].0 >= pair[1].0) {
        let item = node.items().get(late + 1).unwrap_or(node);
        return context.bad(item, "a step must be later than the one before it");
    }
    (Some(steps), out)
}

fn step(context: &mut Context, node: &Node) -> Got<(SimTime, Rate)> {
    let Some(mut walk) = Walk::open(context, node, &keys::STEP) else {
        return (None, Out::Nothing);
    };
    let at = walk.get("at", duration).map(|at| SimTime::ZERO.saturating_add(at));
    let rate = walk.get("rate", slow_rate);
    (at.zip(rate), walk.finish())
}

fn trace(context: &mut Context, node: &Node) -> Got<Shape> {
    let (Some(name), _) = text(context, node) else {
        return (None, Out::Nothing);
    };
    let file = files::base(&name);
    match context.files.trace(&name) {
        Err(message) => context.bad(node, message),
        Ok(calls) => {
            let out = Out::quoted(node, &file);
            (Some(Shape::Trace { file, calls }), out)
        }
    }
}
