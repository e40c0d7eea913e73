//! Policies and actions: the whole system read again with their patches applied.

use std::collections::BTreeSet;

use super::diagnostics::Problem;
use super::effective::{Set, Setting};
use super::keys;
use super::model::{Action, Caller, Model, PolicyCase};
use super::node::{Node, Value};
use super::out::{Got, Out, quote};
use super::patch::{Patch, Who, apply, set_twice};
use super::read::{Root, root};
use super::scalars::{duration, text};
use super::walk::{Context, Walk, list};
use crate::load::{Load, Shape};
use crate::time::{SimTime, format_duration};

/// Policies that a scenario may have (≤).
const MOST_POLICIES: usize = 1_000;

/// A policy or an action as written: its name or its time, and what it sets.
pub(super) struct Head<T> {
    /// The label or the time.
    pub(super) own: T,
    /// The label or the time as it was read.
    pub(super) out: Out,
    /// What it sets.
    pub(super) patches: Vec<Patch>,
}

/// A policy that was read.
pub(super) struct Case {
    /// The typed policy, when nothing is wrong.
    pub(super) case: Option<PolicyCase>,
    /// The whole scenario under it.
    pub(super) root: Root,
    /// How it is spelled.
    pub(super) setting: Setting,
    /// How its actions are spelled, in the order of time.
    pub(super) actions: Vec<Setting>,
}

/// The policies as written; one without patches where there are none.
pub(super) fn policies(context: &mut Context, node: &Node) -> Vec<Head<String>> {
    let Some(list_node) = node.get("policy") else {
        let own = "as written".to_string();
        return vec![Head { out: Out::computed(quote(&own)), own, patches: Vec::new() }];
    };
    let (heads, _) = list(context, list_node, policy);
    let heads = heads.unwrap_or_default();
    let mut seen = BTreeSet::new();
    for (head, item) in heads.iter().zip(list_node.items()) {
        if !seen.insert(head.own.as_str()) {
            let label = item.get("label").unwrap_or(item);
            let message = format!("two policies have the label {}", quote(&head.own));
            context.report(Problem::new(label.place, message));
        }
    }
    if list_node.items().len() > MOST_POLICIES {
        context.bad::<()>(list_node, format!("more than {MOST_POLICIES} policies"));
        return Vec::new();
    }
    heads
}

fn policy(context: &mut Context, node: &Node) -> Got<Head<String>> {
    let Some(mut walk) = Walk::open(context, node, &keys::POLICY) else {
        return (None, Out::Nothing);
    };
    let label = walk.get("label", text);
    if label.as_ref().is_some_and(|label| label.trim().is_empty()) {
        walk.wrong("label", "the label is empty".to_string(), "");
    }
    let patches = walk.get("set", patches);
    let patches = patches.or_else(|| walk.raw("set").is_none().then(Vec::new));
    head(walk.finish(), "label", label.zip(patches))
}

/// The actions as written, in the order of time.
pub(super) fn actions(context: &mut Context, node: &Node) -> Vec<Head<SimTime>> {
    let Some(node) = node.get("actions") else {
        return Vec::new();
    };
    let (heads, _) = list(context, node, action);
    let mut heads = heads.unwrap_or_default();
    heads.sort_by_key(|head| head.own);
    heads
}

fn action(context: &mut Context, node: &Node) -> Got<Head<SimTime>> {
    let Some(mut walk) = Walk::open(context, node, &keys::ACTION) else {
        return (None, Out::Nothing);
    };
    let at = walk.get("at", duration).map(|at| SimTime::ZERO.saturating_add(at));
    let patches = walk.get("set", patches);
    if patches.as_ref().is_some_and(Vec::is_empty) {
        walk.wrong("set", "the action changes nothing".to_string(), "");
    }
    head(walk.finish(), "at", at.zip(patches))
}

/// A policy or an action that was read, with its own key.
fn head<T>(out: Out, key: &str, read: Option<(T, Vec<Patch>)>) -> Got<Head<T>> {
    let own_out = out.find(&[key.to_string()]).cloned().unwrap_or(Out::Nothing);
    (read.map(|(own, patches)| Head { own, out: own_out, patches }), out)
}

fn patches(context: &mut Context, node: &Node) -> Got<Vec<Patch>> {
    if !matches!(node.value, Value::Table(_)) {
        return context.unfit(node, "a table of paths", &keys::Shape::Set.example());
    }
    let patch = |entry: &super::node::Entry| Patch {
        path: entry.key.clone(),
        place: entry.place,
        value: entry.node.clone(),
    };
    (Some(node.entries().iter().map(patch).collect()), Out::Nothing)
}

/// Applies patches one after the other; gives the paths that could be set, written and by index.
pub(super) fn set(
    context: &mut Context,
    tree: &mut Node,
    patches: &[Patch],
    who: Who,
) -> Vec<(String, Vec<String>)> {
    let mut paths: Vec<(String, Vec<String>)> = Vec::new();
    for patch in patches {
        match apply(tree, patch, who) {
            Ok(path) => {
                let before = paths.iter().map(|(written, by)| (written.as_str(), by.as_slice()));
                let twice = set_twice(before, patch, &path);
                context.problems.extend(twice);
                paths.push((patch.path.clone(), path));
            }
            Err(problem) => context.report(problem),
        }
    }
    paths
}

/// What the paths were set to.
fn found(out: &Out, paths: &[(String, Vec<String>)]) -> Vec<Set> {
    let one = |(path, by): &(String, Vec<String>)| {
        let (out, doc) = out.find_described(by, "")?;
        Some(Set { path: path.clone(), doc, out: out.clone() })
    };
    paths.iter().filter_map(one).collect()
}

/// Reads the whole system under a policy, and again after each action.
pub(super) fn case(
    context: &mut Context,
    base: &Node,
    index: usize,
    head: &Head<String>,
    actions: &[Head<SimTime>],
) -> Case {
    let mut tree = base.clone();
    let paths = set(context, &mut tree, &head.patches, Who::Policy(index));
    let root = root(context, &tree);
    let set = found(&root.out, &paths);
    let setting = Setting { head: ("label", head.out.clone()), set };
    let mut done: Vec<Option<Action>> = Vec::new();
    let mut settings = Vec::new();
    for head in actions {
        let (action, setting) = self::after(context, &mut tree, head, root.model.as_ref());
        done.push(action);
        settings.push(setting);
    }
    let actions: Option<Vec<Action>> = done.into_iter().collect();
    let case = root.model.clone().zip(actions).map(|(model, actions)| PolicyCase {
        label: head.own.clone(),
        model,
        actions,
    });
    Case { case, root, setting, actions: settings }
}

/// Reads the whole system after an action.
fn after(
    context: &mut Context,
    tree: &mut Node,
    head: &Head<SimTime>,
    start: Option<&Model>,
) -> (Option<Action>, Setting) {
    let paths = set(context, tree, &head.patches, Who::Action);
    let after = root(context, tree);
    let set = found(&after.out, &paths);
    let at = format_duration(head.own.saturating_since(SimTime::ZERO));
    let place = head.patches.first().map(|patch| patch.place);
    if let (Some(start), Some(model), Some(place)) = (start, &after.model, place) {
        if head.own >= model.horizon {
            let message = format!("the action at {at} is not before the `horizon`");
            context.report(Problem::new(place, message));
        }
        if let Some(what) = unlike(start, model) {
            let message = format!("{what} cannot change in the middle of a run");
            let help = match what.contains("load") {
                true => "rates and times to think can change; let other calls begin by a `step`",
                false => "to stop retries, set `max_attempts` to 1",
            };
            context.report(Problem::new(place, message).help(help));
        }
    }
    let summary: Vec<String> =
        set.iter().map(|set| format!("{} = {}", set.path, set.out.inline())).collect();
    let action =
        after.model.map(|model| Action { at: head.own, summary: summary.join(", "), model });
    (action, Setting { head: ("at", head.out.clone()), set })
}

/// What has changed though the state of a run hangs on it.
fn unlike(start: &Model, model: &Model) -> Option<&'static str> {
    let groups = start.groups.iter().zip(&model.groups);
    for (before, after) in groups {
        if before.loads.len() != after.loads.len() {
            return Some("the number of loads");
        }
        if before.loads.iter().zip(&after.loads).any(|(before, after)| unlike_load(before, after)) {
            return Some("a load of fixed moments, or the kind or the `of` of a load,");
        }
        if let Some(what) = unlike_caller(&before.caller, &after.caller) {
            return Some(what);
        }
    }
    let calls = |model: &Model| -> Vec<Caller> {
        let all = model.services.iter().flat_map(|service| &service.calls);
        all.map(|call| call.caller.clone()).collect()
    };
    let (before, after) = (calls(start), calls(model));
    before.iter().zip(&after).find_map(|(before, after)| unlike_caller(before, after))
}

/// Whether a load cannot take over where another has come to: only rates and thinking can. Calls
/// of fixed moments are counted from the start of the run, and would be made up for all at once.
fn unlike_load(before: &Load, after: &Load) -> bool {
    let random = |load: &Load| {
        matches!(load.shape, Shape::Poisson { .. } | Shape::Ramp { .. } | Shape::Step { .. })
    };
    let closed = |load: &Load| matches!(load.shape, Shape::Closed { .. });
    let alike = random(before) && random(after) || closed(before) && closed(after);
    before != after && (before.of != after.of || !alike)
}

fn unlike_caller(before: &Caller, after: &Caller) -> Option<&'static str> {
    if before.layers.len() != after.layers.len() {
        return Some("the number of retry layers");
    }
    if before.retry_queue != after.retry_queue {
        return Some("who shares a queue of retries");
    }
    let mut pairs = before.layers.iter().zip(&after.layers);
    let scope = |layer: &crate::policy::Layer| layer.budget.as_ref().map(|budget| budget.scope);
    pairs.any(|(before, after)| scope(before) != scope(after)).then_some("the presence of a budget")
}
