//! From the tree of a file to a checked scenario.

use std::collections::BTreeSet;
use std::path::Path;

use super::across;
use super::cases::{Case, Head, actions, case, policies, set};
use super::diagnostics::{Diagnostics, Problem};
use super::effective::{hash, with_title, write};
use super::explain::explain;
use super::measured::Facts;
use super::model::Scenario;
use super::node::{Entry, Node, Place, Value};
use super::options::patches;
use super::out::Out;
use super::patch::Who;
use super::read::{Names, Root, expect, root};
use super::source::{Text, parse};
use super::walk::{Context, list};
use super::{Error, Expect, Loaded, Options, origins};
use crate::time::SimTime;

/// Reads and checks the text of a scenario.
pub(super) fn load(
    name: &str,
    text: &str,
    folder: &Path,
    options: &Options,
) -> Result<Loaded, Error> {
    // Some editors begin a file with a mark that is no part of its first line.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut texts = vec![Text::new(name.to_string(), text.to_string())];
    let mut context = Context::new(folder.to_path_buf());
    let patches = patches(options, &mut texts, &mut context.problems);
    let mut tree = match parse(name, texts[0].text()) {
        Ok(tree) => tree,
        Err(problems) => return Err(Error::Bad(Diagnostics::new(problems, texts))),
    };
    if tree.entries().is_empty() {
        return Err(Error::Bad(Diagnostics::new(vec![empty()], texts)));
    }
    name_server(&mut tree, &mut context.problems);
    set(&mut context, &mut tree, &patches, Who::Option);
    let read = read(&mut context, &tree);
    if !context.problems.is_empty() {
        return Err(Error::Bad(Diagnostics::new(context.problems, texts)));
    }
    match finish(name, &texts, &context, read) {
        Some(mut loaded) => {
            origins::restore(texts[0].text(), &mut loaded);
            Ok(loaded)
        }
        // Only a reader that gives up without a word leads here; better said than a panic.
        None => {
            let message = "the scenario cannot be read".to_string();
            let problem = Problem::new(Place { text: 0, start: 0, end: 0 }, message);
            Err(Error::Bad(Diagnostics::new(vec![problem], texts)))
        }
    }
}

fn empty() -> Problem {
    let message = "the scenario is empty: it needs `seed`, `horizon`, `[[clients]]`, and \
                   `[server]` or `[[services]]`";
    Problem::new(Place { text: 0, start: 0, end: 0 }, message.to_string())
        .help("`herdsim init FILE` writes a scenario to edit")
}

/// Turns `[server]` into the first of `[[services]]`, with the name that it is short for.
fn name_server(tree: &mut Node, problems: &mut Vec<Problem>) {
    let Value::Table(entries) = &mut tree.value else { return };
    let Some(at) = entries.iter().position(|entry| entry.key == "server") else { return };
    // What is no table stays where it is, for the reader to refuse it there.
    let Value::Table(keys) = &mut entries[at].node.value else {
        let problem = Problem::new(entries[at].node.place, "`server` is a table".to_string());
        problems.push(problem.help("write [server] and its keys below it"));
        return;
    };
    if let Some(entry) = keys.iter().find(|entry| entry.key == "name") {
        let message = "`[server]` is short for a service named \"server\"".to_string();
        let help = "leave `name` out, or write [[services]]";
        problems.push(Problem::new(entry.place, message).help(help));
        return;
    }
    let server = entries.remove(at);
    add_server(entries, server);
}

/// Puts the server in front of the other services.
fn add_server(entries: &mut Vec<Entry>, mut server: Entry) {
    let name = Node::new(server.place, Value::Text("server".to_string()));
    if let Value::Table(keys) = &mut server.node.value {
        keys.insert(0, Entry { key: "name".to_string(), place: server.place, node: name });
    }
    match entries.iter_mut().find(|entry| entry.key == "services").map(|e| &mut e.node.value) {
        None => {
            let place = server.node.place;
            let node = Node::new(place, Value::List(vec![server.node]));
            entries.push(Entry { key: "services".to_string(), place: server.place, node });
        }
        Some(Value::List(items)) => items.insert(0, server.node),
        // Refused by the reader, as it is no list.
        Some(_) => {}
    }
}

/// All that was read.
struct Read {
    /// Without any policy.
    base: Root,
    /// Under every policy.
    cases: Vec<Case>,
    /// Expectations; `None` when one is wrong.
    expects: Option<Vec<Expect>>,
    /// How they are spelled.
    expect_outs: Vec<Out>,
}

fn read(context: &mut Context, tree: &Node) -> Read {
    let heads = policies(context, tree);
    let action_heads = actions(context, tree);
    let before = std::mem::take(&mut context.problems);
    let base = root(context, tree);
    let base_problems: BTreeSet<Problem> =
        std::mem::take(&mut context.problems).into_iter().collect();
    context.problems = before;
    let lonely = tree.get("policy").is_none() || heads.is_empty();
    // What is absent may come from a policy; if not, each of them will say so.
    let kept = base_problems.iter().filter(|problem| lonely || !problem.missing);
    context.problems.extend(kept.cloned());
    let cases: Vec<Case> = heads
        .iter()
        .enumerate()
        .map(|(index, head)| read_case(context, tree, (index, head), &action_heads, &base_problems))
        .collect();
    across::check(context, tree, &heads, &cases);
    let names = names(&heads, &cases, &base);
    let (expects, out) = match tree.get("expect") {
        None => (Some(Vec::new()), Out::Nothing),
        Some(node) => list(context, node, |context, node| expect(context, node, &names)),
    };
    let expect_outs = match out {
        Out::List(outs) => outs,
        _ => Vec::new(),
    };
    Read { base, cases, expects, expect_outs }
}

/// Reads the system under one policy; problems that the file has without it stay as they are.
fn read_case(
    context: &mut Context,
    tree: &Node,
    (index, head): (usize, &Head<String>),
    actions: &[Head<SimTime>],
    base_problems: &BTreeSet<Problem>,
) -> Case {
    let before = std::mem::take(&mut context.problems);
    let case = case(context, tree, index, head, actions);
    let found = std::mem::replace(&mut context.problems, before);
    let unpatched = tree.get("policy").is_none();
    for mut problem in found {
        let inherited = base_problems.contains(&problem);
        if !inherited && !unpatched && !is_own(&problem, head, actions) {
            let label = super::node::shorten(&head.own);
            problem.message.push_str(&format!(" (under the policy \"{label}\")"));
        }
        context.problems.push(problem);
    }
    case
}

/// Whether a problem lies in the text of the policy or of an action itself.
fn is_own(problem: &Problem, head: &Head<String>, actions: &[Head<SimTime>]) -> bool {
    let inside = |place: Place| {
        place.text == problem.place.text
            && place.start <= problem.place.start
            && problem.place.end <= place.end
    };
    let actions = actions.iter().flat_map(|action| &action.patches);
    let mut all = head.patches.iter().chain(actions);
    all.any(|patch| inside(patch.place) || inside(patch.value.place))
}

/// What expectations may name.
fn names(heads: &[Head<String>], cases: &[Case], base: &Root) -> Names {
    let out = cases.first().map_or(&base.out, |case| &case.root.out);
    let named = |list: &str| -> Vec<String> {
        let Some(Out::List(items)) = out.find(&[list.to_string()]) else {
            return Vec::new();
        };
        let name = |item: &Out| match item.find(&["name".to_string()]) {
            Some(Out::Leaf(leaf)) => leaf.text.trim_matches('"').to_string(),
            _ => String::new(),
        };
        items.iter().map(name).collect()
    };
    Names {
        policies: heads.iter().map(|head| head.own.clone()).collect(),
        groups: named("clients"),
        services: named("services"),
        facts: cases.iter().map(|case| case.root.model.as_ref().map(Facts::of)).collect(),
    }
}

fn finish(name: &str, texts: &[Text], context: &Context, read: Read) -> Option<Loaded> {
    let stem = match name {
        "-" => "stdin",
        name => Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or("scenario"),
    };
    let title = read.base.title.clone().unwrap_or_else(|| stem.to_string());
    let base_out = with_title(read.base.out, &title);
    let labels: Vec<String> =
        read.cases.iter().filter_map(|case| Some(case.case.as_ref()?.label.clone())).collect();
    let mut outs: Vec<Out> = read.cases.iter().map(|case| case.root.out.clone()).collect();
    if let Some(first) = outs.first_mut() {
        *first = with_title(first.clone(), &title);
    }
    let mut settings = Vec::new();
    let mut policies = Vec::new();
    let mut action_settings = None;
    for case in read.cases {
        settings.push(case.setting);
        policies.push(case.case?);
        action_settings.get_or_insert(case.actions);
    }
    let actions = action_settings.unwrap_or_default();
    let explained = explain(&outs, &actions, &labels, texts);
    let effective = write(&base_out, &actions, &settings, &read.expect_outs);
    let files = context.files.all();
    let scenario = Scenario {
        title,
        question: read.base.question?,
        seed: read.base.seed?,
        reps: read.base.reps?,
        policies,
        expects: read.expects?,
        hash: hash(&effective, &files),
    };
    Some(Loaded { scenario, explained, effective, files })
}
