//! The whole scenario but for its policies, actions and expectations.

use std::time::Duration;

use crate::fault::Fault;
use crate::scenario::checks;
use crate::scenario::demand;
use crate::scenario::diagnostics::Problem;
use crate::scenario::keys;
use crate::scenario::model::{Group, Measure, Model, ServiceNode, Slo, Start};
use crate::scenario::node::{Node, Value};
use crate::scenario::out::{Got, Out};
use crate::scenario::scalars::{duration, flag, positive, share, text, whole};
use crate::scenario::walk::{Context, Walk};
use crate::scenario::zero_wait;
use crate::time::{SimTime, nanos};

use super::{clients, fault, service, start};

/// Bins that a run may have (≤).
pub(crate) const MOST_BINS: u64 = 1_000_000;
/// Replications that a scenario may ask for (≤).
const MOST_REPS: u64 = 100_000;

/// What the whole scenario says, as far as it could be read.
pub(crate) struct Root {
    /// What it is called, when it says so.
    pub(crate) title: Option<String>,
    /// The question it asks.
    pub(crate) question: Option<String>,
    /// The seed of the first replication.
    pub(crate) seed: Option<u64>,
    /// Replications.
    pub(crate) reps: Option<u32>,
    /// The system.
    pub(crate) model: Option<Model>,
    /// All of it, spelled.
    pub(crate) out: Out,
}

/// Reads the whole scenario but for its policies, actions and expectations.
pub(crate) fn root(context: &mut Context, node: &Node) -> Root {
    let nothing = Root {
        title: None,
        question: None,
        seed: None,
        reps: None,
        model: None,
        out: Out::Nothing,
    };
    let Some(mut walk) = Walk::open(context, node, &keys::ROOT) else {
        return nothing;
    };
    let title = walk.get("title", text);
    let question = walk.get("question", text);
    let seed = walk.get("seed", |context, node| whole(context, node, 0, u64::MAX));
    let reps = walk.get("reps", |context, node| whole(context, node, 1, MOST_REPS));
    let reps = reps.and_then(|reps| u32::try_from(reps).ok());
    let model = model(&mut walk);
    Root { title, question, seed, reps, model, out: walk.finish() }
}

fn model(walk: &mut Walk<'_, '_>) -> Option<Model> {
    let horizon = walk.get("horizon", positive);
    let times = times(walk, horizon);
    let scramble_ties = walk.get("scramble_ties", flag);
    let start = start(walk);
    let slo = walk.get("slo", slo);
    let measure = walk.get("measure", measure);
    let names = service_names(walk);
    let groups = groups(walk, &names);
    let services = services(walk, &names);
    let faults = faults(walk, &names, horizon);
    if let Some((start, services)) = start.as_ref().zip(services.as_ref()) {
        start::fits(walk, start, services);
    }
    checks::names(walk.context, walk.node);
    let fits = checks::parts(walk.context, walk.node) & checks::memory(walk.context, walk.node);
    checks::cycles(walk.context, walk.node);
    let (warmup, bin) = times?;
    let model = Model {
        horizon: SimTime::ZERO.saturating_add(horizon?),
        warmup: SimTime::ZERO.saturating_add(warmup),
        bin,
        scramble_ties: scramble_ties?,
        slo,
        groups: groups?,
        services: services?,
        faults: faults?,
        measure: measure?,
        start: start?,
    };
    if fits {
        demand::calls(walk.context, walk.node, &model);
    }
    zero_wait::products(walk.context, walk.node, &model);
    Some(model)
}

/// The state at time zero: nothing, when nothing is said.
fn start(walk: &mut Walk<'_, '_>) -> Option<Start> {
    if walk.raw("start").is_none() {
        return Some(Start::default());
    }
    walk.get("start", start::start)
}

/// Warm-up and bin, checked against the horizon.
fn times(walk: &mut Walk<'_, '_>, horizon: Option<Duration>) -> Option<(Duration, Duration)> {
    let warmup = walk.get("warmup", duration);
    let bin = walk.get("bin", positive);
    if warmup.zip(horizon).is_some_and(|(warmup, horizon)| warmup >= horizon) {
        let message = "`warmup` must be shorter than `horizon`".to_string();
        walk.wrong("warmup", message, "nothing would be left to measure");
    }
    if let Some((bin, horizon)) = bin.zip(horizon) {
        let bins = nanos(horizon).div_ceil(nanos(bin));
        if bins > MOST_BINS {
            let name = if walk.raw("bin").is_some() { "bin" } else { "horizon" };
            let message =
                format!("`horizon` divided by `bin` makes {bins} bins, more than {MOST_BINS}");
            walk.wrong(name, message, "choose a wider `bin` or a shorter `horizon`");
        }
    }
    warmup.zip(bin)
}

fn slo(context: &mut Context, node: &Node) -> Got<Slo> {
    let Some(mut walk) = Walk::open(context, node, &keys::SLO) else {
        return (None, Out::Nothing);
    };
    let latency = walk.get("latency", positive);
    let share = walk.get("share", share);
    (latency.zip(share).map(|(latency, share)| Slo { latency, share }), walk.finish())
}

fn measure(context: &mut Context, node: &Node) -> Got<Measure> {
    let Some(mut walk) = Walk::open(context, node, &keys::MEASURE) else {
        return (None, Out::Nothing);
    };
    let peak_width = walk.get("peak_width", positive);
    let first_below =
        walk.get("first_below", |context, node| whole(context, node, 0, u64::MAX >> 1));
    let first_above =
        walk.get("first_above", |context, node| whole(context, node, 0, u64::MAX >> 1));
    let recovery = walk.get("recovery", recovery);
    let all = peak_width.zip(first_below).zip(recovery);
    let all = all.map(|((peak_width, first_below), (within, hold))| Measure {
        peak_width,
        first_below,
        first_above,
        recovery_within: within,
        recovery_hold: hold,
    });
    (all, walk.finish())
}

fn recovery(context: &mut Context, node: &Node) -> Got<(f64, Option<Duration>)> {
    let Some(mut walk) = Walk::open(context, node, &keys::RECOVERY) else {
        return (None, Out::Nothing);
    };
    let within = walk.get("within", share);
    let hold = walk.get("hold", positive);
    (within.map(|within| (within.as_f64(), hold)), walk.finish())
}

/// The names of the services as they are written; an empty one where there is none.
fn service_names(walk: &Walk<'_, '_>) -> Vec<String> {
    let items = walk.raw("services").map_or(&[][..], Node::items);
    let name = |item: &Node| item.get("name").and_then(Node::text).unwrap_or("").to_string();
    items.iter().map(name).collect()
}

fn groups(walk: &mut Walk<'_, '_>, names: &[String]) -> Option<Vec<Group>> {
    let found = tables(walk, "clients", |context, node| clients::group(context, node, names));
    if found.as_ref().is_some_and(Vec::is_empty) {
        walk.wrong("clients", "at least one client group is needed".to_string(), "");
    }
    found
}

fn services(walk: &mut Walk<'_, '_>, names: &[String]) -> Option<Vec<ServiceNode>> {
    let meant = walk.is_meant("server") || walk.is_meant("services");
    if walk.raw("services").is_none() && (meant || walk.raw("server").is_some()) {
        return None;
    }
    if walk.raw("services").is_none_or(|node| node.items().is_empty() && is_list(node)) {
        let message = "a scenario needs a `[server]` or `[[services]]`".to_string();
        let help = "[server] workers = 50, service_time = \"20ms\"";
        walk.context.report(Problem::new(walk.place("services"), message).help(help).missing());
        return None;
    }
    tables(walk, "services", |context, node| service::service(context, node, names))
}

fn faults(
    walk: &mut Walk<'_, '_>,
    names: &[String],
    horizon: Option<Duration>,
) -> Option<Vec<Fault>> {
    if walk.raw("faults").is_none() {
        return Some(Vec::new());
    }
    tables(walk, "faults", |context, node| fault::fault(context, node, names, horizon))
}

fn is_list(node: &Node) -> bool {
    matches!(node.value, Value::List(_))
}

/// Reads an array of tables; one table by itself is a common slip.
fn tables<T>(
    walk: &mut Walk<'_, '_>,
    name: &'static str,
    read: impl FnMut(&mut Context, &Node) -> Got<T>,
) -> Option<Vec<T>> {
    if walk.raw(name).is_some_and(|node| matches!(node.value, Value::Table(_))) {
        let message = format!("`{name}` is a list of tables");
        walk.wrong(name, message, &format!("write [[{name}]] with two brackets, in JSON a list"));
        return None;
    }
    walk.list(name, read)
}
