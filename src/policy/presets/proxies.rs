//! Proxies and meshes.

use super::{Preset, Verified};

/// The presets of this family.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "envoy",
        library: "Envoy, route retry policy",
        version: "",
        date: "2026-11-30",
        source: "envoyproxy/envoy, source/common/common/backoff_strategy.cc",
        verified: Verified::Formula,
        retry: r#"max_retries = 1, backoff = { exponential = { base = "25ms" } }, jitter =
            "full", cap = "250ms", quantum = "1ms""#,
        notes: &["The window doubles, 25, 50, 100, 200, 250 ms: the documentation says \
             otherwise."],
        left_out: &[
            "max_retries 3: at most so many retries of a cluster at a time.",
            "retry_budget.",
            "Rate limited backoff.",
        ],
    },
    Preset {
        name: "istio",
        library: "Istio, default retries",
        version: "86c9f01f",
        date: "2026-11-30",
        source: "istio/istio",
        verified: Verified::Formula,
        retry: r#"max_retries = 2, backoff = { exponential = { base = "25ms" } }, jitter =
            "full", cap = "250ms", quantum = "1ms""#,
        notes: &["Istio lifts the limit of 3 retries at a time."],
        left_out: &["Retries go to other hosts."],
    },
    Preset {
        name: "linkerd",
        library: "Linkerd, retry annotations",
        version: "29637b64",
        date: "2026-08-21",
        source: "linkerd/linkerd2-proxy, exp-backoff",
        verified: Verified::Formula,
        retry: r#"max_retries = 1, backoff = { exponential = { base = "25ms" } }, jitter = {
            longer = 1 }, cap = "250ms", cap_position = "around-jitter""#,
        notes: &["The limit is 1 by default. With more, 75 % of the fourth retries and all \
             later ones wait exactly 250 ms."],
        left_out: &[],
    },
];
