//! Go libraries.

use super::{Preset, Verified};

/// The presets of this family.
pub(super) const PRESETS: &[Preset] = &[Preset {
    name: "go-retryablehttp",
    library: "go-retryablehttp",
    version: "0.7.1",
    date: "2026-11-30",
    source: "hashicorp/go-retryablehttp",
    verified: Verified::Against { version: "0.7.1", on: "2026-11-30" },
    retry: r#"max_retries = 4, backoff = { exponential = { base = "1s" } }, cap = "30s""#,
    notes: &[],
    left_out: &["Retry-After, which replaces the wait exactly, without a limit (429, 503)."],
}];
