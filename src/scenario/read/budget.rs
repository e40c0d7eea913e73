//! Whether a caller may retry at all, and who shares the budget and the queue of retries.

use crate::policy::Scope;
use crate::policy::budget::{Budget, FORMS};
use crate::scenario::keys;
use crate::scenario::node::Node;
use crate::scenario::out::{Got, Out};
use crate::scenario::scalars::unknown_word;
use crate::scenario::walk::{Context, Walk};

use super::form::form;

/// The rules of a budget: a table, or the name of one with all its defaults.
pub(super) fn budget(context: &mut Context, node: &Node) -> Got<Budget> {
    let (named, out) = form(context, node, &keys::BUDGET, FORMS);
    (named.map(|(_, budget)| budget), out)
}

/// Who shares what.
#[derive(Clone, Copy)]
pub(super) struct Sharing {
    /// A retry budget.
    pub(super) budget: Scope,
    /// A queue of retries.
    pub(super) retry_queue: Scope,
    /// A sequence of jitters.
    pub(super) rng: Scope,
}

/// Who shares one budget (a client by itself when nothing is said), one queue of retries, and one
/// sequence of jitters.
pub(super) fn sharing(context: &mut Context, node: &Node) -> Got<Sharing> {
    let Some(mut walk) = Walk::open(context, node, &keys::SHARING) else {
        return (None, Out::Nothing);
    };
    let budget = walk.get("budget", scope);
    let queue = walk.get("retry_queue", scope);
    let rng = walk.get("rng", scope);
    let all = budget.zip(queue).zip(rng);
    let sharing = all.map(|((budget, retry_queue), rng)| Sharing { budget, retry_queue, rng });
    (sharing, walk.finish())
}

fn scope(context: &mut Context, node: &Node) -> Got<Scope> {
    let Some(text) = node.text() else {
        return context.unfit(node, "who shares it", "\"client\" or \"process:10\"");
    };
    let scope = match text {
        "call" => Scope::Call,
        "client" => Scope::Client,
        "fleet" => Scope::Fleet,
        other => match other.strip_prefix("process:").map(str::parse::<u32>) {
            Some(Ok(clients)) if clients >= 1 => {
                return (
                    Some(Scope::Process(clients)),
                    Out::quoted(node, &format!("process:{clients}")),
                );
            }
            Some(Err(error)) if *error.kind() == std::num::IntErrorKind::PosOverflow => {
                let message = format!("a process holds at most {} clients", u32::MAX);
                return context.bad(node, format!("the number is too large: {message}"));
            }
            Some(_) => {
                return context.bad(node, "a process holds 1 client or more: \"process:10\"");
            }
            None => return unknown_word(context, node, other, keys::SCOPES),
        },
    };
    (Some(scope), Out::quoted(node, text))
}
