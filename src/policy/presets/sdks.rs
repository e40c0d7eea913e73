//! SDKs of services.

use super::{Preset, Verified};

/// The presets of this family.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "azure-python",
        library: "Azure SDK for Python",
        version: "1.41.0",
        date: "2026-11-30",
        source: "Azure/azure-sdk-for-python, azure-core",
        verified: Verified::Against { version: "1.41.0", on: "2026-11-30" },
        retry: r#"max_retries = 10, backoff = { exponential = { base = "800ms" } }, first =
            "0s", cap = "120s""#,
        notes: &[],
        left_out: &[
            "Retry-After, which replaces the wait exactly.",
            "At most 3 failures to connect.",
        ],
    },
    Preset {
        name: "azure-js",
        library: "Azure SDK for JavaScript",
        version: "1.24.0",
        date: "2026-11-30",
        source: "Azure/azure-sdk-for-js, core-rest-pipeline",
        verified: Verified::Formula,
        retry: r#"max_retries = 3, backoff = { exponential = { base = "1s" } }, jitter =
            "equal", cap = "64s", quantum = "1ms""#,
        notes: &[],
        left_out: &["Retry-After, which replaces the wait exactly."],
    },
    Preset {
        name: "stripe-python",
        library: "Stripe (Python)",
        version: "16.1.0",
        date: "2026-11-30",
        source: "stripe/stripe-python",
        verified: Verified::Against { version: "16.1.0", on: "2026-11-30" },
        retry: r#"max_retries = 2, backoff = { exponential = { base = "500ms" } }, jitter =
            "equal", cap = "5s", floor = "500ms""#,
        notes: &["The first retry is exactly 500 ms for everybody."],
        left_out: &[],
    },
    Preset {
        name: "stripe-node",
        library: "Stripe (Node)",
        version: "23.1.0",
        date: "2026-11-30",
        source: "stripe/stripe-node",
        verified: Verified::Against { version: "23.1.0", on: "2026-11-30" },
        retry: r#"max_retries = 2, backoff = { exponential = { base = "250ms" } }, jitter =
            "equal", cap = "5s", floor = "500ms""#,
        notes: &["The exponent begins one lower than in Python: the first two retries are \
             exactly 500 ms for everybody."],
        left_out: &[],
    },
    Preset {
        name: "openai",
        library: "OpenAI SDK (Stainless)",
        version: "3.57.0",
        date: "2026-11-30",
        source: "openai/openai-python",
        verified: Verified::Formula,
        retry: r#"max_retries = 2, backoff = { exponential = { base = "500ms" } }, jitter = {
            shorter = "25%" }, cap = "8s""#,
        notes: &["The same generator as the Anthropic SDK, whose waits were run."],
        left_out: &[
            "Retry-After, which replaces the wait exactly, up to 120 s; longer, and it \
             does not retry.",
            "The header x-should-retry.",
        ],
    },
    Preset {
        name: "anthropic",
        library: "Anthropic SDK (Stainless)",
        version: "2.14.0",
        date: "2026-11-30",
        source: "anthropics/anthropic-sdk-python",
        verified: Verified::Against { version: "2.14.0", on: "2026-11-30" },
        retry: r#"max_retries = 2, backoff = { exponential = { base = "500ms" } }, jitter = {
            shorter = "25%" }, cap = "8s""#,
        notes: &[],
        left_out: &[
            "Retry-After, which replaces the wait exactly, up to 120 s.",
            "The header x-should-retry.",
        ],
    },
];
