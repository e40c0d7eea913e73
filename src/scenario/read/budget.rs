//! Whether a caller may retry at all, and who shares the budget.

use crate::policy::budget::{AwsQuota, Budget, Scope};
use crate::scenario::keys;
use crate::scenario::node::{Entry, Node, Value};
use crate::scenario::out::{Got, Out};
use crate::scenario::scalars::{small, unknown_word};
use crate::scenario::walk::{Context, Walk};

/// The rules of a budget: a table, or the name of one with all its defaults.
pub(super) fn budget(context: &mut Context, node: &Node) -> Got<Budget> {
    let long;
    let node = match node.text() {
        None => node,
        Some("aws-quota") => {
            long = spelled_out(node, "aws-quota");
            &long
        }
        Some(name) => return unknown_word(context, node, name, &["aws-quota"]),
    };
    let Some(mut walk) = Walk::open(context, node, &keys::BUDGET) else {
        return (None, Out::Nothing);
    };
    let budget = match walk.exactly_one() {
        Some("aws-quota") => walk.get("aws-quota", aws_quota).map(Budget::AwsQuota),
        _ => None,
    };
    (budget, walk.finish())
}

/// The table that the name of a budget is short for.
fn spelled_out(node: &Node, name: &str) -> Node {
    let empty = Node { value: Value::Table(Vec::new()), ..node.clone() };
    let entry = Entry { key: name.to_string(), place: node.place, node: empty };
    Node { value: Value::Table(vec![entry]), ..node.clone() }
}

fn aws_quota(context: &mut Context, node: &Node) -> Got<AwsQuota> {
    let Some(mut walk) = Walk::open(context, node, &keys::QUOTA) else {
        return (None, Out::Nothing);
    };
    let capacity = walk.get("capacity", |context, node| small(context, node, 1));
    let cost = walk.get("cost", |context, node| small(context, node, 0));
    let throttling = walk.get("cost_throttling", |context, node| small(context, node, 0));
    let reward = walk.get("reward", |context, node| small(context, node, 0));
    let quota = capacity.zip(cost).zip(throttling).zip(reward);
    let quota = quota.map(|(((capacity, cost), cost_throttling), reward)| AwsQuota {
        capacity,
        cost,
        cost_throttling,
        reward,
    });
    (quota, walk.finish())
}

/// Who shares one budget; a client by itself when nothing is said.
pub(super) fn sharing(context: &mut Context, node: &Node) -> Got<Scope> {
    let Some(mut walk) = Walk::open(context, node, &keys::SHARING) else {
        return (None, Out::Nothing);
    };
    let scope = walk.get("budget", scope);
    (scope, walk.finish())
}

fn scope(context: &mut Context, node: &Node) -> Got<Scope> {
    let Some(text) = node.text() else {
        return context.unfit(node, "who shares a budget", "\"client\" or \"process:10\"");
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
            Some(_) => {
                return context.bad(node, "a process holds 1 client or more: \"process:10\"");
            }
            None => return unknown_word(context, node, other, keys::BUDGETS),
        },
    };
    (Some(scope), Out::quoted(node, text))
}
