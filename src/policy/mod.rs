//! What does a caller do when an attempt fails?
//!
//! Three lifetimes, three kinds of types: *parameters* ([`Layer`], [`backoff::Backoff`],
//! [`budget::Budget`]) are shared by all callers and never change within a run; *budget state*
//! ([`budget::Level`]) belongs to a call, a client, a process or the fleet; *call state*
//! ([`backoff::Retry`]) belongs to one call in one layer.

pub mod backoff;
pub mod budget;
pub mod presets;

use std::time::Duration;

use crate::failure::FailureSet;
use crate::units::Share;

/// One layer of retries around an attempt (or around the layer inside it).
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Attempts in all, the first included (≥ 1); `None` for no limit.
    pub max_attempts: Option<u32>,
    /// No retry is begun that would start later than this after the call began; `None` for no
    /// limit.
    pub max_elapsed: Option<Duration>,
    /// How long it waits before a retry.
    pub backoff: backoff::Backoff,
    /// Whether it may retry at all.
    pub budget: Option<budget::Shared>,
    /// The failures that it retries; any other ends the layer at once.
    pub retry_on: FailureSet,
    /// The share of failed attempts that it could retry and gives up instead.
    pub give_up: Share,
}

/// How many callers of a group share one state: a budget, or a queue of retries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Every call has its own.
    Call,
    /// Every client has its own.
    Client,
    /// So many clients live in one process and share its own (≥ 1).
    Process(u32),
    /// All clients of the group share one.
    Fleet,
}

impl Scope {
    /// How many there are among `clients`; none where they come and go with the calls.
    pub fn count(self, clients: u32) -> u32 {
        match self {
            Scope::Call => 0,
            Scope::Client => clients,
            Scope::Process(per) => clients.div_ceil(per),
            Scope::Fleet => 1,
        }
    }

    /// The number of the one that a call of this client in this place has.
    pub fn index(self, client: u32, call: u32) -> usize {
        let index = match self {
            Scope::Call => call,
            Scope::Client => client,
            Scope::Process(per) => client / per,
            Scope::Fleet => 0,
        };
        index as usize
    }
}
