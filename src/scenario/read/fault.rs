//! Scheduled faults.

use std::time::Duration;

use crate::failure::FailureClass;
use crate::fault::{Fault, Kind, OutageMode};
use crate::scenario::diagnostics::Problem;
use crate::scenario::keys::{self, Table};
use crate::scenario::node::Node;
use crate::scenario::out::{Got, Out};
use crate::scenario::scalars::{duration, number, positive, share, text, unknown_word, word};
use crate::scenario::walk::{Context, Walk};
use crate::time::{SimTime, format_duration, parse_duration};

use super::clients::target;
use super::dist::positive_dist;

const LATER: [&str; 3] = ["lost-capacity", "partition", "restart"];
const MODES: [(&str, OutageMode); 3] = [
    ("reject", OutageMode::Reject),
    ("pause", OutageMode::Pause),
    ("blackhole", OutageMode::Blackhole),
];
/// Breakdowns that a fault may bring (≤).
const MOST_BREAKDOWNS: f64 = 1e8;

/// A fault of one of these services.
pub(super) fn fault(
    context: &mut Context,
    node: &Node,
    services: &[String],
    horizon: Option<Duration>,
) -> Got<Fault> {
    let table = table_of(node);
    let Some(mut walk) = Walk::open(context, node, table) else {
        return (None, Out::Nothing);
    };
    let named = walk.get("kind", kind_name);
    let service = target(&mut walk, services);
    let at = walk.get("at", duration);
    let lasts = walk.get("for", positive);
    let ramp = walk.get("recover", recover);
    let kind = named.as_deref().and_then(|named| kind(&mut walk, named));
    if let Some((kind, lasts)) = kind.as_ref().zip(lasts) {
        refuse_restless(&mut walk, kind, lasts.min(horizon.unwrap_or(lasts)));
    }
    if at.zip(horizon).is_some_and(|(at, horizon)| at >= horizon) {
        let message = "`at` must be before the `horizon`".to_string();
        walk.wrong("at", message, "the run ends at the horizon");
    }
    let fault = kind.zip(service).zip(at).zip(lasts);
    let fault = fault.map(|(((kind, service), at), lasts)| Fault {
        kind,
        service,
        begins: SimTime::ZERO.saturating_add(at),
        lasts,
        ramp,
    });
    (fault, walk.finish())
}

/// The keys of this kind of fault; those of all kinds while it is unknown.
fn table_of(node: &Node) -> &'static Table {
    let kind = node.get("kind").and_then(Node::text);
    let known = keys::FAULT_KINDS.iter().find(|(name, _)| Some(*name) == kind);
    known.map_or(&keys::FAULT, |(_, table)| table)
}

fn kind_name(context: &mut Context, node: &Node) -> Got<String> {
    let (Some(name), out) = text(context, node) else {
        return (None, Out::Nothing);
    };
    if LATER.contains(&name.as_str()) {
        return context.bad(node, format!("faults of kind `{name}` are not supported yet"));
    }
    let kinds = keys::FAULT_KINDS.map(|(kind, _)| kind);
    if !kinds.contains(&name.as_str()) {
        return unknown_word(context, node, &name, &kinds);
    }
    (Some(name), out)
}

fn kind(walk: &mut Walk<'_, '_>, name: &str) -> Option<Kind> {
    match name {
        "outage" => {
            let mode = walk.get("mode", |context, node| word(context, node, &MODES))?;
            Some(Kind::Outage { mode })
        }
        "errors" => {
            let choices = FailureClass::ALL.map(|class| (class.name(), class));
            let class = walk.get("class", |context, node| word(context, node, &choices));
            let share = walk.get("share", share);
            Some(Kind::Errors { class: class?, share: share? })
        }
        "brownout" => {
            let slowdown = walk.get("slowdown", |context, node| number(context, node, 1.0))?;
            Some(Kind::Brownout { slowdown })
        }
        "latency" => Some(Kind::Latency { add: walk.get("add", positive_dist)? }),
        _ => {
            let mode = walk.get("mode", |context, node| word(context, node, &MODES));
            let every = walk.get("every", positive_dist);
            let repair = walk.get("repair", positive_dist);
            Some(Kind::Breakdowns { every: every?, repair: repair?, mode: mode? })
        }
    }
}

/// Refuses more breakdowns than a run can bear.
fn refuse_restless(walk: &mut Walk<'_, '_>, kind: &Kind, lasts: Duration) {
    let Kind::Breakdowns { every, repair, .. } = kind else { return };
    let often = lasts.as_secs_f64() / (every.mean_s() + repair.mean_s());
    if often > MOST_BREAKDOWNS {
        let message = format!("about {:.0} million breakdowns", often / 1e6);
        let most = MOST_BREAKDOWNS / 1e6;
        walk.wrong("every", message, &format!("at most {most:.0} million are allowed"));
    }
}

fn recover(context: &mut Context, node: &Node) -> Got<Duration> {
    let help = "write recover = \"ramp 10s\", or leave it out for a recovery at once";
    let Some(text) = node.text() else {
        return context.unfit(node, "a way to recover", "\"ramp 10s\"");
    };
    let message = match text.trim().strip_prefix("ramp ").map(parse_duration) {
        Some(Ok(ramp)) if ramp.as_secs() >= 4_000_000_000 => "longer than 126 years".to_string(),
        Some(Ok(ramp)) if !ramp.is_zero() => {
            return (Some(ramp), Out::quoted(node, &format!("ramp {}", format_duration(ramp))));
        }
        Some(Ok(_)) => "a ramp must be longer than zero".to_string(),
        Some(Err(message)) => message,
        None => format!("unknown way to recover \"{}\"", super::short(text)),
    };
    context.report(Problem::new(node.place, message).help(help));
    (None, Out::Nothing)
}
