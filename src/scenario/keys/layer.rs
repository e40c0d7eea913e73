//! The keys of retry policies.

use super::{Shape, Table, choice, default, not_yet, optional, required, table};

/// What may stand at `retry`.
pub(crate) const RETRY_SHAPE: Shape =
    Shape::Any(&[Shape::Word(&["none"]), Shape::Table(&LAYER), Shape::Table(&LAYERS)]);

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
        default(
            "jitter",
            "\"none\"",
            Shape::Any(&[Shape::Word(&["none", "full", "equal"]), Shape::Table(&JITTER)]),
            "How a wait is spread.",
        ),
        optional("cap", Shape::Duration, "The longest wait, no shorter than the first."),
        optional(
            "cap_position",
            Shape::Word(&["before-jitter", "after-jitter"]),
            "Whether the cap acts before the jitter, the default, or after it; only with a cap.",
        ),
        optional(
            "budget",
            Shape::Any(&[Shape::Word(&["aws-quota"]), Shape::Table(&BUDGET)]),
            "Whether a caller may retry at all.",
        ),
        default(
            "retry_on",
            "[\"transient\", \"throttling\", \"timeout\"]",
            Shape::List(&Shape::Word(&["transient", "throttling", "timeout", "fatal"])),
            "The failures that are retried.",
        ),
        not_yet("preset"),
        not_yet("breaker"),
        not_yet("limiter"),
        not_yet("hedge"),
        not_yet("retry_after"),
    ],
);

/// `retry.backoff`.
pub(crate) static BACKOFF: Table = choice(
    "a backoff",
    &["constant", "linear", "exponential", "decorrelated", "schedule"],
    &[
        optional("constant", Shape::Duration, "The same wait every time."),
        optional("linear", Shape::Table(&LINEAR), "One step more every time."),
        optional("exponential", Shape::Table(&EXPONENTIAL), "A multiple every time."),
        optional(
            "decorrelated",
            Shape::Table(&DECORRELATED),
            "Anything from the base to a multiple of the wait before.",
        ),
        optional(
            "schedule",
            Shape::List(&Shape::Duration),
            "A fixed list of waits, the last of which repeats.",
        ),
    ],
);

/// `retry.backoff.linear`.
pub(crate) static LINEAR: Table = table(
    "a linear backoff",
    &[
        required("base", Shape::Duration, "Wait before the first retry."),
        required("step", Shape::Duration, "What every further retry adds."),
    ],
);

/// `retry.backoff.exponential`.
pub(crate) static EXPONENTIAL: Table = table(
    "an exponential backoff",
    &[
        required("base", Shape::Duration, "Wait before the first retry, a duration above zero."),
        default(
            "factor",
            "2",
            Shape::Number,
            "What every further retry multiplies the wait by, 1 or more.",
        ),
    ],
);

/// `retry.backoff.decorrelated`.
pub(crate) static DECORRELATED: Table = table(
    "a decorrelated backoff",
    &[
        required("base", Shape::Duration, "The shortest wait, a duration above zero."),
        default(
            "factor",
            "3",
            Shape::Number,
            "How far above the wait before the next may go, as a multiple of it, 1 or more.",
        ),
    ],
);

/// `retry.jitter`.
pub(crate) static JITTER: Table = choice(
    "a jitter",
    &["proportional"],
    &[optional("proportional", Shape::Share, "The largest deviation, as a share of the wait.")],
);

/// `retry.budget`.
pub(crate) static BUDGET: Table = choice(
    "a retry budget",
    &["aws-quota"],
    &[optional("aws-quota", Shape::Table(&QUOTA), "The retry quota of the AWS SDKs.")],
);

/// `retry.budget.aws-quota`.
pub(crate) static QUOTA: Table = table(
    "a retry quota",
    &[
        default("capacity", "500", Shape::Whole(1), "Tokens in a full bucket, 1 or more."),
        default(
            "cost",
            "14",
            Shape::Whole(0),
            "Tokens for a retry after a transient error or a timeout.",
        ),
        default(
            "cost_throttling",
            "5",
            Shape::Whole(0),
            "Tokens for a retry after a throttling error.",
        ),
        default("reward", "1", Shape::Whole(0), "Tokens for a success at the first attempt."),
    ],
);
