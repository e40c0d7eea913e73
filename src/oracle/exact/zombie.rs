//! Zombies: a shared server that goes on working for callers who have gone.
//!
//! M/M/1 with processor sharing at rate μ. A caller waits for a time of rate θ, then goes and, with
//! probability H, comes back at once as a new job; its old job stays, dead. At most K jobs; what
//! finds no place gives up. The state is (live, dead), its levels are live + dead = n.

use super::numeric::number_after;
use super::passage::solve;
use crate::oracle::params::Params;

const PS: &str = "PS-zombie: M/M/1-PS rate mu, live/dead jobs, Exp(theta) client timeout, no \
    cancellation, re-send w.p. H at timeout, capacity K (reject=give up)";

pub(super) fn value(model: &str, params: &Params, metric: &str) -> Option<f64> {
    if model != PS {
        return None;
    }
    fluid(params, metric).or_else(|| Zombies::of(params)?.exact(metric))
}

/// The fluid limit. Live jobs l and all jobs n: l' = λ − (1 − H) θ l − μ l/n, n' = λ + H θ l − μ.
/// Both rest at n* = μ (μ − λ) / (θ (λ − (1 − H) μ)), l* = μ n* / (θ n* + μ), a saddle: the backlog
/// that tips. With n held at K, l = μK / (μ + θK), so that goodput is μ² / (μ + θK), and the bad
/// state holds itself iff λ > μ (1 − H κ / (1 + κ)), κ = θK/μ.
fn fluid(params: &Params, metric: &str) -> Option<f64> {
    let (mu, theta) = (params.num("mu")?, params.num("theta")?);
    let again = params.num("H");
    let tipping = || {
        let (lam, again) = (params.num("lam")?, again?);
        let unheld = lam - (1.0 - again) * mu;
        (unheld > 0.0).then(|| mu * (mu - lam) / (theta * unheld))
    };
    if metric.starts_with("tipping backlog n*") {
        tipping()
    } else if metric.starts_with("live jobs at the saddle") {
        tipping().map(|n| mu * n / (theta * n + mu))
    } else if metric.starts_with("lambda_low:") {
        let kappa = theta * params.num("K")? / mu;
        Some(mu * (1.0 - again? * kappa / (1.0 + kappa)))
    } else if metric.starts_with("goodput in the bad state") {
        Some(mu * mu / (mu + theta * params.num("K")?))
    } else {
        None
    }
}

/// Rows of rates or probabilities, one for every state of a level (by its live jobs).
type Matrix = Vec<Vec<f64>>;

struct Zombies {
    lam: f64,
    mu: f64,
    theta: f64,
    again: f64,
    places: usize,
}

/// The first passage from a level to the next: where it ends, how long it takes on average, and
/// how likely it is lost before.
struct Passage {
    ends: Matrix,
    times: Vec<f64>,
    lost: Vec<f64>,
}

impl Zombies {
    fn of(params: &Params) -> Option<Zombies> {
        Some(Zombies {
            lam: params.num("lam")?,
            mu: params.num("mu")?,
            theta: params.num("theta")?,
            again: params.num("H")?,
            places: params.int("K").filter(|places| (1..=1000).contains(places))? as usize,
        })
    }

    fn exact(&self, metric: &str) -> Option<f64> {
        if metric.starts_with("E[time from empty to first n=") {
            let bound = self.level(metric, "first n=")?;
            return Some(self.collapse(bound));
        }
        if metric.starts_with("E[time from n=") {
            let (from, to) = (self.level(metric, "from n=")?, self.level(metric, "first n=")?);
            return (to < from && metric.contains("all dead")).then(|| self.recovery(from, to));
        }
        if metric.starts_with("smallest all-live backlog") {
            let reach = self.committor(self.level(metric, "reach n=")?);
            let most = |b: &usize| reach[*b] > 0.5;
            return (1..reach.len()).find(most).map(|b| b as f64);
        }
        if metric.starts_with("P(reach n=") {
            let reach = self.committor(self.level(metric, "reach n=")?);
            return reach.get(number_after(metric, "b=")? as usize).copied();
        }
        self.stationary(metric)
    }

    fn level(&self, metric: &str, word: &str) -> Option<usize> {
        number_after(metric, word).map(|n| n as usize).filter(|n| *n <= self.places)
    }

    /// Rates within level n: whoever gives up leaves a dead job where a live one was.
    fn within(&self, n: usize) -> Matrix {
        let stay = if n == self.places { 1.0 } else { 1.0 - self.again };
        let mut rates = vec![vec![0.0; n + 1]; n + 1];
        (1..=n).for_each(|live| rates[live][live - 1] = self.theta * live as f64 * stay);
        rates
    }

    /// Rates to level n + 1: a new caller, or one that comes back and leaves a dead job.
    fn up(&self, n: usize) -> Matrix {
        let mut rates = vec![vec![0.0; n + 2]; n + 1];
        for (live, row) in rates.iter_mut().enumerate().filter(|_| n < self.places) {
            row[live + 1] = self.lam;
            row[live] = self.theta * live as f64 * self.again;
        }
        rates
    }

    /// Rates to level n − 1: a job is done, live or dead.
    fn down(&self, n: usize) -> Matrix {
        let mut rates = vec![vec![0.0; n]; n + 1];
        for (live, row) in rates.iter_mut().enumerate() {
            let share = self.mu / n as f64;
            if live > 0 {
                row[live - 1] = share * live as f64;
            }
            if live < n {
                row[live] = share * (n - live) as f64;
            }
        }
        rates
    }

    /// First passage out of level n by `leave`, where `back` leads to a level from which it comes
    /// again as `returning` says: a matrix equation that holds positive terms only, solved level
    /// by level. `lost` are rates that end the walk.
    fn passage(
        &self,
        n: usize,
        leave: &Matrix,
        back: Option<(&Matrix, &Passage)>,
        lost: &[f64],
    ) -> Passage {
        let mut rates = self.within(n);
        let mut times = vec![1.0; n + 1];
        let mut lost = lost.to_vec();
        for (from, row) in rates.iter_mut().enumerate() {
            let Some((back, returning)) = back else { break };
            for (via, rate) in back[from].iter().enumerate().filter(|(_, rate)| **rate > 0.0) {
                add(row, &returning.ends[via], *rate);
                times[from] += rate * returning.times[via];
                lost[from] += rate * returning.lost[via];
            }
        }
        let exits =
            leave.iter().zip(&lost).map(|(row, lost)| row.iter().sum::<f64>() + lost).collect();
        let besides = times.iter().zip(&lost).map(|(time, lost)| [*time, *lost]);
        let known = leave.iter().zip(besides).map(|(row, more)| [row, &more[..]].concat());
        let mut ends = solve(rates, exits, known.collect());
        let lost = ends.iter_mut().map(|row| row.pop().expect("a chance")).collect();
        let times = ends.iter_mut().map(|row| row.pop().expect("a time")).collect();
        Passage { ends, times, lost }
    }

    /// First passages upwards, from levels `from` … `to` − 1. Level `from` − 1 is lost, if any.
    fn climb(&self, from: usize, to: usize) -> Vec<Passage> {
        let mut found: Vec<Passage> = Vec::new();
        for n in from..to {
            let down = if n > 0 { self.down(n) } else { vec![Vec::new()] };
            let lost: Vec<f64> = down.iter().map(|row| row.iter().sum()).collect();
            let none = vec![0.0; n + 1];
            let back = found.last().map(|below| (&down, below));
            let lost = if back.is_some() { &none } else { &lost };
            let passage = self.passage(n, &self.up(n), back, lost);
            found.push(passage);
        }
        found
    }

    /// The mean time from the empty server to n = `bound`.
    fn collapse(&self, bound: usize) -> f64 {
        walk(vec![1.0], &self.climb(0, bound))
    }

    /// The mean time from n dead jobs to n = `bound`.
    fn recovery(&self, from: usize, bound: usize) -> f64 {
        let mut found = self.descend(bound + 1);
        found.drain(..self.places - from);
        let mut start = vec![0.0; from + 1];
        start[0] = 1.0;
        walk(start, &found)
    }

    /// First passages downwards, from the levels K, K − 1, … `to`.
    fn descend(&self, to: usize) -> Vec<Passage> {
        let mut found: Vec<Passage> = Vec::new();
        for n in (to..=self.places).rev() {
            let up = self.up(n);
            let back = found.last().map(|above| (&up, above));
            let passage = self.passage(n, &self.down(n), back, &vec![0.0; n + 1]);
            found.push(passage);
        }
        found
    }

    /// P(n = `bound` is met before the empty server) from b live jobs, b = 0 … `bound`.
    fn committor(&self, bound: usize) -> Vec<f64> {
        let mut reach = vec![1.0; bound + 1];
        let mut of_live = vec![1.0];
        for passage in self.climb(1, bound).iter().rev() {
            let mean = |ends: &Vec<f64>| ends.iter().zip(&reach).map(|(p, r)| p * r).sum();
            reach = passage.ends.iter().map(mean).collect();
            of_live.push(reach[reach.len() - 1]);
        }
        of_live.push(0.0);
        of_live.reverse();
        of_live
    }

    /// Long-run means from the stationary law.
    fn stationary(&self, metric: &str) -> Option<f64> {
        type Of = fn(f64, f64, f64) -> f64;
        let of: Of = match metric {
            "stationary goodput" => {
                |live, dead, mu| if live > 0.0 { mu * live / (live + dead) } else { 0.0 }
            }
            "stationary E[live]" => |live, _, _| live,
            "stationary E[dead]" => |_, dead, _| dead,
            "P(blocked)" => |_, _, _| 1.0,
            _ => return None,
        };
        let law = self.law();
        let first = if metric == "P(blocked)" { self.places } else { 0 };
        let mut sum = 0.0;
        for (n, level) in law.iter().enumerate().skip(first) {
            for (live, p) in level.iter().enumerate() {
                sum += p * of(live as f64, (n - live) as f64, self.mu);
            }
        }
        Some(sum)
    }

    /// The stationary law, level by level from below: the time spent in level n + 1, per entry
    /// from level n, with excursions to the levels above folded in.
    fn law(&self) -> Matrix {
        let mut above = self.descend(1);
        let mut law: Matrix = vec![vec![1.0]];
        for n in 1..=self.places {
            above.truncate(self.places - n);
            let (up, below) = (self.up(n - 1), &law[n - 1]);
            let mut entries = vec![0.0; n + 1];
            below.iter().zip(&up).for_each(|(p, row)| add(&mut entries, row, *p));
            law.push(self.spent(n, &entries, above.last()));
        }
        let sum: f64 = law.iter().flatten().sum();
        law.iter_mut().flatten().for_each(|p| *p /= sum);
        law
    }

    /// Time spent in the states of level n, before it is left downwards, per entry.
    fn spent(&self, n: usize, entries: &[f64], above: Option<&Passage>) -> Vec<f64> {
        let (mut rates, up) = (self.within(n), self.up(n));
        for (row, up) in rates.iter_mut().zip(&up) {
            let Some(above) = above else { break };
            up.iter().zip(&above.ends).for_each(|(rate, ends)| add(row, ends, *rate));
        }
        let exits = self.down(n).iter().map(|row| row.iter().sum()).collect();
        let one = |i: usize| (0..=n).map(|j| f64::from(u8::from(i == j))).collect();
        let visits = solve(rates, exits, (0..=n).map(one).collect());
        let mut spent = vec![0.0; n + 1];
        entries.iter().zip(&visits).for_each(|(entry, row)| add(&mut spent, row, *entry));
        spent
    }
}

/// The mean time of a walk through these passages, begun in the states of the first by `start`.
fn walk(mut start: Vec<f64>, passages: &[Passage]) -> f64 {
    let mut time = 0.0;
    for passage in passages {
        time += start.iter().zip(&passage.times).map(|(p, t)| p * t).sum::<f64>();
        let mut next = vec![0.0; passage.ends[0].len()];
        start.iter().zip(&passage.ends).for_each(|(p, ends)| add(&mut next, ends, *p));
        start = next;
    }
    time
}

fn add(to: &mut [f64], from: &[f64], share: f64) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += share * from);
}
