//! Values set by path: `--set web.count=10`, the `set` of a policy or of an action.

use super::diagnostics::Problem;
use super::keys;
use super::node::{Entry, Node, Place, Value, Via, shorten};
use super::{presets, suggest};

/// Steps that a path may have (≤).
const LONGEST_PATH: usize = 12;

/// A value to set, and where.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    /// As it was written: `web.retry.jitter`.
    pub(super) path: String,
    /// Where the path was written.
    pub(super) place: Place,
    /// The value.
    pub(super) value: Node,
}

/// Who sets a value: not everybody may set everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// The command line.
    Option,
    /// A policy, by its place.
    Policy(usize),
    /// An action in the middle of a run.
    Action,
}

impl Who {
    fn via(self) -> Via {
        match self {
            Who::Option => Via::Direct,
            Who::Policy(index) => Via::Policy(index),
            Who::Action => Via::Action,
        }
    }
}

/// Keys of a client group that may change in the middle of a run.
const CLIENT_ACTIONS: [&str; 4] = ["timeout", "deadline", "retry", "load"];
/// Keys of a service that may change in the middle of a run.
const SERVICE_ACTIONS: [&str; 8] =
    ["workers", "rate", "service_time", "network", "queue", "limit", "stale_work", "crash"];
/// Keys of the whole scenario that a policy may set.
const POLICY_KEYS: [&str; 7] =
    ["horizon", "warmup", "bin", "scramble_ties", "start", "slo", "measure"];

/// Setting a key of the first list removes those of the second from the same table.
const RIVALS: [(&[&str], &[&str]); 4] = [
    (&["max_attempts"], &["max_retries"]),
    (&["max_retries"], &["max_attempts"]),
    (&["rate"], &["workers", "service_time"]),
    (&["workers", "service_time"], &["rate"]),
];

/// Sets a value in the tree; gives the path by index: `clients`, `0`, `retry`, `jitter`.
pub(super) fn apply(root: &mut Node, patch: &Patch, who: Who) -> Result<Vec<String>, Problem> {
    let problem = |message: String| Problem::new(patch.place, message);
    let path = resolve(root, patch, who)?;
    allowed(&path, who).map_err(|(message, help)| problem(message).help(help))?;
    let mut value = patch.value.clone();
    value.mark(who.via());
    put(root, &path, &patch.path, patch.place, value)?;
    Ok(path)
}

/// The error of a patch that sets what one before it has set, or a part or the whole of it; the
/// paths are those by index.
pub(super) fn set_twice<'p>(
    before: impl IntoIterator<Item = (&'p str, &'p [String])>,
    patch: &Patch,
    path: &[String],
) -> Option<Problem> {
    let same = |(a, b): (&String, &String)| match (a.parse::<usize>(), b.parse::<usize>()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    };
    let (first, by) = before.into_iter().find(|(_, by)| by.iter().zip(path).all(same))?;
    let (first, second) = (shorten(first), shorten(&patch.path));
    let (message, help) = if by.len() == path.len() {
        (format!("`{second}` is set twice, first as `{first}`"), "keep one of them")
    } else {
        let message =
            format!("`{second}` and `{first}` are set together, though one holds the other");
        (message, "set the whole once with all its keys, or only the keys that change")
    };
    Some(Problem::new(patch.place, message).help(help))
}

/// The path by index.
fn resolve(root: &Node, patch: &Patch, who: Who) -> Result<Vec<String>, Problem> {
    let steps: Vec<&str> = patch.path.split('.').collect();
    if steps.iter().any(|step| step.is_empty()) || steps.len() > LONGEST_PATH {
        let message = format!("`{}` is no path", shorten(&patch.path));
        return Err(Problem::new(patch.place, message).help("a path looks like `web.retry.jitter`"));
    }
    let owned = |steps: &[&str]| steps.iter().map(|step| (*step).to_string()).collect::<Vec<_>>();
    if let Some(part) = named(root, steps[0]) {
        if steps.len() == 1 {
            let message = format!("`{}` is a whole part of the system", steps[0]);
            let help = format!("name one of its keys in one quoted path: \"{}.…\"", steps[0]);
            return Err(Problem::new(patch.place, message).help(help));
        }
        return Ok([part.to_vec(), owned(&steps[1..])].concat());
    }
    let index = steps.get(1).is_some_and(|step| step.parse::<usize>().is_ok());
    match is_list(steps[0], who) {
        Some(true) if steps.len() < 3 || !index => {
            let message = format!("`{}` is a list", steps[0]);
            let help = format!("paths into it go by name or by index: `{}.0.…`", steps[0]);
            Err(Problem::new(patch.place, message).help(help))
        }
        Some(_) => Ok(owned(&steps)),
        None => Err(unknown(root, patch, steps[0])),
    }
}

/// The list and the index of the client group or service of this name.
fn named(root: &Node, name: &str) -> Option<[String; 2]> {
    ["clients", "services"].into_iter().find_map(|list| {
        let mut items = root.get(list).map_or(&[][..], Node::items).iter();
        let at = items.position(|item| item.get("name").and_then(Node::text) == Some(name))?;
        Some([list.to_string(), at.to_string()])
    })
}

/// Whether a key of the scenario is a list that may be set by index; `None` for no such key.
fn is_list(key: &str, who: Who) -> Option<bool> {
    let lists: &[&str] = match who {
        Who::Option => &["clients", "services", "faults", "actions", "expect"],
        Who::Policy(_) => &["clients", "services", "faults"],
        Who::Action => &["clients", "services"],
    };
    if lists.contains(&key) {
        return Some(true);
    }
    (keys::ROOT.key(key).is_some() && key != "server").then_some(false)
}

fn unknown(root: &Node, patch: &Patch, first: &str) -> Problem {
    let lists = ["clients", "services"].into_iter().filter_map(|list| root.get(list));
    let mut names: Vec<&str> = lists
        .flat_map(|list| list.items())
        .filter_map(|item| item.get("name").and_then(Node::text))
        .collect();
    names.extend(["faults", "horizon", "warmup", "bin", "slo", "measure"]);
    let message = format!("no client group, service or key is named `{}`", shorten(first));
    Problem::new(patch.place, message).help(suggest::help(first, &names))
}

/// Whether this path may be set by these means; if not, why, and what to do.
fn allowed(path: &[String], who: Who) -> Result<(), (String, String)> {
    let part = path[0] == "clients" || path[0] == "services";
    if part && path[2] == "name" {
        return Err(("a name cannot be set".into(), "paths go by name: edit the file".into()));
    }
    let inside = path.iter().skip(2).any(|step| step == "retry");
    if inside && path.last().is_some_and(|step| step == "preset") {
        let help = "set the retries: \"web.retry\" = \"grpc\", or a table with `preset` in it";
        return Err(("a preset is a whole layer".into(), help.into()));
    }
    match who {
        Who::Option if path[0] == "policy" => {
            let help = "edit the file, or set the value in the system itself";
            Err(("policies cannot be set by path".into(), help.into()))
        }
        Who::Policy(_) if !part && path[0] != "faults" && !POLICY_KEYS.contains(&&*path[0]) => {
            let message = format!("`{}` is the same for every policy", shorten(&path[0]));
            Err((message, "set it at the top of the file".into()))
        }
        Who::Action if !in_run(path) => {
            let shown = path.get(2).unwrap_or(&path[0]);
            let message = format!("`{}` cannot change in the middle of a run", shorten(shown));
            let help = format!(
                "an action may change {} of a client group and {} of a service",
                suggest::listed(&CLIENT_ACTIONS),
                suggest::listed(&SERVICE_ACTIONS)
            );
            Err((message, help))
        }
        _ => Ok(()),
    }
}

/// Whether an action may set this path.
fn in_run(path: &[String]) -> bool {
    let steps: Vec<&str> = path.iter().map(String::as_str).collect();
    match steps[..] {
        ["clients", _, key, ..] => CLIENT_ACTIONS.contains(&key),
        ["services", _, "calls", _, key, ..] => ["timeout", "retry", "deadline"].contains(&key),
        ["services", _, key, ..] => SERVICE_ACTIONS.contains(&key),
        _ => false,
    }
}

/// Puts the value at the end of a path, which is made where it does not exist.
pub(super) fn put(
    node: &mut Node,
    path: &[String],
    shown: &str,
    place: Place,
    value: Node,
) -> Result<(), Problem> {
    let Some((step, rest)) = path.split_first() else {
        *node = value;
        return Ok(());
    };
    if node.get("preset").is_some() {
        expand(node);
    }
    let kind = node.kind();
    let inner = match &mut node.value {
        Value::Table(entries) => {
            if rest.is_empty() {
                remove_rivals(entries, step);
            }
            let empty = Node { value: Value::Table(Vec::new()), ..value.clone() };
            let inner = entry(entries, step, place, empty);
            if step == "retry" && !rest.is_empty() {
                expand(inner);
            }
            inner
        }
        Value::List(items) => item(items, step, place)?,
        _ => return Err(inside(shown, path.len(), &kind, place)),
    };
    put(inner, rest, shown, place, value)
}

/// Puts the layer in the place of a preset that is to be changed.
fn expand(node: &mut Node) {
    if presets::is_preset(node)
        && let Ok(layer) = presets::expanded(node)
    {
        *node = layer;
    }
}

/// The value of a key, which is made where it does not exist.
fn entry<'n>(entries: &'n mut Vec<Entry>, key: &str, place: Place, empty: Node) -> &'n mut Node {
    let index = entries.iter().position(|entry| entry.key == key).unwrap_or_else(|| {
        entries.push(Entry { key: key.to_string(), place, node: empty });
        entries.len() - 1
    });
    &mut entries[index].node
}

fn item<'n>(items: &'n mut [Node], step: &str, place: Place) -> Result<&'n mut Node, Problem> {
    let message = format!("`{}` is no index of a list of {}", shorten(step), items.len());
    let item = step.parse::<usize>().ok().and_then(|index| items.get_mut(index));
    item.ok_or_else(|| Problem::new(place, message).help("the first item has the index 0"))
}

/// A path that goes on, `left` steps from its end, into what has no keys.
fn inside(shown: &str, left: usize, kind: &str, place: Place) -> Problem {
    let steps = shown.split('.').count().saturating_sub(left);
    let parent: Vec<&str> = shown.split('.').take(steps).collect();
    let parent = shorten(&parent.join("."));
    let message = format!("nothing can be set inside `{parent}`, which is {kind}");
    Problem::new(place, message).help(format!("set `{parent}` as a whole, to a table"))
}

/// Whether two keys of one table cannot stand side by side.
pub(super) fn excludes(one: &str, other: &str) -> bool {
    RIVALS.iter().any(|(set, removed)| set.contains(&one) && removed.contains(&other))
}

/// The error of two keys that stand side by side all the same.
pub(super) fn exclude_each_other(place: Place, one: &str, other: &str) -> Problem {
    let message = format!("`{one}` and `{other}` exclude each other");
    Problem::new(place, message).help(format!("keep exactly one of `{one}`, `{other}`"))
}

/// Removes what cannot stand beside a key that is set.
pub(super) fn remove_rivals(entries: &mut Vec<Entry>, key: &str) {
    for (set, removed) in RIVALS {
        if set.contains(&key) {
            entries.retain(|entry| !removed.contains(&entry.key.as_str()));
        }
    }
}
