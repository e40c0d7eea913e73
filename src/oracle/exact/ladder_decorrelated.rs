//! Attempts of one client with decorrelated jitter in a total outage, by an integral equation.

/// A wait is uniform between the base b and three times the wait before (b before the first), and
/// at most the cap. With s seconds left after a wait w, the expected number of attempts to come is
/// h(s, w) = ∫ 1 + h(s − x, x) dx / (3w − b), over x from b to 3w as far as below s; where x is
/// above the cap, the cap stands in its place. (Derived here; the ladder is that of the AWS
/// Architecture Blog 2015.)
///
/// The equation is solved on a grid by the trapezoidal rule, whose error falls with the square of
/// the step; two grids give a value to some seven digits (Richardson). `None` where the cap or the
/// span is no multiple of an eighth of the base.
///
/// Simplifies: the value is good to about 1e−6 of it, not to the last digit.
pub(super) fn attempts(base: f64, cap: f64, span: f64) -> Option<f64> {
    let whole = |x: f64| ((x - x.round()).abs() < 1e-6).then_some(x.round() as usize);
    let (cap_steps, span_steps) = (whole(8.0 * cap / base)?, whole(8.0 * span / base)?);
    // The finer the better, up to some forty million steps of the coarser grid.
    let mut fine = 1;
    while fine < 8 && 16 * fine * fine * cap_steps.min(span_steps) * span_steps < 40_000_000 {
        fine *= 2;
    }
    let coarse = Grid::new(8 * fine, fine * cap_steps).solve(fine * span_steps);
    let finer = Grid::new(16 * fine, 2 * fine * cap_steps).solve(2 * fine * span_steps);
    Some(1.0 + finer + (finer - coarse) / 3.0)
}

/// The equation with all times in steps.
struct Grid {
    base: usize,
    cap: usize,
    /// A third of the cap: three times a longer wait is above the cap.
    third: usize,
    /// h(s, x) for short waits x, in the row (s + x) mod (third + 1): what the integral needs
    /// at s + x stands side by side.
    short: Vec<Vec<f64>>,
    /// The integral up to the cap, by s.
    full: Vec<f64>,
    /// 1 + h(s − cap, cap), by s; half of it where it begins.
    capped: Vec<f64>,
}

impl Grid {
    fn new(base: usize, cap: usize) -> Grid {
        let third = cap / 3;
        let short = vec![vec![0.0; third + 1]; third + 1];
        Grid { base, cap, third, short, full: Vec::new(), capped: Vec::new() }
    }

    /// h(s, base).
    fn solve(mut self, span: usize) -> f64 {
        let mut last = 0.0;
        for s in 0..=span {
            last = self.step(s);
        }
        last
    }

    /// h(s, x) of a wait whose triple is at least the cap.
    fn long(&self, s: usize, x: usize) -> f64 {
        let beyond = (3 * x - self.cap) as f64 * self.capped[s];
        (self.full[s] + beyond) / (3 * x - self.base) as f64
    }

    /// Computes everything at s from what is before it; returns h(s, base).
    fn step(&mut self, s: usize) -> f64 {
        let capped = match s.checked_sub(self.cap) {
            None => 0.0,
            Some(0) => 0.5,
            Some(left) => 1.0 + self.long(left, self.cap),
        };
        let areas = self.areas(s);
        let at = |y: usize| areas[y.min(self.cap).min(areas.len() - 1 + self.base) - self.base];
        self.full.push(at(self.cap));
        self.capped.push(capped);
        let wrap = self.third + 1;
        for x in self.base..=self.third {
            let h = at(3 * x) / (3 * x - self.base) as f64;
            self.short[(s + x) % wrap][x] = h;
        }
        let width = (3 * self.base - self.base) as f64;
        if 3 * self.base <= self.cap { at(3 * self.base) / width } else { self.long(s, self.base) }
    }

    /// The integral of 1 + h(s − x, x) from the base to base + i, for every i until s or the cap.
    fn areas(&self, s: usize) -> Vec<f64> {
        let end = self.cap.min(s).max(self.base);
        let row = &self.short[s % (self.third + 1)];
        let mut areas = vec![0.0];
        let value = |x: usize| match s.checked_sub(x) {
            None => 0.0,
            Some(_) if x <= self.third => 1.0 + row[x],
            Some(left) => 1.0 + self.long(left, x),
        };
        let (mut sum, mut before) = (0.0, value(self.base));
        for x in self.base + 1..=end {
            let now = value(x);
            sum += (before + now) / 2.0;
            areas.push(sum);
            before = now;
        }
        areas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_outages_are_integrals_by_hand() {
        // The second wait ends no sooner than after two bases, the third after three.
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6 * b, "{a} is not {b}");
        near(attempts(1.0, 20.0, 1.0).unwrap(), 1.0);
        near(attempts(1.0, 20.0, 1.5).unwrap(), 1.25);
        let second = (5.0 / 9.0 * libm::log(2.5) - 1.0 / 3.0) / 2.0;
        near(attempts(1.0, 20.0, 3.0).unwrap(), 2.0 + second);
        // The cap is the base: a plain ladder, whose last rung is on the end or before it.
        near(attempts(1.0, 1.0, 3.5).unwrap(), 4.0);
    }
}
