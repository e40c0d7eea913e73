//! What goes wrong, and when?

use std::time::Duration;

use crate::dist::Dist;
use crate::failure::FailureClass;
use crate::time::{SimTime, nanos};
use crate::units::Share;

/// A scheduled fault of a service.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What goes wrong.
    pub kind: Kind,
    /// The service, by its place in the model.
    pub service: usize,
    /// When it begins.
    pub begins: SimTime,
    /// How long it lasts at full strength (> 0).
    pub lasts: Duration,
    /// How long it takes to fade away after that, evenly; `None` for at once.
    pub ramp: Option<Duration>,
}

/// What goes wrong; the variant is the `kind` of the scenario language.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// The service does nothing.
    Outage {
        /// What a caller sees.
        mode: OutageMode,
    },
    /// A share of the attempts is answered with an error at once.
    Errors {
        /// The kind of error.
        class: FailureClass,
        /// The share.
        share: Share,
    },
    /// The service works more slowly.
    Brownout {
        /// How many times longer work takes (≥ 1).
        slowdown: f64,
    },
    /// The way to the service takes longer.
    Latency {
        /// What is added to the way there.
        add: Dist,
    },
    /// The service breaks down and is repaired again and again, busy or not; it is up when the
    /// fault begins and when it ends.
    Breakdowns {
        /// From being up to the next breakdown.
        every: Dist,
        /// From a breakdown until it is up again.
        repair: Dist,
        /// What a caller sees while it is down.
        mode: OutageMode,
    },
}

/// What a caller sees of an outage.
///
/// Simplifies: only work at the service's own workers stands still; calls that it has made
/// downstream go on, and their answers are passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutageMode {
    /// Every attempt is answered with an error at once; what was queued waits for the end.
    Reject,
    /// Attempts are taken in but nothing is worked on until the end.
    Pause,
    /// Attempts vanish: no answer ever comes. What was queued waits for the end.
    Blackhole,
}

impl Fault {
    /// The end of the fault at full strength.
    pub fn ends(&self) -> SimTime {
        self.begins.saturating_add(self.lasts)
    }

    /// The end of its fading away.
    pub fn gone(&self) -> SimTime {
        self.ends().saturating_add(self.ramp.unwrap_or_default())
    }

    /// Its strength at this moment (0 … 1).
    pub fn level(&self, now: SimTime) -> f64 {
        if now < self.begins || now >= self.gone() {
            return 0.0;
        }
        match self.ramp {
            Some(ramp) if now >= self.ends() => {
                1.0 - (now - self.ends()).as_secs_f64() / ramp.as_secs_f64()
            }
            _ => 1.0,
        }
    }
}

/// Steps in which a service gets its speed back over a ramp.
const RAMP_STEPS: u64 = 64;

impl Fault {
    /// The moments at which the speed of the service changes on its account.
    ///
    /// Simplifies: over a ramp the speed rises in 64 equal steps, each at the speed of its middle.
    ///
    /// Breakdowns are not known beforehand.
    pub fn speed_changes(&self) -> Vec<SimTime> {
        if matches!(self.kind, Kind::Breakdowns { .. }) {
            return Vec::new();
        }
        let mut moments = vec![self.begins, self.ends()];
        if let Some(ramp) = self.ramp {
            let step = |k: u64| (u128::from(nanos(ramp)) * u128::from(k) / STEPS) as u64;
            let at = |k| self.ends().saturating_add(Duration::from_nanos(step(k)));
            moments.extend((1..=RAMP_STEPS).map(at));
        }
        moments
    }

    /// The part of full speed that it leaves to the service (0 … 1).
    fn speed(&self, now: SimTime, broken: bool) -> f64 {
        let level = self.stepped_level(now);
        match self.kind {
            Kind::Breakdowns { .. } => f64::from(u8::from(!broken)),
            Kind::Outage { .. } => 1.0 - level,
            Kind::Brownout { slowdown } => 1.0 / (1.0 + (slowdown - 1.0) * level),
            Kind::Errors { .. } | Kind::Latency { .. } => 1.0,
        }
    }

    /// Its strength, constant over each step of the ramp.
    fn stepped_level(&self, now: SimTime) -> f64 {
        let Some(ramp) = self.ramp.filter(|_| now >= self.ends() && now < self.gone()) else {
            return self.level(now);
        };
        // The step whose begin was rounded down to a whole nanosecond: count it as begun.
        let into = u128::from(nanos(now - self.ends())) + 1;
        let step = (into * STEPS - 1) / u128::from(nanos(ramp)).max(1);
        1.0 - (step.min(STEPS - 1) as f64 + 0.5) / RAMP_STEPS as f64
    }
}

/// [`RAMP_STEPS`] for sums that would overflow 64 bits.
const STEPS: u128 = RAMP_STEPS as u128;

/// The speed that the faults leave to a service, in parts of `full`; `broken` tells of each fault
/// whether it is a breakdown now.
pub fn speed(faults: &[Fault], broken: &[bool], service: usize, now: SimTime, full: u64) -> u64 {
    let faults = faults.iter().zip(broken).filter(|(fault, _)| fault.service == service);
    let part: f64 = faults.map(|(fault, broken)| fault.speed(now, *broken)).product();
    (part * full as f64) as u64
}

/// The outage or breakdown that a service is in, if any; the first one of the list.
pub fn outage(
    faults: &[Fault],
    broken: &[bool],
    service: usize,
    now: SimTime,
) -> Option<OutageMode> {
    let mut faults = faults.iter().zip(broken).filter(|(fault, _)| fault.service == service);
    faults.find_map(|(fault, broken)| match fault.kind {
        Kind::Outage { mode } if now >= fault.begins && now < fault.ends() => Some(mode),
        Kind::Breakdowns { mode, .. } if *broken => Some(mode),
        _ => None,
    })
}

/// The faults of one service.
pub fn of(faults: &[Fault], service: usize) -> impl Iterator<Item = &Fault> {
    faults.iter().filter(move |fault| fault.service == service)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secs(s: u64) -> SimTime {
        SimTime::from_nanos(s * 1_000_000_000)
    }

    fn outage_of(ramp: Option<u64>) -> Fault {
        Fault {
            kind: Kind::Outage { mode: OutageMode::Pause },
            service: 0,
            begins: secs(10),
            lasts: Duration::from_secs(30),
            ramp: ramp.map(Duration::from_secs),
        }
    }

    #[test]
    fn a_fault_holds_from_its_begin_up_to_but_not_including_its_end() {
        let faults = [outage_of(None)];
        let seen = [9, 10, 39, 40].map(|s| outage(&faults, &[false], 0, secs(s)).is_some());
        assert_eq!(seen, [false, true, true, false]);
        assert_eq!(outage(&faults, &[false], 1, secs(20)), None, "another service");
    }

    #[test]
    fn speed_comes_back_evenly_over_the_ramp() {
        let faults = [outage_of(Some(64))];
        let full = 1 << 32;
        assert_eq!(speed(&faults, &[false], 0, secs(39), full), 0);
        assert_eq!(speed(&faults, &[false], 0, secs(104), full), full);
        let mean: f64 =
            (0..64).map(|s| speed(&faults, &[false], 0, secs(40 + s), full) as f64).sum();
        assert!((mean / 64.0 / full as f64 - 0.5).abs() < 1e-9, "{mean}");
        assert_eq!(faults[0].speed_changes().len(), 2 + 64);
        assert_eq!(*faults[0].speed_changes().last().unwrap(), secs(104));
    }

    #[test]
    fn every_step_of_a_ramp_that_does_not_divide_evenly_has_a_speed_of_its_own() {
        let mut fault = outage_of(Some(1));
        fault.ramp = Some(Duration::from_nanos(1_000_003));
        let faults = [fault];
        let speeds: Vec<u64> = faults[0].speed_changes()[1..]
            .iter()
            .map(|at| speed(&faults, &[false], 0, *at, 1 << 32))
            .collect();
        assert!(speeds.windows(2).all(|pair| pair[0] < pair[1]), "{speeds:?}");
    }

    #[test]
    fn a_brownout_of_four_leaves_a_quarter() {
        let kind = Kind::Brownout { slowdown: 4.0 };
        let faults = [Fault { kind, ..outage_of(None) }];
        assert_eq!(speed(&faults, &[false], 0, secs(20), 1 << 32), 1 << 30);
        assert_eq!(speed(&faults, &[false], 0, secs(50), 1 << 32), 1 << 32);
    }

    #[test]
    fn a_breakdown_stops_the_service_for_as_long_as_it_is_broken() {
        let dist = Dist::constant(Duration::from_secs(1));
        let kind =
            Kind::Breakdowns { every: dist.clone(), repair: dist, mode: OutageMode::Blackhole };
        let faults = [Fault { kind, ..outage_of(None) }];
        let seen = |broken| {
            (speed(&faults, &[broken], 0, secs(20), 8), outage(&faults, &[broken], 0, secs(20)))
        };
        assert_eq!(seen(false), (8, None));
        assert_eq!(seen(true), (0, Some(OutageMode::Blackhole)));
        assert!(faults[0].speed_changes().is_empty());
    }
}
