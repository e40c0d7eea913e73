//! What do replications and series say, and how surely? Intervals of means, shares and quantiles,
//! comparisons, long runs, stopping, tests of the statistics themselves, synchrony.
//!
//! Like everything whose numbers are written into a result, these functions use `+ − × ÷ √` and
//! the `libm` crate only, so that they agree to the bit on every machine.

mod batch;
mod beta;
mod binomial;
mod compare;
mod coverage;
mod exact_share;
mod fft;
mod half_life;
mod holm;
mod interval;
mod normal;
mod order;
mod proportion;
mod resultant;
mod stopping;
mod student;
mod survival;
mod synchrony;
mod trend;
mod uniform;
mod warm_up;

pub use batch::{BatchMeans, VonNeumann, batch_means, overlapping_variance, von_neumann};
pub use binomial::{binomial_at_most, binomial_quantile};
pub use compare::{Difference, Paired, independent_difference, paired_difference, variance_ratio};
pub use coverage::{AcceptanceBand, acceptance_band};
pub use exact_share::{Share, clopper_pearson_interval, share};
pub use fft::power_spectrum;
pub use holm::holm;
pub use interval::{Interval, mean_and_variance, mean_interval, mean_interval_at};
pub use normal::normal_quantile;
pub use order::{QuantileInterval, Ranks, quantile_interval, quantile_ranks};
pub use proportion::{wilson_interval, wilson_interval_at};
pub use stopping::{Outcome, Precision, Progress, replications_needed};
pub use student::{t_p_value, t_probability, t_quantile, t_quantile_real};
pub use survival::{Recovery, Survival, kaplan_meier};
pub use synchrony::{Synchrony, synchrony};
pub use uniform::{Uniformity, uniformity};
pub use warm_up::{WarmUp, mean_series, warm_up};

/// The 97.5 % quantile of the standard normal distribution: the half-width, in standard
/// deviations, of a 95 % interval.
const Z95: f64 = 1.959_963_984_540_054;
