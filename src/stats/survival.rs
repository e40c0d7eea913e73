//! How long does it take, when some replications had not recovered by the end of the run?
//!
//! Such a run says only "longer than this" (right-censored). The mean of those that did recover
//! would be too short, so the product-limit estimate is used (Kaplan and Meier 1958).

use super::Z95;

/// One replication: how long it took, or how long it was watched in vain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recovery {
    /// Seconds (≥ 0, not NaN) until it recovered, or until the run ended.
    pub seconds: f64,
    /// Whether it recovered; otherwise it takes longer than `seconds`.
    pub observed: bool,
}

/// What right-censored times say about the time it takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Survival {
    /// Replications (≥ 1).
    pub n: usize,
    /// Those that recovered (≤ n).
    pub observed: usize,
    /// Median in seconds: the first time by which half have recovered; `None` when never.
    pub p50: Option<f64>,
    /// Time in seconds by which 95 % have recovered; `None` when never.
    pub p95: Option<f64>,
    /// Lower end of the 95 % interval of the median; `None` when the data do not determine it.
    pub p50_lo: Option<f64>,
    /// Upper end of the 95 % interval of the median; `None` when the data do not determine it.
    pub p50_hi: Option<f64>,
}

/// The curve after one moment of recovery.
struct Step {
    seconds: f64,
    /// Share that takes longer: the product over all moments so far of 1 − d/r, where d of the r
    /// replications still watched recover.
    survival: f64,
    /// The sum of d / (r (r − d)) so far: the variance of ln S (Greenwood 1926).
    variance: f64,
}

impl Step {
    /// The 95 % limit of the survival on the side of `sign`, from the normal limits of
    /// ln(−ln S), whose standard error is √variance / |ln S|; `None` where S is 0 or 1.
    fn limit(&self, sign: f64) -> Option<f64> {
        if self.survival <= 0.0 || self.survival >= 1.0 {
            return None;
        }
        let log = libm::log(self.survival);
        let error = self.variance.sqrt() / -log;
        Some(libm::exp(log * libm::exp(-sign * Z95 * error)))
    }
}

/// The quantiles of right-censored times; `None` without replications.
///
/// The interval of the median holds the times at which the log-log limits of the curve contain
/// one half (Brookmeyer and Crowley 1982): from the first time at which the lower limit is at
/// most 0.5, to the first at which the upper limit is (as R's `survfit` and Stata's `stci` do).
pub fn kaplan_meier(times: &[Recovery]) -> Option<Survival> {
    if times.is_empty() {
        return None;
    }
    let curve = curve(times);
    let first = |test: &dyn Fn(&Step) -> bool| curve.iter().find(|s| test(s)).map(|s| s.seconds);
    // The product is rounded: 1 − 19/20 must count as 0.05.
    let at_most = |share: f64| first(&|step| step.survival <= share + 1e-12);
    Some(Survival {
        n: times.len(),
        observed: times.iter().filter(|time| time.observed).count(),
        p50: at_most(0.5),
        p95: at_most(0.05),
        p50_lo: first(&|step| step.limit(-1.0).is_some_and(|limit| limit <= 0.5)),
        p50_hi: first(&|step| step.limit(1.0).is_some_and(|limit| limit <= 0.5)),
    })
}

/// The product-limit curve, one step per moment at which something recovered.
fn curve(times: &[Recovery]) -> Vec<Step> {
    let mut sorted = times.to_vec();
    sorted.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let (mut survival, mut variance) = (1.0, 0.0);
    let mut steps = Vec::new();
    let mut watched = sorted.len() as f64;
    // Who is censored at a moment was still watched when others recovered at it.
    for tied in sorted.chunk_by(|a, b| a.seconds == b.seconds) {
        let recovered = tied.iter().filter(|time| time.observed).count() as f64;
        if recovered > 0.0 {
            survival *= 1.0 - recovered / watched;
            variance += recovered / (watched * (watched - recovered));
            steps.push(Step { seconds: tied[0].seconds, survival, variance });
        }
        watched -= tied.len() as f64;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(observed: &[f64], censored: &[f64]) -> Vec<Recovery> {
        let of = |observed| move |seconds: &f64| Recovery { seconds: *seconds, observed };
        observed.iter().map(of(true)).chain(censored.iter().map(of(false))).collect()
    }

    /// Weeks in remission under 6-mercaptopurine (Freireich and others 1963), the textbook example.
    fn treated() -> Vec<Recovery> {
        times(
            &[6.0, 6.0, 6.0, 7.0, 10.0, 13.0, 16.0, 22.0, 23.0],
            &[6.0, 9.0, 10.0, 11.0, 17.0, 19.0, 20.0, 25.0, 32.0, 32.0, 34.0, 35.0],
        )
    }

    #[test]
    fn the_curve_of_the_leukaemia_trial_is_the_published_one() {
        let published = [0.8571, 0.8067, 0.7529, 0.6902, 0.6275, 0.5378, 0.4482];
        let limits = [
            (0.6197, 0.9516),
            (0.5631, 0.9228),
            (0.5032, 0.8894),
            (0.4316, 0.8491),
            (0.3675, 0.8049),
            (0.2678, 0.7468),
            (0.1881, 0.6801),
        ];
        let curve = curve(&treated());
        assert_eq!(curve.len(), published.len());
        for ((step, survival), (lo, hi)) in curve.iter().zip(published).zip(limits) {
            assert!((step.survival - survival).abs() < 5e-5, "{} {survival}", step.survival);
            assert!((step.limit(-1.0).unwrap() - lo).abs() < 6e-5, "{lo}");
            assert!((step.limit(1.0).unwrap() - hi).abs() < 6e-5, "{hi}");
        }
    }

    #[test]
    fn the_median_of_the_leukaemia_trial_is_23_weeks_and_at_least_13() {
        let survival = kaplan_meier(&treated()).unwrap();
        assert_eq!((survival.n, survival.observed), (21, 9));
        assert_eq!((survival.p50, survival.p95), (Some(23.0), None));
        assert_eq!((survival.p50_lo, survival.p50_hi), (Some(13.0), None));
    }

    #[test]
    fn the_median_without_treatment_is_8_weeks_between_4_and_11() {
        let weeks = [
            1.0, 1.0, 2.0, 2.0, 3.0, 4.0, 4.0, 5.0, 5.0, 8.0, 8.0, 8.0, 8.0, 11.0, 11.0, 12.0,
            12.0, 15.0, 17.0, 22.0, 23.0,
        ];
        let survival = kaplan_meier(&times(&weeks, &[])).unwrap();
        assert_eq!((survival.p50, survival.p95), (Some(8.0), Some(22.0)));
        assert_eq!((survival.p50_lo, survival.p50_hi), (Some(4.0), Some(11.0)));
    }

    #[test]
    fn without_censoring_the_quantiles_are_those_of_the_sample() {
        for n in [1usize, 2, 3, 10, 19, 20, 21, 100, 200] {
            let sample: Vec<f64> = (1..=n).map(|i| i as f64).collect();
            let survival = kaplan_meier(&times(&sample, &[])).unwrap();
            assert_eq!(survival.p50, Some(n.div_ceil(2) as f64), "median of {n}");
            assert_eq!(survival.p95, Some((95 * n).div_ceil(100) as f64), "p95 of {n}");
        }
    }

    #[test]
    fn nothing_recovered_says_nothing_about_the_median() {
        let survival = kaplan_meier(&times(&[], &[10.0, 10.0])).unwrap();
        assert_eq!((survival.observed, survival.p50, survival.p50_lo), (0, None, None));
        assert_eq!(kaplan_meier(&[]), None);
    }
}
