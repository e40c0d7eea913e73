//! Refuses attempts without a wait that multiply, over layers and from service to service, until
//! the clock could stand still.

use std::collections::VecDeque;

use super::diagnostics::Problem;
use super::model::{Caller, Model};
use super::node::{Node, Place};
use super::walk::Context;
use crate::policy::Layer;

/// Attempts without any wait that one call may make (≤): more could keep a run at one instant.
pub(super) const MOST_WITHOUT_WAIT: u32 = 10_000;

/// Refuses callers whose attempts at one instant multiply beyond what a layer by itself may make.
pub(super) fn products(context: &mut Context, root: &Node, model: &Model) {
    let mut reached = vec![0; model.services.len()];
    let mut waiting = VecDeque::new();
    let groups = root.get("clients").map_or(&[][..], Node::items);
    for (group, node) in model.groups.iter().zip(groups) {
        match multiplied(1, &group.caller) {
            Ok(times) => reach(&mut reached, &mut waiting, group.caller.target, times),
            Err(times) => return refuse(context, node, times),
        }
    }
    let services = root.get("services").map_or(&[][..], Node::items);
    while let Some(service) = waiting.pop_front() {
        let nodes = services.get(service).and_then(|node| node.get("calls"));
        let nodes = nodes.map_or(&[][..], Node::items);
        for (call, node) in model.services[service].calls.iter().zip(nodes) {
            match multiplied(reached[service], &call.caller) {
                Ok(times) => reach(&mut reached, &mut waiting, call.caller.target, times),
                Err(times) => return refuse(context, node, times),
            }
        }
    }
}

/// Notes that a service is attempted so often at one instant. The number only ever grows, and to
/// no more than the limit, so that this comes to an end even where services call in a circle.
fn reach(reached: &mut [u64], waiting: &mut VecDeque<usize>, service: usize, times: u64) {
    if reached[service] < times {
        reached[service] = times;
        waiting.push_back(service);
    }
}

/// `times` multiplied by the attempts that a caller may make at one instant; beyond the limit as
/// an error.
fn multiplied(times: u64, caller: &Caller) -> Result<u64, u64> {
    let layers = caller.layers.iter().map(at_once);
    let product = layers.fold(times, |product, layer| product.saturating_mul(layer));
    if product > u64::from(MOST_WITHOUT_WAIT) { Err(product) } else { Ok(product) }
}

/// Attempts that a layer may make without a wait between them (≥ 1).
fn at_once(layer: &Layer) -> u64 {
    let retries = layer.max_attempts.map_or(u32::MAX, |attempts| attempts.saturating_sub(1));
    // Refused where the layer is read.
    if retries >= MOST_WITHOUT_WAIT && layer.backoff.waits_zero_for_ever() {
        return 1;
    }
    u64::from(layer.backoff.most_zeros(retries)) + 1
}

fn refuse(context: &mut Context, caller: &Node, times: u64) {
    let place: Place = caller.get("retry").unwrap_or(caller).place;
    let message =
        format!("one call could be attempted {times} times at one instant, over all its layers");
    let help = format!(
        "retries without a wait multiply from layer to layer and from service to service, to at \
         most {MOST_WITHOUT_WAIT}: limit `max_attempts`, or wait longer than zero"
    );
    context.report(Problem::new(place, message).help(help));
}
