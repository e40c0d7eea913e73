//! Which measures can exist in which part of a system, and under which policy.

use super::expect::Part;
use super::model::{Caller, Model};
use crate::load::Shape;
use crate::metrics::Metric;
use crate::policy::Scope;

/// What decides which measures a policy can have.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    faults: bool,
    burst: bool,
    slo: bool,
    first_above: bool,
    /// Budgets that several calls share, anywhere.
    shared: bool,
    /// Whether there is any budget in all of the system.
    any: bool,
    /// Whether the callers of each client group have a budget.
    groups: Vec<bool>,
}

impl Facts {
    /// Those of this system.
    pub(super) fn of(model: &Model) -> Facts {
        let groups = || model.groups.iter().map(|group| &group.caller);
        let inner = model.services.iter().flat_map(|service| &service.calls);
        let callers: Vec<&Caller> = groups().chain(inner.map(|call| &call.caller)).collect();
        let loads = || model.groups.iter().flat_map(|group| &group.loads);
        let burst = |shape: &Shape| match shape {
            Shape::Burst { at } => *at <= model.horizon.saturating_since(Default::default()),
            _ => false,
        };
        Facts {
            faults: model.trigger_start().is_some(),
            burst: loads().any(|load| burst(&load.shape)),
            slo: model.slo.is_some(),
            first_above: model.measure.first_above.is_some(),
            shared: callers.iter().any(|caller| has_budget(caller, |scope| scope != Scope::Call)),
            any: callers.iter().any(|caller| has_budget(caller, |_| true)),
            groups: groups().map(|caller| has_budget(caller, |_| true)).collect(),
        }
    }

    /// Whether there is a budget that several calls share.
    pub(super) fn has_shared_budgets(&self) -> bool {
        self.shared
    }
}

fn has_budget(caller: &Caller, fits: impl Fn(Scope) -> bool) -> bool {
    let budgets = caller.layers.iter().filter_map(|layer| layer.budget.as_ref());
    budgets.into_iter().any(|budget| fits(budget.scope))
}

/// Why a measure cannot exist in a part of a system, and what to write instead.
pub(super) type Reason = (String, &'static str);

/// Why a measure (`None`: whether it recovered) cannot exist in this part, if so.
pub(super) fn absent_of(metric: Option<Metric>, part: Part) -> Option<Reason> {
    let Some(metric) = metric.filter(|metric| *metric != Metric::RecoveryS) else {
        let message = "recovery is measured of the whole system".to_string();
        return (part != Part::Whole).then_some((message, "leave `clients` and `service` out"));
    };
    match (part, of_clients(metric), of_services(metric)) {
        (Part::Whole, ..) | (Part::Clients(_), true, _) | (Part::Service(_), _, true) => None,
        (_, false, false) => {
            let message = format!("`{metric}` is measured of the whole system");
            Some((message, "leave `clients` and `service` out"))
        }
        (Part::Service(_), ..) => {
            let message = format!("`{metric}` is measured of callers, not of a service");
            Some((message, "name a client group by `clients`, or leave `service` out"))
        }
        (Part::Clients(_), ..) => {
            let message = format!("`{metric}` is measured of services, not of a client group");
            Some((message, "name a service by `service`, or leave `clients` out"))
        }
    }
}

/// Why a measure (`None`: whether it recovered) cannot exist in a system like this, if so.
pub(super) fn absent_under(metric: Option<Metric>, part: Part, facts: &Facts) -> Option<Reason> {
    let name = metric.map_or("recovered", Metric::name);
    let without = |there: bool, what: &str, help| {
        (!there).then(|| (format!("`{name}` does not exist without {what}"), help))
    };
    let budget = "give a layer of `retry` a `budget` under this policy";
    match metric {
        None | Some(Metric::RecoveryS) => {
            let help = "add [[faults]], a load with a `burst` before the horizon, or a start that \
                        is \"saturated\"";
            without(facts.faults || facts.burst, "faults, a burst or a full start", help)
        }
        Some(Metric::FirstAboveS) => {
            let help = "say above what: measure = { first_above = 100 }";
            without(facts.first_above, "a bound", help)
        }
        Some(Metric::DrainS | Metric::DrainP95S) => {
            without(facts.burst, "a burst", "add a load with a `burst` before the horizon")
        }
        Some(Metric::BadMinutes) => {
            without(facts.slo, "an objective", "give the scenario an `slo`")
        }
        Some(Metric::QuotaRefused) => {
            let there = match part {
                Part::Clients(group) => facts.groups.get(group).copied().unwrap_or(true),
                _ => facts.any,
            };
            without(there, "a retry budget", budget)
        }
        Some(Metric::QuotaMin | Metric::QuotaEnd) => {
            without(facts.shared, "a retry budget that calls share", budget)
        }
        _ => None,
    }
}

/// Whether a measure is taken of client groups.
fn of_clients(metric: Metric) -> bool {
    use Metric::*;
    of_calls(metric)
        || matches!(metric, Attempts | TimedOut | AmplificationTotal | OfferedPerS | OrbitMean)
}

/// Whether a measure is taken of calls, which only client groups make.
fn of_calls(metric: Metric) -> bool {
    use Metric::*;
    matches!(metric, Calls | Succeeded | Failed | Open | GoodputPerS | QuotaRefused | HeldClients)
        || matches!(metric, LatencyMeanMs | LatencyP50Ms | LatencyP95Ms | LatencyP99Ms)
        || matches!(metric, LatencyMaxMs | ErrorLatencyMeanMs | ErrorLatencyP50Ms)
        || matches!(metric, ErrorLatencyP95Ms | ErrorLatencyP99Ms | ErrorLatencyMaxMs)
}

/// Whether a measure is taken of services.
fn of_services(metric: Metric) -> bool {
    use Metric::*;
    let whole = matches!(metric, RecoveryS | DrainP95S | DrainS | SyncIndex | SyncPeriodS)
        || matches!(
            metric,
            HalfLifeRounds | FirstBelowS | FirstAboveS | BadMinutes | QuotaMin | QuotaEnd
        );
    !whole && !of_calls(metric)
}
