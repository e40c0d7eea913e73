//! gRPC: calls and connections.

use super::{Preset, Verified};

/// The presets of this family.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "grpc",
        library: "gRPC retry policy",
        version: "A6",
        date: "2026-11-30",
        source: "grpc/proposal, A6-client-retries.md; numbers of googleapis, \
                 pubsub_grpc_service_config.json",
        verified: Verified::Formula,
        retry: r#"max_attempts = 5, backoff = { exponential = { base = "100ms", factor = 1.3 }
            }, jitter = { proportional = "20%" }, cap = "60s""#,
        notes: &[
            "A service config has no defaults: these numbers are those of Google Pub/Sub. \
             More than 5 attempts are cut to 5.",
            "Older releases had full jitter.",
        ],
        left_out: &[
            "Retry throttling, which stops retries at half of its tokens.",
            "Pushback by the server.",
            "Java and Node do not cap the first wait.",
        ],
    },
    Preset {
        name: "grpc-xds",
        library: "gRPC with an xDS retry policy",
        version: "A44",
        date: "2026-11-30",
        source: "grpc/proposal, A44-xds-retry.md",
        verified: Verified::Formula,
        retry: r#"max_attempts = 2, backoff = { exponential = { base = "25ms" } }, jitter = {
            proportional = "20%" }, cap = "250ms""#,
        notes: &["num_retries is 1 by default."],
        left_out: &["Retry throttling.", "Pushback by the server."],
    },
    Preset {
        name: "grpc-connection",
        library: "gRPC connection backoff (grpc-go)",
        version: "4793ad04",
        date: "2026-08",
        source: "grpc/grpc-go, internal/backoff/backoff.go",
        verified: Verified::Formula,
        retry: r#"max_retries = "unlimited", backoff = { exponential = { base = "1s", factor =
            1.6 } }, first = "1s", jitter = { proportional = "20%" }, cap = "120s""#,
        notes: &["The first reconnection is exactly 1 s for everybody."],
        left_out: &[
            "The wait counts from the start of the attempt: here from its end.",
            "An attempt to connect lasts 20 s at least.",
        ],
    },
];
