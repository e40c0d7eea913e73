//! The retry world: from a checked model to one run of it.

mod budgets;
mod call;
mod caller;
mod crash;
mod event;
mod facts;
mod more;
mod read;
mod rebased;
mod server;
mod slices;
mod source;
mod start;
mod table;
mod waits;
mod world;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use crate::load::Shape;
use crate::metrics::{Collector, Leftover, Plan, Recorder, RecoveryRule, RunResult, Twin, Who};
use crate::rng::{Seed, combine};
use crate::scenario::{Action, Model, PolicyCase};
use crate::service::Station;
use crate::time::SimTime;

use budgets::Budgets;
use call::Phase;
use event::{Class, Happening};
use facts::{LoadFacts, ServiceFacts};
use more::More;
use rebased::Rebased;
use server::Server;
use slices::Sliced;
use source::Source;
use table::Table;
use waits::RetryQueues;
use world::{Agenda, RetryWorld, Site};

/// Told which share of a run has been simulated (0 … 1, rising), every few hundred thousand events
/// and at its end; says whether it goes on.
pub type Watch<'a> = dyn FnMut(f64) -> ControlFlow<()> + 'a;

/// Runs a policy once, together with the twin that its recovery is measured against.
pub fn simulate(case: &PolicyCase, seed: Seed, raster: bool) -> RunResult {
    let whole = simulate_watched(case, seed, raster, &mut |_| ControlFlow::Continue(()));
    whole.expect("nobody stopped it")
}

/// The same with somebody who watches, which changes no result; `None` when the watch stopped it.
///
/// The share is that of simulated time. A run with a twin counts as two of the same length, though
/// the twin often has fewer events.
pub fn simulate_watched(
    case: &PolicyCase,
    seed: Seed,
    raster: bool,
    watch: &mut Watch<'_>,
) -> Option<RunResult> {
    let has_twin = case.model.trigger_start().is_some();
    let (twin, twin_events) = match has_twin {
        true => Some(twin(case, seed, &mut |share| watch(share / 2.0))?).unzip(),
        false => (None, None),
    };
    let plan = plan(&case.model, twin.map(Arc::new), raster);
    let collector = Collector::new(plan);
    let watch = &mut |share| watch(if has_twin { (1.0 + share) / 2.0 } else { share });
    let played = play_watched(&case.model, &case.actions, seed, collector, watch)?;
    let (collector, leftover, events) = played;
    Some(collector.finish(&leftover, events + twin_events.unwrap_or(0)))
}

/// The same run on the same random numbers, without the faults and not from full services.
fn twin(case: &PolicyCase, seed: Seed, watch: &mut Watch<'_>) -> Option<(Twin, u64)> {
    let model = case.model.undisturbed();
    let actions: Vec<Action> = case
        .actions
        .iter()
        .map(|action| Action { model: action.model.undisturbed(), ..action.clone() })
        .collect();
    // The fault's window stays the same, so that both runs are measured over the same time.
    let collector = Collector::new(plan(&case.model, None, false));
    let (collector, _, events) = play_watched(&model, &actions, seed, collector, watch)?;
    Some((collector.into_twin(), events))
}

/// Lets a model run to its horizon and tells `recorder` everything that happens, for as long as
/// it wants to hear more.
pub fn play<R: Recorder>(
    model: &Model,
    actions: &[Action],
    seed: Seed,
    recorder: R,
) -> (R, Leftover, u64) {
    let watch = &mut |_| ControlFlow::Continue(());
    let whole = play_watched(model, actions, seed, recorder, watch);
    whole.expect("nobody stopped it")
}

/// The same with somebody who watches; `None` when the watch stopped it.
fn play_watched<R: Recorder>(
    model: &Model,
    actions: &[Action],
    seed: Seed,
    recorder: R,
    watch: &mut Watch<'_>,
) -> Option<(R, Leftover, u64)> {
    let settle = model.start.settle();
    if settle.is_zero() {
        return play_from(SimTime::ZERO, model, actions, seed, recorder, watch);
    }
    let delay = |action: &Action| Action {
        at: action.at.saturating_add(settle),
        model: action.model.delayed(settle),
        ..action.clone()
    };
    let actions: Vec<Action> = actions.iter().map(delay).collect();
    let zero = SimTime::ZERO.saturating_add(settle);
    play_from(zero, &model.delayed(settle), &actions, seed, recorder, watch)
}

/// The same on a clock on which the scenario's time zero is `zero`: the system runs by itself
/// until then, and nobody is told.
fn play_from<R: Recorder>(
    zero: SimTime,
    model: &Model,
    actions: &[Action],
    seed: Seed,
    recorder: R,
    watch: &mut Watch<'_>,
) -> Option<(R, Leftover, u64)> {
    let mut agenda = Agenda::default();
    let mut world = build(zero, model, actions, seed, recorder);
    schedule_changes(&world, &mut agenda);
    world.expect_breakdowns(&mut agenda);
    world.open_sources(&mut agenda);
    let mut sliced = Sliced::new(world);
    let (until, mut events) = (model.horizon, 0);
    if let Some(before) = zero.as_nanos().checked_sub(1) {
        let before = SimTime::from_nanos(before);
        events += sliced.run(&mut agenda, before, until, watch)?;
    }
    sliced.world.begins(&mut agenda);
    events += sliced.run(&mut agenda, until, until, watch)?;
    let world = sliced.world;
    let leftover = world.recorder.leftover(leftover(&world));
    Some((world.recorder.finish(), leftover, events))
}

/// The world before anything has happened.
fn build<'m, R: Recorder>(
    zero: SimTime,
    model: &'m Model,
    actions: &'m [Action],
    seed: Seed,
    recorder: R,
) -> RetryWorld<'m, R> {
    let mut sites: Vec<Site> = (0..model.groups.len()).map(Site::Group).collect();
    let mut first_downstream = Vec::new();
    for (service, node) in model.services.iter().enumerate() {
        first_downstream.push(sites.len());
        sites.extend((0..node.calls.len()).map(|call| Site::Downstream { service, call }));
    }
    let callers = RetryWorld::<R>::callers_of(&sites, model);
    let clients: Vec<u32> = sites
        .iter()
        .map(|site| match site {
            Site::Group(group) => model.groups[*group].count,
            Site::Downstream { .. } => 1,
        })
        .collect();
    RetryWorld {
        model,
        actions,
        seed,
        zero,
        budgets: Budgets::new(&callers, &clients),
        retry_queues: RetryQueues::new(&callers, &clients),
        stride: callers.iter().map(|caller| caller.layers.len()).max().unwrap_or(0),
        sites,
        callers,
        first_downstream,
        sources: sources(model),
        calls: Table::default(),
        calls_begun: 0,
        more: More::new(model, actions),
        facts: ServiceFacts::of(model),
        attempts_sent: 0,
        layers: Vec::new(),
        jobs: Table::default(),
        servers: model.services.iter().map(server).collect(),
        broken: vec![false; model.faults.len()],
        recorder: Rebased::new(recorder, zero),
    }
}

fn sources(model: &Model) -> Vec<Source> {
    let of_group = |group: usize| {
        let loads = 0..model.groups[group].loads.len();
        let key = move |load| combine(group as u64, load as u64);
        loads.map(move |load| Source {
            group,
            load,
            key: key(load),
            epoch: 0,
            stale: false,
            facts: LoadFacts::of(model, group, load),
            calls: Vec::new(),
        })
    };
    (0..model.groups.len()).flat_map(of_group).collect()
}

fn server(node: &crate::scenario::ServiceNode) -> Server {
    Server {
        station: Station::new(node.spec.discipline, node.spec.workers),
        limiter: Default::default(),
        watch: Default::default(),
        down: false,
        version: 0,
        armed: None,
    }
}

/// Schedules what is known beforehand: faults that change speeds, and actions.
fn schedule_changes<R>(world: &RetryWorld<'_, R>, agenda: &mut Agenda) {
    for fault in &world.model.faults {
        for time in fault.speed_changes() {
            let event = Happening::SpeedChanges { service: fault.service as u16 }.into();
            agenda.at(time, Class::Control.order(0), event);
        }
    }
    for (index, action) in world.actions.iter().enumerate() {
        let event = Happening::ActionIsDue { action: index as u32 }.into();
        agenda.at(action.at, Class::Control.order(0), event);
    }
}

/// What is not decided at the horizon.
fn leftover<R: Recorder>(world: &RetryWorld<'_, R>) -> Leftover {
    let groups = world.model.groups.len();
    let mut leftover = Leftover::default();
    for (_, call) in world.calls.iter() {
        let who = call.who();
        if (who.caller as usize) < groups {
            leftover.calls.push((who.caller, call.began, call.backing_off()));
        } else {
            leftover.inner_calls += 1;
            let wait = world.held_by(who).zip(call.backing_off());
            leftover.inner_waits.extend(wait);
        }
    }
    for (_, job) in world.jobs.iter() {
        match job.phase {
            Phase::Reading | Phase::Outbound => leftover.attempts.push((job.service, None)),
            Phase::Queued | Phase::Running | Phase::Downstream(_) => {
                // What a service began with has not arrived in the run.
                let came = job.who() != Who::NOBODY || job.arrived > world.zero;
                let arrived = came.then_some(job.arrived);
                leftover.attempts.push((job.service, arrived));
            }
            Phase::Returning(_) => {}
        }
    }
    leftover
}

/// What is to be measured in a run of this model: against `twin`, if there is one, and with the
/// attempts of a sample of clients for the raster chart, if it is wanted.
pub fn plan(model: &Model, twin: Option<Arc<Twin>>, raster: bool) -> Plan {
    Plan {
        horizon: model.horizon,
        warmup: model.warmup,
        bin: model.bin,
        groups: model.groups.iter().map(|group| (group.name.clone(), group.count)).collect(),
        services: model
            .services
            .iter()
            .map(|node| (node.name.clone(), node.spec.capacity_per_s()))
            .collect(),
        budgets: shared_budgets(model),
        trigger_start: model.trigger_start(),
        trigger_end: model.trigger_end(),
        burst: burst(model),
        peak_width: model.measure.peak_width,
        first_below: model.measure.first_below,
        first_above: model.measure.first_above,
        slo: model.slo.map(|slo| (slo.latency, slo.share.as_f64())),
        recovery: RecoveryRule {
            within: model.measure.recovery_within,
            hold: model.measure.recovery_hold.unwrap_or_else(|| default_hold(model)),
            same_arrivals: !loads(model).any(|load| matches!(load.shape, Shape::Closed { .. })),
        },
        twin,
        raster,
    }
}

fn loads(model: &Model) -> impl Iterator<Item = &crate::load::Load> {
    model.groups.iter().flat_map(|group| &group.loads)
}

/// Retry budgets that several calls share, over the whole system.
fn shared_budgets(model: &Model) -> u64 {
    let sites = model.groups.iter().map(|group| (&group.caller, group.count));
    let calls = model.services.iter().flat_map(|node| &node.calls);
    let callers: Vec<_> = sites.chain(calls.map(|call| (&call.caller, 1))).collect();
    let (params, clients): (Vec<_>, Vec<_>) = callers.into_iter().unzip();
    let budgets = Budgets::new(&params, &clients);
    params.iter().enumerate().map(|(index, caller)| budgets.tokens(index, caller).1).sum()
}

/// Calls that bursts will make by the horizon, and when the first begins.
fn burst(model: &Model) -> Option<(u64, SimTime)> {
    let mut calls = 0;
    let mut first = SimTime::FOREVER;
    for group in &model.groups {
        for load in &group.loads {
            let Shape::Burst { at } = load.shape else { continue };
            let begins = SimTime::ZERO.saturating_add(at);
            if begins > model.horizon {
                continue;
            }
            calls += match load.of {
                crate::load::Of::Client => u64::from(group.count),
                crate::load::Of::Group => 1,
            };
            first = first.min(begins);
        }
    }
    (calls > 0).then_some((calls, first))
}

/// How long a recovery must last unless the scenario says so: 60 s, or three of the longest
/// waits between two attempts where that is longer, but never more than a third of the time left
/// after the fault: otherwise a short run could only ever say that it has not recovered.
fn default_hold(model: &Model) -> Duration {
    let callers = model.groups.iter().map(|group| &group.caller);
    let calls = model.services.iter().flat_map(|node| &node.calls).map(|call| &call.caller);
    let layers = callers.chain(calls).flat_map(|caller| &caller.layers);
    let ceiling = |layer: &crate::policy::Layer| {
        // Waits that grow without end have outgrown every horizon by the 64th retry.
        let retries = layer.max_attempts.map_or(64, |most| (most - 1).min(64));
        let longest = (1..=retries).map(|number| layer.backoff.ceiling(number)).max();
        longest.unwrap_or_default().min(layer.max_elapsed.unwrap_or(Duration::MAX))
    };
    let longest = layers.map(ceiling).max().unwrap_or_default();
    let left = model.horizon.saturating_since(model.trigger_end());
    let wanted = longest.saturating_mul(3).max(Duration::from_secs(60));
    wanted.min(left / 3).max(model.bin)
}
