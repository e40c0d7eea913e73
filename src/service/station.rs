//! The workers of a service and the queue before them.
//!
//! A station keeps a *work clock*: it advances with time, at a rate of one when the workers run
//! at full speed, slower in a brownout, not at all in an outage, and by the share that each
//! attempt gets under processor sharing. An attempt is done when the work clock has advanced by
//! its demand, so that a change of speed changes one number and moves nothing.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::time::Duration;

use super::Discipline;
use crate::time::{SimTime, nanos};

/// Full speed in fixed point: 32 fractional bits.
pub const FULL_SPEED: u64 = 1 << 32;

/// The latest that the work clock can show.
const LATEST: u128 = (1 << 96) - 1;

/// Workers and queue of one service; `J` is the name of a job.
#[derive(Debug)]
pub struct Station<J> {
    discipline: Discipline,
    workers: u32,
    /// Workers that wait for an answer from downstream.
    held: u32,
    /// Those that wait, and their work in nanoseconds.
    queue: VecDeque<(J, u64)>,
    /// Entries of the queue whose job was cancelled: taken out when their turn comes.
    cancelled: usize,
    /// Jobs being worked on.
    running: BinaryHeap<Running<J>>,
    started: u32,
    /// Speed of a worker (0 … FULL_SPEED).
    speed: u64,
    /// Work done since the start, in nanoseconds × FULL_SPEED.
    clock: u128,
    /// When the work clock was last brought up to date.
    read: SimTime,
    /// When the next job is done, if nothing changes.
    due: Option<SimTime>,
}

/// A job that is worked on.
///
/// Simplifies: of jobs that are done at one moment the one that was started first is done first,
/// for as long as no more than 2^32 jobs were started between them.
#[derive(Clone, Copy, Debug)]
struct Running<J> {
    /// The work clock at which it is done (96 bits), and the order of start (32 bits).
    key: u128,
    job: J,
}

impl<J> Running<J> {
    fn done(&self) -> u128 {
        self.key >> 32
    }
}

impl<J> PartialEq for Running<J> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<J> Eq for Running<J> {}

impl<J> PartialOrd for Running<J> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<J> Ord for Running<J> {
    /// Reversed: the heap of the standard library gives the largest first.
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.cmp(&self.key)
    }
}

impl<J: Copy + Ord> Station<J> {
    /// An idle station at full speed.
    pub fn new(discipline: Discipline, workers: u32) -> Station<J> {
        Station {
            discipline,
            workers,
            held: 0,
            queue: VecDeque::new(),
            cancelled: 0,
            running: BinaryHeap::new(),
            started: 0,
            speed: FULL_SPEED,
            clock: 0,
            read: SimTime::ZERO,
            due: None,
        }
    }

    /// Jobs that wait for a worker; under processor sharing, where all are worked on a little,
    /// those beyond the number of workers.
    pub fn queued(&self) -> usize {
        match self.discipline {
            Discipline::Fifo => self.waiting(),
            Discipline::ProcessorSharing => {
                self.running.len().saturating_sub(self.workers as usize)
            }
        }
    }

    /// Jobs in the queue that were not cancelled.
    fn waiting(&self) -> usize {
        self.queue.len() - self.cancelled
    }

    /// Jobs at the station: queued, worked on, or holding a worker.
    pub fn in_system(&self) -> usize {
        self.waiting() + self.running.len() + self.held as usize
    }

    /// Whether a job that came now would be worked on at once.
    pub fn has_free_worker(&self) -> bool {
        match self.discipline {
            Discipline::Fifo => self.running.len() + (self.held as usize) < self.workers as usize,
            Discipline::ProcessorSharing => true,
        }
    }

    /// Whether a job that came now would exceed workers and `capacity` places to wait.
    pub fn is_full(&self, capacity: Option<u32>) -> bool {
        let Some(capacity) = capacity else { return false };
        match self.discipline {
            Discipline::Fifo => !self.has_free_worker() && self.waiting() >= capacity as usize,
            Discipline::ProcessorSharing => {
                self.running.len() as u64 >= u64::from(self.workers) + u64::from(capacity)
            }
        }
    }

    /// Begins to work on a job that needs `demand` nanoseconds at full speed.
    pub fn start(&mut self, job: J, demand: u64, now: SimTime) {
        self.advance(now);
        self.started = self.started.wrapping_add(1);
        let done = self.clock + u128::from(demand) * u128::from(FULL_SPEED);
        let key = done.min(LATEST) << 32 | u128::from(self.started);
        // The clock runs evenly, so that only a new first job or another rate moves what is due.
        let first = self.running.peek().is_none_or(|first| key < first.key);
        self.running.push(Running { key, job });
        if first || self.discipline == Discipline::ProcessorSharing {
            self.due = self.find_due();
        }
    }

    /// Lets a job that needs so many nanoseconds wait for a worker.
    pub fn enqueue(&mut self, job: J, demand: u64) {
        self.queue.push_back((job, demand));
    }

    /// Whether a job that came now would be worked on at once, and none waits before it.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.queue.is_empty() && self.has_free_worker()
    }

    /// Takes the job that waited longest out of the queue; `is_there` tells which jobs were not
    /// cancelled meanwhile.
    pub fn dequeue(&mut self, is_there: impl Fn(J) -> bool) -> Option<(J, u64)> {
        while let Some((job, demand)) = self.queue.pop_front() {
            if is_there(job) {
                return Some((job, demand));
            }
            self.cancelled -= 1;
        }
        None
    }

    /// A job that waits is cancelled: its place is free at once.
    pub fn cancel_queued(&mut self) {
        self.cancelled += 1;
        assert!(self.cancelled <= self.queue.len(), "a job was cancelled that did not wait");
    }

    /// A job that is worked on is cancelled, wherever its work stands.
    pub fn cancel_running(&mut self, job: J, now: SimTime) {
        self.advance(now);
        self.running.retain(|other| other.job != job);
        self.due = self.find_due();
    }

    /// When the next job is done, if nothing changes; `None` when idle or standing still.
    #[inline]
    pub fn next_completion(&self) -> Option<SimTime> {
        self.due
    }

    fn find_due(&self) -> Option<SimTime> {
        let done = self.running.peek()?.done();
        let rate = u128::from(self.rate());
        if rate == 0 {
            return None;
        }
        let left = done.saturating_sub(self.clock);
        // At full speed, which is nearly always, a shift does for a division of 128 bits.
        let wait = match rate == u128::from(FULL_SPEED) {
            true => (left + u128::from(FULL_SPEED - 1)) >> FULL_SPEED.trailing_zeros(),
            false => left.div_ceil(rate),
        };
        let wait = u64::try_from(wait).unwrap_or(u64::MAX);
        Some(self.read.saturating_add(Duration::from_nanos(wait)))
    }

    /// Takes out a job that is done by now.
    pub fn complete(&mut self, now: SimTime) -> Option<J> {
        self.advance(now);
        let done = self.running.peek()?.done();
        if done > self.clock {
            return None;
        }
        let job = self.running.pop().map(|running| running.job);
        self.due = self.find_due();
        job
    }

    /// A worker keeps waiting for an answer from downstream after its own work.
    pub fn hold(&mut self) {
        self.held += 1;
    }

    /// A worker has its answer.
    pub fn release(&mut self) {
        assert!(self.held > 0, "a worker was released that was not held");
        self.held -= 1;
    }

    /// Changes the speed of the workers.
    pub fn set_speed(&mut self, speed: u64, now: SimTime) {
        self.advance(now);
        self.speed = speed;
        self.due = self.find_due();
    }

    /// Changes the number of workers; running work is not interrupted.
    pub fn set_workers(&mut self, workers: u32, now: SimTime) {
        self.advance(now);
        self.workers = workers;
        self.due = self.find_due();
    }

    /// Throws everything away; gives the jobs, those that wait first and cancelled ones among
    /// them. Held workers are freed.
    pub fn clear(&mut self, now: SimTime) -> Vec<J> {
        self.advance(now);
        self.held = 0;
        self.cancelled = 0;
        let queued = self.queue.drain(..).map(|(job, _)| job);
        let mut jobs: Vec<J> = queued.collect();
        let mut running: Vec<_> = self.running.drain().collect();
        self.due = None;
        // In the order of start.
        let now = self.started;
        running.sort_unstable_by_key(|entry| std::cmp::Reverse(now.wrapping_sub(entry.key as u32)));
        jobs.extend(running.into_iter().map(|entry| entry.job));
        jobs
    }

    /// Brings the work clock up to date.
    #[inline]
    fn advance(&mut self, now: SimTime) {
        if now == self.read {
            return;
        }
        let passed = nanos(now - self.read);
        self.clock += u128::from(passed) * u128::from(self.rate());
        self.read = now;
    }

    /// Work per nanosecond that each running job gets now, in fixed point.
    fn rate(&self) -> u64 {
        let running = self.running.len() as u64;
        match self.discipline {
            Discipline::ProcessorSharing if running > u64::from(self.workers) => {
                (u128::from(self.speed) * u128::from(self.workers) / u128::from(running)) as u64
            }
            _ => self.speed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::NANOS_PER_SEC;

    fn secs(s: f64) -> SimTime {
        SimTime::ZERO + crate::time::from_secs(s)
    }

    fn done_at(station: &Station<u32>) -> f64 {
        station.next_completion().unwrap().as_secs_f64()
    }

    #[test]
    fn a_pause_delays_work_by_its_length() {
        let mut station = Station::new(Discipline::Fifo, 1);
        station.start(7, 2 * NANOS_PER_SEC, secs(0.0));
        station.set_speed(0, secs(1.0));
        assert_eq!(station.next_completion(), None);
        station.set_speed(FULL_SPEED, secs(11.0));
        assert_eq!(done_at(&station), 12.0);
        assert_eq!(station.complete(secs(12.0)), Some(7));
    }

    #[test]
    fn half_speed_doubles_what_is_left() {
        let mut station = Station::new(Discipline::Fifo, 1);
        station.start(0, 2 * NANOS_PER_SEC, secs(0.0));
        station.set_speed(FULL_SPEED / 2, secs(1.0));
        assert_eq!(done_at(&station), 3.0);
    }

    #[test]
    fn sharing_workers_slows_everybody_alike() {
        let mut station = Station::new(Discipline::ProcessorSharing, 1);
        station.start(0, NANOS_PER_SEC, secs(0.0));
        station.start(1, NANOS_PER_SEC, secs(0.5));
        // Half a second alone, then two share one worker: the first needs another second.
        assert_eq!(done_at(&station), 1.5);
        assert_eq!(station.complete(secs(1.5)), Some(0));
        assert_eq!(done_at(&station), 2.0);
    }

    #[test]
    fn those_who_share_too_few_workers_count_as_waiting() {
        let mut station = Station::new(Discipline::ProcessorSharing, 2);
        (0..5).for_each(|job| station.start(job, NANOS_PER_SEC, secs(0.0)));
        assert_eq!((station.queued(), station.in_system()), (3, 5));
    }

    #[test]
    fn two_workers_serve_two_jobs_at_full_speed() {
        let mut station = Station::new(Discipline::ProcessorSharing, 2);
        station.start(0, NANOS_PER_SEC, secs(0.0));
        station.start(1, NANOS_PER_SEC, secs(0.0));
        assert_eq!(done_at(&station), 1.0);
    }

    #[test]
    fn a_job_without_work_is_done_at_once() {
        let mut station = Station::new(Discipline::Fifo, 1);
        station.start(3, 0, secs(4.0));
        assert_eq!(done_at(&station), 4.0);
        assert_eq!(station.complete(secs(4.0)), Some(3));
    }

    #[test]
    fn a_cancelled_job_frees_its_place_at_once() {
        let mut station = Station::new(Discipline::Fifo, 1);
        station.start(0, NANOS_PER_SEC, secs(0.0));
        station.enqueue(1, NANOS_PER_SEC);
        station.enqueue(2, NANOS_PER_SEC);
        station.cancel_queued();
        assert_eq!((station.queued(), station.in_system()), (1, 2));
        station.cancel_running(0, secs(0.5));
        assert!(station.has_free_worker());
        assert_eq!(station.dequeue(|job| job != 1), Some((2, NANOS_PER_SEC)));
        assert_eq!(station.queued(), 0);
    }

    #[test]
    fn a_held_worker_serves_nobody_else() {
        let mut station = Station::<u32>::new(Discipline::Fifo, 1);
        station.hold();
        assert!(!station.has_free_worker());
        assert!(station.is_full(Some(0)));
        station.release();
        assert!(station.has_free_worker());
    }
}
