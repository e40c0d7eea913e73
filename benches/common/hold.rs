//! The hold model: take the next event out, put it back later. So many events are always pending.

use std::time::Duration;

use herdsim::engine::{Order, Schedule, World, run};
use herdsim::rng::{Purpose, Seed};
use herdsim::time::SimTime;

/// Exponential waits with a mean of one second, in nanoseconds, drawn beforehand.
pub struct Waits(Vec<u64>);

impl Waits {
    const COUNT: u64 = 1 << 16;

    /// Draws them.
    pub fn draw() -> Waits {
        let mut stream = Seed::new(1).stream(Purpose::Think, 0, 0);
        let draw = |_| (-libm::log(1.0 - stream.unit()) * 1e9) as u64;
        Waits((0..Self::COUNT).map(draw).collect())
    }

    /// Number so and so; they begin again after the last.
    pub fn get(&self, number: u64) -> u64 {
        self.0[(number % Self::COUNT) as usize]
    }
}

/// So many pending events on the engine of the simulator, through its own loop; an event has
/// 64 bits.
pub struct Own<'w> {
    schedule: Schedule<(u32, u32)>,
    turns: Turns<'w>,
}

struct Turns<'w> {
    waits: &'w Waits,
    number: u64,
    end: u64,
}

impl<'w> Own<'w> {
    /// So many events are pending.
    pub fn new(waits: &'w Waits, pending: u32) -> Own<'w> {
        let mut schedule = Schedule::default();
        for id in 0..pending {
            let time = SimTime::from_nanos(waits.get(u64::from(id)));
            schedule.at(time, Order { class: 3, tie: id }, (id, 0));
        }
        Own { schedule, turns: Turns { waits, number: 0, end: 0 } }
    }

    /// So many take their turn.
    pub fn hold(&mut self, turns: u64) {
        self.turns.end = self.turns.number + turns;
        run(&mut self.turns, &mut self.schedule, SimTime::FOREVER);
    }
}

impl World for Turns<'_> {
    type Event = (u32, u32);

    fn handle(&mut self, (id, turn): Self::Event, schedule: &mut Schedule<Self::Event>) {
        self.number += 1;
        let wait = Duration::from_nanos(self.waits.get(self.number));
        schedule.after(wait, Order { class: 3, tie: id }, (id, turn + 1));
    }

    fn goes_on(&self) -> bool {
        self.number < self.end
    }
}
