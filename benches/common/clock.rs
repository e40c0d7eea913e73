//! CPU time, of which a busy machine takes little away.

use std::time::Duration;

/// CPU time of this thread.
#[cfg(unix)]
pub fn thread_cpu() -> Duration {
    use nix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("the thread has a clock").into()
}

/// The time on the wall: there is no clock of the thread.
#[cfg(not(unix))]
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub fn thread_cpu() -> Duration {
    static BEGAN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGAN.get_or_init(std::time::Instant::now).elapsed()
}

/// What `work` gives, and the CPU time of this thread that it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let began = thread_cpu();
    let result = std::hint::black_box(work());
    (result, thread_cpu() - began)
}

/// The middle value; the mean of the two middle ones of an even number.
///
/// # Panics
/// When there is none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        0 => (sorted[middle - 1] + sorted[middle]) / 2.0,
        _ => sorted[middle],
    }
}
