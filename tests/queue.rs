//! The queue of pending events against the plainest one that keeps the same order.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::time::Duration;

use herdsim::engine::{Order, Schedule, World};
use herdsim::rng::{Purpose, Seed, Stream};
use herdsim::time::SimTime;
use proptest::prelude::*;

/// A world that has nothing to say.
struct Nothing;

impl World for Nothing {
    type Event = u64;

    fn handle(&mut self, _: u64, _: &mut Schedule<u64>) {}
}

/// The reference: a heap of (time, class, tie, number of scheduling), and alarms by their number.
#[derive(Default)]
struct Plain {
    heap: BinaryHeap<Reverse<(u64, u8, u32, u64)>>,
    alarms: BTreeMap<u32, (u64, u8, u32, u64)>,
}

impl Plain {
    fn next(&mut self) -> Option<u64> {
        let heap = self.heap.peek().map(|Reverse(key)| *key);
        let alarm = self.alarms.iter().map(|(alarm, key)| (*key, *alarm)).min();
        match (heap, alarm) {
            (Some(key), Some((first, alarm))) if first < key => {
                self.alarms.remove(&alarm);
                Some(first.3)
            }
            (None, Some((first, alarm))) => {
                self.alarms.remove(&alarm);
                Some(first.3)
            }
            _ => self.heap.pop().map(|Reverse(key)| key.3),
        }
    }
}

/// How far in the future events are scheduled.
#[derive(Clone, Copy, Debug)]
enum Spacing {
    Same,
    Few,
    Even,
    Bimodal,
    HeavyTail,
    FarAway,
}

const SPACINGS: [Spacing; 6] = [
    Spacing::Same,
    Spacing::Few,
    Spacing::Even,
    Spacing::Bimodal,
    Spacing::HeavyTail,
    Spacing::FarAway,
];

impl Spacing {
    fn delay(self, draw: &mut Stream) -> u64 {
        match self {
            Spacing::Same => draw.below(50) / 49,
            Spacing::Few => draw.below(3) * 1_000_000_000,
            Spacing::Even => draw.below(2_000_000_000),
            Spacing::Bimodal if draw.below(10) > 0 => draw.below(1_000),
            Spacing::Bimodal => draw.below(10_000_000_000),
            Spacing::HeavyTail => (1e6 / (1.0 - draw.unit())) as u64,
            Spacing::FarAway => draw.draw() >> (2 + draw.below(60)),
        }
    }
}

/// Schedules and takes out `steps` times; about `pending` events are pending in the middle of it.
fn compare(seed: u64, spacings: &[Spacing], pending: u64, steps: u64) {
    let mut draw = Seed::new(seed).stream(Purpose::Arrival, pending, steps);
    let mut schedule: Schedule<u64> = Schedule::default();
    let mut plain = Plain::default();
    let mut number = 0;
    let mut taken = 0;
    while taken < steps {
        let fills = number < pending || draw.below(100) < 50;
        if fills && taken + number < 3 * steps + pending {
            number += 1;
            let spacing = spacings[draw.below(spacings.len() as u64) as usize];
            put(&mut schedule, &mut plain, spacing, number, &mut draw);
        } else {
            let got = schedule.next(SimTime::FOREVER, &Nothing);
            assert_eq!(got, plain.next(), "seed {seed}, {spacings:?}, after {taken} events");
            taken += 1;
        }
        let rest = plain.heap.len() + plain.alarms.len();
        assert_eq!(schedule.len(), rest, "seed {seed}, {spacings:?}");
    }
    while let Some(wanted) = plain.next() {
        assert_eq!(schedule.next(SimTime::FOREVER, &Nothing), Some(wanted), "seed {seed}");
    }
    assert!(schedule.is_empty());
}

fn put(
    schedule: &mut Schedule<u64>,
    plain: &mut Plain,
    spacing: Spacing,
    number: u64,
    draw: &mut Stream,
) {
    let order = Order { class: draw.below(4) as u8, tie: draw.below(1 << 24) as u32 };
    let (now, wait) = (schedule.now(), spacing.delay(draw));
    let time = now.saturating_add(Duration::from_nanos(wait));
    if time == SimTime::FOREVER {
        return;
    }
    let key = (time.as_nanos(), order.class, order.tie, number);
    match draw.below(20) {
        0 => {
            let alarm = draw.below(40) as u32;
            schedule.set_alarm(alarm, time, order, number);
            plain.alarms.insert(alarm, key);
            if draw.below(4) == 0 {
                let other = draw.below(40) as u32;
                schedule.clear_alarm(other);
                plain.alarms.remove(&other);
            }
        }
        1..=6 => {
            let delay = draw.below(9) * 500_000;
            let time = now.after(delay);
            schedule.after_constant(delay, order, number);
            if time < SimTime::FOREVER {
                plain.heap.push(Reverse((time.as_nanos(), order.class, order.tie, number)));
            }
        }
        _ => {
            schedule.at(time, order, number);
            plain.heap.push(Reverse(key));
        }
    }
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, cases: 150, ..Default::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn events_come_in_the_order_of_a_plain_heap(
        seed in any::<u64>(),
        first in 0..SPACINGS.len(),
        second in 0..SPACINGS.len(),
        pending in prop_oneof![0..50u64, 100..2_000u64],
    ) {
        compare(seed, &[SPACINGS[first], SPACINGS[second]], pending, 4_000);
    }
}

#[test]
fn many_pending_events_come_in_order_whatever_their_spacing() {
    for (seed, spacing) in SPACINGS.into_iter().enumerate() {
        compare(seed as u64, &[spacing], 60_000, 120_000);
    }
    compare(7, &SPACINGS, 60_000, 120_000);
}

/// The bottom of the ladder is full of one instant, so that what comes for a later one goes to the
/// crowd; then it is spread, with events that are due between the two.
#[test]
fn what_came_to_a_crowded_instant_does_not_overtake_what_comes_between() {
    let mut schedule: Schedule<u64> = Schedule::default();
    let instant = 1_000_000;
    let put = |schedule: &mut Schedule<u64>, time: u64| {
        schedule.at(SimTime::from_nanos(time), Order { class: 0, tie: 0 }, time);
    };
    [1, instant, instant + 1_000].into_iter().for_each(|time| put(&mut schedule, time));
    assert_eq!(schedule.next(SimTime::FOREVER, &Nothing), Some(1));
    (0..511).for_each(|_| put(&mut schedule, instant));
    put(&mut schedule, instant + 500);
    assert_eq!(schedule.next(SimTime::FOREVER, &Nothing), Some(instant));
    put(&mut schedule, instant + 300);
    put(&mut schedule, instant + 200);
    let rest = std::iter::from_fn(|| schedule.next(SimTime::FOREVER, &Nothing));
    let late: Vec<u64> = rest.skip(511).collect();
    assert_eq!(late, [instant + 200, instant + 300, instant + 500, instant + 1_000]);
}
