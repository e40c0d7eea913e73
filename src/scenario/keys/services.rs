//! The keys of services and of distributions of durations.

use super::callers::{DEADLINE_KEY, RETRY, TIMEOUT};
use super::{Shape, Table, choice, default, not_yet, optional, required, table};

/// What may stand where a duration or a distribution of durations may.
pub(crate) const DIST_SHAPE: Shape = Shape::Any(&[Shape::Duration, Shape::Table(&DIST)]);

/// A distribution of durations.
pub(crate) static DIST: Table = choice(
    "a distribution",
    &["exponential", "uniform", "lognormal", "normal_abs", "pareto", "empirical"],
    &[
        optional(
            "exponential",
            Shape::Duration,
            "Memoryless, with this mean, a duration above zero.",
        ),
        optional(
            "uniform",
            Shape::List(&Shape::Duration),
            "Anything between two durations, alike.",
        ),
        optional(
            "lognormal",
            Shape::Table(&LOGNORMAL),
            "Most are fast and a few are slow: the usual shape of service times.",
        ),
        optional(
            "normal_abs",
            Shape::Table(&NORMAL_ABS),
            "The absolute value of a normal number: the network of some published models.",
        ),
        optional("pareto", Shape::Table(&PARETO), "A heavy tail: a few are extremely slow."),
        optional(
            "empirical",
            Shape::File,
            "Measured values: a CSV file of one column, in seconds or with a unit.",
        ),
    ],
);

/// `{ lognormal = … }`.
pub(crate) static LOGNORMAL: Table = table(
    "a log-normal distribution",
    &[
        required("p50", Shape::Duration, "The median, a duration above zero."),
        required("p99", Shape::Duration, "The 99 % quantile, no shorter than the median."),
    ],
);

/// `{ normal_abs = … }`.
pub(crate) static NORMAL_ABS: Table = table(
    "a folded normal distribution",
    &[
        required("mean", Shape::Duration, "The mean of the normal number, a duration."),
        required("sd", Shape::Duration, "Its standard deviation, a duration above zero."),
    ],
);

/// `{ pareto = … }`.
pub(crate) static PARETO: Table = table(
    "a Pareto distribution",
    &[
        required("scale", Shape::Duration, "The smallest value, a duration above zero."),
        required("shape", Shape::Number, "The tail index, above zero: the smaller, the heavier."),
    ],
);

const REFUSAL: Shape = Shape::Word(&["503", "429", "drop"]);

/// `[[services]]`.
pub(crate) static SERVICE: Table = table(
    "a service",
    &[
        required("name", Shape::Text, "Its name, of letters, digits, `_` and `-`."),
        optional(
            "workers",
            Shape::Whole(1),
            "Attempts that are worked on at a time, 1 or more; with `service_time`.",
        ),
        optional(
            "service_time",
            DIST_SHAPE,
            "Work of one attempt, a duration or a distribution; with `workers`.",
        ),
        optional(
            "rate",
            Shape::Rate,
            "Attempts worked off per unit of time, one after the other in constant time; instead \
             of `workers` and `service_time`.",
        ),
        default(
            "network",
            "\"0s\"",
            DIST_SHAPE,
            "One way between caller and service, a duration or a distribution.",
        ),
        default(
            "discipline",
            "\"fifo\"",
            Shape::Word(&["fifo", "ps"]),
            "Who is served next: in the order of arrival, or all at once.",
        ),
        default(
            "writes",
            "\"plain\"",
            Shape::Word(&["plain", "versioned"]),
            "Whether an attempt is taken as it is, or must first read a version that nobody else \
             has written over when it is done.",
        ),
        default("queue", "{}", Shape::Table(&QUEUE), "Places to wait."),
        optional(
            "limit",
            Shape::Table(&LIMIT),
            "Attempts admitted per window of time, before any queue.",
        ),
        default(
            "stale_work",
            "\"served\"",
            Shape::Word(&["served", "dropped", "dropped-queued"]),
            "What happens to work whose caller has gone: it is done all the same, thrown away \
             wherever it is, or thrown away unless it is under way.",
        ),
        optional("crash", Shape::Table(&CRASH), "When overload fells the service."),
        optional(
            "calls",
            Shape::List(&Shape::Table(&CALL)),
            "Calls that every attempt makes after its own work, one after the other.",
        ),
        not_yet("instances"),
        not_yet("balancer"),
        not_yet("reject_cost"),
        not_yet("degradation"),
        not_yet("warm_up"),
        not_yet("admission"),
        not_yet("guess"),
    ],
);

/// `queue`.
pub(crate) static QUEUE: Table = table(
    "a queue",
    &[
        optional("capacity", Shape::Whole(0), "Places to wait; no bound when it is left out."),
        default("on_full", "\"503\"", REFUSAL, "What an attempt gets that finds no place."),
        not_yet("guess"),
    ],
);

/// `limit`.
pub(crate) static LIMIT: Table = table(
    "a limit",
    &[
        required("count", Shape::Whole(1), "Admissions per window, 1 or more."),
        required("per", Shape::Duration, "Length of the window, a duration above zero."),
        default(
            "window",
            "\"fixed\"",
            Shape::Word(&["fixed", "sliding", "bucket"]),
            "How the window moves.",
        ),
        default("on_excess", "\"429\"", REFUSAL, "What an attempt gets that exceeds the limit."),
        not_yet("key"),
    ],
);

/// `crash`.
pub(crate) static CRASH: Table = table(
    "a crash under load",
    &[
        required(
            "when",
            Shape::Phrase(&["queue > 500", "load > 2000/s"]),
            "What fells the service: more than so many attempts wait, or arrived within the last \
             second.",
        ),
        required(
            "restart",
            Shape::Duration,
            "From the crash until it answers again, a duration above zero.",
        ),
    ],
);

/// `calls`.
pub(crate) static CALL: Table = table(
    "a call of a service",
    &[
        required("to", Shape::Text, "The service that is called, by name."),
        TIMEOUT,
        DEADLINE_KEY,
        RETRY,
        optional(
            "holds_worker",
            Shape::Flag,
            "Whether the worker waits for the answer: true by default, always false with the \
             discipline \"ps\".",
        ),
        not_yet("when"),
    ],
);
