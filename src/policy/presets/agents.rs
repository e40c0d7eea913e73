//! Agents that ship metrics, logs and traces.

use super::{Preset, Verified};

/// The presets of this family.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "vector",
        library: "Vector, sinks",
        version: "",
        date: "2026-11-30",
        source: "vectordotdev/vector, src/sinks/util/retries.rs",
        verified: Verified::Formula,
        retry: r#"max_retries = "unlimited", backoff = { fibonacci = { base = "1s" } }, jitter
            = "full", cap = "30s", quantum = "1ms", rounding = "up""#,
        notes: &[],
        left_out: &[],
    },
    Preset {
        name: "otel-collector",
        library: "OpenTelemetry Collector, retry_on_failure",
        version: "",
        date: "2026-11-30",
        source: "open-telemetry/opentelemetry-collector, config/configretry",
        verified: Verified::Formula,
        retry: r#"max_retries = "unlimited", max_elapsed = "300s", backoff = { exponential = {
            base = "5s", factor = 1.5 } }, jitter = { proportional = "50%" }, cap = "30s""#,
        notes: &[],
        left_out: &["A hint of the server, where it is longer than the wait."],
    },
    Preset {
        name: "prometheus",
        library: "Prometheus, remote_write",
        version: "",
        date: "2026-11-30",
        source: "prometheus/prometheus, storage/remote/queue_manager.go",
        verified: Verified::Formula,
        retry: r#"max_retries = "unlimited", backoff = { exponential = { base = "30ms" } },
            cap = "5s""#,
        notes: &["429 is retried only if the configuration says so."],
        left_out: &["Retry-After, which replaces the wait, and from which the next doubles."],
    },
    Preset {
        name: "grafana-dskit",
        library: "Grafana dskit (Loki, Mimir, Tempo clients)",
        version: "",
        date: "2026-11-30",
        source: "grafana/dskit, backoff/backoff.go",
        verified: Verified::Formula,
        retry: r#"max_retries = 10, backoff = { exponential = { base = "100ms" } }, jitter = {
            doubling = "10s" }, cap = "6400ms""#,
        notes: &["The window doubles until its end would pass 10 s, which it is then cut to."],
        left_out: &[],
    },
    Preset {
        name: "fluentd",
        library: "Fluentd, buffered outputs",
        version: "",
        date: "2026-11-30",
        source: "fluent/fluentd, plugin_helper/retry_state.rb",
        verified: Verified::Formula,
        retry: r#"max_retries = "unlimited", max_elapsed = "72h", backoff = { exponential = {
            base = "1s" } }, jitter = { proportional = "12.5%" }"#,
        notes: &[],
        left_out: &[],
    },
];
