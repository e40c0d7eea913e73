//! The law of a wait: its range, its mean, and the share of callers that wait exactly alike.
//!
//! A law is a mixture of pieces. Caps, floors and rounding cut pieces and gather what they cut off
//! at one wait, which is what brings a herd back together; so shares come out exactly.

/// Values that are equally likely: a single one, evenly spaced ones, or all between two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// The smallest (s, ≥ 0).
    pub low: f64,
    /// The largest (s, ≥ `low`).
    pub high: f64,
    /// The space between neighbours (s); 0 when every value between the ends is possible.
    pub step: f64,
    /// The share of callers (0 … 1).
    pub mass: f64,
}

impl Piece {
    fn is_point(&self) -> bool {
        self.high <= self.low
    }

    /// How many values there are, of a piece of evenly spaced ones.
    fn count(&self) -> f64 {
        ((self.high - self.low) / self.step).round() + 1.0
    }

    /// The share of callers below `at`, and at or above it; of a piece that lies on both sides.
    fn split(&self, at: f64) -> (f64, f64) {
        let below = match self.step > 0.0 {
            true => ((at - self.low) / self.step - 1e-9).ceil() / self.count(),
            false => (at - self.low) / (self.high - self.low),
        };
        (self.mass * below, self.mass * (1.0 - below))
    }

    /// The part below `at`, of a piece that lies on both sides.
    fn below(&self, at: f64) -> Piece {
        let (mass, _) = self.split(at);
        let steps = ((at - self.low) / self.step - 1e-9).ceil() - 1.0;
        let high = if self.step > 0.0 { self.low + steps * self.step } else { at };
        Piece { high, mass, ..*self }
    }

    /// The part at or above `at`, of a piece that lies on both sides.
    fn above(&self, at: f64) -> Piece {
        let (_, mass) = self.split(at);
        let steps = ((at - self.low) / self.step - 1e-9).ceil();
        let low = if self.step > 0.0 { self.low + steps * self.step } else { at };
        Piece { low, mass, ..*self }
    }
}

/// The law of a wait.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    pieces: Vec<Piece>,
}

impl Law {
    /// Everybody waits this (s).
    pub fn point(wait: f64) -> Law {
        Law::even(wait, wait)
    }

    /// Any wait between these (s) is equally likely.
    pub fn even(low: f64, high: f64) -> Law {
        Law::mixture(vec![Piece { low, high: high.max(low), step: 0.0, mass: 1.0 }])
    }

    /// A mixture; the shares add up to one.
    pub fn mixture(pieces: Vec<Piece>) -> Law {
        Law { pieces: pieces.into_iter().filter(|piece| piece.mass > 0.0).collect() }
    }

    /// The pieces.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The wait, when everybody waits the same (s).
    pub fn single(&self) -> Option<f64> {
        let [piece] = self.pieces[..] else { return None };
        piece.is_point().then_some(piece.low)
    }

    /// The shortest wait (s).
    pub fn low(&self) -> f64 {
        self.pieces.iter().map(|piece| piece.low).fold(f64::INFINITY, f64::min)
    }

    /// The longest wait (s).
    pub fn high(&self) -> f64 {
        self.pieces.iter().map(|piece| piece.high).fold(0.0, f64::max)
    }

    /// The mean wait (s).
    pub fn mean(&self) -> f64 {
        self.pieces.iter().map(|piece| piece.mass * (piece.low + piece.high) / 2.0).sum()
    }

    /// The share of callers that wait exactly this (s, to a nanosecond; 0 … 1).
    pub fn share_at(&self, wait: f64) -> f64 {
        let share = |piece: &Piece| {
            let inside = wait >= piece.low - 1e-9 && wait <= piece.high + 1e-9;
            let spaced = piece.step > 0.0 && {
                let steps = (wait - piece.low) / piece.step;
                (steps - steps.round()).abs() * piece.step < 1e-9
            };
            match inside {
                true if piece.is_point() => piece.mass,
                true if spaced => piece.mass / piece.count(),
                _ => 0.0,
            }
        };
        self.pieces.iter().map(share).sum()
    }

    /// The largest share of callers that wait exactly the same (0 … 1).
    pub fn atom(&self) -> f64 {
        self.alike().0
    }

    /// The same, and the wait that they share (s); of several such waits the shortest.
    pub fn alike(&self) -> (f64, f64) {
        let mut points: Vec<&Piece> = self.pieces.iter().filter(|p| p.is_point()).collect();
        points.sort_by(|a, b| a.low.total_cmp(&b.low));
        let groups = points.chunk_by(|a, b| a.low == b.low);
        let points =
            groups.map(|group| (group.iter().map(|piece| piece.mass).sum::<f64>(), group[0].low));
        let spaced = self.pieces.iter().filter(|p| p.step > 0.0 && !p.is_point());
        let all = points.chain(spaced.map(|piece| (piece.mass / piece.count(), piece.low)));
        all.fold((0.0, self.low()), |most, next| if next.0 > most.0 + 1e-12 { next } else { most })
    }

    /// Nobody waits longer than this (s): those who would wait exactly this.
    pub fn at_most(self, most: f64) -> Law {
        self.gathered(most, |piece| match piece {
            piece if piece.high <= most => (Some(*piece), 0.0),
            piece if piece.low >= most => (None, piece.mass),
            piece => (Some(piece.below(most)), piece.split(most).1),
        })
    }

    /// Nobody waits shorter than this (s): those who would wait exactly this.
    pub fn at_least(self, least: f64) -> Law {
        self.gathered(least, |piece| match piece {
            piece if piece.low >= least => (Some(*piece), 0.0),
            piece if piece.high <= least => (None, piece.mass),
            piece => (Some(piece.above(least)), piece.split(least).0),
        })
    }

    /// Waits as whole numbers of `unit` (s): each is that of the cell it lies in, which begins
    /// `before` of a unit below it.
    pub fn in_cells(self, unit: f64, before: f64) -> Law {
        let pieces = self.pieces.iter().flat_map(|piece| cells(piece, unit, before));
        Law::mixture(pieces.collect())
    }

    /// What is kept of each piece, and the shares that are not all at one wait.
    fn gathered(self, at: f64, cut: impl Fn(&Piece) -> (Option<Piece>, f64)) -> Law {
        let (kept, gone): (Vec<Option<Piece>>, Vec<f64>) = self.pieces.iter().map(cut).unzip();
        let point = Piece { low: at, high: at, step: 0.0, mass: gone.iter().sum() };
        Law::mixture(kept.into_iter().flatten().chain([point]).collect())
    }
}

/// A piece in whole numbers of a unit: its first and its last cell, and those between them.
fn cells(piece: &Piece, unit: f64, before: f64) -> Vec<Piece> {
    // A wait that a float misses by a hair lies in the cell that it was meant for.
    let upward = if before >= 1.0 { -1e-9 } else { 1e-9 };
    let cell = |wait: f64| {
        let at = wait / unit + before + upward;
        if before >= 1.0 { at.ceil() - 1.0 } else { at.floor() }
    };
    let point = |cell: f64, mass: f64| {
        let wait = cell * unit;
        Piece { low: wait, high: wait, step: 0.0, mass }
    };
    if piece.is_point() {
        return vec![point(cell(piece.low), piece.mass)];
    }
    if piece.step > 0.0 {
        // Each value by itself: at most so many as a law of evenly spaced values has.
        let values = (0..piece.count() as u32).map(|n| piece.low + f64::from(n) * piece.step);
        let mass = piece.mass / piece.count();
        return values.map(|value| point(cell(value), mass)).collect();
    }
    let (first, last) = (cell(piece.low), cell(piece.high));
    if first == last {
        return vec![point(first, piece.mass)];
    }
    let density = piece.mass / (piece.high - piece.low);
    let begins = |cell: f64| (cell - before) * unit;
    let head = point(first, density * (begins(first + 1.0) - piece.low).max(0.0));
    let tail = point(last, density * (piece.high - begins(last)).max(0.0));
    let (low, high) = ((first + 1.0) * unit, (last - 1.0) * unit);
    let mass = density * unit * (last - first - 1.0);
    let middle = Piece { low, high: high.max(low), step: unit, mass };
    vec![head, middle, tail]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-12, "{found}, not {wanted}");
    }

    #[test]
    fn a_cap_after_the_spread_gathers_those_beyond_it() {
        // Kafka on its plateau: U(0.8 s, 1.2 s), then 1 s at most: half of the clients.
        let law = Law::even(0.8, 1.2).at_most(1.0);
        near(law.atom(), 0.5);
        near(law.mean(), 0.95);
        near(law.low(), 0.8);
        near(law.high(), 1.0);
        assert_eq!(Law::even(2.0, 3.0).at_most(1.0).single(), Some(1.0));
    }

    #[test]
    fn a_floor_gathers_those_below_it() {
        // Stripe's first wait: U(0.25 s, 0.5 s), at least 0.5 s.
        assert_eq!(Law::even(0.25, 0.5).at_least(0.5).single(), Some(0.5));
        let law = Law::even(0.0, 1.0).at_least(0.25);
        near(law.atom(), 0.25);
        near(law.mean(), 0.0625 + 0.75 * 0.625);
    }

    #[test]
    fn whole_numbers_of_a_unit_are_atoms() {
        // Envoy: U[0, 25 ms) in whole milliseconds.
        let law = Law::even(0.0, 0.025).in_cells(0.001, 0.0);
        near(law.atom(), 0.04);
        near(law.mean(), 0.012);
        near(law.high(), 0.024);
        // Nearest: the two ends have half a cell each.
        let law = Law::even(0.0, 2.0).in_cells(1.0, 0.5);
        near(law.mean(), 1.0);
        near(law.atom(), 0.5);
        // Up: U(0, 2] is 1 or 2.
        let law = Law::even(0.0, 2.0).in_cells(1.0, 1.0);
        near(law.mean(), 1.5);
        near(law.low(), 1.0);
        assert_eq!(Law::point(3.0).in_cells(1.0, 1.0).single(), Some(3.0));
    }

    #[test]
    fn evenly_spaced_values_are_cut_between_two_of_them() {
        let law = Law::mixture(vec![Piece { low: 0.0, high: 4.0, step: 1.0, mass: 1.0 }]);
        near(law.atom(), 0.2);
        near(law.clone().at_most(3.0).atom(), 0.4);
        near(law.clone().at_most(2.5).mean(), (0.0 + 1.0 + 2.0 + 2.5 + 2.5) / 5.0);
        near(law.at_least(1.5).mean(), (1.5 + 1.5 + 2.0 + 3.0 + 4.0) / 5.0);
    }
}
