//! The state at time zero.

use crate::scenario::keys;
use crate::scenario::model::{ServiceNode, Start, State};
use crate::scenario::node::Node;
use crate::scenario::out::{Got, Out};
use crate::scenario::scalars::{positive, share, small, word};
use crate::scenario::walk::{Context, Walk};
use crate::units::Share;

/// Attempts that services may begin with in all (≤).
const MOST_INHERITED: u64 = 10_000_000;

/// The state at time zero.
pub(super) fn start(context: &mut Context, node: &Node) -> Got<Start> {
    let Some(mut walk) = Walk::open(context, node, &keys::START) else {
        return (None, Out::Nothing);
    };
    let words = ["empty", "saturated", "stationary"].map(|name| (name, name));
    let name = walk.get("state", |context, node| word(context, node, &words));
    let settle = walk.get("settle", positive);
    let backlog = walk.get("backlog", |context, node| small(context, node, 0));
    let quota = walk.get("quota", quota);
    for (key, owner) in [("settle", "stationary"), ("backlog", "saturated")] {
        if walk.raw(key).is_some() && name.is_some_and(|name| name != owner) {
            let message = format!("`{key}` belongs to the state \"{owner}\"");
            walk.wrong(key, message, &format!("write state = \"{owner}\", or remove it"));
        }
    }
    if name == Some("stationary") && walk.raw("settle").is_none() {
        walk.demand("settle", "to become stationary");
    }
    let state = match name {
        Some("stationary") => settle.map(|settle| State::Stationary { settle }),
        Some("saturated") => Some(State::Saturated { backlog }),
        _ => name.map(|_| State::Empty),
    };
    (state.map(|state| Start { state, quota }), walk.finish())
}

/// A share, or the word for all or nothing.
fn quota(context: &mut Context, node: &Node) -> Got<Share> {
    if node.text().is_some_and(|text| !text.trim().ends_with('%')) {
        return word(context, node, &[("full", Share::ALL), ("empty", Share::NONE)]);
    }
    share(context, node)
}

/// Refuses a start with more attempts than a run can bear, or without a number of them.
pub(super) fn fits(walk: &mut Walk<'_, '_>, start: &Start, services: &[ServiceNode]) {
    let mut total: u64 = 0;
    for service in services {
        let Some(inherited) = start.inherited(&service.spec) else {
            let message = format!("the queue of `{}` has no bound to be filled to", service.name);
            let help = "give it a `capacity`, or say how much is queued: start = { state = \
                        \"saturated\", backlog = 100 }";
            return walk.wrong("start", message, help);
        };
        total = total.saturating_add(inherited);
    }
    if total > MOST_INHERITED {
        let message = format!("the services would begin with {total} attempts");
        walk.wrong("start", message, &format!("at most {MOST_INHERITED} are allowed"));
    }
}
