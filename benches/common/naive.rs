//! The scenario of the benchmarks as a textbook would write it: a heap of boxed closures.
//!
//! It folds the way to the service and back into one event each, so that an attempt takes about
//! 2.7 events: it arrives, it is done, its client stops waiting. It keeps the same series and a
//! histogram of latencies, and nothing else.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::time::Duration;

use super::s1::Counts;

const SECOND: u64 = 1_000_000_000;
const WAY: u64 = 500_000;
const TIMEOUT: u64 = SECOND;
const WORKERS: u32 = 100;
const BIN: u64 = SECOND / 10;

type Action = Box<dyn FnOnce(&mut Shop, &mut Agenda)>;

struct Pending {
    time: u64,
    number: u64,
    action: Action,
}

impl PartialEq for Pending {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Pending {}

impl PartialOrd for Pending {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pending {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.time, other.number).cmp(&(self.time, self.number))
    }
}

#[derive(Default)]
struct Agenda {
    now: u64,
    scheduled: u64,
    pending: BinaryHeap<Pending>,
}

impl Agenda {
    fn at(&mut self, time: u64, action: impl FnOnce(&mut Shop, &mut Agenda) + 'static) {
        self.scheduled += 1;
        let action = Box::new(action);
        self.pending.push(Pending { time, number: self.scheduled, action });
    }
}

/// A client and its call.
#[derive(Clone, Copy)]
struct Client {
    began: u64,
    /// Attempts sent in all calls: the last one is awaited, or was.
    sent: u32,
    awaits: bool,
    attempt: u32,
    tokens: u32,
    last_cost: u32,
}

/// An attempt at the service.
#[derive(Clone, Copy)]
struct Work {
    client: u32,
    number: u32,
    sent: u64,
}

#[derive(Clone, Copy, Default)]
struct Bin {
    arrivals: u32,
    succeeded: u32,
    refused: u32,
    timed_out: u32,
    given_up: u32,
    queued: u32,
    tokens: i32,
}

struct Shop {
    clients: Vec<Client>,
    mean_work: f64,
    places: usize,
    busy: u32,
    queue: VecDeque<Work>,
    outage: (u64, u64),
    ramp: u64,
    random: u64,
    counts: Counts,
    bins: Vec<Bin>,
    latencies: [u32; 64 * 16],
}

/// One run; gives what happened and the events it took.
pub fn run(clients: u32, horizon: Duration, seed: u64) -> (Counts, u64) {
    let horizon = horizon.as_nanos() as u64;
    let new = Client { began: 0, sent: 0, awaits: false, attempt: 0, tokens: 500, last_cost: 0 };
    let mut shop = Shop {
        clients: vec![new; clients as usize],
        mean_work: f64::from(WORKERS) / (1.25 * f64::from(clients)) * SECOND as f64,
        places: clients as usize,
        busy: 0,
        queue: VecDeque::new(),
        outage: (horizon / 4, horizon / 4 + horizon / 8),
        ramp: horizon / 12,
        random: seed,
        counts: Counts::default(),
        bins: vec![Bin::default(); (horizon / BIN) as usize + 1],
        latencies: [0; 64 * 16],
    };
    let mut agenda = Agenda::default();
    for client in 0..clients {
        shop.think(client, &mut agenda, 0);
    }
    let mut events = 0;
    while let Some(next) = agenda.pending.pop() {
        if next.time > horizon {
            break;
        }
        agenda.now = next.time;
        (next.action)(&mut shop, &mut agenda);
        events += 1;
    }
    std::hint::black_box((&shop.bins, &shop.latencies));
    (shop.counts, events)
}

impl Shop {
    fn unit(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn exponential(&mut self, mean: f64) -> u64 {
        (-libm::log(1.0 - self.unit()) * mean) as u64
    }

    fn bin(&mut self, time: u64) -> &mut Bin {
        let last = self.bins.len() - 1;
        &mut self.bins[((time / BIN) as usize).min(last)]
    }

    /// The client has an answer at `now`: it thinks, and calls again.
    fn think(&mut self, client: u32, agenda: &mut Agenda, now: u64) {
        let sends = now + self.exponential(SECOND as f64);
        agenda.at(sends + WAY, move |shop, agenda| {
            let who = &mut shop.clients[client as usize];
            (who.began, who.attempt, who.last_cost) = (sends, 0, 0);
            shop.arrives(client, agenda);
        });
    }

    /// An attempt reaches the service.
    fn arrives(&mut self, client: u32, agenda: &mut Agenda) {
        let now = agenda.now;
        self.counts.attempts += 1;
        self.bin(now).arrivals += 1;
        let who = &mut self.clients[client as usize];
        who.attempt += 1;
        who.sent += 1;
        let work = Work { client, number: who.sent, sent: now - WAY };
        let down = (self.outage.0..self.outage.1).contains(&now);
        if down || (self.busy == WORKERS && self.queue.len() == self.places) {
            self.counts.refused += 1;
            self.bin(now).refused += 1;
            self.fails(client, 5, agenda, now + WAY);
            return;
        }
        who.awaits = true;
        if self.busy < WORKERS {
            self.busy += 1;
            self.starts(work, agenda);
        } else {
            self.queue.push_back(work);
        }
        agenda.at(work.sent + TIMEOUT, move |shop, agenda| {
            let who = &mut shop.clients[client as usize];
            if who.awaits && who.sent == work.number {
                who.awaits = false;
                let now = agenda.now;
                shop.counts.timed_out += 1;
                shop.bin(now).timed_out += 1;
                shop.fails(client, 10, agenda, now);
            }
        });
    }

    /// A worker begins; an outage stands in its way.
    fn starts(&mut self, work: Work, agenda: &mut Agenda) {
        let now = agenda.now;
        let demand = self.exponential(self.mean_work) as f64;
        let (down, up) = self.outage;
        let slowdown = match now.checked_sub(up) {
            Some(since) if since < self.ramp => 4.0 - 3.0 * since as f64 / self.ramp as f64,
            _ => 1.0,
        };
        let done = now + (demand * slowdown) as u64;
        let done = if now < down && done >= down { up + (done - down) * 4 } else { done };
        agenda.at(done, move |shop, agenda| shop.is_done(work, agenda));
    }

    fn is_done(&mut self, work: Work, agenda: &mut Agenda) {
        let now = agenda.now;
        match self.queue.pop_front() {
            Some(next) => self.starts(next, agenda),
            None => self.busy -= 1,
        }
        let queued = self.queue.len() as u32;
        self.bin(now).queued = queued;
        let answered = now + WAY;
        let who = &mut self.clients[work.client as usize];
        if !who.awaits || who.sent != work.number || answered > work.sent + TIMEOUT {
            return;
        }
        who.awaits = false;
        let reward = if who.attempt == 1 { 1 } else { who.last_cost };
        let before = who.tokens;
        who.tokens = (who.tokens + reward).min(500);
        let (gained, took) = (who.tokens - before, answered - who.began);
        self.counts.succeeded += 1;
        let bin = self.bin(answered);
        bin.succeeded += 1;
        bin.tokens += gained as i32;
        let magnitude = took.max(16).ilog2();
        let cell = magnitude * 16 + ((took.max(16) >> (magnitude - 4)) & 15) as u32;
        self.latencies[cell as usize] += 1;
        self.think(work.client, agenda, answered);
    }

    /// The client knows at `now` that its attempt failed; a retry costs so much.
    fn fails(&mut self, client: u32, cost: u32, agenda: &mut Agenda, now: u64) {
        let who = &mut self.clients[client as usize];
        if who.attempt == 10 || who.tokens < cost {
            self.counts.given_up += 1;
            self.bin(now).given_up += 1;
            self.think(client, agenda, now);
            return;
        }
        who.tokens -= cost;
        who.last_cost = cost;
        let ceiling = ((SECOND / 10) << (who.attempt - 1)).min(20 * SECOND);
        self.bin(now).tokens -= cost as i32;
        let wait = (self.unit() * ceiling as f64) as u64;
        agenda.at(now + wait + WAY, move |shop, agenda| shop.arrives(client, agenda));
    }
}
