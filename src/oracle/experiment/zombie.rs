//! A shared server that goes on working for callers who have gone: its means, and how long it
//! takes to collapse and to recover.

use super::{Experiment, seconds, watch};
use crate::metrics::{Outcome, Record};
use crate::oracle::exact;
use crate::oracle::params::Params;
use crate::oracle::watch::Watch;
use crate::time::SimTime;

const PS: &str = "PS-zombie: M/M/1-PS rate mu, live/dead jobs, Exp(theta) client timeout, no \
    cancellation, re-send w.p. H at timeout, capacity K (reject=give up)";

pub(super) fn experiment(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    if model != PS {
        return None;
    }
    let system = System::of(params)?;
    let exact = exact::value(model, params, metric)?;
    if metric.starts_with("E[time from empty to first n=") {
        let bound = bound(metric, "first n=")?;
        return system.passage(exact, Start::Empty, Passage::Up(bound));
    }
    if metric.starts_with("E[time from n=") {
        let (from, to) = (bound(metric, "from n=")?, bound(metric, "first n=")?);
        let start = Start::Dead(from);
        return system.passage(exact, start, Passage::Down(to));
    }
    if metric.starts_with("P(reach n=") {
        let (up, live) = (bound(metric, "reach n=")?, bound(metric, "b=")?);
        return system.either(exact, live, up);
    }
    let mean = match metric {
        "stationary goodput" => Mean::Goodput,
        "stationary E[live]" => Mean::Live,
        "stationary E[dead]" => Mean::Dead,
        // Rarer, it comes in so few spells that a run says little.
        "P(blocked)" if exact > 0.05 => Mean::Full,
        _ => return None,
    };
    system.stationary(params, mean)
}

/// The whole number behind a word of a metric's name.
fn bound(metric: &str, word: &str) -> Option<u32> {
    let rest = metric.split(word).nth(1)?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[derive(Clone, Copy)]
struct System {
    lam: f64,
    mu: f64,
    theta: f64,
    again: f64,
    places: u64,
}

/// Who is there at the start.
#[derive(Clone, Copy)]
enum Start {
    Empty,
    /// Callers whose jobs run.
    Live(u32),
    /// Jobs of callers who have gone.
    Dead(u32),
}

/// What is sought.
#[derive(Clone, Copy)]
enum Passage {
    /// The time until so many jobs, or more.
    Up(u32),
    /// The time until so many jobs, or fewer.
    Down(u32),
    /// Whether so many jobs are met before none.
    Either(u32),
}

impl System {
    fn of(params: &Params) -> Option<System> {
        Some(System {
            lam: params.num("lam")?,
            mu: params.num("mu")?,
            theta: params.num("theta")?,
            again: params.num("H")?,
            places: params.int("K")?,
        })
    }

    /// `copies` independent systems over so many seconds.
    fn scenario(&self, copies: u64, start: Start, span: f64) -> String {
        let head = format!("horizon = \"{}\"\nbin = \"{}\"\n", seconds(span), seconds(span / 16.0));
        (0..copies).fold(head, |text, copy| text + &self.copy(copy, start))
    }

    fn copy(&self, copy: u64, start: Start) -> String {
        let System { lam, mu, theta, again, places } = *self;
        let caller = format!(
            "target = \"s{copy}\"\ntimeout = {{ exponential = \"{}\" }}\n\
             retry = {{ max_attempts = \"unlimited\", backoff = {{ constant = \"1ns\" }}, \
             retry_on = [\"timeout\"], give_up = {} }}\n",
            seconds(1.0 / theta),
            1.0 - again
        );
        let dead = format!("target = \"s{copy}\"\ntimeout = \"1ns\"\nretry = \"none\"\n");
        let first = match start {
            Start::Empty => None,
            Start::Live(n) => Some((n, &caller)),
            Start::Dead(n) => Some((n, &dead)),
        };
        let first = first.map_or(String::new(), |(n, caller)| {
            format!(
                "[[clients]]\nname = \"f{copy}\"\ncount = {n}\n\
                 load = {{ burst = \"0s\" }}\n{caller}"
            )
        });
        format!(
            "[[clients]]\nname = \"c{copy}\"\ncount = 1\nload = {{ poisson = \"{lam}/s\" }}\n\
             {caller}{first}[[services]]\nname = \"s{copy}\"\nworkers = 1\ndiscipline = \"ps\"\n\
             service_time = {{ exponential = \"{}\" }}\nqueue = {{ capacity = {} }}\n",
            seconds(1.0 / mu),
            places - 1
        )
    }

    /// Events per second of one copy, about.
    fn pace(&self) -> f64 {
        4.0 * (self.lam + self.mu)
    }

    /// A mean time, of some copies in each replication: most times are spread like exponential
    /// ones, so that the longest of the copies takes several times the mean.
    fn passage(&self, mean: f64, start: Start, passage: Passage) -> Option<Experiment> {
        let copies = (150_000.0 / (mean * self.pace())).clamp(5.0, 40.0) as u64;
        let span = mean * (libm::log(copies as f64) + 3.0) + 1.0;
        let bearable = span * self.pace() * (copies as f64) < 1e6;
        bearable.then(|| self.watched(copies, start, span, passage))
    }

    /// Whether a backlog tips the system, of many copies in each replication.
    fn either(&self, chance: f64, live: u32, up: u32) -> Option<Experiment> {
        // Rarer tips are not seen often enough; nearly certain ones say nothing.
        let seen = (0.1..=0.96).contains(&chance);
        let span = 20.0 / self.theta + 10.0 * f64::from(live) / self.mu;
        seen.then(|| self.watched(60, Start::Live(live), span, Passage::Either(up)))
    }

    fn watched(&self, copies: u64, start: Start, span: f64, passage: Passage) -> Experiment {
        let reading = watch(move || Passages {
            passage,
            levels: vec![0; copies as usize],
            found: vec![None; copies as usize],
        });
        Experiment { scenario: self.scenario(copies, start, span), reading }
    }

    /// A long-run mean, where the system forgets its state soon enough: the good and the bad
    /// state, where there are two, must follow one another several times in a run.
    fn stationary(&self, params: &Params, mean: Mean) -> Option<Experiment> {
        let high = self.places * 4 / 5;
        let collapse = format!("E[time from empty to first n={high}] (collapse)");
        let recovery = format!(
            "E[time from n={} all dead to first n={}] (recovery)",
            self.places,
            self.places / 20
        );
        let time = |metric: &str| exact::value(PS, params, metric);
        let (collapse, recovery) = (time(&collapse)?, time(&recovery)?);
        let memory = 1.0 / (1.0 / collapse + 1.0 / recovery);
        let (warmup, span) = (10.0 * memory, 100.0 * memory);
        let bearable = (warmup + span) * self.pace() < 1e6;
        let places = self.places as u32;
        bearable.then(|| Experiment {
            scenario: self.scenario(1, Start::Empty, warmup + span),
            reading: watch(move || Means {
                mean,
                places,
                from: warmup,
                to: warmup + span,
                at: 0.0,
                jobs: 0,
                live: 0,
                sum: 0.0,
            }),
        })
    }
}

/// First passages of all copies, and the mean of what was found.
struct Passages {
    passage: Passage,
    levels: Vec<u32>,
    found: Vec<Option<f64>>,
}

impl Watch for Passages {
    fn see(&mut self, now: SimTime, record: &Record) {
        let Record::Level { service, in_system, .. } = *record else { return };
        let copy = service as usize;
        self.levels[copy] = in_system;
        // What comes in at the start comes one by one.
        if self.found[copy].is_some() || now == SimTime::ZERO {
            return;
        }
        self.found[copy] = match self.passage {
            Passage::Up(bound) => (in_system >= bound).then(|| now.as_secs_f64()),
            Passage::Down(bound) => (in_system <= bound).then(|| now.as_secs_f64()),
            Passage::Either(bound) if in_system >= bound => Some(1.0),
            Passage::Either(_) => (in_system == 0).then_some(0.0),
        };
    }

    fn value(&self) -> Option<f64> {
        let found: Option<Vec<f64>> = self.found.iter().copied().collect();
        found.map(|found| found.iter().sum::<f64>() / found.len() as f64)
    }
}

/// What is averaged over time.
#[derive(Clone, Copy, PartialEq)]
enum Mean {
    /// Answers that somebody waited for, per second.
    Goodput,
    /// Jobs whose callers wait.
    Live,
    /// Jobs whose callers have gone.
    Dead,
    /// Whether all places are taken.
    Full,
}

struct Means {
    mean: Mean,
    places: u32,
    from: f64,
    to: f64,
    at: f64,
    jobs: u32,
    live: u32,
    sum: f64,
}

impl Means {
    /// Adds the time since the last change.
    fn pass(&mut self, now: f64) {
        let value = match self.mean {
            Mean::Goodput => 0.0,
            Mean::Live => f64::from(self.live),
            Mean::Dead => f64::from(self.jobs.saturating_sub(self.live)),
            Mean::Full => f64::from(u8::from(self.jobs == self.places)),
        };
        self.sum += value * (now - self.at.max(self.from)).max(0.0);
        self.at = now;
    }
}

impl Watch for Means {
    fn see(&mut self, now: SimTime, record: &Record) {
        let now = now.as_secs_f64();
        self.pass(now);
        match *record {
            Record::Level { in_system, .. } => self.jobs = in_system,
            Record::Accepted { .. } => self.live += 1,
            Record::TimedOut { .. } => self.live -= 1,
            Record::Decided { outcome: Outcome::Served, .. } => {
                self.live -= 1;
                let counts = self.mean == Mean::Goodput && now >= self.from;
                self.sum += f64::from(u8::from(counts));
            }
            _ => {}
        }
    }

    fn value(&self) -> Option<f64> {
        (self.at >= self.from).then(|| self.sum / (self.to - self.from))
    }
}
