//! Google's clients, and those that took over their formula.

use super::{Preset, Verified};

/// The presets of this family.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "google-http",
        library: "Google HTTP client for Java",
        version: "cf8ec81f",
        date: "2026-11-30",
        source: "googleapis/google-http-java-client, util/ExponentialBackOff.java",
        verified: Verified::Formula,
        retry: r#"max_retries = "unlimited", max_elapsed = "15m", backoff = { exponential = {
            base = "500ms", factor = 1.5, whole = "1ms" } }, jitter = { proportional = "50%"
            }, cap = "60s", quantum = "1ms""#,
        notes: &[],
        left_out: &[
            "The elapsed time is looked at before the wait is added: a last retry may \
             begin up to one wait later.",
            "Its whole milliseconds include the upper end, one in some hundred values, \
             which is left out here.",
        ],
    },
    Preset {
        name: "cenkalti-backoff",
        library: "cenkalti/backoff (Go)",
        version: "4.1.3",
        date: "2024-01-02",
        source: "cenkalti/backoff, exponential.go",
        verified: Verified::Against { version: "4.1.3", on: "2026-11-30" },
        retry: r#"max_retries = "unlimited", max_elapsed = "15m", backoff = { exponential = {
            base = "500ms", factor = 1.5, whole = "1ns" } }, jitter = { proportional = "50%"
            }, cap = "60s""#,
        notes: &[],
        left_out: &[],
    },
    Preset {
        name: "rust-backoff",
        library: "backoff (crate)",
        version: "0.4.0",
        date: "2026-11-30",
        source: "crates.io, backoff 0.4.0",
        verified: Verified::Against { version: "0.4.0", on: "2026-11-30" },
        retry: r#"max_retries = "unlimited", max_elapsed = "15m", backoff = { exponential = {
            base = "500ms", factor = 1.5 } }, jitter = { proportional = "50%" }, cap = "60s""#,
        notes: &[],
        left_out: &[],
    },
    Preset {
        name: "google-api-core",
        library: "google-api-core (Python)",
        version: "2.44.0",
        date: "2026-11-30",
        source: "googleapis/python-api-core, retry_unary.py",
        verified: Verified::Against { version: "2.44.0", on: "2026-11-30" },
        retry: r#"max_retries = "unlimited", max_elapsed = "120s", backoff = { exponential = {
            base = "1s" } }, jitter = "full", cap = "60s""#,
        notes: &["Run by others with the numbers of the storage client: 0.1 s, factor 1.3."],
        left_out: &[],
    },
    Preset {
        name: "gax-go",
        library: "gax-go",
        version: "5a1e0eb",
        date: "2026-11-30",
        source: "googleapis/gax-go, call_option.go",
        verified: Verified::Formula,
        retry: r#"max_retries = "unlimited", backoff = { exponential = { base = "1s" } },
            jitter = "full", cap = "30s""#,
        notes: &[],
        left_out: &["It stops with the deadline of its context: give the group a `deadline`."],
    },
];
