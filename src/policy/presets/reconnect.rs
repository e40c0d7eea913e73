//! Clients that reconnect.

use super::{Preset, Verified};

/// The presets of this family.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "socket.io",
        library: "socket.io-client",
        version: "4.8.4",
        date: "2026-11-30",
        source: "socketio/socket.io, contrib/backo2.ts",
        verified: Verified::Against { version: "4.8.4", on: "2026-11-30" },
        retry: r#"max_retries = "unlimited", backoff = { exponential = { base = "1s" } },
            jitter = { bands = "50%" }, cap = "5s", cap_position = "after-jitter", quantum =
            "1ms""#,
        notes: &["From the fifth attempt everybody waits exactly 5 s."],
        left_out: &[],
    },
    Preset {
        name: "signalr",
        library: "SignalR, withAutomaticReconnect",
        version: "10.0.11",
        date: "2026-11-30",
        source: "dotnet/aspnetcore, DefaultReconnectPolicy.ts",
        verified: Verified::Against { version: "10.0.11", on: "2026-11-30" },
        retry: r#"max_retries = 4, backoff = { schedule = ["0s", "2s", "10s", "30s"] }"#,
        notes: &[],
        left_out: &[],
    },
    Preset {
        name: "phoenix",
        library: "Phoenix sockets",
        version: "1.8.16",
        date: "2026-11-30",
        source: "phoenixframework/phoenix, assets/js/phoenix/socket.js",
        verified: Verified::Formula,
        retry: r#"max_retries = "unlimited", backoff = { schedule = ["10ms", "50ms", "100ms",
            "150ms", "200ms", "250ms", "500ms", "1s", "2s", "5s"] }"#,
        notes: &[],
        left_out: &[],
    },
];
