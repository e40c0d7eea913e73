//! What the parameters of a system say, looked up once instead of with every attempt.

use crate::fault::{self, Kind};
use crate::load::{Of, Shape};
use crate::scenario::Model;
use crate::service::{StaleWork, Writes};
use crate::time::nanos;

use super::source::Source;

/// What is asked of a service with every attempt; true until an action changes the system.
#[derive(Clone, Copy, Debug)]
pub struct ServiceFacts {
    /// The way to it and back in nanoseconds, where that always takes the same time.
    pub way: Option<u64>,
    /// Whether a fault adds to the way to it.
    pub delays: bool,
    /// Whether a fault lets it answer with errors.
    pub errors: bool,
    /// Whether a fault shuts it.
    pub outages: bool,
    /// Whether a write must have seen the writes before it.
    pub versioned: bool,
    /// Whether it sees at the door that a caller has gone.
    pub looks: bool,
    /// Whether overload can fell it.
    pub crashes: bool,
    /// Whether it limits admissions.
    pub limited: bool,
    /// Whether it calls others.
    pub calls: bool,
}

/// The same of a load.
#[derive(Clone, Copy, Debug)]
pub struct LoadFacts {
    /// Whether the next call waits for the end of the last.
    pub closed: bool,
    /// Whether its calls belong to a burst.
    pub burst: bool,
    /// Whether every client follows the shape by itself.
    pub by_client: bool,
    /// How many follow the shape by themselves.
    pub members: u32,
}

impl ServiceFacts {
    /// Of all services.
    pub fn of(model: &Model) -> Vec<ServiceFacts> {
        (0..model.services.len()).map(|service| ServiceFacts::of_one(model, service)).collect()
    }

    fn of_one(model: &Model, service: usize) -> ServiceFacts {
        let spec = &model.services[service].spec;
        let any =
            |is: fn(&Kind) -> bool| fault::of(&model.faults, service).any(|fault| is(&fault.kind));
        ServiceFacts {
            way: spec.network.as_constant().map(nanos),
            delays: any(|kind| matches!(kind, Kind::Latency { .. })),
            errors: any(|kind| matches!(kind, Kind::Errors { .. })),
            outages: any(|kind| matches!(kind, Kind::Outage { .. } | Kind::Breakdowns { .. })),
            versioned: spec.writes == Writes::Versioned,
            looks: spec.stale_work != StaleWork::Served,
            crashes: spec.crash.is_some(),
            limited: spec.limit.is_some(),
            calls: !model.services[service].calls.is_empty(),
        }
    }
}

impl LoadFacts {
    /// Of a source of load.
    pub fn of(model: &Model, group: usize, load: usize) -> LoadFacts {
        let group = &model.groups[group];
        let load = &group.loads[load];
        let by_client = load.of == Of::Client;
        LoadFacts {
            closed: matches!(load.shape, Shape::Closed { .. }),
            burst: matches!(load.shape, Shape::Burst { .. }),
            by_client,
            members: if by_client { group.count } else { 1 },
        }
    }

    /// Of all sources, anew.
    pub fn renew(model: &Model, sources: &mut [Source]) {
        for source in sources {
            source.facts = LoadFacts::of(model, source.group, source.load);
        }
    }
}
