//! A run in slices of so many events: somebody may watch it and stop it, and the loop of the engine
//! knows nothing of that.

use super::Watch;
use crate::engine::{self, Schedule, World};
use crate::time::SimTime;

/// Events of a slice: less than a tenth of a second of work, so that a stop takes no longer.
const EVENTS: u64 = 250_000;

/// A world that runs in slices: what it costs to be watched is one subtraction for each event.
pub(super) struct Sliced<W> {
    /// The world itself.
    pub(super) world: W,
    /// Events left in the slice.
    left: u64,
}

impl<W: World> World for Sliced<W> {
    type Event = W::Event;

    #[inline]
    fn handle(&mut self, event: W::Event, schedule: &mut Schedule<W::Event>) {
        self.left -= 1;
        self.world.handle(event, schedule);
    }

    #[inline]
    fn touch(&self, event: W::Event) {
        self.world.touch(event);
    }

    #[inline]
    fn is_void(&self, event: W::Event) -> bool {
        self.world.is_void(event)
    }

    #[inline]
    fn goes_on(&self) -> bool {
        self.left > 0 && self.world.goes_on()
    }
}

impl<W: World> Sliced<W> {
    /// A world in which nothing has happened.
    pub(super) fn new(world: W) -> Sliced<W> {
        Sliced { world, left: EVENTS }
    }

    /// Lets all happen up to and including `until`, as [`engine::run`] does, and gives the number
    /// of events. After every slice the watch is told where between time zero and `horizon` it is;
    /// `None` when it said stop and something was left to happen.
    pub(super) fn run(
        &mut self,
        schedule: &mut Schedule<W::Event>,
        until: SimTime,
        horizon: SimTime,
        watch: &mut Watch<'_>,
    ) -> Option<u64> {
        let whole = horizon.as_nanos().max(1) as f64;
        let mut events = 0;
        loop {
            self.left = EVENTS;
            events += engine::run(self, schedule, until);
            if self.left > 0 {
                // Whatever the watch says to it: all of this has happened.
                let _ = watch(until.as_nanos() as f64 / whole);
                return Some(events);
            }
            if watch(schedule.now().as_nanos() as f64 / whole).is_break() {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::time::Duration;

    use super::*;
    use crate::engine::Order;

    /// Every event makes two more until there are many; all are written down.
    #[derive(Default)]
    struct Splitting(Vec<(SimTime, u64)>);

    impl World for Splitting {
        type Event = u64;

        fn handle(&mut self, event: u64, schedule: &mut Schedule<u64>) {
            self.0.push((schedule.now(), event));
            for next in [2 * event, 2 * event + 1].into_iter().filter(|next| *next < 1_200_000) {
                let delay = Duration::from_nanos(next * 7919 % 1000);
                schedule.after(delay, Order { class: (next % 8) as u8, tie: next as u32 }, next);
            }
        }
    }

    fn begun() -> (Sliced<Splitting>, Schedule<u64>) {
        let mut schedule = Schedule::default();
        schedule.at(SimTime::ZERO, Order { class: 0, tie: 0 }, 1);
        (Sliced::new(Splitting::default()), schedule)
    }

    #[test]
    fn the_same_happens_in_slices_as_in_one_piece() {
        let horizon = SimTime::from_nanos(12_000);
        let (mut whole, mut schedule) = begun();
        let events = engine::run(&mut whole.world, &mut schedule, horizon);
        assert!(events > 4 * EVENTS && !schedule.is_empty(), "{events}, {}", schedule.len());
        let (mut sliced, mut schedule) = begun();
        let mut shares = Vec::new();
        let watch = &mut |share| {
            shares.push(share);
            ControlFlow::Continue(())
        };
        // In two stretches, as a run that settles first.
        let between = SimTime::from_nanos(9_000);
        let first = sliced.run(&mut schedule, between, horizon, watch).unwrap();
        let second = sliced.run(&mut schedule, horizon, horizon, watch).unwrap();
        assert_eq!(first + second, events);
        assert!(sliced.world.0 == whole.world.0, "something else happened");
        assert!(shares.is_sorted() && shares.contains(&0.75), "{shares:?}");
        assert_eq!(shares.len() as u64, first / EVENTS + second / EVENTS + 2, "{shares:?}");
        assert_eq!(shares.last(), Some(&1.0));
    }

    #[test]
    fn a_stop_comes_at_the_end_of_the_slice() {
        let horizon = SimTime::from_nanos(12_000);
        let (mut sliced, mut schedule) = begun();
        let stop = &mut |_| ControlFlow::Break(());
        assert_eq!(sliced.run(&mut schedule, horizon, horizon, stop), None);
        assert_eq!(sliced.world.0.len() as u64, EVENTS);
    }
}
