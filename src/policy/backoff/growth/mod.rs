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
use crate::form::Form;
use crate::rng::Stream;

/// What the scenario language can say.
pub const FORMS: &[Form<Growth>] =
    &[constant::FORM, linear::FORM, exponential::FORM, decorrelated::FORM, schedule::FORM];

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

    /// The first wait that is asked for, before jitter and cap: a cap below it would only hide
    /// it. By default what the first retry waits at most.
    pub fn first_wait(&self) -> Duration {
        match self {
            // Its ceiling comes out of a float, which is not exact to the nanosecond.
            Growth::Exponential(growth) => growth.base,
            Growth::Decorrelated(growth) => growth.base,
            _ => self.ceiling(1),
        }
    }

    /// Whether the waits are spread already, so that a jitter would spread them twice and a cap
    /// has to come after the draw. By default they are not.
    pub fn draws_its_own_spread(&self) -> bool {
        matches!(self, Growth::Decorrelated(_))
    }

    /// Whether the waits come to be zero and stay it for ever: by default when the last retry
    /// that can be counted waits zero at most.
    pub fn waits_zero_for_ever(&self) -> bool {
        self.ceiling(u32::MAX).is_zero()
    }

    /// The most waits of zero that follow one another in so many retries.
    pub fn most_zeros(&self, retries: u32) -> u32 {
        // Beyond its list a schedule only repeats; the others grow from a first zero, if any.
        let listed = match self {
            Growth::Schedule(schedule) => schedule.waits.len() as u32,
            _ => 2,
        };
        let (mut run, mut most) = (0, 0);
        for number in 1..=retries.min(listed) {
            run = if self.ceiling(number).is_zero() { run + 1 } else { 0 };
            most = most.max(run);
        }
        if retries > listed && self.waits_zero_for_ever() {
            most = most.max(run + (retries - listed));
        }
        most
    }
}
