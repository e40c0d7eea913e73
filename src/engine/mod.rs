//! What happens next? Time, order, and the one loop: nothing in here knows what a retry is.

mod alarms;
mod entry;
mod ladder;
mod lane;
mod pool;
mod schedule;

pub use entry::Order;
pub use schedule::Schedule;

use crate::time::SimTime;

/// Something that events happen to.
pub trait World {
    /// Everything that can happen: a closed enum of small values, so that it can be printed,
    /// compared and traced.
    type Event: Copy;

    /// Lets `event` happen at `schedule.now()`; what follows from it is scheduled.
    fn handle(&mut self, event: Self::Event, schedule: &mut Schedule<Self::Event>);

    /// Reads a little of what `event`, which will come soon, is about, so that it is in the cache
    /// by then; many such reads wait for the memory together, where one after the other would.
    fn touch(&self, event: Self::Event) {
        let _ = event;
    }

    /// Whether nothing would happen with `event` any more, now or ever: it is then left out.
    fn is_void(&self, event: Self::Event) -> bool {
        let _ = event;
        false
    }

    /// Whether what happens next still matters to anybody.
    fn goes_on(&self) -> bool {
        true
    }
}

/// Lets events happen in their order until none is left before or at `until`, or until the world
/// does not go on; gives the number of events handled. Void ones may be left out of it.
pub fn run<W: World>(world: &mut W, schedule: &mut Schedule<W::Event>, until: SimTime) -> u64 {
    let mut handled = 0;
    while world.goes_on()
        && let Some(event) = schedule.next(until, &*world)
    {
        world.handle(event, schedule);
        handled += 1;
    }
    handled
}
