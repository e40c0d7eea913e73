//! Rust crates.

use super::{Preset, Verified};

/// The presets of this family.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "backon",
        library: "backon, ExponentialBuilder",
        version: "1.6.0",
        date: "2026-11-30",
        source: "crates.io, backon 1.6.0",
        verified: Verified::Against { version: "1.6.0", on: "2026-11-30" },
        retry: r#"max_retries = 3, backoff = { exponential = { base = "1s" } }, cap = "60s""#,
        notes: &["Jitter is off by default."],
        left_out: &[],
    },
    Preset {
        name: "backon-jitter",
        library: "backon, ExponentialBuilder::with_jitter",
        version: "1.6.0",
        date: "2026-11-30",
        source: "crates.io, backon 1.6.0",
        verified: Verified::Formula,
        retry: r#"max_retries = 3, backoff = { exponential = { base = "1s" } }, jitter = {
            longer = 1 }, cap = "60s""#,
        notes: &["The jitter doubles the cap."],
        left_out: &[],
    },
    Preset {
        name: "tokio-retry",
        library: "tokio-retry, from_millis(10).map(jitter).take(3)",
        version: "0.3.2",
        date: "2026-11-30",
        source: "crates.io, tokio-retry 0.3.2",
        verified: Verified::Against { version: "0.3.2", on: "2026-11-30" },
        retry: r#"max_retries = 3, backoff = { exponential = { base = "10ms", factor = 10 } },
            jitter = "full""#,
        notes: &["The base is raised to the power: 10, 100, 1000 ms. \
             from_millis(2).factor(100) is a base of 200 ms that doubles."],
        left_out: &[],
    },
    Preset {
        name: "exponential-backoff",
        library: "exponential-backoff (crate)",
        version: "2.1.1",
        date: "2026-11-30",
        source: "crates.io, exponential-backoff 2.1.1",
        verified: Verified::Against { version: "2.1.1", on: "2026-11-30" },
        retry: r#"max_attempts = 8, backoff = { exponential = { base = "100ms" } }, jitter = {
            percents = 30 }, floor = "100ms", cap = "10s", cap_position = "after-jitter""#,
        notes: &["Half of all first retries wait exactly 100 ms. 8 attempts are the example of \
             its documentation."],
        left_out: &[],
    },
    Preset {
        name: "reqwest-retry",
        library: "reqwest-retry, ExponentialBackoff",
        version: "0.5.2",
        date: "2026-11-30",
        source: "crates.io, retry-policies 0.5.2",
        verified: Verified::Against { version: "0.5.2", on: "2026-11-30" },
        retry: r#"max_retries = 3, backoff = { exponential = { base = "1s" } }, jitter =
            "full", cap = "30m""#,
        notes: &["3 retries are the example of its documentation."],
        left_out: &[],
    },
    Preset {
        name: "tower",
        library: "tower, ExponentialBackoffMaker",
        version: "0.5.3",
        date: "2026-11-30",
        source: "tower-rs/tower, retry/backoff.rs",
        verified: Verified::Formula,
        retry: r#"max_retries = 3, backoff = { exponential = { base = "50ms" } }, jitter = {
            longer = 0.99 }"#,
        notes: &[
            "How many retries is up to the policy: 3 is a choice.",
            "All requests of a process draw the same sequence: sharing = { rng = \"process:N\" } \
             does that, with N clients to a process.",
        ],
        left_out: &["TpsBudget."],
    },
];
