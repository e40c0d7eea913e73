//! The queue of pending events and its total order.

use std::time::Duration;

use super::World;
use super::alarms::Alarms;
use super::entry::{Entry, NEVER, Order, SEQUENCE_BITS};
use super::ladder::Ladder;
use super::lane::Lanes;
use crate::time::SimTime;

/// Pending events in a total order: time, then class, then tie, then the order of scheduling.
///
/// The order does not depend on the structures inside, of which there are three: a ladder queue
/// for any event, lanes for those after a constant delay, and alarms. All cost about the same for
/// a thousand pending events and for ten million.
#[derive(Debug)]
pub struct Schedule<E> {
    now: SimTime,
    scheduled: u64,
    ladder: Ladder<E>,
    lanes: Lanes<E>,
    alarms: Alarms<E>,
}

impl<E: Copy> Default for Schedule<E> {
    fn default() -> Self {
        Schedule {
            now: SimTime::ZERO,
            scheduled: 0,
            ladder: Ladder::default(),
            lanes: Lanes::default(),
            alarms: Alarms::default(),
        }
    }
}

impl<E: Copy> Schedule<E> {
    /// The current time.
    #[inline]
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// Events pending.
    pub fn len(&self) -> usize {
        self.ladder.len() + self.lanes.len() + self.alarms.len()
    }

    /// Whether nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Schedules `event` at `time`. What is scheduled for [`SimTime::FOREVER`] never happens.
    ///
    /// # Panics
    /// When `time` is in the past.
    #[inline]
    pub fn at(&mut self, time: SimTime, order: Order, event: E) {
        if let Some(entry) = self.entry(time, order, event) {
            self.ladder.push(entry);
        }
    }

    /// Schedules `event` after `delay`.
    #[inline]
    pub fn after(&mut self, delay: Duration, order: Order, event: E) {
        self.at(self.now.saturating_add(delay), order, event);
    }

    /// The same, so many nanoseconds later, where many events have this same delay, such as a
    /// timeout: they stand in line, and nothing has to be sorted.
    #[inline]
    pub fn after_constant(&mut self, delay_ns: u64, order: Order, event: E) {
        let time = self.now.after(delay_ns);
        if let Some(entry) = self.entry(time, order, event)
            && let Some(entry) = self.lanes.push(delay_ns, order.class, entry)
        {
            self.ladder.push(entry);
        }
    }

    /// Sets the alarm of this number (small: memory is kept for all numbers below it): `event`
    /// happens at `time`, and what the alarm was set to before does not.
    ///
    /// # Panics
    /// When `time` is in the past.
    #[inline]
    pub fn set_alarm(&mut self, alarm: u32, time: SimTime, order: Order, event: E) {
        match self.entry(time, order, event) {
            Some(entry) => self.alarms.set(alarm, entry),
            None => self.alarms.clear(alarm),
        }
    }

    /// What the alarm of this number was set to does not happen.
    #[inline]
    pub fn clear_alarm(&mut self, alarm: u32) {
        self.alarms.clear(alarm);
    }

    /// Takes the next event out and moves the clock to it; `None` when nothing is left up to and
    /// including `until`.
    ///
    /// The world may touch what some of the events that will come soon are about, and is asked
    /// which are void.
    #[inline]
    pub fn next<W: World<Event = E>>(&mut self, until: SimTime, world: &W) -> Option<E> {
        let ladder = self.ladder.key();
        let (lane, index) = self.lanes.first();
        let alarm = self.alarms.key();
        let key = ladder.min(lane).min(alarm);
        let time = SimTime::from_nanos((key >> 64) as u64);
        if key == NEVER || time > until {
            return None;
        }
        assert!(time >= self.now, "time went back from {} to {time}", self.now);
        self.now = time;
        if key == ladder {
            self.take_from_ladder(world)
        } else if key == lane {
            self.take_from_lane(index, world)
        } else {
            self.alarms.pop().map(|entry| entry.event)
        }
    }

    #[inline]
    fn take_from_ladder<W: World<Event = E>>(&mut self, world: &W) -> Option<E> {
        let (entry, refilled) = self.ladder.pop()?;
        if refilled {
            self.ladder.ahead().iter().for_each(|entry| world.touch(entry.event));
        }
        Some(entry.event)
    }

    /// Takes the first event out of a lane, and all void ones behind it: timeouts stand in
    /// lanes, and few are needed.
    #[inline]
    fn take_from_lane<W: World<Event = E>>(&mut self, index: usize, world: &W) -> Option<E> {
        let entry = self.lanes.pop(index, |event| world.is_void(event))?;
        if let Some(ahead) = self.lanes.ahead(index, LOOK_AHEAD) {
            world.touch(ahead.event);
        }
        Some(entry.event)
    }

    #[inline]
    fn entry(&mut self, time: SimTime, order: Order, event: E) -> Option<Entry<E>> {
        assert!(time >= self.now, "an event at {time} was scheduled at {}", self.now);
        if time == SimTime::FOREVER {
            return None;
        }
        self.scheduled += 1;
        assert!(self.scheduled < 1 << SEQUENCE_BITS, "too many events for one run");
        Some(Entry::new(time, order, self.scheduled, event))
    }
}

/// How many events of a lane lie between the next one and the one that is touched.
const LOOK_AHEAD: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;

    impl World for Nothing {
        type Event = u32;

        fn handle(&mut self, _: u32, _: &mut Schedule<u32>) {}
    }

    fn order(class: u8, tie: u32) -> Order {
        Order { class, tie }
    }

    fn drain(mut schedule: Schedule<u32>) -> Vec<u32> {
        std::iter::from_fn(|| schedule.next(SimTime::FOREVER, &Nothing)).collect()
    }

    #[test]
    fn time_comes_first_then_class_then_tie_then_the_order_of_scheduling() {
        let mut schedule = Schedule::default();
        let at = SimTime::from_nanos;
        schedule.at(at(2), order(0, 0), 6);
        schedule.at(at(1), order(3, 1), 4);
        schedule.at(at(1), order(3, 1), 5);
        schedule.at(at(1), order(3, 0), 3);
        schedule.at(at(1), order(0, 9), 1);
        schedule.at(at(1), order(2, 0), 2);
        assert_eq!(drain(schedule), [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn nothing_happens_after_the_end() {
        let mut schedule = Schedule::default();
        schedule.at(SimTime::from_nanos(5), order(0, 0), 1);
        schedule.at(SimTime::from_nanos(6), order(0, 0), 2);
        assert_eq!(schedule.next(SimTime::from_nanos(5), &Nothing), Some(1));
        assert_eq!(schedule.next(SimTime::from_nanos(5), &Nothing), None);
        assert_eq!(schedule.now(), SimTime::from_nanos(5));
    }

    #[test]
    fn what_is_due_at_the_end_of_time_never_happens() {
        let mut schedule = Schedule::default();
        schedule.after(Duration::MAX, order(0, 0), 1);
        assert!(schedule.is_empty());
    }
}
