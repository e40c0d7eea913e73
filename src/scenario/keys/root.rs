//! The keys of the whole scenario, of faults, actions, policies and expectations.

use super::callers::CLIENTS;
use super::services::{DIST_SHAPE, SERVICE};
use super::{Key, Shape, Table, default, not_yet, optional, required, table};

/// The whole file.
pub(crate) static ROOT: Table = table(
    "a scenario",
    &[
        optional("title", Shape::Text, "What the scenario is called; the file's name by default."),
        default("question", "\"\"", Shape::Text, "The question that the scenario asks."),
        required("seed", Shape::Whole(0), "Seed of the first replication, a whole number."),
        default("reps", "1", Shape::Whole(1), "Independent replications, 1 to 100,000."),
        required("horizon", Shape::Duration, "When a run ends, a duration above zero."),
        default(
            "warmup",
            "\"0s\"",
            Shape::Duration,
            "Until when rates, means and latencies are not counted; shorter than the horizon.",
        ),
        default(
            "bin",
            "\"100ms\"",
            Shape::Duration,
            "Width of a bin of the time series; at most 1,000,000 bins fit into the horizon.",
        ),
        default(
            "scramble_ties",
            "true",
            Shape::Flag,
            "Whether the order of clients at one instant is scrambled per seed; off only for \
             traces worked out by hand.",
        ),
        optional("slo", Shape::Table(&SLO), "The service level objective."),
        default(
            "measure",
            "{}",
            Shape::Table(&MEASURE),
            "How the measures are taken where the default does not serve.",
        ),
        required(
            "clients",
            Shape::List(&Shape::Table(&CLIENTS)),
            "Groups of clients that behave alike.",
        ),
        optional(
            "server",
            Shape::Table(&SERVICE),
            "Short for one of `services` that is named \"server\".",
        ),
        optional(
            "services",
            Shape::List(&Shape::Table(&SERVICE)),
            "Services, which answer attempts and may call one another.",
        ),
        optional("faults", Shape::List(&Shape::Table(&FAULT)), "Scheduled faults of services."),
        optional(
            "actions",
            Shape::List(&Shape::Table(&ACTION)),
            "What an operator changes in the middle of the run.",
        ),
        optional(
            "policy",
            Shape::List(&Shape::Table(&POLICY)),
            "Alternatives that are run side by side; the first is the baseline.",
        ),
        optional(
            "expect",
            Shape::List(&Shape::Table(&EXPECT)),
            "What the scenario claims about its own answer.",
        ),
        not_yet("start"),
        not_yet("cost"),
    ],
);

/// `slo`.
pub(crate) static SLO: Table = table(
    "a service level objective",
    &[
        required(
            "latency",
            Shape::Duration,
            "The latency of a whole call, retries and waits included, a duration above zero.",
        ),
        required("share", Shape::Share, "The share of calls that must succeed within the latency."),
    ],
);

/// `measure`.
pub(crate) static MEASURE: Table = table(
    "the measures",
    &[
        default(
            "peak_width",
            "\"1s\"",
            Shape::Duration,
            "Width of the bins in which the peak load is sought, a duration above zero.",
        ),
        default(
            "first_below",
            "0",
            Shape::Whole(0),
            "Calls queued and waiting to retry at which `first_below_s` stops the clock.",
        ),
        default("recovery", "{}", Shape::Table(&RECOVERY), "When the system counts as recovered."),
    ],
);

/// `measure.recovery`.
pub(crate) static RECOVERY: Table = table(
    "the measure of recovery",
    &[
        default(
            "within",
            "\"5%\"",
            Shape::Share,
            "How far below the undisturbed goodput still counts as recovered.",
        ),
        optional(
            "hold",
            Shape::Duration,
            "How long a recovery must last; by default the longer of 60 s and three of the \
             longest backoff ceilings.",
        ),
    ],
);

const KINDS: Shape = Shape::Word(&["outage", "errors", "brownout", "latency", "breakdowns"]);
const TARGET: Key =
    optional("target", Shape::Text, "The service by name; may be left out when there is only one.");
const KIND: Key = required("kind", KINDS, "What goes wrong.");
const AT: Key = required(
    "at",
    Shape::Duration,
    "When it begins, from the start of the run; before the horizon.",
);
const FOR: Key =
    required("for", Shape::Duration, "How long it lasts at full strength, a duration above zero.");
const RECOVER: Key = optional(
    "recover",
    Shape::Phrase(&["ramp 10s"]),
    "How long it fades away after that, evenly: what it takes of the capacity, its share, its \
     slowdown or its added latency.",
);
const MODE: Key = default(
    "mode",
    "\"reject\"",
    Shape::Word(&["reject", "pause", "blackhole"]),
    "What callers see of an outage or a breakdown: an error at once, a pause of all work, or no \
     answer ever.",
);
const CLASS: Key = default(
    "class",
    "\"transient\"",
    Shape::Word(&["transient", "throttling", "timeout", "fatal"]),
    "The kind of error that the attempts are answered with.",
);
const SHARE: Key =
    required("share", Shape::Share, "The share of attempts that are answered with an error.");
const SLOWDOWN: Key =
    required("slowdown", Shape::Number, "How many times longer work takes, 1 or more.");
const ADD: Key = required(
    "add",
    DIST_SHAPE,
    "What is added to the way to the service, a duration or a distribution.",
);
const EVERY: Key = required(
    "every",
    DIST_SHAPE,
    "How long the service is up until it breaks down, busy or not, a duration or a distribution \
     above zero.",
);
const REPAIR: Key = required(
    "repair",
    DIST_SHAPE,
    "How long it then is down, a duration or a distribution above zero.",
);

/// `[[faults]]`, all kinds together: for the schema, and while the kind is unknown.
pub(crate) static FAULT: Table = table(
    "a fault",
    &[
        KIND,
        TARGET,
        AT,
        FOR,
        RECOVER,
        MODE,
        CLASS,
        optional("share", Shape::Share, SHARE.doc),
        optional("slowdown", Shape::Number, SLOWDOWN.doc),
        optional("add", DIST_SHAPE, ADD.doc),
        optional("every", DIST_SHAPE, EVERY.doc),
        optional("repair", DIST_SHAPE, REPAIR.doc),
        not_yet("instances"),
    ],
);

/// `[[faults]]` of kind `outage`.
static OUTAGE: Table = table(
    "an outage",
    &[KIND, TARGET, AT, FOR, RECOVER, MODE, not_yet("share"), not_yet("instances")],
);

/// `[[faults]]` of kind `errors`.
static ERRORS: Table = table(
    "a fault of kind `errors`",
    &[KIND, TARGET, AT, FOR, RECOVER, CLASS, SHARE, not_yet("instances")],
);

/// `[[faults]]` of kind `brownout`.
static BROWNOUT: Table = table(
    "a brownout",
    &[KIND, TARGET, AT, FOR, RECOVER, SLOWDOWN, not_yet("share"), not_yet("instances")],
);

/// `[[faults]]` of kind `latency`.
static LATENCY: Table = table(
    "a fault of kind `latency`",
    &[KIND, TARGET, AT, FOR, RECOVER, ADD, not_yet("share"), not_yet("instances")],
);

/// `[[faults]]` of kind `breakdowns`.
static BREAKDOWNS: Table = table(
    "a fault of kind `breakdowns`",
    &[KIND, TARGET, AT, FOR, MODE, EVERY, REPAIR, not_yet("share"), not_yet("instances")],
);

/// The kinds of faults with their keys.
pub(crate) static FAULT_KINDS: [(&str, &Table); 5] = [
    ("outage", &OUTAGE),
    ("errors", &ERRORS),
    ("brownout", &BROWNOUT),
    ("latency", &LATENCY),
    ("breakdowns", &BREAKDOWNS),
];

/// `[[actions]]`.
pub(crate) static ACTION: Table = table(
    "an action",
    &[
        required("at", Shape::Duration, "When, from the start of the run; before the horizon."),
        required("set", Shape::Set, "What changes from then on, by path."),
    ],
);

/// `[[policy]]`.
pub(crate) static POLICY: Table = table(
    "a policy",
    &[
        required("label", Shape::Text, "Its name in tables and charts, a different one for each."),
        optional("set", Shape::Set, "What is different under this policy, by path."),
    ],
);

const BOUND: Shape = Shape::Any(&[Shape::Number, Shape::Duration, Shape::Rate, Shape::Share]);

/// `[[expect]]`.
pub(crate) static EXPECT: Table = table(
    "an expectation",
    &[
        optional(
            "policy",
            Shape::Text,
            "The policy by its label; may be left out when there is only one.",
        ),
        required(
            "metric",
            Shape::Text,
            "The measure by its name, or `recovered`: the share of replications that recovered.",
        ),
        default(
            "stat",
            "\"mean\"",
            Shape::Word(&["mean", "p50", "p95"]),
            "Over the replications: the mean, or for `recovery_s` a quantile as well.",
        ),
        optional(
            "clients",
            Shape::Text,
            "The client group by name; all of the system when neither it nor a service is given.",
        ),
        optional("service", Shape::Text, "The service by name."),
        optional(
            "min",
            BOUND,
            "Smallest value that meets the expectation, with the unit of the measure.",
        ),
        optional(
            "max",
            BOUND,
            "Largest value that meets the expectation, with the unit of the measure.",
        ),
    ],
);
