//! How long does it take? Distributions of durations, the same to the bit on every machine.
//!
//! Samplers use integer arithmetic, `+ − × ÷ √` and the `libm` crate only: the platform's own
//! `ln` and `exp` differ from machine to machine in the last bit.

mod constant;
mod empirical;
mod exponential;
mod ln;
mod lognormal;
mod normal_abs;
mod pareto;
mod uniform;

use std::time::Duration;

use rand::Rng;
pub use rand_distr::Distribution;

pub use constant::Constant;
pub use empirical::Empirical;
pub use exponential::Exponential;
pub use ln::minus_ln;
pub use lognormal::LogNormal;
pub use normal_abs::NormalAbs;
pub use pareto::Pareto;
pub use uniform::Uniform;

use crate::time::nanos;

/// A distribution of durations; the variant is the key of the scenario language.
#[derive(Clone, Debug, PartialEq)]
pub enum Dist {
    /// Always the same.
    Constant(Constant),
    /// Memoryless: service of unknown composition, time between independent events.
    Exponential(Exponential),
    /// Anything between two bounds, alike.
    Uniform(Uniform),
    /// Most requests are fast, a few are slow: the usual shape of service times.
    LogNormal(LogNormal),
    /// The absolute value of a normal number: the network of some published models.
    NormalAbs(NormalAbs),
    /// A heavy tail: a few requests are extremely slow.
    Pareto(Pareto),
    /// Measured values, each as likely as the next.
    Empirical(Empirical),
}

impl Dist {
    /// A distribution that always gives `value`.
    pub fn constant(value: Duration) -> Dist {
        Dist::Constant(Constant { value })
    }

    /// The mean in seconds (≥ 0); infinite for a Pareto with shape ≤ 1.
    pub fn mean_s(&self) -> f64 {
        match self {
            Dist::Constant(d) => d.mean_s(),
            Dist::Exponential(d) => d.mean_s(),
            Dist::Uniform(d) => d.mean_s(),
            Dist::LogNormal(d) => d.mean_s(),
            Dist::NormalAbs(d) => d.mean_s(),
            Dist::Pareto(d) => d.mean_s(),
            Dist::Empirical(d) => d.mean_s(),
        }
    }

    /// The value, when there is only one.
    pub fn as_constant(&self) -> Option<Duration> {
        match self {
            Dist::Constant(d) => Some(d.value),
            _ => None,
        }
    }
}

impl Distribution<Duration> for Dist {
    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Duration {
        match self {
            Dist::Constant(d) => d.sample(rng),
            Dist::Exponential(d) => d.sample(rng),
            Dist::Uniform(d) => d.sample(rng),
            Dist::LogNormal(d) => d.sample(rng),
            Dist::NormalAbs(d) => d.sample(rng),
            Dist::Pareto(d) => d.sample(rng),
            Dist::Empirical(d) => d.sample(rng),
        }
    }
}

impl Dist {
    /// The same sample as a number of nanoseconds, which the simulator counts in.
    #[inline]
    pub fn sample_nanos<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        match self {
            Dist::Exponential(d) => d.sample_nanos(rng),
            other => nanos(other.sample(rng)),
        }
    }
}

/// A uniform number in (0, 1]: safe to take the logarithm of.
#[inline]
fn positive_unit<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    ((rng.next_u64() >> 11) + 1) as i64 as f64 * (1.0 / (1u64 << 53) as f64)
}

/// A uniform integer below `bound` (1 … 2^64) (Lemire's multiply-shift, see [`crate::rng`]).
///
/// Not `random_range`: `rand` may change how it maps bits to a range in any release.
fn below<R: Rng + ?Sized>(rng: &mut R, bound: u128) -> u64 {
    ((u128::from(rng.next_u64()) * bound) >> 64) as u64
}

/// A standard normal number (Box and Muller 1958), two draws a number: the second of the pair is
/// thrown away so that a sample never depends on the one before.
fn standard_normal<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    let radius = (2.0 * minus_ln(positive_unit(rng))).sqrt();
    radius * libm::cos(2.0 * std::f64::consts::PI * positive_unit(rng))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, Seed};

    /// Mean and standard deviation of 200,000 samples, in seconds.
    fn moments(dist: &Dist) -> (f64, f64) {
        let n = 200_000;
        let seed = Seed::new(11);
        let samples: Vec<f64> = (0..n)
            .map(|i| dist.sample(&mut seed.stream(Purpose::Demand, i, 1)).as_secs_f64())
            .collect();
        let mean = samples.iter().sum::<f64>() / n as f64;
        let variance = samples.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n as f64;
        (mean, variance.sqrt())
    }

    fn ms(value: u64) -> Duration {
        Duration::from_millis(value)
    }

    #[test]
    fn samples_have_the_mean_and_the_spread_of_the_formula() {
        let empirical = Empirical::new("x.csv".to_string(), vec![ms(10), ms(30)]);
        let cases = [
            (Dist::constant(ms(20)), 0.0),
            (Dist::Exponential(Exponential { mean: ms(20) }), 0.020),
            (Dist::Uniform(Uniform { low: ms(10), high: ms(30) }), 0.020 / 12f64.sqrt()),
            (Dist::LogNormal(LogNormal::new(ms(40), ms(150))), f64::NAN),
            (Dist::NormalAbs(NormalAbs { mean: ms(20), sd: ms(4) }), 0.004),
            // |N(0, s)| has the deviation s × √(1 − 2/π).
            (Dist::NormalAbs(NormalAbs { mean: ms(0), sd: ms(20) }), 0.012_056_206),
            (Dist::Pareto(Pareto { scale: ms(10), shape: 5.0 }), 0.010 * (5.0f64 / 48.0).sqrt()),
            (Dist::Empirical(empirical.unwrap()), 0.010),
        ];
        for (dist, spread) in cases {
            let (mean, deviation) = moments(&dist);
            let expected = dist.mean_s();
            assert!((mean / expected - 1.0).abs() < 0.01, "{dist:?}: {mean} not {expected}");
            if spread.is_finite() {
                assert!((deviation - spread).abs() < 0.0005, "{dist:?}: {deviation} not {spread}");
            }
        }
    }

    /// The largest distance between the distribution function of 20,000 samples and `cdf`, times
    /// the root of their number: above 2.2 once in 8,000 seeds (Kolmogorov 1933).
    fn kolmogorov(dist: &Dist, cdf: impl Fn(f64) -> f64) -> f64 {
        let n = 20_000;
        let seed = Seed::new(5);
        let mut samples: Vec<f64> = (0..n)
            .map(|i| dist.sample(&mut seed.stream(Purpose::Demand, i, 1)).as_secs_f64())
            .collect();
        samples.sort_by(f64::total_cmp);
        let gap = |(i, x): (usize, &f64)| {
            let (below, above) = (i as f64 / n as f64, (i + 1) as f64 / n as f64);
            (cdf(*x) - below).abs().max((above - cdf(*x)).abs())
        };
        samples.iter().enumerate().map(gap).fold(0.0, f64::max) * (n as f64).sqrt()
    }

    #[test]
    fn samples_follow_the_distribution_function_of_the_formula() {
        let exponential = Dist::Exponential(Exponential { mean: ms(20) });
        let distance = kolmogorov(&exponential, |x| 1.0 - libm::exp(-x / 0.020));
        assert!(distance < 2.2, "exponential {distance}");
        let uniform = Dist::Uniform(Uniform { low: ms(10), high: ms(30) });
        let distance = kolmogorov(&uniform, |x| (x - 0.010) / 0.020);
        assert!(distance < 2.2, "uniform {distance}");
        let pareto = Dist::Pareto(Pareto { scale: ms(10), shape: 1.5 });
        let distance = kolmogorov(&pareto, |x| 1.0 - libm::pow(0.010 / x, 1.5));
        assert!(distance < 2.2, "pareto {distance}");
        // 2.3263… is the 99 % quantile of the standard normal distribution.
        let sigma = libm::log(150.0 / 40.0) / 2.326_347_874_040_841;
        let lognormal = Dist::LogNormal(LogNormal::new(ms(40), ms(150)));
        let normal = |z: f64| 0.5 * libm::erfc(-z / std::f64::consts::SQRT_2);
        let distance = kolmogorov(&lognormal, |x| normal(libm::log(x / 0.040) / sigma));
        assert!(distance < 2.2, "log-normal {distance}");
        let folded = Dist::NormalAbs(NormalAbs { mean: ms(2), sd: ms(4) });
        let distance =
            kolmogorov(&folded, |x| normal((x - 0.002) / 0.004) - normal((-x - 0.002) / 0.004));
        assert!(distance < 2.2, "folded normal {distance}");
    }

    #[test]
    fn the_widest_and_the_narrowest_uniform_are_sampled() {
        let mut stream = Seed::new(1).stream(Purpose::Demand, 1, 1);
        let longest = Duration::from_nanos(u64::MAX);
        let widest = Uniform { low: Duration::ZERO, high: longest };
        let far = (0..64).filter(|_| widest.sample(&mut stream) > longest / 2).count();
        assert!((16..48).contains(&far), "{far} of 64 in the upper half");
        assert_eq!(Uniform { low: ms(3), high: ms(3) }.sample(&mut stream), ms(3));
    }

    #[test]
    fn a_seed_gives_these_values_for_ever() {
        let draw = |dist: Dist| {
            let mut stream = Seed::new(42).stream(Purpose::Demand, 7, 1);
            crate::time::nanos(dist.sample(&mut stream))
        };
        let drawn = [
            draw(Dist::Exponential(Exponential { mean: ms(20) })),
            draw(Dist::Uniform(Uniform { low: ms(10), high: ms(30) })),
            draw(Dist::LogNormal(LogNormal::new(ms(40), ms(150)))),
            draw(Dist::Pareto(Pareto { scale: ms(10), shape: 2.5 })),
            draw(Dist::NormalAbs(NormalAbs { mean: ms(10), sd: ms(2) })),
        ];
        assert_eq!(drawn, VALUES, "a changed sampler belongs under \"Numbers changed\"");
    }

    const VALUES: [u64; 5] = [28_414_507, 14_830_775, 103_672_036, 17_652_461, 13_352_365];
}
