//! Kubernetes: clients, controllers, kubelet.

use super::{Preset, Verified};

/// The presets of this family.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "k8s-default-retry",
        library: "client-go, retry.DefaultRetry",
        version: "32ce75a7",
        date: "2026-07",
        source: "kubernetes/client-go, util/retry",
        verified: Verified::Formula,
        retry: r#"max_attempts = 5, backoff = { constant = "10ms" }, jitter = { longer = 0.1 }"#,
        notes: &[],
        left_out: &[],
    },
    Preset {
        name: "k8s-default-backoff",
        library: "client-go, retry.DefaultBackoff",
        version: "32ce75a7",
        date: "2026-07",
        source: "kubernetes/client-go, util/retry",
        verified: Verified::Formula,
        retry: r#"max_attempts = 4, backoff = { exponential = { base = "10ms", factor = 5 } },
            jitter = { longer = 0.1 }"#,
        notes: &[],
        left_out: &[],
    },
    Preset {
        name: "k8s-reflector",
        library: "client-go, reflector",
        version: "32ce75a7",
        date: "2026-07",
        source: "kubernetes/client-go, tools/cache/reflector.go",
        verified: Verified::Formula,
        retry: r#"max_retries = "unlimited", backoff = { exponential = { base = "800ms" } },
            jitter = { longer = 1 }, cap = "30s""#,
        notes: &[],
        left_out: &["It begins anew after 2 minutes without a failure."],
    },
    Preset {
        name: "k8s-leader-election",
        library: "client-go, leader election",
        version: "32ce75a7",
        date: "2026-07",
        source: "kubernetes/client-go, tools/leaderelection",
        verified: Verified::Formula,
        retry: r#"max_retries = "unlimited", backoff = { constant = "2s" }, jitter = { longer
            = 1.2 }"#,
        notes: &[],
        left_out: &[],
    },
    Preset {
        name: "k8s-workqueue",
        library: "client-go, work queue of controllers",
        version: "32ce75a7",
        date: "2026-07",
        source: "kubernetes/client-go, util/workqueue",
        verified: Verified::Formula,
        retry: r#"max_retries = "unlimited", backoff = { exponential = { base = "5ms" } }, cap
            = "1000s""#,
        notes: &[],
        left_out: &["The token bucket of 10/s with a burst of 100 that all items share."],
    },
    Preset {
        name: "kubelet-crashloop",
        library: "kubelet, CrashLoopBackOff",
        version: "",
        date: "2026-11-30",
        source: "kubernetes/kubernetes, pkg/kubelet/kubelet.go",
        verified: Verified::Formula,
        retry: r#"max_retries = "unlimited", backoff = { exponential = { base = "10s" } }, cap
            = "300s""#,
        notes: &[],
        left_out: &["It begins anew after 10 minutes without a crash."],
    },
    Preset {
        name: "k8s-job",
        library: "Kubernetes Job, failed pods",
        version: "",
        date: "2026-11-30",
        source: "kubernetes/kubernetes, pkg/controller/job/backoff_utils.go",
        verified: Verified::Formula,
        retry: r#"max_retries = 6, backoff = { exponential = { base = "10s" } }, cap = "600s""#,
        notes: &[],
        left_out: &[],
    },
];
