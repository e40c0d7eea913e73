//! Rules over all policies of a scenario.

use super::cases::{Case, Head};
use super::diagnostics::Problem;
use super::measured::Facts;
use super::memory::{MOST_SERIES, SERVICE_BIN, WHOLE_BIN, size};
use super::model::Model;
use super::node::{Node, Place};
use super::read::MOST_BINS;
use super::walk::Context;
use crate::time::nanos;

/// Refuses what no policy, or what all of them together, can mean.
pub(super) fn check(context: &mut Context, root: &Node, heads: &[Head<String>], cases: &[Case]) {
    let models = cases.iter().map(|case| case.root.model.as_ref());
    // What could not be read is told already.
    let Some(models) = models.collect::<Option<Vec<&Model>>>() else { return };
    quota(context, root, heads, &models);
    series(context, root, &models);
}

/// A level at time zero of budgets that nobody has.
fn quota(context: &mut Context, root: &Node, heads: &[Head<String>], models: &[&Model]) {
    let asked = models.iter().any(|model| model.start.quota.is_some());
    if !asked || models.iter().any(|model| Facts::of(model).has_shared_budgets()) {
        return;
    }
    let written = root.get("start").and_then(|start| start.get("quota")).map(|node| node.place);
    let mut patches = heads.iter().flat_map(|head| &head.patches);
    let patched = || patches.find(|patch| patch.path.starts_with("start")).map(|p| p.place);
    let place = written.or_else(patched).unwrap_or(root.place);
    let message = "there is no retry budget that several calls share, to be so full".to_string();
    let help = "give a client group or a call one, such as retry.budget = \"aws-quota\", or \
                remove `quota`";
    context.report(Problem::new(place, message).help(help));
}

/// Series over time that no memory holds: those of the first run of every policy are kept for the
/// charts, and a run at work has its own.
fn series(context: &mut Context, root: &Node, models: &[&Model]) {
    let bins = |model: &Model| nanos(model.horizon - Default::default()).div_ceil(nanos(model.bin));
    if models.iter().any(|model| bins(model) > MOST_BINS) {
        return;
    }
    let one = |model: &Model| bins(model) * (SERVICE_BIN * model.services.len() as u64 + WHOLE_BIN);
    let most = models.iter().map(|model| one(model)).max().unwrap_or(0);
    let need: u64 = most + models.iter().map(|model| one(model)).sum::<u64>();
    if need <= MOST_SERIES {
        return;
    }
    let worst = models.iter().max_by_key(|model| one(model));
    let (bins, services) = worst.map_or((0, 0), |model| (bins(model), model.services.len()));
    let message = format!(
        "the series of {bins} bins, {} and {} would need about {}",
        counted(services, "service", "services"),
        counted(models.len(), "policy", "policies"),
        size(need.into())
    );
    let most = size(MOST_SERIES.into());
    let help = format!("at most {most} are allowed: choose a wider `bin` or a shorter `horizon`");
    context.report(Problem::new(place(root), message).help(help));
}

/// Where the number of bins is written.
fn place(root: &Node) -> Place {
    let node = root.get("bin").or_else(|| root.get("horizon"));
    node.map_or(root.place, |node| node.place)
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
