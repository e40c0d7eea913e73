//! Sums that hold in every single run, to the nanosecond: Little's law, work, tokens.

mod common;

use std::collections::BTreeMap;

use common::scenario;
use herdsim::failure::FailureClass;
use herdsim::metrics::{Outcome, Record, Recorder};
use herdsim::rng::Seed;
use herdsim::sim::play;
use herdsim::time::{SimTime, nanos};

/// A number that changes over time, and its integral in nanoseconds.
#[derive(Clone, Copy, Default)]
struct Level {
    value: u64,
    since: u64,
    area: u128,
}

impl Level {
    fn set(&mut self, value: u64, now: SimTime) {
        self.area += u128::from(self.value) * u128::from(now.as_nanos() - self.since);
        (self.value, self.since) = (value, now.as_nanos());
    }
}

/// What happens at one service.
#[derive(Clone, Copy, Default)]
struct Service {
    queued: Level,
    in_system: Level,
    /// Attempts that are worked on.
    busy: Level,
    /// Sums over attempts, in nanoseconds.
    sojourns: u128,
    waits: u128,
    served: u64,
}

/// One retry budget that is kept once more, by the rules alone.
#[derive(Clone, Copy)]
struct Account {
    tokens: i64,
    acquired: i64,
    back: i64,
    capped: i64,
}

const CAPACITY: i64 = 60;
const COST: i64 = 14;
const COST_THROTTLING: i64 = 5;

/// Adds up what happens.
#[derive(Default)]
struct Ledger {
    services: Vec<Service>,
    /// Calls of all kinds, and the sum of their lengths.
    open: Level,
    lengths: u128,
    /// By client: its account, and its tokens as they are recorded.
    accounts: BTreeMap<u32, (Account, i64)>,
    /// By call: why its last attempt failed, and what its last retry cost.
    failed: BTreeMap<u32, FailureClass>,
    paid: BTreeMap<u32, i64>,
    refused: u64,
}

impl Ledger {
    fn account(&mut self, client: u32) -> &mut (Account, i64) {
        let full = Account { tokens: CAPACITY, acquired: 0, back: 0, capped: 0 };
        self.accounts.entry(client).or_insert((full, CAPACITY))
    }

    fn cost(&self, call: u32) -> i64 {
        let throttled = self.failed[&call] == FailureClass::Throttling;
        if throttled { COST_THROTTLING } else { COST }
    }

    fn retries(&mut self, client: u32, call: u32) {
        let cost = self.cost(call);
        let (account, recorded) = self.account(client);
        account.tokens -= cost;
        account.acquired += cost;
        assert!(account.tokens >= 0, "a retry without tokens");
        assert_eq!(account.tokens, *recorded);
        self.paid.insert(call, cost);
    }

    fn succeeds(&mut self, client: u32, call: u32) {
        let back = self.paid.get(&call).copied().unwrap_or(1);
        let (account, recorded) = self.account(client);
        let fits = back.min(CAPACITY - account.tokens);
        account.tokens += fits;
        account.back += back;
        account.capped += back - fits;
        assert_eq!(account.tokens, *recorded);
    }
}

impl Recorder for Ledger {
    fn record(&mut self, now: SimTime, record: Record) {
        match record {
            Record::CallBegan { .. } => self.open.set(self.open.value + 1, now),
            Record::Level { service, queued, in_system } => {
                let service = &mut self.services[usize::from(service)];
                service.queued.set(u64::from(queued), now);
                service.in_system.set(u64::from(in_system), now);
                service.busy.set(u64::from(in_system - queued), now);
            }
            Record::Started { service, waited, .. } => {
                self.services[usize::from(service)].waits += waited.as_nanos();
            }
            Record::Decided { who, service, outcome, failure, arrived, .. } => {
                let service = &mut self.services[usize::from(service)];
                service.sojourns += u128::from(nanos(now - arrived));
                let worked = matches!(outcome, Outcome::Served | Outcome::Wasted);
                service.served += u64::from(worked);
                self.failed.extend(failure.map(|class| (who.call, class)));
            }
            Record::TimedOut { who, .. } => {
                self.failed.insert(who.call, FailureClass::Timeout);
            }
            Record::Tokens { who, change } if who.call > 0 => self.account(who.client).1 += change,
            Record::QuotaRefused { who, .. } => {
                self.refused += 1;
                let cost = self.cost(who.call);
                assert!(self.account(who.client).0.tokens < cost, "refused without need");
            }
            Record::BackoffBegan { who, .. } if who.caller == 0 => {
                self.retries(who.client, who.call);
            }
            Record::CallEnded { who, failure, began, .. } => {
                self.open.set(self.open.value - 1, now);
                self.lengths += u128::from(nanos(now - began));
                if who.caller == 0 && failure.is_none() {
                    self.succeeds(who.client, who.call);
                }
            }
            _ => {}
        }
    }
}

/// Plays a scenario from empty to empty.
fn ledger(text: &str) -> Ledger {
    let scenario = scenario(text);
    let case = &scenario.policies[0];
    let services = vec![Service::default(); case.model.services.len()];
    let ledger = Ledger { services, ..Ledger::default() };
    let (ledger, leftover, _) = play(&case.model, &case.actions, Seed::new(scenario.seed), ledger);
    assert!(leftover.calls.is_empty() && leftover.attempts.is_empty(), "the run does not end");
    assert_eq!(ledger.open.value, 0);
    ledger
}

/// Bursts at several moments of one group, then silence.
fn bursts(caller: &str, server: &str) -> String {
    let moments: Vec<String> =
        (0..40).map(|i| format!("{{ burst = \"{}ms\" }}", i * 730 % 9001)).collect();
    format!(
        "seed = 6\nhorizon = \"1h\"\nbin = \"1s\"\n[[clients]]\nname = \"c\"\ncount = 25\n\
         load = [{}]\n{caller}\n[server]\n{server}\n",
        moments.join(", ")
    )
}

const PATIENT: &str = "timeout = \"none\"\nretry = \"none\"";
const RETRIES: &str = "timeout = { exponential = \"700ms\" }\nretry = { max_attempts = 5, \
    backoff = { exponential = { base = \"200ms\" } }, jitter = \"full\", \
    budget = { aws-quota = { capacity = 60 } } }";
const LATE: &str = "workers = 7\nservice_time = { exponential = \"90ms\" }\nnetwork = \"15ms\"";

fn faults() -> &'static str {
    "[[faults]]\nkind = \"outage\"\nmode = \"pause\"\nat = \"1s\"\nfor = \"900ms\"\n\
     [[faults]]\nkind = \"brownout\"\nslowdown = 3\nat = \"4s\"\nfor = \"2s\"\n\
     recover = \"ramp 1s\"\n"
}

/// Little's law: the integral of the number present is the sum of the times spent.
fn little(ledger: &Ledger) {
    for service in &ledger.services {
        assert!(service.sojourns > 0);
        assert_eq!(service.in_system.area, service.sojourns);
    }
    assert_eq!(ledger.open.area, ledger.lengths);
}

#[test]
fn littles_law_is_an_identity_from_empty_to_empty() {
    for server in [
        LATE.to_string(),
        format!("{LATE}\ndiscipline = \"ps\""),
        format!("{LATE}\nstale_work = \"dropped\""),
        format!("{LATE}\nqueue = {{ capacity = 20, on_full = \"429\" }}"),
        format!("{LATE}\ncrash = {{ when = \"queue > 60\", restart = \"2s\" }}"),
    ] {
        for caller in [PATIENT, RETRIES] {
            little(&ledger(&(bursts(caller, &server) + faults())));
        }
    }
}

#[test]
fn littles_law_holds_at_every_service_of_a_chain() {
    let inner = "[[services.calls]]\nto = \"back\"\ntimeout = \"250ms\"\n\
         retry = { max_attempts = 3, backoff = { constant = \"30ms\" } }\n";
    for holds in [true, false] {
        let text = bursts(&format!("target = \"front\"\n{RETRIES}"), "workers = 1\nrate = \"1/s\"");
        let (clients, _) = text.split_once("[server]").unwrap();
        let text = format!(
            "{clients}[[services]]\nname = \"front\"\nworkers = 60\n\
             service_time = {{ uniform = [\"5ms\", \"20ms\"] }}\n{inner}\
             holds_worker = {holds}\n[[services]]\nname = \"back\"\nworkers = 9\n\
             service_time = {{ exponential = \"60ms\" }}\n"
        );
        let mut ledger = ledger(&text);
        if !holds {
            // Whoever waits for an answer without a worker is no longer at the service.
            let front = ledger.services.remove(0);
            assert!(front.in_system.area < front.sojourns);
        }
        little(&ledger);
    }
}

#[test]
fn the_queue_holds_those_who_wait_and_the_workers_those_who_have_begun() {
    for caller in [PATIENT, RETRIES] {
        let ledger = ledger(&(bursts(caller, LATE) + faults()));
        let service = ledger.services[0];
        assert_eq!(service.queued.area, service.waits);
        assert_eq!(service.busy.area, service.sojourns - service.waits);
    }
}

#[test]
fn workers_are_busy_for_as_long_as_the_work_that_they_give() {
    // Constant work at full speed: nothing but its number counts.
    for caller in [PATIENT, RETRIES] {
        let ledger = ledger(&bursts(caller, "workers = 7\nservice_time = \"91234567ns\""));
        let service = ledger.services[0];
        assert!(service.served >= 500);
        assert_eq!(service.busy.area, u128::from(service.served) * 91_234_567);
    }
}

#[test]
fn shared_workers_give_the_same_work() {
    // Rounded up to a whole nanosecond at each completion, by shares that are cut at 2^-32.
    let shared = bursts(PATIENT, "workers = 7\nservice_time = \"91234567ns\"\ndiscipline = \"ps\"");
    let service = ledger(&shared).services[0];
    assert_eq!(service.served, 1_000);
    let given = 1_000 * 91_234_567_u128;
    let over = service.busy.area - given;
    assert!(over < 1_000 * 7 * 2, "{over} ns too many of {given}");
}

#[test]
fn a_brownout_stretches_work_by_its_slowdown() {
    let slow = "[[faults]]\nkind = \"brownout\"\nslowdown = 4\nat = \"0s\"\nfor = \"50m\"\n";
    let text = bursts(PATIENT, "workers = 7\nservice_time = \"91234567ns\"") + slow;
    let service = ledger(&text).services[0];
    assert_eq!(service.busy.area, 4 * 1_000 * 91_234_567);
}

#[test]
fn tokens_are_what_was_full_less_what_was_paid_and_more_what_came_back() {
    let throttling = format!("{LATE}\nqueue = {{ capacity = 20, on_full = \"429\" }}");
    for server in [LATE, &throttling] {
        let ledger = ledger(&(bursts(RETRIES, server) + faults()));
        let mut sums = [0; 4];
        for (account, recorded) in ledger.accounts.values() {
            let Account { tokens, acquired, back, capped } = *account;
            assert_eq!(CAPACITY - acquired + back - capped, tokens);
            assert_eq!(*recorded, tokens);
            for (sum, value) in sums.iter_mut().zip([1, acquired, back, capped]) {
                *sum += value;
            }
        }
        assert_eq!(sums[0], 25);
        assert!(sums.iter().all(|sum| *sum > 0) && ledger.refused > 0, "{sums:?}");
    }
}
