//! What do many runs say together? Replications, policies side by side: the only user of rayon.

mod result;

pub use result::{
    Estimate, Estimates, PolicyResult, Proportion, RecoveryTime, StudyResult, Verdict,
};
