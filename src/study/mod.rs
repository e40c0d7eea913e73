//! What do many runs say together? Replications, policies side by side: the only user of rayon.

mod censored;
mod estimate;
mod expect;
mod parallel;
mod result;
mod run;
mod verdict;
mod work;

pub use expect::{Answer, Claim, check};
pub use parallel::in_parallel;
pub use result::{
    Estimate, Estimates, FaultSpan, PolicyResult, Proportion, RecoveryTime, StudyResult, Verdict,
};
pub use run::{Options, Watch, replay, run, run_until, run_watched};
