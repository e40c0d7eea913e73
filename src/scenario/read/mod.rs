//! From the tree to the types: one reader for each table of the language.

mod backoff;
mod budget;
mod clients;
mod dist;
mod expects;
mod fault;
mod form;
mod load;
mod overload;
mod retry;
mod service;
mod start;
mod system;

pub(super) use expects::{Names, expect};
pub(super) use retry::layer;
pub(super) use system::{MOST_BINS, Root, root};

use super::node::Node;
use super::out::Got;
use super::walk::Context;
use crate::service::Refusal;

/// What a caller sees of a refusal.
fn refusal(context: &mut Context, node: &Node) -> Got<Refusal> {
    let choices =
        [("503", Refusal::Unavailable), ("429", Refusal::TooManyRequests), ("drop", Refusal::Drop)];
    super::scalars::word(context, node, &choices)
}

use super::node::shorten as short;
