//! The levels of all retry budgets of a run.

use crate::failure::FailureClass;
use crate::metrics::Who;
use crate::policy::Scope;
use crate::policy::budget::{Level, Shared};
use crate::scenario::Caller;
use crate::units::Share;

/// Levels by caller, layer and whoever shares one.
#[derive(Debug, Default)]
pub struct Budgets {
    /// One entry per caller and layer, in that order.
    levels: Vec<Vec<Vec<Level>>>,
}

/// What became of a wish to retry or to be rewarded: how the shared tokens changed.
pub type Change = i64;

impl Budgets {
    /// Full budgets for `clients[i]` clients of `callers[i]`.
    pub fn new(callers: &[&Caller], clients: &[u32]) -> Budgets {
        let of_caller = |(caller, count): (&&Caller, &u32)| -> Vec<Vec<Level>> {
            caller.layers.iter().map(|layer| full(layer.budget.as_ref(), *count)).collect()
        };
        Budgets { levels: callers.iter().zip(clients).map(of_caller).collect() }
    }

    /// Tokens that callers of this kind share, and the number of their budgets; those that
    /// belong to one call are not counted.
    pub fn tokens(&self, caller: usize, params: &Caller) -> (u64, u64) {
        let shared = |layer: &crate::policy::Layer| {
            layer.budget.as_ref().is_some_and(|budget| budget.scope != Scope::Call)
        };
        let levels = self.levels[caller].iter().zip(&params.layers);
        let counted = levels.filter(|(_, layer)| shared(layer)).flat_map(|(levels, _)| levels);
        counted.fold((0, 0), |(sum, n), level| (sum + u64::from(level.tokens), n + 1))
    }

    /// Makes all budgets that several calls share so full.
    pub fn fill(&mut self, callers: &[&Caller], part: Share) {
        for (caller, layers) in callers.iter().zip(&mut self.levels) {
            for (layer, levels) in caller.layers.iter().zip(layers) {
                let Some(shared) = layer.budget.as_ref().filter(|b| b.scope != Scope::Call) else {
                    continue;
                };
                let tokens = f64::from(shared.budget.full().tokens) * part.as_f64();
                levels.fill(Level { tokens: tokens as u32 });
            }
        }
    }

    /// A call begins: budgets of its own are full.
    pub fn call_begins(&mut self, caller: usize, params: &Caller, slot: u32) {
        for (layer, levels) in params.layers.iter().zip(&mut self.levels[caller]) {
            let Some(shared) = layer.budget.as_ref().filter(|b| b.scope == Scope::Call) else {
                continue;
            };
            if levels.len() <= slot as usize {
                levels.resize(slot as usize + 1, shared.budget.full());
            }
            levels[slot as usize] = shared.budget.full();
        }
    }

    /// Pays for a retry: its cost and how the shared tokens changed, or `None` when refused.
    pub fn pay(
        &mut self,
        shared: &Shared,
        place: Place,
        class: FailureClass,
    ) -> Option<(u32, Change)> {
        let level = self.level(shared.scope, place);
        let before = level.tokens;
        let cost = shared.budget.pay(level, class)?;
        Some((cost, change(shared.scope, before, level.tokens)))
    }

    /// Rewards a success; how the shared tokens changed.
    pub fn reward(&mut self, shared: &Shared, place: Place, last_cost: Option<u32>) -> Change {
        let level = self.level(shared.scope, place);
        let before = level.tokens;
        shared.budget.reward(level, last_cost);
        change(shared.scope, before, level.tokens)
    }

    /// The rules changed in the middle of the run: no level may exceed a full one, and a budget
    /// that a layer did not have before is full. Gives how the shared tokens changed.
    pub fn rules_changed(&mut self, caller: usize, params: &Caller, clients: u32) -> Change {
        let (before, _) = self.tokens(caller, params);
        for (layer, levels) in params.layers.iter().zip(&mut self.levels[caller]) {
            let fresh = full(layer.budget.as_ref(), clients);
            if levels.is_empty() {
                *levels = fresh;
            } else if let Some(shared) = &layer.budget {
                let most = shared.budget.full().tokens;
                levels.iter_mut().for_each(|level| level.tokens = level.tokens.min(most));
            }
        }
        let (after, _) = self.tokens(caller, params);
        after as Change - before as Change
    }

    /// Reads the levels of a client that will soon make a call, where it has some of its own.
    #[inline]
    pub fn touch(&self, caller: usize, client: u32) {
        for levels in &self.levels[caller] {
            std::hint::black_box(levels.get(client as usize).is_some_and(|level| level.tokens > 0));
        }
    }

    fn level(&mut self, scope: Scope, place: Place) -> &mut Level {
        let index = scope.index(place.who.client, place.slot);
        &mut self.levels[place.who.caller as usize][place.layer][index]
    }
}

/// Whose budget is meant.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Who calls.
    pub who: Who,
    /// The layer of retries.
    pub layer: usize,
    /// The call.
    pub slot: u32,
}

/// The levels of one layer at the start.
fn full(shared: Option<&Shared>, clients: u32) -> Vec<Level> {
    let Some(shared) = shared else { return Vec::new() };
    vec![shared.budget.full(); shared.scope.count(clients) as usize]
}

fn change(scope: Scope, before: u32, after: u32) -> Change {
    if scope == Scope::Call { 0 } else { Change::from(after) - Change::from(before) }
}
