//! The keys of retry policies.

use super::{Key, Shape, Table, choice, default, not_yet, optional, required, table};
use crate::form;
use crate::policy::backoff::{growth, jitter};
use crate::policy::budget;
use crate::policy::presets;

/// What may stand at `retry`.
pub(crate) const RETRY_SHAPE: Shape =
    Shape::Any(&[Shape::Word(&["none"]), PRESET, Shape::Table(&LAYER), Shape::Table(&LAYERS)]);

const PRESET: Shape = Shape::Word(&presets::NAMES);

/// `retry = { layers = [ … ] }`.
pub(crate) static LAYERS: Table = table(
    "layers of retries",
    &[required(
        "layers",
        Shape::List(&Shape::Table(&LAYER)),
        "Retries around retries, the outermost first.",
    )],
);

const TIMES: Shape = Shape::Any(&[Shape::Whole(0), Shape::Word(&["unlimited"])]);

/// `retry`, one layer of it.
pub(crate) static LAYER: Table = choice(
    "a layer of retries",
    &["max_attempts", "max_retries"],
    &[
        optional(
            "preset",
            PRESET,
            "The policy of a library, of which the other keys change what they name.",
        ),
        optional(
            "max_attempts",
            TIMES,
            "Attempts in all, the first try included, 1 or more, or \"unlimited\".",
        ),
        optional(
            "max_retries",
            TIMES,
            "Attempts after the first try, 0 or more, or \"unlimited\".",
        ),
        optional(
            "max_elapsed",
            Shape::Duration,
            "No retry begins later than this after the call began, a duration above zero.",
        ),
        optional(
            "backoff",
            Shape::Table(&BACKOFF),
            "The wait from retry to retry; required unless there is only one attempt.",
        ),
        optional(
            "first",
            Shape::Duration,
            "The wait before the first retry, exactly, in place of what `backoff` gives.",
        ),
        default(
            "jitter",
            jitter::DEFAULT,
            Shape::Any(&[Shape::Word(&JITTER_WORDS), Shape::Table(&JITTER)]),
            "How a wait is spread.",
        ),
        optional("cap", Shape::Duration, "The longest wait, no shorter than the first."),
        optional(
            "cap_position",
            Shape::Word(&["before-jitter", "after-jitter", "around-jitter"]),
            "Whether the cap acts before the jitter, the default, after it, or both; only with a \
             cap.",
        ),
        optional(
            "floor",
            Shape::Duration,
            "The shortest wait, after jitter and cap, a duration above zero.",
        ),
        optional(
            "quantum",
            Shape::Duration,
            "What waits are whole numbers of, after all else, a duration above zero.",
        ),
        optional(
            "rounding",
            Shape::Word(&["down", "nearest", "up"]),
            "Which way a wait goes that is no whole `quantum`; \"down\" by default.",
        ),
        optional(
            "budget",
            Shape::Any(&[Shape::Word(&BUDGET_WORDS), Shape::Table(&BUDGET)]),
            "Whether a caller may retry at all.",
        ),
        default(
            "retry_on",
            "[\"transient\", \"throttling\", \"timeout\"]",
            Shape::List(&Shape::Word(&["transient", "throttling", "timeout", "fatal"])),
            "The failures that are retried.",
        ),
        default(
            "give_up",
            "\"0%\"",
            Shape::Share,
            "The share of failed attempts that could be retried and are given up instead.",
        ),
        not_yet("breaker"),
        not_yet("limiter"),
        not_yet("hedge"),
        not_yet("retry_after"),
    ],
);

const GROWTHS: usize = form::count_keys(growth::FORMS);
static GROWTH_KEYS: [Key; GROWTHS] = form::keys(growth::FORMS);
static GROWTH_NAMES: [&str; GROWTHS] = form::names(&GROWTH_KEYS);

/// `retry.backoff`.
pub(crate) static BACKOFF: Table = choice("a backoff", &GROWTH_NAMES, &GROWTH_KEYS);

const JITTERS: usize = form::count_keys(jitter::FORMS);
static JITTER_KEYS: [Key; JITTERS] = form::keys(jitter::FORMS);
static JITTER_NAMES: [&str; JITTERS] = form::names(&JITTER_KEYS);
static JITTER_WORDS: [&str; form::count_words(jitter::FORMS)] = form::words(jitter::FORMS);

/// `retry.jitter`.
pub(crate) static JITTER: Table = choice("a jitter", &JITTER_NAMES, &JITTER_KEYS);

const BUDGETS: usize = form::count_keys(budget::FORMS);
static BUDGET_KEYS: [Key; BUDGETS] = form::keys(budget::FORMS);
static BUDGET_NAMES: [&str; BUDGETS] = form::names(&BUDGET_KEYS);
static BUDGET_WORDS: [&str; form::count_words(budget::FORMS)] = form::words(budget::FORMS);

/// `retry.budget`.
pub(crate) static BUDGET: Table = choice("a retry budget", &BUDGET_NAMES, &BUDGET_KEYS);
