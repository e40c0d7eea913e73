//! A square matrix that is zero but for a band around its diagonal.

use std::ops::Range;

/// Rows of `2 reach + 1` entries around the diagonal.
#[derive(Clone, Debug)]
pub struct Band {
    size: usize,
    reach: usize,
    entries: Vec<f64>,
}

impl Band {
    /// All zero.
    pub fn new(size: usize, reach: usize) -> Band {
        Band { size, reach, entries: vec![0.0; size * (2 * reach + 1)] }
    }

    /// How far from the diagonal an entry may be.
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// The columns of the band in a row.
    fn columns(&self, row: usize) -> Range<usize> {
        row.saturating_sub(self.reach)..(row + self.reach + 1).min(self.size)
    }

    fn place(&self, row: usize, column: usize) -> usize {
        assert!(self.columns(row).contains(&column), "({row}, {column}) is outside of the band");
        row * (2 * self.reach + 1) + column + self.reach - row
    }

    /// An entry of the band.
    ///
    /// # Panics
    /// When it is outside of the band.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.entries[self.place(row, column)]
    }

    /// An entry of the band, to be changed.
    ///
    /// # Panics
    /// When it is outside of the band.
    pub fn at(&mut self, row: usize, column: usize) -> &mut f64 {
        let place = self.place(row, column);
        &mut self.entries[place]
    }

    /// Column and entry of a row, within the band.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.columns(row).map(move |column| (column, self.get(row, column)))
    }
}
