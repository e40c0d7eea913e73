//! Waits that are whole numbers of a unit, as timers and queues count them.

use std::time::Duration;

use super::Law;
use crate::time::nanos;

/// Which way a wait goes that is no whole number of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the whole number below it (integer division, as in Envoy and Celery).
    Down,
    /// To the nearest whole number; a half goes up.
    Nearest,
    /// To the whole number above it.
    Up,
}

/// The unit that waits are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantum {
    /// The unit (> 0).
    pub unit: Duration,
    /// What becomes of a wait between two whole numbers.
    pub rounding: Rounding,
}

impl Quantum {
    /// The wait as a whole number of the unit; the largest there is when that overflows.
    pub fn round(self, wait: Duration) -> Duration {
        let (wait, unit) = (nanos(wait), nanos(self.unit).max(1));
        let (whole, rest) = (wait / unit, wait % unit);
        let up = match self.rounding {
            Rounding::Down => false,
            Rounding::Nearest => rest >= unit - rest,
            Rounding::Up => rest > 0,
        };
        // Where one more would overflow, the whole number below is the largest there is.
        let next = whole.checked_add(1).and_then(|next| next.checked_mul(unit));
        Duration::from_nanos(next.filter(|_| up).unwrap_or(whole * unit))
    }

    /// The law of such waits, of the law of the waits before they are rounded.
    pub fn law(self, law: Law) -> Law {
        let unit = self.unit.as_secs_f64();
        let before = match self.rounding {
            Rounding::Down => 0.0,
            Rounding::Nearest => 0.5,
            Rounding::Up => 1.0,
        };
        law.in_cells(unit, before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_goes_to_a_whole_number_below_beside_or_above_it() {
        let unit = Duration::from_millis(10);
        for (rounding, wanted) in [
            (Rounding::Down, [0, 10, 10, 10, 20]),
            (Rounding::Nearest, [0, 10, 10, 20, 20]),
            (Rounding::Up, [0, 10, 20, 20, 20]),
        ] {
            let quantum = Quantum { unit, rounding };
            let waits = [0, 10, 14, 15, 20].map(Duration::from_millis);
            let found = waits.map(|wait| quantum.round(wait).as_millis());
            assert_eq!(found, wanted, "{rounding:?}");
            let longest = Duration::from_nanos(u64::MAX);
            assert!(quantum.round(longest) <= longest, "{rounding:?}");
        }
    }
}
