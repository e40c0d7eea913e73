//! .NET: Polly and what is built on it.

use super::{Preset, Verified};

/// The presets of this family.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "polly",
        library: "Polly 8, defaults",
        version: "173d6d1d",
        date: "2026-08-21",
        source: "App-vNext/Polly, src/Polly.Core/Retry/RetryHelper.cs",
        verified: Verified::Formula,
        retry: r#"max_retries = 3, backoff = { constant = "2s" }"#,
        notes: &["Jitter is off by default."],
        left_out: &["Retry-After, which replaces the wait exactly, through a delay generator."],
    },
    Preset {
        name: "polly-constant-jitter",
        library: "Polly 8, constant with UseJitter",
        version: "173d6d1d",
        date: "2026-08-21",
        source: "App-vNext/Polly, src/Polly.Core/Retry/RetryHelper.cs",
        verified: Verified::Formula,
        retry: r#"max_retries = 3, backoff = { constant = "2s" }, jitter = { proportional =
            "25%" }"#,
        notes: &[],
        left_out: &[],
    },
    Preset {
        name: "polly-exponential-jitter",
        library: "Polly 8, exponential with UseJitter",
        version: "173d6d1d",
        date: "2026-08-21",
        source: "App-vNext/Polly, src/Polly.Core/Retry/RetryHelper.cs",
        verified: Verified::Formula,
        retry: r#"max_retries = 3, backoff = { polly-v2 = { base = "2s" } }"#,
        notes: &[
            "Decorrelated jitter V2; MaxDelay, if set, acts after it.",
            "The formula was compared with cockatiel 3.2.1, a port of it.",
        ],
        left_out: &["A long wait makes the next one shorter: here every wait is drawn by itself."],
    },
    Preset {
        name: "dotnet-standard",
        library: ".NET AddStandardResilienceHandler",
        version: "5862342c",
        date: "2026-08-19",
        source: "dotnet/extensions, Microsoft.Extensions.Http.Resilience",
        verified: Verified::Formula,
        retry: r#"max_retries = 3, backoff = { polly-v2 = { base = "2s" } }"#,
        notes: &["Give the group timeout = \"10s\" and deadline = { for = \"30s\" }, as the \
             handler has."],
        left_out: &[
            "The circuit breaker (10 % of 100 calls in 30 s, open for 5 s).",
            "Retry-After, which replaces the wait exactly.",
            "The limit of 1000 calls at a time.",
            "A long wait makes the next one shorter: here every wait is drawn by itself.",
        ],
    },
    Preset {
        name: "azure-dotnet",
        library: "Azure SDK for .NET",
        version: "",
        date: "2026-11-30",
        source: "Azure/azure-sdk-for-net, Azure.Core, ExponentialDelayStrategy",
        verified: Verified::Formula,
        retry: r#"max_retries = 3, backoff = { exponential = { base = "800ms" } }, jitter = {
            proportional = "20%" }, cap = "60s", cap_position = "after-jitter""#,
        notes: &[],
        left_out: &["Retry-After, where it is longer than the wait."],
    },
];
