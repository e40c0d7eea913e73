//! JVM libraries: resilience4j, Spring, Kafka.

use super::{Preset, Verified};

/// The presets of this family.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "resilience4j",
        library: "resilience4j, defaults",
        version: "af9e7c9",
        date: "2026-05-05",
        source: "resilience4j, core/IntervalFunction.java",
        verified: Verified::Formula,
        retry: r#"max_attempts = 3, backoff = { constant = "500ms" }"#,
        notes: &[],
        left_out: &[],
    },
    Preset {
        name: "resilience4j-exponential",
        library: "resilience4j, ofExponentialBackoff",
        version: "af9e7c9",
        date: "2026-05-05",
        source: "resilience4j, core/IntervalFunction.java",
        verified: Verified::Against { version: "af9e7c9", on: "2026-11-30" },
        retry: r#"max_attempts = 3, backoff = { exponential = { base = "500ms", factor = 1.5,
            whole = "1ms" } }"#,
        notes: &[],
        left_out: &[],
    },
    Preset {
        name: "resilience4j-exponential-random",
        library: "resilience4j, ofExponentialRandomBackoff",
        version: "af9e7c9",
        date: "2026-05-05",
        source: "resilience4j, core/IntervalFunction.java",
        verified: Verified::Against { version: "af9e7c9", on: "2026-11-30" },
        retry: r#"max_attempts = 3, backoff = { exponential = { base = "500ms", factor = 1.5,
            whole = "1ms" } }, jitter = { proportional = "50%" }, quantum = "1ms", floor =
            "1ms""#,
        notes: &["A maximum acts after the jitter while the wait grows on past it: in the end \
             everybody waits exactly the maximum."],
        left_out: &[],
    },
    Preset {
        name: "spring-retry",
        library: "Spring Retry, @Retryable",
        version: "c8977dd",
        date: "2025-05-16",
        source: "spring-projects/spring-retry, backoff/FixedBackOffPolicy.java",
        verified: Verified::Formula,
        retry: r#"max_attempts = 3, backoff = { constant = "1s" }"#,
        notes: &[],
        left_out: &[],
    },
    Preset {
        name: "spring-retry-exponential",
        library: "Spring Retry, ExponentialBackOffPolicy",
        version: "c8977dd",
        date: "2025-05-16",
        source: "spring-projects/spring-retry, backoff/ExponentialBackOffPolicy.java",
        verified: Verified::Formula,
        retry: r#"max_attempts = 3, backoff = { exponential = { base = "100ms", whole = "1ms"
            } }, cap = "30s""#,
        notes: &[],
        left_out: &[],
    },
    Preset {
        name: "spring-retry-random",
        library: "Spring Retry, ExponentialRandomBackOffPolicy",
        version: "c8977dd",
        date: "2025-05-16",
        source: "spring-projects/spring-retry, \
                 backoff/ExponentialRandomBackOffPolicy.java",
        verified: Verified::Formula,
        retry: r#"max_attempts = 3, backoff = { exponential = { base = "100ms", whole = "1ms"
            } }, jitter = { longer = 1 }, cap = "30s", cap_position = "around-jitter", quantum
            = "1ms""#,
        notes: &["From the ninth retry 83 % of callers wait exactly 30 s, then all of them."],
        left_out: &[],
    },
    Preset {
        name: "spring-framework-7",
        library: "Spring Framework 7, @Retryable",
        version: "91eb4264",
        date: "2026-08-22",
        source: "spring-projects/spring-framework, resilience/annotation/Retryable.java",
        verified: Verified::Formula,
        retry: r#"max_retries = 3, backoff = { constant = "1s" }"#,
        notes: &["maxRetries counts retries. multiplier is 1 and jitter 0 by default."],
        left_out: &[],
    },
    Preset {
        name: "kafka",
        library: "Kafka clients, retry.backoff",
        version: "1eb7644",
        date: "2024-10-25",
        source: "apache/kafka, common/utils/ExponentialBackoff.java",
        verified: Verified::Against { version: "1eb7644", on: "2026-11-30" },
        retry: r#"max_retries = "unlimited", max_elapsed = "120s", backoff = { exponential = {
            base = "100ms" } }, jitter = { proportional = "20%" }, cap = "1s", cap_position =
            "around-jitter", quantum = "1ms""#,
        notes: &[
            "On the plateau half of the clients wait exactly 1 s.",
            "The time limit is delivery.timeout.ms of the producer.",
        ],
        left_out: &[],
    },
    Preset {
        name: "kafka-reconnect",
        library: "Kafka clients, reconnect.backoff",
        version: "1eb7644",
        date: "2024-10-25",
        source: "apache/kafka, common/utils/ExponentialBackoff.java",
        verified: Verified::Formula,
        retry: r#"max_retries = "unlimited", backoff = { exponential = { base = "50ms" } },
            jitter = { proportional = "20%" }, cap = "1s", cap_position = "around-jitter",
            quantum = "1ms""#,
        notes: &["With reconnect.backoff.ms set and reconnect.backoff.max.ms not, the wait is \
             constant."],
        left_out: &[],
    },
];
