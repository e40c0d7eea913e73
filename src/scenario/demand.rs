//! Refuses calls beyond what a run can make or a machine can hold, with the estimate.

use super::diagnostics::Problem;
use super::memory::{self, size};
use super::model::{Caller, Group, Model};
use super::node::Node;
use super::walk::Context;
use crate::load::{Load, Of, Shape};
use crate::policy::{Layer, Scope};

/// Calls that may begin by the horizon (≤).
const MOST_CALLS: f64 = 2e9;
/// Retries whose waits are added up one by one; a layer with more is open to the end.
const COUNTED_RETRIES: u32 = 1_000;

/// Refuses more calls, in all or open at once, than a run can bear.
pub(super) fn calls(context: &mut Context, root: &Node, model: &Model) {
    let horizon = model.horizon.as_secs_f64();
    let settle = model.start.settle().as_secs_f64();
    let (mut begun, mut open) = (0.0, 0.0);
    for (group, node) in model.groups.iter().zip(root.get("clients").map_or(&[][..], Node::items)) {
        let longest = longest_call(&group.caller).min(horizon + settle);
        for load in &group.loads {
            let settled = settling(load, group, settle);
            let of_load = within(load, group, horizon, horizon) + settled;
            begun += of_load;
            let settled = settling(load, group, settle.min(longest));
            open += (within(load, group, longest.min(horizon), horizon) + settled).min(of_load);
        }
        let place = node.get("load").unwrap_or(node).place;
        if let Some(problem) = too_many(begun, open) {
            context.report(Problem { place, ..problem });
            return;
        }
    }
}

/// What is wrong with so many calls, in all and at once.
fn too_many(begun: f64, open: f64) -> Option<Problem> {
    let need = open * memory::OPEN_CALL as f64;
    let (message, help) = if begun > MOST_CALLS {
        let message = format!("about {} calls would begin by the horizon", rounded(begun));
        let most = rounded(MOST_CALLS);
        (message, format!("at most {most} are allowed: lower `load`, `count` or `horizon`"))
    } else if need > memory::MOST as f64 {
        let message = format!(
            "about {} calls would be open at once and would need about {} if nobody is served",
            rounded(open),
            size(need as u128)
        );
        let help = format!(
            "at most {} are allowed: lower `load` or `count`, or end calls sooner by `timeout`, \
             `deadline` or `retry`",
            size(memory::MOST.into())
        );
        (message, help)
    } else {
        return None;
    };
    Some(Problem::new(super::node::Place::DEFAULT, message).help(help))
}

/// A large number of calls in words.
fn rounded(calls: f64) -> String {
    match calls {
        _ if calls >= 1e15 => format!("{calls:.1e}"),
        _ if calls >= 1e12 => format!("{:.1} million million", calls / 1e12),
        _ if calls >= 1e9 => format!("{:.1} thousand million", calls / 1e9),
        _ => format!("{:.1} million", calls / 1e6),
    }
}

/// The most calls of a load that begin in any `span` of a run (both in seconds).
fn within(load: &Load, group: &Group, span: f64, horizon: f64) -> f64 {
    let each = match &load.shape {
        Shape::Burst { at } if at.as_secs_f64() > horizon => 0.0,
        Shape::Burst { .. } => 1.0,
        Shape::Periodic { every, .. } => (span / every.as_secs_f64()).floor() + 1.0,
        Shape::Poisson { rate } => rate.as_per_second() * span,
        // A client waits for the end of its call before the next.
        Shape::Closed { .. } => 0.0,
        Shape::Ramp { .. } | Shape::Step { .. } if span < horizon => {
            highest_rate(&load.shape, horizon) * span
        }
        Shape::Ramp { .. } | Shape::Step { .. } => integral(&load.shape, horizon),
        Shape::Trace { calls, .. } => {
            let rows = calls.rows().iter().map(|(at, calls)| (at.as_secs_f64(), f64::from(*calls)));
            densest(rows.take_while(|(at, _)| *at <= horizon), span)
        }
    };
    match load.of {
        Of::Client => each * f64::from(group.count),
        Of::Group => each,
    }
}

/// Calls of a load that begin in a `span` before time zero (in seconds).
fn settling(load: &Load, group: &Group, span: f64) -> f64 {
    let each = match &load.shape {
        Shape::Periodic { every, .. } => span / every.as_secs_f64(),
        Shape::Poisson { rate } => rate.as_per_second() * span,
        shape => shape.rate_before_zero().as_per_second() * span,
    };
    match load.of {
        Of::Client => each * f64::from(group.count),
        Of::Group => each,
    }
}

/// The pieces of a rate that changes: begin, end, and the rate at both.
fn pieces(shape: &Shape, horizon: f64) -> Vec<(f64, f64, f64, f64)> {
    match shape {
        Shape::Ramp { from, to, over } => {
            let (from, to) = (from.as_per_second(), to.as_per_second());
            let (over, end) = (over.as_secs_f64(), over.as_secs_f64().min(horizon));
            let at_end = from + (to - from) * (end / over);
            vec![(0.0, end, from, at_end), (end, horizon, to, to)]
        }
        Shape::Step { steps } => {
            let ends = steps.iter().skip(1).map(|(at, _)| at.as_secs_f64());
            let ends = ends.chain([horizon]);
            let piece = |((at, rate), end): (&(crate::time::SimTime, crate::units::Rate), f64)| {
                let (at, rate) = (at.as_secs_f64(), rate.as_per_second());
                (at, end.min(horizon), rate, rate)
            };
            steps.iter().zip(ends).map(piece).collect()
        }
        _ => Vec::new(),
    }
}

fn integral(shape: &Shape, horizon: f64) -> f64 {
    let areas = pieces(shape, horizon)
        .into_iter()
        .map(|(begin, end, from, to)| (end - begin).max(0.0) * (from + to) / 2.0);
    areas.sum()
}

fn highest_rate(shape: &Shape, horizon: f64) -> f64 {
    let pieces = pieces(shape, horizon).into_iter().filter(|(begin, end, ..)| begin < end);
    pieces.map(|(_, _, from, to)| from.max(to)).fold(0.0, f64::max)
}

/// The most calls of recorded moments, in order of time, in any span.
fn densest(rows: impl Iterator<Item = (f64, f64)>, span: f64) -> f64 {
    let mut inside = std::collections::VecDeque::new();
    let (mut sum, mut most) = (0.0, 0.0_f64);
    for (at, calls) in rows {
        inside.push_back((at, calls));
        sum += calls;
        while let Some((_, gone)) = inside.front().filter(|(first, _)| at - first > span) {
            sum -= gone;
            inside.pop_front();
        }
        most = most.max(sum);
    }
    most
}

/// How long a call stays open when nobody is served, in seconds, on average over its timeouts;
/// infinite when nothing ends it.
fn longest_call(caller: &Caller) -> f64 {
    let attempt = caller.timeout.as_ref().map_or(f64::INFINITY, crate::dist::Dist::mean_s);
    let retries = match caller.retry_queue {
        Scope::Call => caller.layers.iter().rev().fold(attempt, layered),
        // Others may be in front for any time.
        _ if caller.layers.iter().any(|layer| layer.max_attempts != Some(1)) => f64::INFINITY,
        _ => attempt,
    };
    let deadline = caller.deadline.map_or(f64::INFINITY, |deadline| deadline.after.as_secs_f64());
    retries.min(deadline)
}

/// How long a layer takes when every go at what is inside it takes `inner`.
fn layered(inner: f64, layer: &Layer) -> f64 {
    let retries = layer.max_attempts.map(|attempts| attempts.saturating_sub(1));
    let all = match retries.filter(|retries| *retries <= COUNTED_RETRIES) {
        None => f64::INFINITY,
        Some(retries) => {
            let waits = (1..=retries).map(|n| layer.backoff.ceiling(n).as_secs_f64());
            waits.sum::<f64>() + inner * f64::from(retries + 1)
        }
    };
    // The last retry that begins in time takes as long as any.
    let elapsed = layer.max_elapsed.map_or(f64::INFINITY, |most| most.as_secs_f64() + inner);
    all.min(elapsed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_densest_span_of_recorded_calls_is_found() {
        let rows = [(0.0, 3.0), (1.0, 2.0), (5.0, 4.0), (9.0, 1.0)];
        for (span, most) in [(0.0, 4.0), (1.0, 5.0), (4.0, 6.0), (10.0, 10.0)] {
            assert_eq!(densest(rows.into_iter(), span), most, "{span}");
        }
    }
}
