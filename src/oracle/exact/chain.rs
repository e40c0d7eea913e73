//! Markov chains in continuous time: stationary laws, gains until absorption, and the law after a
//! given time. Nothing here subtracts, so that tiny probabilities and huge times are exact too.

use super::linear::Band;

/// A chain on the states 0 … n − 1 whose jumps reach at most so many states far.
#[derive(Clone, Debug)]
pub struct Chain {
    rates: Band,
    /// Rate at which each state is left for good.
    out: Vec<f64>,
}

impl Chain {
    /// `states` states without jumps; a jump reaches `reach` states up or down at most.
    pub fn new(states: usize, reach: usize) -> Chain {
        Chain { rates: Band::new(states, reach), out: vec![0.0; states] }
    }

    /// Adds a jump at `rate` per unit of time.
    ///
    /// # Panics
    /// When it goes farther than the reach, or nowhere.
    pub fn jump(&mut self, from: usize, to: usize, rate: f64) {
        assert!(from != to && rate >= 0.0, "a jump from {from} to {to} at {rate}");
        if rate > 0.0 {
            *self.rates.at(from, to) += rate;
        }
    }

    /// Adds a way out of the chain at `rate` per unit of time.
    pub fn leave(&mut self, from: usize, rate: f64) {
        self.out[from] += rate;
    }

    /// The stationary law of a chain that nothing leaves; states that cannot be reached from
    /// state 0 have probability zero. Grassmann, Taksar & Heyman (1985): states are taken out
    /// from the last to the first, and the rates around them added up.
    ///
    /// # Panics
    /// When a state can be entered but not left downwards.
    pub fn stationary(&self) -> Vec<f64> {
        let mut rates = self.rates.clone();
        let n = self.out.len();
        for s in (1..n).rev() {
            let down = rates.row(s).map(|(to, rate)| if to < s { rate } else { 0.0 }).sum();
            take_out(&mut rates, s, down, |_, _| ());
        }
        let mut law = vec![0.0; n];
        law[0] = 1.0;
        for s in 1..n {
            law[s] = (s.saturating_sub(rates.reach())..s).map(|i| law[i] * rates.get(i, s)).sum();
            if law[s] > HUGE {
                law[..=s].iter_mut().for_each(|p| *p /= HUGE);
            }
        }
        normalised(law)
    }

    /// The expected gain from each state until the chain is left, where state s gains `reward[s]`
    /// per unit of time: x = (−Q)⁻¹ r, by the same elimination.
    ///
    /// # Panics
    /// When a state can be entered but the chain not be left from it.
    pub fn gain(&self, reward: &[f64]) -> Vec<f64> {
        let mut rates = self.rates.clone();
        let (mut out, mut gain) = (self.out.clone(), reward.to_vec());
        let n = out.len();
        let mut pace = vec![0.0; n];
        for s in (0..n).rev() {
            let down: f64 = rates.row(s).map(|(to, rate)| if to < s { rate } else { 0.0 }).sum();
            pace[s] = down + out[s];
            let (out_s, gain_s) = (out[s], gain[s]);
            take_out(&mut rates, s, pace[s], |from, share| {
                out[from] += share * out_s;
                gain[from] += share * gain_s;
            });
        }
        for s in 0..n {
            if pace[s] == 0.0 {
                gain[s] = 0.0;
                continue;
            }
            let below = (s.saturating_sub(rates.reach())..s).map(|j| rates.get(s, j) * gain[j]);
            gain[s] = (gain[s] + below.sum::<f64>()) / pace[s];
        }
        gain
    }

    /// The law `time` units after `law` (Jensen 1953: uniformization); what has left is missing.
    pub fn after(&self, law: &[f64], time: f64) -> Vec<f64> {
        let n = self.out.len();
        let jumps: Vec<Vec<(usize, f64)>> =
            (0..n).map(|s| self.rates.row(s).filter(|(_, rate)| *rate > 0.0).collect()).collect();
        let total = |s: usize| self.out[s] + jumps[s].iter().map(|(_, rate)| rate).sum::<f64>();
        let totals: Vec<f64> = (0..n).map(total).collect();
        let clock = totals.iter().fold(0.0, |a: f64, b| a.max(*b));
        let weights = poisson(clock * time);
        let mut now = law.to_vec();
        let mut sum = vec![0.0; n];
        for (step, weight) in weights.iter().enumerate() {
            if step > 0 {
                let mut next: Vec<f64> =
                    now.iter().zip(&totals).map(|(p, rate)| p * (1.0 - rate / clock)).collect();
                for (p, row) in now.iter().zip(&jumps) {
                    row.iter().for_each(|(to, rate)| next[*to] += p * rate / clock);
                }
                now = next;
            }
            sum.iter_mut().zip(&now).for_each(|(sum, p)| *sum += weight * p);
        }
        sum
    }
}

/// Takes state `s` out: whoever jumps to it jumps on at once to where it jumps, in proportion.
/// What is left of a rate into it is the share of it that goes through; `share` is told of it.
fn take_out(rates: &mut Band, s: usize, pace: f64, mut share: impl FnMut(usize, f64)) {
    let first = s.saturating_sub(rates.reach());
    for from in first..s {
        let rate = rates.get(from, s);
        if rate == 0.0 {
            continue;
        }
        assert!(pace > 0.0, "state {s} can be entered but not left");
        let part = rate / pace;
        *rates.at(from, s) = part;
        share(from, part);
        for to in first..s {
            let on = rates.get(s, to);
            if to != from && on > 0.0 {
                *rates.at(from, to) += part * on;
            }
        }
    }
}

/// Where a sum of products is scaled down.
const HUGE: f64 = 1e200;

fn normalised(mut law: Vec<f64>) -> Vec<f64> {
    let sum: f64 = law.iter().sum();
    law.iter_mut().for_each(|p| *p /= sum);
    law
}

/// The stationary law of a birth-death chain on 0 … n − 1.
pub fn birth_death(
    states: usize,
    birth: impl Fn(usize) -> f64,
    death: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let mut law = vec![1.0];
    for k in 1..states {
        law.push(law[k - 1] * birth(k - 1) / death(k));
        if law[k] > HUGE {
            law.iter_mut().for_each(|p| *p /= HUGE);
        }
    }
    normalised(law)
}

/// The same without end: cut off where the rest, whose ratios are at most the last, is below
/// 1e−18 of the whole. `None` where it does not come to rest within ten million states.
pub fn birth_death_endless(
    birth: impl Fn(usize) -> f64,
    death: impl Fn(usize) -> f64,
) -> Option<Vec<f64>> {
    let mut law = vec![1.0];
    let mut sum = 1.0;
    for k in 1..10_000_000 {
        let ratio = birth(k - 1) / death(k);
        law.push(law[k - 1] * ratio);
        sum += law[k];
        if law[k] > HUGE {
            law.iter_mut().for_each(|p| *p /= HUGE);
            sum /= HUGE;
        }
        if ratio < 1.0 && law[k] * ratio / (1.0 - ratio) < 1e-18 * sum {
            return Some(normalised(law));
        }
    }
    None
}

/// Poisson probabilities 0, 1, 2, … of this mean, until they are below 1e−20 of the largest.
pub fn poisson(mean: f64) -> Vec<f64> {
    let mode = mean.floor() as usize;
    let mut law = vec![0.0; mode + 1];
    law[mode] = 1.0;
    for k in (0..mode).rev() {
        law[k] = law[k + 1] * (k + 1) as f64 / mean;
    }
    let mut last = 1.0;
    while last > 1e-20 {
        last *= mean / law.len() as f64;
        law.push(last);
    }
    normalised(law)
}

/// Mean of `f` under a law on 0, 1, 2, …
pub fn mean(law: &[f64], f: impl Fn(usize) -> f64) -> f64 {
    law.iter().enumerate().map(|(k, p)| p * f(k)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() <= 1e-12 * b.abs(), "{a} is not {b}");
    }

    /// M/M/1/9 with λ = 0.8, as a chain.
    fn queue() -> Chain {
        let mut chain = Chain::new(10, 1);
        for k in 0..9 {
            chain.jump(k, k + 1, 0.8);
            chain.jump(k + 1, k, 1.0);
        }
        chain
    }

    #[test]
    fn a_bounded_queue_has_its_geometric_law() {
        let law = queue().stationary();
        let product = birth_death(10, |_| 0.8, |_| 1.0);
        for k in 0..10 {
            near(law[k], product[k]);
        }
        near(law[9] / law[0], libm::pow(0.8, 9.0));
    }

    #[test]
    fn the_gamblers_ruin_takes_its_time() {
        // From k > 0 down to 0, with λ = 0.5 and μ = 1 and no bound that matters: k / (μ − λ).
        let mut chain = Chain::new(200, 1);
        for k in 0..200 {
            if k < 199 {
                chain.jump(k, k + 1, 0.5);
            }
            if k > 0 { chain.jump(k, k - 1, 1.0) } else { chain.leave(0, 1.0) }
        }
        let time = chain.gain(&[1.0; 200]);
        near(time[0], 2.0);
        near(time[9], 20.0);
    }

    #[test]
    fn a_law_moves_to_the_stationary_one() {
        let chain = queue();
        let mut law = vec![0.0; 10];
        law[9] = 1.0;
        near(chain.after(&law, 0.0)[9], 1.0);
        let (late, still) = (chain.after(&law, 2000.0), chain.stationary());
        near(late[0], still[0]);
        // Two states relax exponentially.
        let mut two = Chain::new(2, 1);
        two.jump(0, 1, 0.3);
        two.jump(1, 0, 0.7);
        near(two.after(&[1.0, 0.0], 1.5)[1], 0.3 * (1.0 - libm::exp(-1.5)));
    }

    #[test]
    fn poisson_probabilities_hold_for_large_means() {
        near(poisson(2.0)[3], libm::exp(-2.0) * 8.0 / 6.0);
        near(mean(&poisson(20_000.0), |k| k as f64), 20_000.0);
    }
}
