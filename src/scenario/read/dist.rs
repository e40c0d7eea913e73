//! Distributions of durations.

use std::time::Duration;

use crate::dist::{Dist, Empirical, Exponential, LogNormal, NormalAbs, Pareto, Uniform};
use crate::scenario::keys;
use crate::scenario::node::{Node, Value};
use crate::scenario::out::{Got, Out};
use crate::scenario::scalars::{duration, positive, positive_number, text};
use crate::scenario::walk::{Context, Walk, list};
use crate::scenario::{files, suggest};

/// A duration or a distribution of durations.
pub(super) fn dist(context: &mut Context, node: &Node) -> Got<Dist> {
    if !matches!(node.value, Value::Table(_)) {
        let (value, out) = duration(context, node);
        return (value.map(Dist::constant), out);
    }
    let Some(mut walk) = Walk::open(context, node, &keys::DIST) else {
        return (None, Out::Nothing);
    };
    let dist = match walk.exactly_one() {
        Some("exponential") => {
            walk.get("exponential", positive).map(|mean| Dist::Exponential(Exponential { mean }))
        }
        Some("uniform") => walk.get("uniform", uniform).map(Dist::Uniform),
        Some("lognormal") => walk.get("lognormal", lognormal).map(Dist::LogNormal),
        Some("normal_abs") => walk.get("normal_abs", normal_abs).map(Dist::NormalAbs),
        Some("pareto") => walk.get("pareto", pareto).map(Dist::Pareto),
        Some("empirical") => walk.get("empirical", empirical).map(Dist::Empirical),
        _ => None,
    };
    (dist, walk.finish())
}

/// The same, but never zero for ever.
pub(super) fn positive_dist(context: &mut Context, node: &Node) -> Got<Dist> {
    match dist(context, node) {
        (Some(dist), _) if dist.mean_s() <= 0.0 => context.bad(node, "it must be longer than zero"),
        got => got,
    }
}

fn uniform(context: &mut Context, node: &Node) -> Got<Uniform> {
    let (bounds, out) = list(context, node, duration);
    match bounds.as_deref() {
        None => (None, out),
        Some(&[low, high]) if low <= high => (Some(Uniform { low, high }), out),
        Some([_, _]) => context.bad(node, "the first duration must not be longer than the second"),
        Some(_) => context.bad(node, "expected two durations: [\"10ms\", \"30ms\"]"),
    }
}

fn lognormal(context: &mut Context, node: &Node) -> Got<LogNormal> {
    let Some(mut walk) = Walk::open(context, node, &keys::LOGNORMAL) else {
        return (None, Out::Nothing);
    };
    let p50 = walk.get("p50", positive);
    let p99 = walk.get("p99", positive);
    let both = p50.zip(p99);
    if both.is_some_and(|(p50, p99)| p99 < p50) {
        let message = "`p99` must not be shorter than `p50`".to_string();
        walk.wrong("p99", message, "99 of 100 values lie below `p99`, half of them below `p50`");
    }
    let dist = both.filter(|(p50, p99)| p99 >= p50).map(|(p50, p99)| LogNormal::new(p50, p99));
    (dist, walk.finish())
}

fn normal_abs(context: &mut Context, node: &Node) -> Got<NormalAbs> {
    let Some(mut walk) = Walk::open(context, node, &keys::NORMAL_ABS) else {
        return (None, Out::Nothing);
    };
    let mean: Option<Duration> = walk.get("mean", duration);
    let sd = walk.get("sd", positive);
    (mean.zip(sd).map(|(mean, sd)| NormalAbs { mean, sd }), walk.finish())
}

fn pareto(context: &mut Context, node: &Node) -> Got<Pareto> {
    let Some(mut walk) = Walk::open(context, node, &keys::PARETO) else {
        return (None, Out::Nothing);
    };
    let scale: Option<Duration> = walk.get("scale", positive);
    let shape = walk.get("shape", positive_number);
    (scale.zip(shape).map(|(scale, shape)| Pareto { scale, shape }), walk.finish())
}

fn empirical(context: &mut Context, node: &Node) -> Got<Empirical> {
    let (Some(name), _) = text(context, node) else {
        return (None, Out::Nothing);
    };
    let base = files::base(&name);
    match context.files.sample(&name) {
        Err(message) => context.bad(node, message),
        Ok(values) => (Empirical::new(base.clone(), values.to_vec()), Out::quoted(node, &base)),
    }
}

/// A duration, a distribution, or "none".
pub(super) fn timeout(context: &mut Context, node: &Node) -> Got<Option<Dist>> {
    match node.text() {
        Some("none") => (Some(None), Out::quoted(node, "none")),
        Some(word)
            if !word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.')
                && suggest::nearest(word, &["none"]).is_some() =>
        {
            crate::scenario::scalars::unknown_word(context, node, word, &["none"])
        }
        _ => {
            let (value, out) = positive_dist(context, node);
            (value.map(Some), out)
        }
    }
}
