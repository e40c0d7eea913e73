//! Python libraries.

use super::{Preset, Verified};

/// The presets of this family.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "urllib3",
        library: "urllib3 (requests with a Retry)",
        version: "2.8.0",
        date: "2026-11-30",
        source: "urllib3/urllib3, util/retry.py",
        verified: Verified::Against { version: "2.8.0", on: "2026-11-30" },
        retry: r#"max_retries = 10, backoff = { constant = "0s" }"#,
        notes: &["backoff_factor is 0 by default: every retry is at once. `requests` by itself \
             does not retry."],
        left_out: &[
            "Retry-After, which replaces the wait exactly, up to 6 h (413, 429, 503).",
            "Which answers are retried: none by their status unless status_forcelist names it, and \
             no POST. Set retry_on to what yours retries.",
        ],
    },
    Preset {
        name: "urllib3-backoff",
        library: "urllib3 with backoff_factor = 0.1",
        version: "2.8.0",
        date: "2026-11-30",
        source: "urllib3/urllib3, util/retry.py",
        verified: Verified::Against { version: "2.8.0", on: "2026-11-30" },
        retry: r#"max_retries = 10, backoff = { exponential = { base = "100ms" } }, first =
            "0s", cap = "120s", cap_position = "after-jitter""#,
        notes: &["The first retry is at once for everybody."],
        left_out: &[
            "Retry-After, which replaces the wait exactly, up to 6 h (413, 429, 503).",
            "Which answers are retried: none by their status unless status_forcelist names it, and \
             no POST. Set retry_on to what yours retries.",
        ],
    },
    Preset {
        name: "tenacity-exponential",
        library: "tenacity, wait_exponential",
        version: "9.2.1",
        date: "2026-11-30",
        source: "jd/tenacity, wait.py",
        verified: Verified::Against { version: "9.2.1", on: "2026-11-30" },
        retry: r#"max_retries = "unlimited", backoff = { exponential = { base = "1s" } }"#,
        notes: &["Without a `stop` it never gives up."],
        left_out: &[],
    },
    Preset {
        name: "tenacity-random-exponential",
        library: "tenacity, wait_random_exponential",
        version: "9.2.1",
        date: "2026-11-30",
        source: "jd/tenacity, wait.py",
        verified: Verified::Against { version: "9.2.1", on: "2026-11-30" },
        retry: r#"max_retries = "unlimited", backoff = { exponential = { base = "1s" } },
            jitter = "full""#,
        notes: &["Without a `stop` it never gives up."],
        left_out: &[],
    },
    Preset {
        name: "tenacity-exponential-jitter",
        library: "tenacity, wait_exponential_jitter",
        version: "9.2.1",
        date: "2026-11-30",
        source: "jd/tenacity, wait.py",
        verified: Verified::Formula,
        retry: r#"max_retries = "unlimited", backoff = { exponential = { base = "1s" } },
            jitter = { added = { most = "1s" } }"#,
        notes: &["Without a `stop` it never gives up. A max acts after the jitter."],
        left_out: &[],
    },
    Preset {
        name: "py-backoff",
        library: "backoff (Python), expo",
        version: "2.2.1",
        date: "2026-11-30",
        source: "litl/backoff",
        verified: Verified::Against { version: "2.2.1", on: "2026-11-30" },
        retry: r#"max_retries = "unlimited", backoff = { exponential = { base = "1s" } },
            jitter = "full""#,
        notes: &["Without max_tries or max_time it never gives up."],
        left_out: &[],
    },
    Preset {
        name: "stamina",
        library: "stamina",
        version: "26.1.0",
        date: "2026-11-30",
        source: "hynek/stamina",
        verified: Verified::Against { version: "26.1.0", on: "2026-11-30" },
        retry: r#"max_attempts = 10, max_elapsed = "45s", backoff = { exponential = { base =
            "100ms" } }, jitter = { added = { most = "1s" } }, cap = "5s", cap_position =
            "after-jitter""#,
        notes: &[],
        left_out: &[],
    },
    Preset {
        name: "retrying",
        library: "retrying, wait_exponential",
        version: "1.4.2",
        date: "2026-11-30",
        source: "groodt/retrying",
        verified: Verified::Against { version: "1.4.2", on: "2026-11-30" },
        retry: r#"max_retries = "unlimited", backoff = { exponential = { base = "2s" } }, cap
            = "10s""#,
        notes: &["wait_exponential_multiplier 1000, wait_exponential_max 10000: the exponent \
             begins at 1."],
        left_out: &[],
    },
    Preset {
        name: "redis-py",
        library: "redis-py",
        version: "8.1.0",
        date: "2026-11-30",
        source: "redis/redis-py, backoff.py",
        verified: Verified::Formula,
        retry: r#"max_retries = 10, backoff = { exponential = { base = "20ms" } }, jitter =
            "full", cap = "1s", cap_position = "after-jitter""#,
        notes: &["The exponent begins at 1. The cap gathers 90 % of clients at the tenth \
             retry."],
        left_out: &[],
    },
    Preset {
        name: "redis-py-6",
        library: "redis-py 6",
        version: "6",
        date: "2026-11-30",
        source: "redis/redis-py, backoff.py",
        verified: Verified::Against { version: "8.1.0", on: "2026-11-30" },
        retry: r#"max_retries = 3, backoff = { exponential = { base = "2s" } }, jitter =
            "full", cap = "10s", cap_position = "after-jitter""#,
        notes: &["The documented default of 6.x, with the backoff of 8.1.0: base 1 s, cap 10 \
             s."],
        left_out: &[],
    },
    Preset {
        name: "redis-py-decorrelated",
        library: "redis-py, DecorrelatedJitterBackoff",
        version: "8.1.0",
        date: "2026-11-30",
        source: "redis/redis-py, backoff.py",
        verified: Verified::Against { version: "8.1.0", on: "2026-11-30" },
        retry: r#"max_retries = 10, backoff = { decorrelated = { base = "1s" } }, first =
            "1s", cap = "10s""#,
        notes: &["The first wait is exactly the base, here 1 s."],
        left_out: &[],
    },
];
