//! The event loop alone: a number of clients whose next event is always pending (the hold model),
//! in events per second.
//!
//! `cargo bench --bench event_loop`

use std::time::{Duration, Instant};

use herdsim::engine::{Order, Schedule, World, run};
use herdsim::rng::{Purpose, Seed};
use herdsim::time::SimTime;

/// Clients whose events follow one another at exponential intervals of one second on average.
struct Hold {
    seed: Seed,
}

impl World for Hold {
    type Event = (u32, u32);

    fn handle(&mut self, (client, number): Self::Event, schedule: &mut Schedule<Self::Event>) {
        let mut stream = self.seed.stream(Purpose::Arrival, u64::from(client), u64::from(number));
        let wait = -libm::log(1.0 - stream.unit());
        let delay = Duration::from_nanos((wait * 1e9) as u64);
        schedule.after(delay, Order { class: 0, tie: client }, (client, number + 1));
    }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn main() {
    let events = 2_000_000;
    println!("{:>10}  {:>14}  {:>9}", "pending", "events/s", "ns/event");
    for clients in [1_000, 10_000, 100_000, 1_000_000] {
        let mut world = Hold { seed: Seed::new(1) };
        let mut schedule = Schedule::default();
        for client in 0..clients {
            schedule.at(SimTime::ZERO, Order { class: 0, tie: client }, (client, 0));
        }
        // Every client has one event per second on average.
        let seconds = (events / clients).max(1);
        let until = SimTime::from_nanos(u64::from(seconds) * 1_000_000_000);
        let start = Instant::now();
        let handled = run(&mut world, &mut schedule, until);
        let took = start.elapsed().as_secs_f64();
        let rate = handled as f64 / took;
        println!("{clients:>10}  {rate:>14.0}  {:>9.1}", 1e9 / rate);
    }
}
