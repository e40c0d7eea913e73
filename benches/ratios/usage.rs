//! What processes use: time on the wall and on all cores, and memory.

use std::time::{Duration, Instant};

/// User CPU time of this process, all its threads.
#[cfg(unix)]
pub fn user_cpu() -> Duration {
    use nix::sys::resource::{UsageWho, getrusage};
    duration(getrusage(UsageWho::RUSAGE_SELF).expect("usage of oneself").user_time())
}

/// Not known here.
#[cfg(not(unix))]
pub fn user_cpu() -> Duration {
    Duration::ZERO
}

/// User CPU time of all children that have ended, and the peak memory of the largest in KiB.
#[cfg(unix)]
pub fn children() -> (Duration, u64) {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("usage of the children");
    // macOS counts bytes, everybody else KiB.
    let unit = if cfg!(target_os = "macos") { 1024 } else { 1 };
    (duration(usage.user_time()), usage.max_rss().unsigned_abs() / unit)
}

/// Not known here.
#[cfg(not(unix))]
pub fn children() -> (Duration, u64) {
    (Duration::ZERO, 0)
}

#[cfg(unix)]
fn duration(time: nix::sys::time::TimeVal) -> Duration {
    let micros = time.tv_sec().unsigned_abs() * 1_000_000 + time.tv_usec().unsigned_abs();
    Duration::from_micros(micros)
}

/// The time on the wall since the first question.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub fn wall() -> Duration {
    static BEGAN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed()
}
