//! Queues of jobs and workflows.

use super::{Preset, Verified};

/// The presets of this family.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "celery",
        library: "Celery, autoretry with retry_backoff",
        version: "5.7.0",
        date: "2026-11-30",
        source: "celery/celery, utils/time.py",
        verified: Verified::Against { version: "5.7.0", on: "2026-11-30" },
        retry: r#"max_retries = 3, backoff = { exponential = { base = "1s" } }, jitter = {
            multiples = "1s" }, cap = "600s""#,
        notes: &["Whole seconds with both ends: half of all first retries are at once."],
        left_out: &[],
    },
    Preset {
        name: "celery-publish",
        library: "Celery, task_publish_retry_policy",
        version: "5.7.0",
        date: "2026-11-30",
        source: "celery/kombu, utils/functional.py",
        verified: Verified::Against { version: "5.7.0", on: "2026-11-30" },
        retry: r#"max_retries = 3, backoff = { linear = { base = "0s", step = "200ms" } }, cap
            = "1s""#,
        notes: &[],
        left_out: &[],
    },
    Preset {
        name: "kombu-connection",
        library: "kombu, ensure_connection",
        version: "5.7.0",
        date: "2026-11-30",
        source: "celery/kombu, connection.py",
        verified: Verified::Against { version: "5.7.0", on: "2026-11-30" },
        retry: r#"max_retries = 100, backoff = { linear = { base = "2s", step = "2s" } }, cap
            = "30s""#,
        notes: &[],
        left_out: &[],
    },
    Preset {
        name: "sidekiq",
        library: "Sidekiq",
        version: "1bb4aa06",
        date: "2026-11-30",
        source: "sidekiq/sidekiq, lib/sidekiq/job_retry.rb",
        verified: Verified::Formula,
        retry: r#"max_retries = 25, backoff = { polynomial = { unit = "1s", power = 4, from =
            0, plus = "15s" } }, jitter = { added = { most = "10s", step = "10s" } }, quantum
            = "1s""#,
        notes: &[],
        left_out: &["The poller that takes due jobs, every 5 s or so a process."],
    },
    Preset {
        name: "bullmq",
        library: "BullMQ, exponential",
        version: "6.7.0",
        date: "2026-11-30",
        source: "taskforcesh/bullmq",
        verified: Verified::Against { version: "6.7.0", on: "2026-11-30" },
        retry: r#"max_attempts = 3, backoff = { exponential = { base = "1s" } }"#,
        notes: &["attempts and delay are the job's: 3 and 1 s are the example of its \
             documentation."],
        left_out: &[],
    },
    Preset {
        name: "temporal",
        library: "Temporal, activities",
        version: "6805caea",
        date: "2026-08-21",
        source: "temporalio/temporal, service/history/workflow/retry.go",
        verified: Verified::Formula,
        retry: r#"max_retries = "unlimited", backoff = { exponential = { base = "1s" } }, cap
            = "100s""#,
        notes: &["No jitter."],
        left_out: &["nextRetryDelay of an application failure."],
    },
    Preset {
        name: "temporal-internal",
        library: "Temporal, calls between its services",
        version: "6805caea",
        date: "2026-08-21",
        source: "temporalio/temporal, common/backoff/retrypolicy.go",
        verified: Verified::Formula,
        retry: r#"max_retries = "unlimited", max_elapsed = "60s", backoff = { exponential = {
            base = "1s" } }, jitter = { shorter = "20%" }, cap = "10s""#,
        notes: &[],
        left_out: &[],
    },
    Preset {
        name: "argo",
        library: "Argo Workflows, retryStrategy",
        version: "f016ad89",
        date: "2026-08-21",
        source: "argoproj/argo-workflows, examples/retry-backoff.yaml",
        verified: Verified::Formula,
        retry: r#"max_retries = 10, max_elapsed = "1m", backoff = { exponential = { base =
            "1s" } }"#,
        notes: &["The numbers are those of the example; a strategy has no defaults."],
        left_out: &[],
    },
];
