//! Waits and their sums: ladders, jitter, herds that come back together, layers of retries.

use super::numeric::{power, powers};
use crate::oracle::params::Params;

const STUCK: &str = "permanent outage, N clients at cap";
const NESTED: &str = "nested retry layers, total failure";
const LAYERS: &str = "nested retry layers 3x3x3, iid failure p";

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    match model {
        "backoff ladder (webhook calculator)" => (metric == "total wait (s)")
            .then(|| Some(Ladder::of(params)?.total(params.int("retries")?)))
            .flatten(),
        "AWS full jitter" => aws(params, metric),
        "sum of full-jitter delays" => (metric == "P(total <= x)")
            .then(|| Some(sum_at_most(&params.list("ceilings_ms")?, params.num("x")?)))
            .flatten(),
        STUCK => metric.starts_with("attempts per second").then(|| rate(params)).flatten(),
        "decorrelated jitter, cap=inf, d_0=base" => (metric == "E[k-th delay]")
            .then(|| Some(decorrelated(params.num("base")?, params.int("k")?)))
            .flatten(),
        "synchronised herd without jitter" => waves(params, metric),
        NESTED => Some(params.list("attempts_per_layer")?.iter().product()),
        LAYERS => Some(powers(params.num("p")?, 0, 26)),
        _ => None,
    }
}

/// Waits that grow by a factor up to a cap.
struct Ladder {
    base: f64,
    factor: f64,
    cap: f64,
}

impl Ladder {
    fn of(params: &Params) -> Option<Ladder> {
        let (base, factor) = (params.num("base")?, params.num("mult")?);
        Some(Ladder { base, factor, cap: params.num("cap")? })
    }

    /// The wait before retry n (≥ 1): min(base × factor^(n−1), cap).
    fn wait(&self, n: u64) -> f64 {
        (self.base * power(self.factor, n - 1)).min(self.cap)
    }

    /// The first n waits together.
    fn total(&self, n: u64) -> f64 {
        (1..=n).map(|n| self.wait(n)).sum()
    }
}

/// AWS SDKs: retry n waits anything up to min(base 2^(n−1), 20 s). A uniform wait up to c has mean
/// c/2 and variance c²/12.
fn aws(params: &Params, metric: &str) -> Option<f64> {
    let cap = params.num("cap_ms").unwrap_or(20_000.0);
    let ladder = Ladder { base: params.num("base_ms")?, factor: 2.0, cap };
    let retries = || Some(1..=params.int("max_attempts")?.checked_sub(1)?);
    match metric {
        "E[total backoff] ms" => Some(retries()?.map(|n| ladder.wait(n) / 2.0).sum()),
        "SD[total backoff] ms" => {
            let squares: f64 = retries()?.map(|n| ladder.wait(n) * ladder.wait(n) / 12.0).sum();
            Some(squares.sqrt())
        }
        "retry number whose ceiling first equals the cap" => {
            (1..200).find(|n| ladder.wait(*n) >= cap).map(|n| n as f64)
        }
        _ => None,
    }
}

/// P(U_1 + … + U_n ≤ x) of independent U_i, uniform up to c_i: Σ over subsets S of
/// (−1)^|S| (x − Σ_S c)₊^n / (n! Π c), by inclusion and exclusion.
fn sum_at_most(ceilings: &[f64], x: f64) -> f64 {
    let n = ceilings.len() as u32;
    let volume = |subset: u32| {
        let inside = |(i, c): (u32, &f64)| if subset >> i & 1 == 1 { *c } else { 0.0 };
        let rest = x - (0..).zip(ceilings).map(inside).sum::<f64>();
        let sign = if subset.count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
        sign * power(rest.max(0.0), u64::from(n))
    };
    let all: f64 = (0..1_u32 << n).map(volume).sum();
    let cube: f64 = (1..=n).zip(ceilings).map(|(i, c)| f64::from(i) * c).product();
    all / cube
}

/// Attempts per second of N clients whose waits have grown to the cap: N / (mean wait + latency
/// of a failure) (elementary renewal theorem).
fn rate(params: &Params) -> Option<f64> {
    let cap = params.num("cap")?;
    let wait = match params.text("policy")? {
        "full jitter" => cap / 2.0,
        "equal jitter" => cap * 3.0 / 4.0,
        "no jitter" => cap,
        _ => return None,
    };
    Some(params.num("N")? / (wait + params.num("fail_latency")?))
}

/// Mean of the k-th decorrelated wait without a cap: d ↦ (base + 3 d) / 2 from d₀ = base, that
/// is base × (2 × 1.5^k − 1).
fn decorrelated(base: f64, k: u64) -> f64 {
    base * (2.0 * power(1.5, k) - 1.0)
}

/// N clients without jitter, of which every wave after the outage admits A: ⌈N/A⌉ waves; all N
/// try in each of the f attempts that fail, then N − jA in wave j.
fn waves(params: &Params, metric: &str) -> Option<f64> {
    let (n, admitted) = (params.int("N")?, params.int("admitted_per_wave").filter(|a| *a > 0)?);
    let failed = params.int("attempts_failed_in_outage")?;
    let waves = n.div_ceil(admitted);
    match metric {
        "waves to drain" => Some(waves as f64),
        "total attempts" => {
            Some((n * failed + (0..waves).map(|j| n - j * admitted).sum::<u64>()) as f64)
        }
        _ if metric.starts_with("time of the wave that admits the last client") => {
            Some(Ladder::of(params)?.total(failed + waves - 1))
        }
        _ => None,
    }
}
