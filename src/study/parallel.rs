//! The same work for many numbers, on all cores: results come in the order of the numbers.

use std::ops::Range;

use rayon::prelude::*;

/// What `work` gives for every number of `range`, in that order, on `jobs` threads (`None` for
/// one per core). The result does not depend on the number of threads.
///
/// # Errors
/// When the threads cannot be started.
pub fn in_parallel<T: Send>(
    range: Range<u64>,
    jobs: Option<usize>,
    work: impl Fn(u64) -> T + Sync + Send,
) -> Result<Vec<T>, String> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs.unwrap_or(0))
        .build()
        .map_err(|error| format!("cannot start threads: {error}"))?;
    Ok(pool.install(|| range.into_par_iter().map(work).collect()))
}
