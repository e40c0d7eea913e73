//! How independent retries fall into bins: the fullest bin, what a capacity per bin admits, and
//! how long it takes until all are served.

use super::numeric::{binomial, binomial_law, number_after, poisson, poisson_law};
use crate::oracle::params::Params;

const BINS: &str = "N full-jitter retries over window W cut in m equal bins";
const CAPACITY: &str = "N full-jitter retries, capacity C per bin, no queue";
const SLOTS: &str = "slotted full-jitter drain (all failures of a round wait for the round to end)";

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    let n = params.int("N").filter(|n| *n > 0)?;
    match model {
        BINS => bins(n, params.int("m").filter(|m| *m > 0)?, metric),
        CAPACITY => (metric == "E[fraction admitted]")
            .then(|| admitted(n, params.int("m")?, params.int("C")?))
            .flatten(),
        SLOTS => {
            let windows = params.list("window_slots_per_round")?;
            let (rounds, attempts) = drain(n, &windows, params.int("C")?)?;
            match metric {
                "E[rounds]" => Some(rounds),
                "E[total attempts]" => Some(attempts),
                _ => None,
            }
        }
        _ => None,
    }
}

fn bins(n: u64, m: u64, metric: &str) -> Option<f64> {
    match metric {
        "E[max bin count]" => Some(Occupancy::new(n, m).mean_of_max()),
        "peak/mean ratio E[max]/(N/m)" => {
            Some(Occupancy::new(n, m).mean_of_max() * m as f64 / n as f64)
        }
        _ if metric.starts_with("P(max bin >") => {
            let most = number_after(metric, ">")? as u64;
            Some(1.0 - Occupancy::new(n, m).at_most().nth(most as usize)?)
        }
        _ if metric.starts_with("P(given bin =") => {
            Some(binomial(n, 1.0 / m as f64, number_after(metric, "=")? as u64))
        }
        _ => None,
    }
}

/// N balls in m bins. Independent Poisson numbers of mean N/m in the bins, given that they sum to
/// N, are the multinomial numbers; so P(no bin above k) is the chance that m Poisson numbers, each
/// at most k, sum to N, over P(Poisson(N) = N). That chance is a coefficient of the m-th power of
/// the generating function f, read by Cauchy's integral on the unit circle: the trapezoidal rule
/// with L points is exact but for sums N ± L, …, whose chance is far below rounding.
struct Occupancy {
    n: u64,
    m: u64,
    points: usize,
}

impl Occupancy {
    fn new(n: u64, m: u64) -> Occupancy {
        let spread = 40.0 * (n as f64).sqrt();
        Occupancy { n, m, points: n as usize + spread as usize + 100 }
    }

    /// P(no bin above k) for k = 0, 1, … N.
    fn at_most(&self) -> impl Iterator<Item = f64> {
        let Occupancy { n, m, points } = *self;
        let bin = poisson_law(n as f64 / m as f64, n as usize);
        let whole = poisson(n as f64, n) * points as f64;
        // f(e^(iθ)) of every point, grown by one term at a time.
        let mut sums = vec![(0.0, 0.0); points];
        let turns: Vec<(f64, f64)> = (0..points).map(|l| turn(l, points)).collect();
        (0..=n as usize).map(move |k| {
            let mut total = 0.0;
            for (l, sum) in sums.iter_mut().enumerate() {
                let at = turns[(l * k) % points];
                *sum = (sum.0 + bin[k] * at.0, sum.1 + bin[k] * at.1);
                let back = turns[(l * (n as usize % points)) % points];
                total += product(to_the(*sum, m), (back.0, -back.1)).0;
            }
            (total / whole).clamp(0.0, 1.0)
        })
    }

    /// E max = Σ P(max > k).
    fn mean_of_max(&self) -> f64 {
        let above = self.at_most().map(|p| 1.0 - p);
        above.take_while(|p| *p > 1e-13).sum()
    }
}

/// e^(2πi l / L).
fn turn(l: usize, points: usize) -> (f64, f64) {
    let (sin, cos) = libm::sincos(2.0 * std::f64::consts::PI * l as f64 / points as f64);
    (cos, sin)
}

fn product(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// A complex number to a whole power, by squaring.
fn to_the(mut z: (f64, f64), mut power: u64) -> (f64, f64) {
    let mut result = (1.0, 0.0);
    while power > 0 {
        if power & 1 == 1 {
            result = product(result, z);
        }
        z = product(z, z);
        power >>= 1;
    }
    result
}

/// The share of N retries that m bins of capacity C admit: m E min(B, C) / N, B binomial.
fn admitted(n: u64, m: u64, capacity: u64) -> Option<f64> {
    let law = binomial_law(n, 1.0 / (m > 0).then_some(m)? as f64);
    let kept: f64 = law.iter().zip(0..).map(|(p, k)| p * capacity.min(k) as f64).sum();
    Some(kept * m as f64 / n as f64)
}

/// Rounds and attempts until N clients are served: in round r every client left picks one of
/// `windows[r]` slots (the last number repeats), a slot serves C of those that picked it, and the
/// others go on to the next round. A chain on the number of clients left, solved backwards: in
/// the last window every round serves somebody, so the number never stays.
fn drain(n: u64, windows: &[f64], capacity: u64) -> Option<(f64, f64)> {
    let (last, first) = windows.split_last()?;
    if capacity == 0 || windows.iter().any(|m| *m < 1.0) {
        return None;
    }
    let n = n as usize;
    let mut mean = vec![(0.0, 0.0); n + 1];
    for left in 1..=n {
        mean[left] = round(left, *last as usize, capacity, &mean);
    }
    for window in first.iter().rev() {
        let after = mean.clone();
        for (left, mean) in mean.iter_mut().enumerate().skip(1) {
            *mean = round(left, *window as usize, capacity, &after);
        }
    }
    Some(mean[n])
}

/// Rounds and attempts from here, when those after this round are known for every number left.
fn round(left: usize, slots: usize, capacity: u64, after: &[(f64, f64)]) -> (f64, f64) {
    let law = served(left, slots, capacity as usize);
    let ahead = law.iter().enumerate().skip(1).map(|(n, p)| (p, after[left - n]));
    ahead.fold((1.0, left as f64), |(rounds, attempts), (p, (r, a))| {
        (rounds + p * r, attempts + p * a)
    })
}

/// The law of the number that m slots of capacity C serve of so many clients, slot by slot: of
/// those still to be placed, slot i of m takes a binomial number with probability 1 / (m − i).
fn served(clients: usize, slots: usize, capacity: usize) -> Vec<f64> {
    let mut law = vec![vec![0.0; clients + 1]; clients + 1];
    law[clients][0] = 1.0;
    for slot in 0..slots {
        let mut next = vec![vec![0.0; clients + 1]; clients + 1];
        for (left, row) in law.iter().enumerate() {
            let picks = binomial_law(left as u64, 1.0 / (slots - slot) as f64);
            for (served, p) in row.iter().enumerate().filter(|(_, p)| **p > 0.0) {
                for (here, pick) in picks.iter().enumerate() {
                    next[left - here][served + here.min(capacity)] += p * pick;
                }
            }
        }
        law = next;
    }
    law.swap_remove(0)
}
