//! The keys of client groups and of the load they make.

use super::layer::RETRY_SHAPE;
use super::services::DIST_SHAPE;
use super::{Key, Shape, Table, choice, default, not_yet, optional, required, table};

/// How long an attempt is waited for: shared by client groups and services.
pub(super) const TIMEOUT: Key = required(
    "timeout",
    Shape::Any(&[DIST_SHAPE, Shape::Word(&["none"])]),
    "How long an attempt is waited for, a duration or a distribution above zero, or \"none\".",
);
/// The limit on a whole call: shared by client groups and services.
pub(super) const DEADLINE_KEY: Key =
    optional("deadline", Shape::Table(&DEADLINE), "How long a call may take in all.");
/// The retries: shared by client groups and services.
pub(super) const RETRY: Key = required(
    "retry",
    RETRY_SHAPE,
    "What is done when an attempt fails: \"none\", the preset of a library, one layer of retries, \
     or several.",
);

/// `[[clients]]`.
pub(crate) static CLIENTS: Table = table(
    "a client group",
    &[
        required("name", Shape::Text, "Its name, of letters, digits, `_` and `-`."),
        required("count", Shape::Whole(1), "Clients in the group, 1 or more."),
        optional(
            "target",
            Shape::Text,
            "The service it calls, by name; may be left out when there is only one.",
        ),
        required(
            "load",
            Shape::Any(&[Shape::Table(&LOAD), Shape::List(&Shape::Table(&LOAD))]),
            "When calls begin; several loads add up.",
        ),
        TIMEOUT,
        DEADLINE_KEY,
        RETRY,
        default("sharing", "{}", Shape::Table(&SHARING), "Which callers share state."),
        not_yet("concurrency"),
        not_yet("operations"),
        not_yet("pool"),
        not_yet("user_retry"),
    ],
);

/// `deadline`.
pub(crate) static DEADLINE: Table = table(
    "a deadline",
    &[
        required("for", Shape::Duration, "How long a call may take in all, a duration above zero."),
        default(
            "propagate",
            "false",
            Shape::Flag,
            "Whether services know the deadline and throw work away that can no longer matter.",
        ),
    ],
);

/// Who shares a state.
pub(crate) const SCOPES: &[&str] = &["client", "call", "fleet", "process:10"];

/// `sharing`.
pub(crate) static SHARING: Table = table(
    "the sharing of state",
    &[
        default(
            "budget",
            "\"client\"",
            Shape::Phrase(SCOPES),
            "Who shares one retry budget: a call, a client, so many clients in a process, or the \
             fleet.",
        ),
        default(
            "retry_queue",
            "\"call\"",
            Shape::Phrase(SCOPES),
            "Who shares one queue of retries, of which only the first waits and is sent; with \
             \"call\" nobody does.",
        ),
        default(
            "rng",
            "\"call\"",
            Shape::Phrase(SCOPES),
            "Who draws the same sequence of jitters: with \"process:10\" all calls of ten clients \
             wait alike before the same retry; with \"call\" every call draws its own.",
        ),
        not_yet("breaker"),
        not_yet("limiter"),
    ],
);

/// `load`.
pub(crate) static LOAD: Table = choice(
    "a load",
    &["burst", "periodic", "poisson", "closed", "ramp", "step", "trace"],
    &[
        optional("burst", Shape::Duration, "One call, at this time after the start."),
        optional("periodic", Shape::Duration, "A call every so often, a duration above zero."),
        optional(
            "phase",
            Shape::Word(&["random", "same", "even"]),
            "How the first calls of periodic clients lie to one another; \"random\" by default.",
        ),
        optional("poisson", Shape::Rate, "Independent calls at this mean rate, above zero."),
        optional(
            "closed",
            Shape::Table(&CLOSED),
            "The next call begins a time of thinking after the last has ended.",
        ),
        optional(
            "ramp",
            Shape::Table(&RAMP),
            "Independent calls at a rate that changes evenly, then stays.",
        ),
        optional(
            "step",
            Shape::List(&Shape::Table(&STEP)),
            "Independent calls at a rate that changes at given moments.",
        ),
        optional(
            "trace",
            Shape::File,
            "Calls at recorded moments: a CSV file with the columns `time,calls`, time in \
             seconds or with a unit.",
        ),
        optional(
            "of",
            Shape::Word(&["client", "group"]),
            "Whether every client follows the load or the group as a whole; \"client\" by \
             default, \"group\" for a trace.",
        ),
        not_yet("queue"),
    ],
);

/// `load.closed`.
pub(crate) static CLOSED: Table = table(
    "a closed load",
    &[required(
        "think",
        DIST_SHAPE,
        "Time of thinking before every call, a duration or a distribution.",
    )],
);

/// `load.ramp`.
pub(crate) static RAMP: Table = table(
    "a ramp",
    &[
        required("from", Shape::Rate, "Rate at the start."),
        required("to", Shape::Rate, "Rate at the end of the ramp and after it."),
        required("over", Shape::Duration, "Length of the ramp, a duration above zero."),
    ],
);

/// `load.step`.
pub(crate) static STEP: Table = table(
    "a step",
    &[
        required("at", Shape::Duration, "When the rate changes; later than the step before."),
        required("rate", Shape::Rate, "The rate from then on."),
    ],
);
