//! Client groups, and what they share with services: how calls are made.

use std::time::Duration;

use crate::policy::{Layer, Scope};
use crate::scenario::keys;
use crate::scenario::model::{Caller, Deadline, Group};
use crate::scenario::node::Node;
use crate::scenario::out::{Got, Out};
use crate::scenario::scalars::{flag, name, positive, text, whole};
use crate::scenario::suggest;
use crate::scenario::walk::{Context, Walk};

use super::budget::sharing;
use super::dist::timeout;
use super::load::loads;
use super::retry::retry;

/// A client group; `services` are the names that it may call.
pub(super) fn group(context: &mut Context, node: &Node, services: &[String]) -> Got<Group> {
    let Some(mut walk) = Walk::open(context, node, &keys::CLIENTS) else {
        return (None, Out::Nothing);
    };
    let name = walk.get("name", name);
    // Too many for the memory is refused with the memory, which knows no bound of its own.
    let count = walk.get("count", |context, node| whole(context, node, 1, u64::MAX));
    let count = count.map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    let target = target(&mut walk, services);
    let loads = walk.get("load", loads);
    let caller = caller(&mut walk, target);
    let sharing = walk.get("sharing", sharing);
    let group = name.zip(count).zip(loads).zip(caller).zip(sharing);
    let group = group.map(|((((name, count), loads), mut caller), sharing)| {
        share_budgets(&mut caller.layers, sharing.budget);
        caller.retry_queue = sharing.retry_queue;
        caller.rng = sharing.rng;
        Group { name, count, loads, caller }
    });
    (group, walk.finish())
}

fn share_budgets(layers: &mut [Layer], scope: Scope) {
    for shared in layers.iter_mut().filter_map(|layer| layer.budget.as_mut()) {
        shared.scope = scope;
    }
}

/// The timeout, the deadline and the retries of calls to `target`.
pub(super) fn caller(walk: &mut Walk<'_, '_>, target: Option<usize>) -> Option<Caller> {
    let timeout = walk.get("timeout", timeout);
    let deadline = walk.get("deadline", deadline);
    let layers = walk.get("retry", retry);
    let (target, timeout, layers) = (target?, timeout?, layers?);
    let (retry_queue, rng) = (Scope::Call, Scope::Call);
    Some(Caller { target, timeout, deadline, layers, retry_queue, rng })
}

fn deadline(context: &mut Context, node: &Node) -> Got<Deadline> {
    let Some(mut walk) = Walk::open(context, node, &keys::DEADLINE) else {
        return (None, Out::Nothing);
    };
    let after: Option<Duration> = walk.get("for", positive);
    let propagate = walk.get("propagate", flag);
    let both = after.zip(propagate);
    (both.map(|(after, propagate)| Deadline { after, propagate }), walk.finish())
}

/// The service that `target` names; the only one when it is left out.
pub(super) fn target(walk: &mut Walk<'_, '_>, services: &[String]) -> Option<usize> {
    if walk.raw("target").is_some() {
        return walk.get("target", |context, node| service(context, node, services));
    }
    match services {
        [only] => {
            walk.computed("target", format!("\"{only}\""));
            Some(0)
        }
        [] => None,
        several => {
            walk.demand("target", &format!("because there are {} services", several.len()));
            None
        }
    }
}

/// A service by its name.
pub(super) fn service(context: &mut Context, node: &Node, services: &[String]) -> Got<usize> {
    let (Some(wanted), out) = text(context, node) else {
        return (None, Out::Nothing);
    };
    match services.iter().position(|name| *name == wanted) {
        Some(index) => (Some(index), out),
        None => {
            let names: Vec<&str> = services.iter().map(String::as_str).collect();
            let message =
                format!("no service is named `{}`", crate::scenario::node::shorten(&wanted));
            let problem = crate::scenario::diagnostics::Problem::new(node.place, message);
            context.report(problem.help(suggest::help(&wanted, &names)));
            (None, Out::Nothing)
        }
    }
}
