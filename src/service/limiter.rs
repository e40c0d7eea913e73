//! How many attempts a service lets in per window of time.

use std::collections::VecDeque;

use super::{Limit, Window};
use crate::time::{SimTime, nanos};

/// The state of a limit.
#[derive(Debug, Default)]
pub struct Limiter {
    /// Fixed: number of the current window. Bucket: nothing.
    window: u64,
    /// Fixed: admissions in the current window.
    admitted: u32,
    /// Sliding: the moments of the last admissions.
    recent: VecDeque<SimTime>,
    /// Bucket: what was spent, in nanoseconds of refilling; and when that was true.
    spent: u128,
    read: SimTime,
    /// The length of the window that the state is counted in, in nanoseconds; 0 before any.
    per: u64,
}

impl Limiter {
    /// Whether the limit lets an attempt in now; if so, it counts.
    pub fn admit(&mut self, limit: &Limit, now: SimTime) -> bool {
        self.adapt(limit, now);
        match limit.window {
            Window::Fixed => self.admit_fixed(limit, now),
            Window::Sliding => self.admit_sliding(limit, now),
            Window::Bucket => self.admit_bucket(limit, now),
        }
    }

    /// An action may have changed the length of the window: what was admitted stays admitted.
    fn adapt(&mut self, limit: &Limit, now: SimTime) {
        let per = nanos(limit.per);
        if self.per != 0 && self.per != per {
            self.spent = self.spent * u128::from(per) / u128::from(self.per);
            self.window = now.as_nanos() / per;
        }
        self.per = per;
    }

    fn admit_fixed(&mut self, limit: &Limit, now: SimTime) -> bool {
        let window = now.as_nanos() / nanos(limit.per);
        if window != self.window {
            (self.window, self.admitted) = (window, 0);
        }
        let fits = self.admitted < limit.count;
        self.admitted += u32::from(fits);
        fits
    }

    fn admit_sliding(&mut self, limit: &Limit, now: SimTime) -> bool {
        while self.recent.front().is_some_and(|first| now - *first >= limit.per) {
            self.recent.pop_front();
        }
        let fits = self.recent.len() < limit.count as usize;
        if fits {
            self.recent.push_back(now);
        }
        fits
    }

    /// One token costs `per` of refilling time; `count` refill in parallel, which is the same as
    /// one bucket that refills `count` tokens per `per`, in whole nanoseconds without rounding.
    fn admit_bucket(&mut self, limit: &Limit, now: SimTime) -> bool {
        let refilled = u128::from(nanos(now - self.read)) * u128::from(limit.count);
        self.spent = self.spent.saturating_sub(refilled);
        self.read = now;
        let token = u128::from(nanos(limit.per));
        let fits = self.spent + token <= token * u128::from(limit.count);
        if fits {
            self.spent += token;
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::Refusal;
    use super::*;

    /// How many of a hundred attempts at each of these times (in ms) are let in: ten per second.
    fn admitted(window: Window, times_ms: &[u64]) -> Vec<usize> {
        let per = Duration::from_secs(1);
        let limit = Limit { count: 10, per, window, on_excess: Refusal::TooManyRequests };
        let mut limiter = Limiter::default();
        let at = |ms: u64| SimTime::from_nanos(ms * 1_000_000);
        let burst = |ms: &u64| (0..100).filter(|_| limiter.admit(&limit, at(*ms))).count();
        times_ms.iter().map(burst).collect()
    }

    #[test]
    fn fixed_windows_let_two_bursts_through_at_their_border() {
        assert_eq!(admitted(Window::Fixed, &[0, 999, 1000, 1500, 2000]), [10, 0, 10, 0, 10]);
    }

    #[test]
    fn a_sliding_window_does_not() {
        assert_eq!(admitted(Window::Sliding, &[500, 1000, 1499, 1500]), [10, 0, 0, 10]);
    }

    #[test]
    fn a_longer_window_gives_no_tokens_away() {
        for window in [Window::Fixed, Window::Bucket] {
            let limit = |per| Limit {
                count: 10,
                per: Duration::from_secs(per),
                window,
                on_excess: Refusal::TooManyRequests,
            };
            let mut limiter = Limiter::default();
            let now = SimTime::from_nanos(1);
            let mut burst = |per| (0..100).filter(|_| limiter.admit(&limit(per), now)).count();
            assert_eq!((burst(10), burst(100)), (10, 0), "{window:?}");
        }
    }

    #[test]
    fn a_bucket_refills_evenly() {
        assert_eq!(admitted(Window::Bucket, &[0, 99, 100, 600, 5000]), [10, 0, 1, 5, 10]);
    }
}
