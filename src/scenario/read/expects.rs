//! What a scenario claims about its own answer.

use crate::metrics::{Metric, Unit};
use crate::scenario::diagnostics::Problem;
use crate::scenario::expect::{Expect, Part, Subject};
use crate::scenario::keys;
use crate::scenario::measured::{Facts, absent_of, absent_under};
use crate::scenario::node::{Node, Value};
use crate::scenario::out::{Got, Out};
use crate::scenario::scalars::{duration, number, rate, share, text, word};
use crate::scenario::suggest;
use crate::scenario::walk::{Context, Walk};

use super::clients::service;

/// What expectations may name.
pub(in crate::scenario) struct Names {
    /// Labels of the policies.
    pub(crate) policies: Vec<String>,
    /// Client groups.
    pub(crate) groups: Vec<String>,
    /// Services.
    pub(crate) services: Vec<String>,
    /// What decides which measures there are under each policy; `None` where it is not known.
    pub(in crate::scenario) facts: Vec<Option<Facts>>,
}

/// Over what a measure is taken.
#[derive(Clone, Copy, PartialEq)]
enum Stat {
    Mean,
    P50,
    P95,
}

/// An expectation.
pub(in crate::scenario) fn expect(
    context: &mut Context,
    node: &Node,
    names: &Names,
) -> Got<Expect> {
    let Some(mut walk) = Walk::open(context, node, &keys::EXPECT) else {
        return (None, Out::Nothing);
    };
    let policy = policy(&mut walk, &names.policies);
    let metric = walk.get("metric", metric);
    let stats = [("mean", Stat::Mean), ("p50", Stat::P50), ("p95", Stat::P95)];
    let stat = walk.get("stat", |context, node| word(context, node, &stats));
    let part = part(&mut walk, names);
    let unit = metric.map(|metric| metric.map(Metric::unit));
    let min = unit.and_then(|unit| walk.get("min", |context, node| bound(context, node, unit)));
    let max = unit.and_then(|unit| walk.get("max", |context, node| bound(context, node, unit)));
    if walk.raw("min").is_none() && walk.raw("max").is_none() {
        walk.demand("max", "or `min`");
    }
    if min.zip(max).is_some_and(|(min, max)| min.0 > max.0) {
        walk.wrong("min", "`min` is above `max`: nothing can meet both".to_string(), "");
    }
    let facts = policy.and_then(|policy| names.facts.get(policy)?.as_ref());
    let subject =
        metric.zip(stat).and_then(|(metric, stat)| subject(&mut walk, metric, stat, part, facts));
    let expect = policy.zip(part).zip(subject).map(|((policy, part), subject)| Expect {
        summary: String::new(),
        policy,
        part,
        subject,
        min: min.map(|bound| bound.0),
        max: max.map(|bound| bound.0),
    });
    let out = walk.finish();
    let expect = expect.map(|expect| Expect { summary: summary(&out), ..expect });
    (expect, out)
}

fn policy(walk: &mut Walk<'_, '_>, labels: &[String]) -> Option<usize> {
    if let ([only], None) = (labels, walk.raw("policy")) {
        walk.computed("policy", crate::scenario::out::quote(only));
        return Some(0);
    }
    if walk.raw("policy").is_none() {
        walk.demand("policy", &format!("because there are {} policies", labels.len()));
        return None;
    }
    walk.get("policy", |context, node| named(context, node, "policy", labels))
}

fn named(context: &mut Context, node: &Node, what: &str, names: &[String]) -> Got<usize> {
    let (Some(wanted), out) = text(context, node) else {
        return (None, Out::Nothing);
    };
    if let Some(index) = names.iter().position(|name| *name == wanted) {
        return (Some(index), out);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let message = format!("no {what} is named `{}`", super::short(&wanted));
    let help = suggest::help(&wanted, &names);
    context.report(Problem::new(node.place, message).help(help));
    (None, Out::Nothing)
}

/// A measure; `None` inside for the share of runs that recovered.
fn metric(context: &mut Context, node: &Node) -> Got<Option<Metric>> {
    let (Some(wanted), out) = text(context, node) else {
        return (None, Out::Nothing);
    };
    if wanted == "recovered" {
        return (Some(None), out);
    }
    if let Some(metric) = Metric::ALL.into_iter().find(|metric| metric.name() == wanted) {
        return (Some(Some(metric)), out);
    }
    let mut names: Vec<&str> = Metric::ALL.iter().map(|metric| metric.name()).collect();
    names.push("recovered");
    let message = format!("no measure is named `{}`", super::short(&wanted));
    let help = suggest::help(&wanted, &names);
    context.report(Problem::new(node.place, message).help(help));
    (None, Out::Nothing)
}

fn part(walk: &mut Walk<'_, '_>, names: &Names) -> Option<Part> {
    let group = walk.get("clients", |c, node| named(c, node, "client group", &names.groups));
    let service = walk.get("service", |context, node| service(context, node, &names.services));
    match (walk.raw("clients").is_some(), walk.raw("service").is_some()) {
        (true, true) => {
            let message = "`clients` and `service` exclude each other".to_string();
            walk.wrong("service", message, "a measure is taken of one part of the system");
            None
        }
        (true, false) => group.map(Part::Clients),
        (false, true) => service.map(Part::Service),
        (false, false) => Some(Part::Whole),
    }
}

fn subject(
    walk: &mut Walk<'_, '_>,
    metric: Option<Metric>,
    stat: Stat,
    part: Option<Part>,
    facts: Option<&Facts>,
) -> Option<Subject> {
    let part = part.unwrap_or(Part::Whole);
    let absent = absent_of(metric, part)
        .or_else(|| facts.and_then(|facts| absent_under(metric, part, facts)));
    if let Some((message, help)) = absent {
        walk.wrong("metric", message, help);
        return None;
    }
    match (metric, stat) {
        (None, Stat::Mean) => Some(Subject::Recovered),
        // Runs that did not recover have no time: there is a median, but no mean.
        (Some(Metric::RecoveryS), Stat::Mean | Stat::P50) => Some(Subject::RecoveryP50),
        (Some(metric), Stat::Mean) => Some(Subject::Mean(metric)),
        (Some(Metric::RecoveryS), Stat::P95) => Some(Subject::RecoveryP95),
        _ => {
            let message = "quantiles are taken of `recovery_s` only".to_string();
            walk.wrong("stat", message, "write stat = \"mean\", or leave it out");
            None
        }
    }
}

/// A bound in the unit of the measure; `None` as unit for a share of runs.
fn bound(context: &mut Context, node: &Node, unit: Option<Unit>) -> Got<Bound> {
    let (value, out) = match unit {
        None => {
            let (value, out) = share(context, node);
            (value.map(crate::units::Share::as_f64), out)
        }
        Some(Unit::Seconds) => time(context, node, 1.0),
        Some(Unit::Milliseconds) => time(context, node, 1e3),
        Some(Unit::Minutes) => time(context, node, 1.0 / 60.0),
        Some(Unit::PerSecond) => {
            let (value, out) = rate(context, node);
            (value.map(crate::units::Rate::as_per_second), out)
        }
        Some(Unit::Ratio) if matches!(node.value, Value::Text(_)) => {
            let (value, out) = share(context, node);
            (value.map(crate::units::Share::as_f64), out)
        }
        Some(Unit::Ratio | Unit::Count) => number(context, node, 0.0),
    };
    (value.map(Bound), out)
}

/// A bound in the unit of its measure.
#[derive(Clone, Copy)]
struct Bound(f64);

fn time(context: &mut Context, node: &Node, per_second: f64) -> Got<f64> {
    let (value, out) = duration(context, node);
    (value.map(|value| value.as_secs_f64() * per_second), out)
}

/// The claim in words: `shipped: recovery_s p95 <= 30s`.
fn summary(out: &Out) -> String {
    let word = |name: &str| unquoted(out, name);
    let mut text = format!("{}: ", word("policy").unwrap_or_default());
    if let Some(part) = word("clients").or_else(|| word("service")) {
        text.push_str(&format!("{part} "));
    }
    text.push_str(&word("metric").unwrap_or_default());
    if let Some(stat) = word("stat").filter(|stat| stat != "mean") {
        text.push_str(&format!(" {stat}"));
    }
    match (word("min"), word("max")) {
        (Some(min), Some(max)) => format!("{text} from {min} to {max}"),
        (Some(min), None) => format!("{text} >= {min}"),
        (None, Some(max)) => format!("{text} <= {max}"),
        (None, None) => text,
    }
}

/// The value of a key without the quotes of TOML.
fn unquoted(out: &Out, name: &str) -> Option<String> {
    let found = out.find(&[name.to_string()]).map(Out::inline)?;
    let parsed: Option<toml::Table> = format!("x = {found}").parse().ok();
    let text = parsed.as_ref().and_then(|table| table["x"].as_str()).map(str::to_string);
    Some(text.unwrap_or(found))
}
