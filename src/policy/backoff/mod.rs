//! How long does a caller wait before it tries again?
//!
//! Parts, each a choice of its own: a [`growth`] gives the wait from retry to retry, a [`jitter`]
//! spreads it, a [`Cap`] and a floor limit it, a [`Quantum`] makes it a whole number. Whether the
//! cap acts before or after the jitter decides whether a herd stays spread: after it, more and
//! more clients wait exactly the cap. The [`Law`] of a wait says how many.

pub mod growth;
pub mod jitter;
mod law;
mod quantum;

use std::time::Duration;

pub use growth::Growth;
pub use jitter::Jitter;
pub use law::{Law, Piece};
pub use quantum::{Quantum, Rounding};

use crate::rng::Stream;
use crate::time::secs;

/// Which retry this is, and what came before it: the state of one call in one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// The number of the retry (≥ 1); 1 is the first retry.
    pub number: u32,
    /// The wait before the previous retry; `None` before the first.
    pub previous: Option<Duration>,
}

/// Where the cap acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapPosition {
    /// The wait is capped, then spread: the herd stays spread for ever (AWS, gRPC, Google).
    BeforeJitter,
    /// The wait is spread, then capped, while it grows on past the cap: in the end everybody waits
    /// exactly the cap (resilience4j, socket.io, redis-py).
    AfterJitter,
    /// The wait is capped, spread, and capped again: the share of clients that wait exactly the
    /// cap stays at what the spread takes past it (Kafka, Spring Retry).
    AroundJitter,
}

impl CapPosition {
    fn is_before(self) -> bool {
        matches!(self, CapPosition::BeforeJitter | CapPosition::AroundJitter)
    }

    fn is_after(self) -> bool {
        matches!(self, CapPosition::AfterJitter | CapPosition::AroundJitter)
    }
}

/// The longest wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cap {
    /// The longest wait (> 0).
    pub longest: Duration,
    /// Before or after the jitter, or both.
    pub position: CapPosition,
}

impl Cap {
    fn before(&self) -> Duration {
        if self.position.is_before() { self.longest } else { Duration::MAX }
    }

    fn after(&self) -> Duration {
        if self.position.is_after() { self.longest } else { Duration::MAX }
    }
}

/// How long a caller waits before a retry. Parameters only: one value serves a million clients.
#[derive(Clone, Debug, PartialEq)]
pub struct Backoff {
    /// The wait before the first retry, exactly, where it is not that of the growth.
    pub first: Option<Duration>,
    /// The wait from retry to retry, without spread.
    pub growth: Growth,
    /// The spread.
    pub jitter: Jitter,
    /// The longest wait; `None` for no limit.
    pub cap: Option<Cap>,
    /// The shortest wait, after spread and cap; `None` for no limit.
    pub floor: Option<Duration>,
    /// What waits are whole numbers of, after all else; `None` for the nanoseconds of the clock.
    pub quantum: Option<Quantum>,
}

impl Backoff {
    /// No wait at all.
    pub fn none() -> Backoff {
        let (growth, jitter) = (Growth::none(), Jitter::none());
        Backoff { first: None, growth, jitter, cap: None, floor: None, quantum: None }
    }

    /// The wait before this retry.
    pub fn delay(&self, retry: Retry, rng: &mut Stream) -> Duration {
        if let Some(first) = self.first.filter(|_| retry.number == 1) {
            return first;
        }
        let wait = self.before(self.growth.wait(retry, rng));
        self.after(self.jitter.spread(wait, retry.number, rng))
    }

    /// The longest wait that this retry can have (≥ 0).
    pub fn ceiling(&self, number: u32) -> Duration {
        if let Some(first) = self.first.filter(|_| number == 1) {
            return first;
        }
        self.after(self.jitter.ceiling(self.before(self.growth.ceiling(number)), number))
    }

    /// The laws of the waits before the first so many retries.
    ///
    /// Simplifies: the law of a growth that draws is a histogram (see [`Growth::law`]), its range
    /// and mean are not.
    pub fn laws(&self, retries: u32) -> Vec<Law> {
        let mut laws: Vec<Law> = Vec::new();
        for number in 1..=retries {
            let law = match self.first.filter(|_| number == 1) {
                Some(first) => Law::point(secs(first)),
                None => self.law(number, laws.last()),
            };
            laws.push(law);
        }
        laws
    }

    fn law(&self, number: u32, previous: Option<&Law>) -> Law {
        let cap = |at: fn(&Cap) -> Duration| self.cap.map_or(f64::INFINITY, |cap| secs(at(&cap)));
        let law = self.growth.law(number, previous).at_most(cap(Cap::before));
        let law = match law.single() {
            Some(wait) => self.jitter.law(wait, number),
            None => law,
        };
        let law = law.at_most(cap(Cap::after)).at_least(self.floor.map_or(0.0, secs));
        self.quantum.map_or(law.clone(), |quantum| quantum.law(law))
    }

    /// The wait before this retry without any spread, and whether the cap meets it; of a growth
    /// that draws, the longest that it can be.
    pub fn unspread(&self, number: u32) -> (Duration, bool) {
        if let Some(first) = self.first.filter(|_| number == 1) {
            return (first, false);
        }
        let grown = self.growth.ceiling(number);
        let capped = self.cap.is_some_and(|cap| grown >= cap.longest);
        let longest = self.cap.map_or(Duration::MAX, |cap| cap.longest);
        (self.after(grown.min(longest)), capped)
    }

    /// Whether some callers wait exactly the cap before this retry, whose wait has this law,
    /// because the cap acts on the jitter.
    pub fn cuts(&self, number: u32, law: &law::Law) -> bool {
        let special = number == 1 && self.first.is_some();
        self.cap.is_some_and(|cap| {
            !special
                && cap.position != CapPosition::BeforeJitter
                && law.share_at(crate::time::secs(cap.longest)) > 0.0
        })
    }

    /// Whether the waits come to be zero and stay it for ever: when the last retry that can be
    /// counted waits zero at most.
    pub fn waits_zero_for_ever(&self) -> bool {
        self.ceiling(u32::MAX).is_zero()
    }

    /// The most waits of zero that follow one another in so many retries.
    pub fn most_zeros(&self, retries: u32) -> u32 {
        let listed = self.growth.listed();
        let (mut run, mut most) = (0, 0);
        for number in 1..=retries.min(listed) {
            run = if self.ceiling(number).is_zero() { run + 1 } else { 0 };
            most = most.max(run);
        }
        if retries > listed && self.ceiling(listed.saturating_add(1)).is_zero() {
            most = most.max(run + self.zeros_after(listed, retries));
        }
        most
    }

    /// How many of the retries after `listed`, of which the first waits zero, do so: they grow.
    fn zeros_after(&self, listed: u32, retries: u32) -> u32 {
        let (mut zero, mut other) = (listed + 1, retries);
        if self.ceiling(other).is_zero() {
            return retries - listed;
        }
        while other - zero > 1 {
            let middle = zero + (other - zero) / 2;
            match self.ceiling(middle).is_zero() {
                true => zero = middle,
                false => other = middle,
            }
        }
        zero - listed
    }

    /// What acts before the jitter.
    fn before(&self, wait: Duration) -> Duration {
        self.cap.map_or(wait, |cap| wait.min(cap.before()))
    }

    /// What acts after the jitter.
    fn after(&self, wait: Duration) -> Duration {
        let wait = self.cap.map_or(wait, |cap| wait.min(cap.after()));
        let wait = self.floor.map_or(wait, |floor| wait.max(floor));
        self.quantum.map_or(wait, |quantum| quantum.round(wait))
    }
}
