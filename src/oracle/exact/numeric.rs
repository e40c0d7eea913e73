//! Small tools: whole powers, roots, extremes, tails of the Poisson and the binomial law.

/// x to a whole power.
pub(super) fn power(x: f64, n: u64) -> f64 {
    libm::pow(x, n as f64)
}

/// Σ x^k over k = from … to.
pub(super) fn powers(x: f64, from: u64, to: u64) -> f64 {
    (from..=to).map(|k| power(x, k)).sum()
}

/// Where `f` changes its sign between `lo` and `hi`, to the last digit, by bisection.
pub(super) fn root(f: impl Fn(f64) -> f64, mut lo: f64, mut hi: f64) -> f64 {
    let below = f(lo) < 0.0;
    for _ in 0..200 {
        let mid = lo + (hi - lo) / 2.0;
        if mid <= lo || mid >= hi {
            break;
        }
        if (f(mid) < 0.0) == below { lo = mid } else { hi = mid }
    }
    lo + (hi - lo) / 2.0
}

/// Where a function with one hump between `lo` and `hi` is highest, by golden sections.
pub(super) fn hump(f: impl Fn(f64) -> f64, mut lo: f64, mut hi: f64) -> f64 {
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut a, mut b) = (hi - golden * (hi - lo), lo + golden * (hi - lo));
    let (mut fa, mut fb) = (f(a), f(b));
    for _ in 0..120 {
        if fa < fb {
            (lo, a, fa) = (a, b, fb);
            b = lo + golden * (hi - lo);
            fb = f(b);
        } else {
            (hi, b, fb) = (b, a, fa);
            a = hi - golden * (hi - lo);
            fa = f(a);
        }
    }
    lo + (hi - lo) / 2.0
}

/// P(N = k) of the Poisson law of this mean.
pub(super) fn poisson(mean: f64, k: u64) -> f64 {
    if mean == 0.0 {
        return f64::from(u8::from(k == 0));
    }
    libm::exp(k as f64 * libm::log(mean) - mean - libm::lgamma(k as f64 + 1.0))
}

/// P(N = 0), P(N = 1), … of the Poisson law, up to `last`, by the ratio of neighbours from the
/// most likely one: relative to each other they are exact to rounding.
pub(super) fn poisson_law(mean: f64, last: usize) -> Vec<f64> {
    let top = (mean as usize).min(last);
    let mut law = vec![0.0; last + 1];
    law[top] = poisson(mean, top as u64);
    for k in top..last {
        law[k + 1] = law[k] * mean / (k + 1) as f64;
    }
    for k in (0..top).rev() {
        law[k] = law[k + 1] * (k + 1) as f64 / mean;
    }
    law
}

/// P(B = k) for k = 0 … n of the binomial law.
pub(super) fn binomial_law(n: u64, p: f64) -> Vec<f64> {
    (0..=n).map(|k| binomial(n, p, k)).collect()
}

/// P(B = k) of the binomial law.
pub(super) fn binomial(n: u64, p: f64, k: u64) -> f64 {
    if p <= 0.0 || p >= 1.0 {
        return f64::from(u8::from(k == if p <= 0.0 { 0 } else { n }));
    }
    let (n, k) = (n as f64, k as f64);
    let choices = libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0);
    libm::exp(choices + k * libm::log(p) + (n - k) * libm::log1p(-p))
}

/// The number behind the last of some words in a metric's name, such as the 20 of
/// `P(max bin > 20)`.
pub(super) fn number_after(name: &str, word: &str) -> Option<f64> {
    let rest = name.split(word).nth(1)?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    rest[..end].trim_end_matches('.').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_laws_sum_to_one_and_have_their_means() {
        let law = poisson_law(180.0, 600);
        let sum: f64 = law.iter().sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        let law = binomial_law(1000, 0.01);
        let mean: f64 = law.iter().zip(0..).map(|(p, k)| p * f64::from(k)).sum();
        assert!((mean - 10.0).abs() < 1e-10, "{mean}");
    }

    #[test]
    fn roots_and_humps_are_found() {
        assert!((root(|x| x * x - 2.0, 0.0, 2.0) - 2.0_f64.sqrt()).abs() < 1e-15);
        assert!((hump(|x| -(x - 1.0) * (x - 1.0), 0.0, 3.0) - 1.0).abs() < 1e-7);
        assert_eq!(number_after("P(reach n=64 before empty | b=20 live)", "b="), Some(20.0));
    }
}
