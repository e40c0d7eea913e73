//! How does the wait grow from retry to retry?

mod constant;
mod decorrelated;
mod exponential;
mod fibonacci;
mod linear;
mod polly_v2;
mod polynomial;
mod schedule;

use std::time::Duration;

pub use constant::Constant;
pub use decorrelated::Decorrelated;
pub use exponential::Exponential;
pub use fibonacci::Fibonacci;
pub use linear::Linear;
pub use polly_v2::PollyV2;
pub use polynomial::Polynomial;
pub use schedule::Schedule;

use super::{Law, Retry};
use crate::form::Form;
use crate::rng::Stream;
use crate::time::secs;

/// What the scenario language can say.
pub const FORMS: &[Form<Growth>] = &[
    constant::FORM,
    linear::FORM,
    exponential::FORM,
    polynomial::FORM,
    fibonacci::FORM,
    decorrelated::FORM,
    polly_v2::FORM,
    schedule::FORM,
];

/// How the wait grows; the variant is the key of the scenario language.
#[derive(Clone, Debug, PartialEq)]
pub enum Growth {
    /// The same wait every time.
    Constant(Constant),
    /// One step more every time.
    Linear(Linear),
    /// A multiple every time.
    Exponential(Exponential),
    /// A power of the number of the retry.
    Polynomial(Polynomial),
    /// The sum of the two waits before.
    Fibonacci(Fibonacci),
    /// A random walk: up to three times the wait before.
    Decorrelated(Decorrelated),
    /// The jittered exponential backoff of Polly.
    PollyV2(PollyV2),
    /// A fixed list of waits.
    Schedule(Schedule),
}

impl Growth {
    /// No wait at all.
    pub fn none() -> Growth {
        Growth::Constant(Constant { wait: Duration::ZERO })
    }

    /// The wait before this retry, before jitter and cap.
    pub fn wait(&self, retry: Retry, rng: &mut Stream) -> Duration {
        match self {
            Growth::Constant(growth) => growth.wait,
            Growth::Linear(growth) => growth.wait(retry.number),
            Growth::Exponential(growth) => growth.wait(retry.number),
            Growth::Polynomial(growth) => growth.wait(retry.number),
            Growth::Fibonacci(growth) => growth.wait(retry.number),
            Growth::Decorrelated(growth) => growth.wait(retry.previous, rng),
            Growth::PollyV2(growth) => growth.wait(retry.number, rng),
            Growth::Schedule(growth) => growth.wait(retry.number),
        }
    }

    /// The longest wait that retry `number` can have, before jitter and cap.
    pub fn ceiling(&self, number: u32) -> Duration {
        match self {
            Growth::Constant(growth) => growth.wait,
            Growth::Linear(growth) => growth.wait(number),
            Growth::Exponential(growth) => growth.wait(number),
            Growth::Polynomial(growth) => growth.wait(number),
            Growth::Fibonacci(growth) => growth.wait(number),
            Growth::Decorrelated(growth) => growth.ceiling(number),
            Growth::PollyV2(growth) => growth.ceiling(number),
            Growth::Schedule(growth) => growth.wait(number),
        }
    }

    /// The law of the wait before retry `number`, before jitter and cap, where `previous` is that
    /// of the whole wait before the retry before; by default a single wait.
    pub fn law(&self, number: u32, previous: Option<&Law>) -> Law {
        match self {
            Growth::Decorrelated(growth) => growth.law(previous),
            Growth::PollyV2(growth) => growth.law(number),
            _ => Law::point(secs(self.ceiling(number))),
        }
    }

    /// The first wait that is asked for, before jitter and cap: a cap below it would only hide
    /// it. By default what the first retry waits at most.
    pub fn first_wait(&self) -> Duration {
        match self {
            // Its ceiling comes out of a float, which is not exact to the nanosecond.
            Growth::Exponential(growth) => growth.base,
            Growth::Decorrelated(growth) => growth.base,
            // Its scale: a cap between it and the longest first wait is a choice of its own.
            Growth::PollyV2(growth) => growth.base,
            _ => self.ceiling(1),
        }
    }

    /// Whether the waits are spread already, so that a jitter would spread them twice and a cap
    /// has to come after the draw. By default they are not.
    pub fn draws_its_own_spread(&self) -> bool {
        matches!(self, Growth::Decorrelated(_) | Growth::PollyV2(_))
    }

    /// The last retry whose wait is one of a list: beyond it a schedule repeats its last wait, and
    /// the others grow from a first wait.
    pub fn listed(&self) -> u32 {
        match self {
            Growth::Schedule(schedule) => schedule.waits.len() as u32,
            _ => 2,
        }
    }
}
