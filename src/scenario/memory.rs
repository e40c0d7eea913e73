//! What a run needs of memory, for the rules that refuse what no machine holds.
//!
//! The figures are bounds for what `herdsim run -v --jobs 1` tells of runs with millions of clients
//! ("memory: … bytes per client"). Whoever makes the simulator smaller or larger measures again and
//! changes them here and nowhere else.

/// Memory that clients, and that calls open at once, may need (≤), in bytes.
pub(super) const MOST: u64 = 16 << 30;
/// Memory of one client of a group that follows its load as a whole, in bytes.
pub(super) const CLIENT: u64 = 128;
/// Memory of one client that follows a load by itself, in bytes.
pub(super) const LOADED_CLIENT: u64 = 200;
/// Memory of each further load of a client, in bytes.
pub(super) const FURTHER_LOAD: u64 = 64;
/// Memory of one open call, in bytes: its state, its attempt, and the events of both.
pub(super) const OPEN_CALL: u64 = 280;

/// Memory that the series over time may need (≤), in bytes, over all policies.
pub(super) const MOST_SERIES: u64 = 4 << 30;
/// Memory of a bin of the series of one service, in bytes.
pub(super) const SERVICE_BIN: u64 = 33;
/// Memory of a bin of the series of the whole system, in bytes.
pub(super) const WHOLE_BIN: u64 = 80;

/// A size as people read it.
pub(super) fn size(bytes: u128) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", units[unit])
}
