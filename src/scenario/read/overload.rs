//! What fells a service: `queue > 500`, `load > 2000/s`.

use crate::scenario::diagnostics::Problem;
use crate::scenario::node::Node;
use crate::scenario::out::{Got, Out};
use crate::scenario::walk::Context;
use crate::service::Overload;

/// The condition of a crash.
pub(super) fn overload(context: &mut Context, node: &Node) -> Got<Overload> {
    let Some(text) = node.text() else {
        return context.unfit(node, "a condition", "\"queue > 500\"");
    };
    match parse(text) {
        Ok(when) => {
            let spelled = match when {
                Overload::Queue(bound) => format!("queue > {bound}"),
                Overload::Load(bound) => format!("load > {bound}/s"),
            };
            (Some(when), Out::quoted(node, &spelled))
        }
        Err(message) => {
            let problem = Problem::new(node.place, message);
            context.report(problem.help("write \"queue > 500\" or \"load > 2000/s\""));
            (None, Out::Nothing)
        }
    }
}

fn parse(text: &str) -> Result<Overload, String> {
    let Some((what, bound)) = text.split_once('>') else {
        return Err("a condition compares with `>`".to_string());
    };
    let whole = |bound: &str| {
        let bound = bound.trim();
        bound.parse::<u32>().map_err(|_| format!("`{}` is no whole number", super::short(bound)))
    };
    match what.trim() {
        "queue" => Ok(Overload::Queue(whole(bound)?)),
        "load" => match bound.trim().strip_suffix("/s") {
            Some(bound) => Ok(Overload::Load(whole(bound)?)),
            None => Err("a load needs the unit `/s`".to_string()),
        },
        other => Err(format!("`{}` is not measured", super::short(other))),
    }
}
