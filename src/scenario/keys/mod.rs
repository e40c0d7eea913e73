//! The words of the scenario language: every key with its shape, its default and what it means.
//!
//! One table serves the reader (unknown keys, defaults), the messages, `explain` and the JSON
//! Schema, so that none of them can tell another story. What a form of a policy takes is told
//! by the form itself (see [`crate::form`]).

mod callers;
mod layer;
mod root;
mod services;

pub(super) use callers::{CLIENTS, CLOSED, DEADLINE, LOAD, RAMP, SCOPES, SHARING, STEP};
pub(super) use layer::{BACKOFF, BUDGET, JITTER, LAYER, LAYERS};
pub(super) use root::{ACTION, EXPECT, FAULT, FAULT_KINDS, MEASURE, POLICY, RECOVERY, ROOT, SLO};
pub(super) use services::{
    CALL, CRASH, DIST, LIMIT, LOGNORMAL, NORMAL_ABS, PARETO, QUEUE, SERVICE,
};

pub(super) use crate::form::{Key, Need, Shape, Table};
use crate::form::{choice, default, not_yet, optional, required, table};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_lists_only_keys_that_its_table_has() {
        for table in [&LOAD, &DIST, &LAYER, &BACKOFF, &JITTER, &BUDGET] {
            assert!(table.one_of.iter().all(|name| table.key(name).is_some()), "{}", table.what);
        }
    }

    #[test]
    fn every_key_says_what_it_means() {
        for table in [&ROOT, &CLIENTS, &SERVICE, &FAULT, &LAYER, &LOAD, &EXPECT, &CALL] {
            for key in table.keys {
                assert!(key.doc.ends_with('.'), "{}: {}", table.what, key.name);
            }
        }
    }
}
