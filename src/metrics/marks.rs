//! A sample of clients whose every attempt is kept, for the raster chart.

use super::result::{Mark, Outcome, Raster};
use crate::time::SimTime;

/// Rows of the raster at most.
const ROWS: u32 = 200;
/// Marks at most; the sample is halved when it would have more.
const MARKS: usize = 120_000;

/// The raster as it grows. Clients are taken evenly over the group.
#[derive(Clone, Debug)]
pub struct Marks {
    stride: u32,
    raster: Raster,
}

impl Marks {
    /// An empty raster of a group of `clients`.
    pub fn new(group: &str, clients: u32) -> Marks {
        let stride = clients.div_ceil(ROWS).max(1);
        let raster = Raster {
            clients: clients.div_ceil(stride),
            of: clients,
            group: group.to_string(),
            marks: Vec::new(),
        };
        Marks { stride, raster }
    }

    /// An attempt of a client was decided.
    pub fn add(&mut self, client: u32, sent: SimTime, outcome: Outcome) {
        if !client.is_multiple_of(self.stride) {
            return;
        }
        if self.raster.marks.len() == MARKS && self.raster.clients > 1 {
            self.halve();
            self.add(client, sent, outcome);
            return;
        }
        self.raster.marks.push(Mark { sent, row: client / self.stride, outcome });
    }

    /// The raster.
    pub fn finish(self) -> Raster {
        self.raster
    }

    /// Keeps every second client only: a raster that stopped in the middle would look as if the
    /// attempts had.
    fn halve(&mut self) {
        self.stride = self.stride.saturating_mul(2);
        self.raster.clients = self.raster.clients.div_ceil(2);
        self.raster.marks.retain(|mark| mark.row.is_multiple_of(2));
        self.raster.marks.iter_mut().for_each(|mark| mark.row /= 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raster_that_grows_too_large_shows_fewer_clients_to_the_end() {
        let mut marks = Marks::new("web", 1000);
        assert_eq!(marks.raster.clients, 200);
        for round in 0..2_000 {
            for client in 0..1000 {
                marks.add(client, SimTime::from_nanos(round), Outcome::Served);
            }
        }
        let raster = marks.finish();
        assert_eq!(raster.clients, 50);
        assert_eq!(raster.marks.len(), 50 * 2_000);
        assert!(raster.marks.iter().all(|mark| mark.row < 50));
    }
}
