//! The jitter of socket.io, which leaves gaps.

use std::time::Duration;

use super::{Jitter, uniform};
use crate::form::{Form, Given, Shape};
use crate::policy::backoff::{Law, Piece};
use crate::rng::Stream;
use crate::time::{from_secs, secs};

/// A deviation of u × share of the wait, longer when the first decimal of the same u is odd and
/// shorter when it is even: ten bands with gaps between them (socket.io-client 4, contrib/backo2).
#[derive(Clone, Debug, PartialEq)]
pub struct Bands {
    /// The largest deviation, as a share of the wait (0 … 1).
    pub share: f64,
}

/// Its words in the scenario language.
pub(super) const FORM: Form<Jitter> = Form {
    name: "bands",
    doc: "The largest deviation of a wait in ten bands with gaps between them, as a share of it.",
    shape: Some(Shape::Share),
    build: |given| Jitter::Bands(Bands { share: given.share(Given::VALUE).as_f64() }),
};

impl Bands {
    /// A wait in one of the bands.
    pub fn spread(&self, wait: Duration, rng: &mut Stream) -> Duration {
        let [low, high] = self.band(rng.below(10)).map(|factor| from_secs(secs(wait) * factor));
        uniform(low, high.max(low), rng)
    }

    /// The longest that `wait` can become.
    pub fn ceiling(&self, wait: Duration) -> Duration {
        from_secs(secs(wait) * (1.0 + self.share)).max(wait)
    }

    /// The law of its spread.
    pub fn law(&self, wait: f64) -> Law {
        let piece = |band| {
            let [low, high] = self.band(band).map(|factor| wait * factor);
            Piece { low, high, step: 0.0, mass: 0.1 }
        };
        Law::mixture((0..10).map(piece).collect())
    }

    /// The ends of band number `band` (0 … 9), as factors of the wait.
    fn band(&self, band: u64) -> [f64; 2] {
        let [near, far] = [band, band + 1].map(|tenth| self.share * tenth as f64 / 10.0);
        if band % 2 == 1 { [1.0 + near, 1.0 + far] } else { [1.0 - far, 1.0 - near] }
    }
}
