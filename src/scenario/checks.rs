//! Rules that join several parts of a scenario.

use std::collections::BTreeMap;

use super::diagnostics::Problem;
use super::keys;
use super::memory::{self, size};
use super::node::{Node, Value};
use super::walk::Context;

/// Client groups, services and calls between services that a system may have (≤): each kind of
/// caller has a number of sixteen bits.
const MOST_PARTS: usize = 10_000;

/// Refuses more groups, services and calls than the simulator can number.
pub(super) fn parts(context: &mut Context, root: &Node) -> bool {
    let items = |list: &str| root.get(list).map_or(&[][..], Node::items);
    let calls = |node: &Node| node.get("calls").map_or(0, |calls| calls.items().len());
    let inner: usize = items("services").iter().map(calls).sum();
    let total = items("clients").len() + items("services").len() + inner;
    if total > MOST_PARTS {
        let message = format!("{total} client groups, services and calls between them");
        let help = format!("at most {MOST_PARTS} are allowed: a group may have many clients");
        context.report(Problem::new(root.place, message).help(help));
    }
    total <= MOST_PARTS
}

/// Client groups and services share one namespace, in which the keys of the file are taken.
pub(super) fn names(context: &mut Context, root: &Node) {
    let mut seen = BTreeMap::new();
    for list in ["clients", "services"] {
        for node in root.get(list).map_or(&[][..], Node::items) {
            let Some(name_node) = node.get("name") else { continue };
            let Some(name) = name_node.text() else { continue };
            let taken = keys::ROOT.key(name).is_some() && name != "server";
            let message = if taken {
                format!("`{name}` is a key of the scenario and cannot be a name")
            } else if seen.insert(name, ()).is_some() {
                format!("two client groups or services are named `{name}`")
            } else {
                continue;
            };
            let help = "paths such as `web.timeout` go by name, so that every name is unique";
            context.report(Problem::new(name_node.place, message).help(help));
        }
    }
}

/// Refuses more clients than the memory holds, with the memory that they would need; gives
/// whether there are few enough.
pub(super) fn memory(context: &mut Context, root: &Node) -> bool {
    let mut total: u128 = 0;
    for node in root.get("clients").map_or(&[][..], Node::items) {
        let Some(count_node) = node.get("count") else { continue };
        let Value::Whole(count) = count_node.value else { continue };
        // Beyond 64 bits it is refused where it is read.
        let Ok(count) = u64::try_from(count).map(u128::from) else { continue };
        let need = count.saturating_mul(client(node));
        total = total.saturating_add(need);
        if total > u128::from(memory::MOST) || count > u128::from(u32::MAX) {
            let message = format!("{count} clients would need about {}", size(total.max(need)));
            let help = format!("at most {} are allowed", size(memory::MOST.into()));
            context.report(Problem::new(count_node.place, message).help(help));
            return false;
        }
    }
    true
}

/// Memory of one client of a group, in bytes.
fn client(group: &Node) -> u128 {
    let load = group.get("load");
    let loads = load.map_or(&[][..], |load| match &load.value {
        Value::List(items) => items,
        _ => std::slice::from_ref(load),
    });
    let of_group = |load: &Node| match load.get("of").and_then(Node::text) {
        Some(of) => of == "group",
        None => load.get("trace").is_some(),
    };
    let base = if loads.iter().all(of_group) { memory::CLIENT } else { memory::LOADED_CLIENT };
    u128::from(base) + u128::from(memory::FURTHER_LOAD) * (loads.len().max(1) - 1) as u128
}

/// Refuses services that call themselves, directly or through others.
pub(super) fn cycles(context: &mut Context, root: &Node) {
    let services = root.get("services").map_or(&[][..], Node::items);
    let name = |node: &Node| node.get("name").and_then(Node::text).map(str::to_string);
    let index: BTreeMap<String, usize> =
        services.iter().enumerate().filter_map(|(i, node)| Some((name(node)?, i))).collect();
    let known = |to: &Node| to.text().and_then(|to| index.get(to)).copied();
    let calls: Vec<Vec<(usize, &Node)>> = services
        .iter()
        .map(|node| called(node).filter_map(|to| Some((known(to)?, to))).collect())
        .collect();
    if let Some((cycle, node)) = find_cycle(&calls) {
        let names: Vec<String> =
            cycle.iter().map(|i| name(&services[*i]).unwrap_or_default()).collect();
        let message = format!("services call one another in a circle: {}", names.join(" -> "));
        let help = "a call that comes back would never end: remove one of the calls";
        context.report(Problem::new(node.place, message).help(help));
    }
}

/// The names of the services that a service calls.
fn called(service: &Node) -> impl Iterator<Item = &Node> {
    let calls = service.get("calls").map_or(&[][..], Node::items).iter();
    calls.filter_map(|call| call.get("to"))
}

/// The first circle, its first service repeated at the end, and the call that closes it.
///
/// Depth first without recursion, as nothing bounds the length of a chain of services.
fn find_cycle<'n>(calls: &[Vec<(usize, &'n Node)>]) -> Option<(Vec<usize>, &'n Node)> {
    let mut done = vec![false; calls.len()];
    let mut on_path = vec![false; calls.len()];
    for start in 0..calls.len() {
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        while let Some((service, next)) = path.last_mut() {
            on_path[*service] = true;
            let Some((to, node)) = calls[*service].get(*next).filter(|_| !done[*service]) else {
                on_path[*service] = false;
                done[*service] = true;
                path.pop();
                continue;
            };
            *next += 1;
            if on_path[*to] {
                let from = path.iter().position(|(service, _)| service == to).unwrap_or(0);
                let mut cycle: Vec<usize> = path[from..].iter().map(|(s, _)| *s).collect();
                cycle.push(*to);
                return Some((cycle, *node));
            }
            path.push((*to, 0));
        }
    }
    None
}
