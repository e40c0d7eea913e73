//! What do replications and series say, and how surely? Intervals, quantiles, synchrony.
//!
//! Like everything whose numbers are written into a result, these functions use `+ − × ÷ √` and
//! the `libm` crate only, so that they agree to the bit on every machine.

mod fft;
mod half_life;
mod interval;
mod proportion;
mod resultant;
mod survival;
mod synchrony;
mod trend;

pub use fft::power_spectrum;
pub use interval::{Interval, mean_interval, t_quantile};
pub use proportion::wilson_interval;
pub use survival::{Recovery, Survival, kaplan_meier};
pub use synchrony::{Synchrony, synchrony};

/// The 97.5 % quantile of the standard normal distribution: the half-width, in standard
/// deviations, of a 95 % interval.
const Z95: f64 = 1.959_963_984_540_054;
