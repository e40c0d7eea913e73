//! How far a normal number lies from zero: the network of some published models.

use std::time::Duration;

use rand::Rng;

use super::standard_normal;
use crate::time::from_secs;

/// The absolute value of a normal number (a folded normal distribution).
#[derive(Clone, Debug, PartialEq)]
pub struct NormalAbs {
    /// Mean of the normal number (≥ 0).
    pub mean: Duration,
    /// Standard deviation of the normal number (> 0).
    pub sd: Duration,
}

impl NormalAbs {
    /// The mean in seconds (Leone, Nelson, Nottingham 1961):
    /// sd × √(2/π) × e^(−m²/2) + mean × erf(m/√2), m = mean/sd.
    pub fn mean_s(&self) -> f64 {
        let (mean, sd) = (self.mean.as_secs_f64(), self.sd.as_secs_f64());
        let m = mean / sd;
        let folded = sd * (2.0 / std::f64::consts::PI).sqrt() * libm::exp(-m * m / 2.0);
        folded + mean * libm::erf(m * std::f64::consts::FRAC_1_SQRT_2)
    }

    /// |mean + sd × z|, z standard normal.
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Duration {
        let value = self.mean.as_secs_f64() + self.sd.as_secs_f64() * standard_normal(rng);
        from_secs(value.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(value: u64) -> Duration {
        Duration::from_millis(value)
    }

    #[test]
    fn folding_moves_the_mean_a_little_or_by_all_of_it() {
        // 10.00000021384662 ms: the hop of the AWS Architecture Blog's simulator.
        let hop = NormalAbs { mean: ms(10), sd: ms(2) }.mean_s();
        assert!((hop / 0.010_000_000_213_846_62 - 1.0).abs() < 1e-12, "{hop}");
        let centred = NormalAbs { mean: ms(0), sd: ms(2) }.mean_s();
        assert!((centred / 0.001_595_769_121_605_730_8 - 1.0).abs() < 1e-12, "{centred}");
    }
}
