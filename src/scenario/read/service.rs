//! Services.

use std::time::Duration;

use crate::dist::Dist;
use crate::scenario::keys;
use crate::scenario::model::{Downstream, ServiceNode};
use crate::scenario::node::Node;
use crate::scenario::out::{Got, Out};
use crate::scenario::scalars::{flag, name, positive, positive_rate, small, word};
use crate::scenario::walk::{Context, Walk, list};
use crate::service::{Crash, Discipline, Limit, Refusal, Spec, StaleWork, Window, Writes};

use super::clients::{caller, service as service_name};
use super::dist::dist;
use super::overload::overload;
use super::refusal;

/// A service; `services` are the names that it may call.
pub(super) fn service(context: &mut Context, node: &Node, services: &[String]) -> Got<ServiceNode> {
    let Some(mut walk) = Walk::open(context, node, &keys::SERVICE) else {
        return (None, Out::Nothing);
    };
    let name = walk.get("name", name);
    let work = work(&mut walk);
    let network = walk.get("network", dist);
    let discipline = walk.get("discipline", |context, node| word(context, node, &DISCIPLINES));
    let writes = walk.get("writes", |context, node| word(context, node, &WRITES));
    let queue = walk.get("queue", queue);
    let limit = walk.get("limit", limit);
    let stale_work = walk.get("stale_work", |context, node| word(context, node, &STALE));
    let crash = walk.get("crash", crash);
    let ps = discipline == Some(Discipline::ProcessorSharing);
    if ps && stale_work == Some(StaleWork::DroppedQueued) {
        let message = "nothing is queued with the discipline \"ps\"".to_string();
        walk.wrong("stale_work", message, "write stale_work = \"served\" or \"dropped\"");
    }
    let calls = walk
        .get("calls", |context, node| list(context, node, |c, n| call(c, n, services, ps)))
        .or_else(|| walk.raw("calls").is_none().then(Vec::new));
    if calls
        .as_ref()
        .is_some_and(|calls| calls.iter().any(|c| c.holds_worker != calls[0].holds_worker))
    {
        let message = "`holds_worker` differs from call to call of one service".to_string();
        walk.wrong("calls", message, "a worker waits for all of its calls or for none");
    }
    let spec = work.zip(network).zip(discipline).zip(writes).zip(queue).zip(stale_work);
    let spec = spec.map(|(((((work, network), discipline), writes), queue), stale_work)| Spec {
        workers: work.0,
        service_time: work.1,
        network,
        discipline,
        writes,
        queue_capacity: queue.0,
        on_full: queue.1,
        limit,
        stale_work,
        crash,
    });
    let node = name.zip(spec).zip(calls);
    (node.map(|((name, spec), calls)| ServiceNode { name, spec, calls }), walk.finish())
}

const DISCIPLINES: [(&str, Discipline); 2] =
    [("fifo", Discipline::Fifo), ("ps", Discipline::ProcessorSharing)];
const WRITES: [(&str, Writes); 2] = [("plain", Writes::Plain), ("versioned", Writes::Versioned)];
const STALE: [(&str, StaleWork); 3] = [
    ("served", StaleWork::Served),
    ("dropped", StaleWork::Dropped),
    ("dropped-queued", StaleWork::DroppedQueued),
];

/// Workers and the work of one attempt, given as such or as a rate.
fn work(walk: &mut Walk<'_, '_>) -> Option<(u32, Dist)> {
    let workers = walk.get("workers", |context, node| small(context, node, 1));
    let time = walk.get("service_time", dist);
    let rate = walk.get("rate", positive_rate);
    let other = ["workers", "service_time"].into_iter().find(|name| walk.raw(name).is_some());
    match (walk.raw("rate").is_some(), other) {
        (true, Some(other)) => {
            let message = format!("`rate` and `{other}` exclude each other");
            let help = "a rate is one worker with constant work: keep it, or `workers` with \
                        `service_time`";
            walk.wrong("rate", message, help);
            None
        }
        (true, None) => Some((1, Dist::constant(rate?.mean_gap()?))),
        (false, _) => {
            for name in ["workers", "service_time"] {
                if walk.raw(name).is_none() {
                    walk.demand(name, "(or a `rate` instead)");
                }
            }
            workers.zip(time)
        }
    }
}

fn queue(context: &mut Context, node: &Node) -> Got<(Option<u32>, Refusal)> {
    let Some(mut walk) = Walk::open(context, node, &keys::QUEUE) else {
        return (None, Out::Nothing);
    };
    let capacity = walk.get("capacity", |context, node| small(context, node, 0));
    let on_full = walk.get("on_full", refusal);
    (on_full.map(|on_full| (capacity, on_full)), walk.finish())
}

fn limit(context: &mut Context, node: &Node) -> Got<Limit> {
    let Some(mut walk) = Walk::open(context, node, &keys::LIMIT) else {
        return (None, Out::Nothing);
    };
    let windows =
        [("fixed", Window::Fixed), ("sliding", Window::Sliding), ("bucket", Window::Bucket)];
    let count = walk.get("count", |context, node| small(context, node, 1));
    let per: Option<Duration> = walk.get("per", positive);
    let window = walk.get("window", |context, node| word(context, node, &windows));
    let on_excess = walk.get("on_excess", refusal);
    let limit = count.zip(per).zip(window).zip(on_excess);
    let limit =
        limit.map(|(((count, per), window), on_excess)| Limit { count, per, window, on_excess });
    (limit, walk.finish())
}

fn crash(context: &mut Context, node: &Node) -> Got<Crash> {
    let Some(mut walk) = Walk::open(context, node, &keys::CRASH) else {
        return (None, Out::Nothing);
    };
    let when = walk.get("when", overload);
    let restart = walk.get("restart", positive);
    (when.zip(restart).map(|(when, restart)| Crash { when, restart }), walk.finish())
}

fn call(context: &mut Context, node: &Node, services: &[String], ps: bool) -> Got<Downstream> {
    let Some(mut walk) = Walk::open(context, node, &keys::CALL) else {
        return (None, Out::Nothing);
    };
    let to = walk.get("to", |context, node| service_name(context, node, services));
    let caller = caller(&mut walk, to);
    let holds = walk.get("holds_worker", flag);
    if holds == Some(true) && ps {
        let message = "`holds_worker` cannot be true with the discipline \"ps\"".to_string();
        walk.wrong(
            "holds_worker",
            message,
            "workers that are shared wait for nobody: leave it out",
        );
    }
    let holds_worker = holds.unwrap_or(!ps);
    if holds.is_none() && walk.raw("holds_worker").is_none() {
        walk.derived("holds_worker", holds_worker.to_string());
    }
    (caller.map(|caller| Downstream { caller, holds_worker }), walk.finish())
}
