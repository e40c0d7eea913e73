//! How does the wait grow from retry to retry?

mod constant;
mod decorrelated;
mod exponential;
mod linear;
mod schedule;

use std::time::Duration;

pub use constant::Constant;
pub use decorrelated::Decorrelated;
pub use exponential::Exponential;
pub use linear::Linear;
pub use schedule::Schedule;

use super::Retry;
use crate::rng::Stream;

/// How the wait grows; the variant is the key of the scenario language.
#[derive(Clone, Debug, PartialEq)]
pub enum Growth {
    /// The same wait every time.
    Constant(Constant),
    /// One step more every time.
    Linear(Linear),
    /// A multiple every time.
    Exponential(Exponential),
    /// A random walk: up to three times the wait before.
    Decorrelated(Decorrelated),
    /// A fixed list of waits.
    Schedule(Schedule),
}

impl Growth {
    /// The wait before this retry, before jitter and cap.
    pub fn wait(&self, retry: Retry, rng: &mut Stream) -> Duration {
        match self {
            Growth::Constant(growth) => growth.wait,
            Growth::Linear(growth) => growth.wait(retry.number),
            Growth::Exponential(growth) => growth.wait(retry.number),
            Growth::Decorrelated(growth) => growth.wait(retry.previous, rng),
            Growth::Schedule(growth) => growth.wait(retry.number),
        }
    }

    /// The longest wait that retry `number` can have, before jitter and cap.
    pub fn ceiling(&self, number: u32) -> Duration {
        match self {
            Growth::Constant(growth) => growth.wait,
            Growth::Linear(growth) => growth.wait(number),
            Growth::Exponential(growth) => growth.wait(number),
            Growth::Decorrelated(growth) => growth.ceiling(number),
            Growth::Schedule(growth) => growth.wait(number),
        }
    }
}
