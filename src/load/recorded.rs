//! Calls at recorded moments.

use crate::time::SimTime;

/// When recorded calls begin: rows of a moment and how many calls begin then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    rows: Vec<(SimTime, u32)>,
    /// Calls up to and with each row, so that a call's row is found by bisection.
    upto: Vec<u64>,
}

impl Recorded {
    /// The calls of these rows; rows out of order are put in order.
    pub fn new(mut rows: Vec<(SimTime, u32)>) -> Recorded {
        rows.sort_by_key(|(at, _)| *at);
        let add = |sum: &mut u64, row: &(SimTime, u32)| {
            *sum += u64::from(row.1);
            Some(*sum)
        };
        let upto = rows.iter().scan(0, add).collect();
        Recorded { rows, upto }
    }

    /// The rows, in order of time.
    pub fn rows(&self) -> &[(SimTime, u32)] {
        &self.rows
    }

    /// How many calls there are.
    pub fn total(&self) -> u64 {
        self.upto.last().copied().unwrap_or(0)
    }

    /// When call `number` (from 0) begins; `None` after the last.
    pub fn time_of(&self, number: u64) -> Option<SimTime> {
        let row = self.upto.partition_point(|upto| *upto <= number);
        self.rows.get(row).map(|(at, _)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_begins_at_the_time_of_its_row() {
        let at = SimTime::from_nanos;
        let recorded = Recorded::new(vec![(at(5), 2), (at(9), 0), (at(7), 1), (at(9), 3)]);
        let times: Vec<u64> =
            (0..7).map_while(|i| recorded.time_of(i)).map(SimTime::as_nanos).collect();
        assert_eq!(times, [5, 5, 7, 9, 9, 9]);
        assert_eq!(recorded.total(), 6);
        assert_eq!(Recorded::default().time_of(0), None);
    }
}
