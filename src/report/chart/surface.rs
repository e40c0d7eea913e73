//! What a chart is drawn on: rectangles, areas, marks and text, in pixels of the page.

use super::colour::Colour;

/// A rectangle; y grows downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    /// Left edge.
    pub(super) x: f64,
    /// Upper edge.
    pub(super) y: f64,
    /// Width.
    pub(super) w: f64,
    /// Height.
    pub(super) h: f64,
}

impl Rect {
    /// Right edge.
    pub(super) fn right(self) -> f64 {
        self.x + self.w
    }

    /// Lower edge.
    pub(super) fn bottom(self) -> f64 {
        self.y + self.h
    }
}

/// A bar of an area: from here to there, so high up or so deep down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    /// Left edge.
    pub(super) x: f64,
    /// Right edge.
    pub(super) right: f64,
    /// The edge away from the base.
    pub(super) edge: f64,
}

/// A small mark in an area of many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Dot {
    /// Left edge.
    pub(super) x: f64,
    /// Upper edge.
    pub(super) y: f64,
    /// Its colour.
    pub(super) colour: Colour,
}

/// Which end of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    /// The first letter.
    Start,
    /// The middle.
    Middle,
    /// The last letter.
    End,
}

/// A line of text; y is its baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Label<'a> {
    /// Where it stands.
    pub(super) x: f64,
    /// Its baseline.
    pub(super) y: f64,
    /// Size of the font.
    pub(super) size: f64,
    /// Which end stands there.
    pub(super) anchor: Anchor,
    /// Its colour.
    pub(super) colour: Colour,
    /// The words.
    pub(super) text: &'a str,
}

/// Something to draw on.
pub(super) trait Surface {
    /// Fills a rectangle (opacity 0 … 1).
    fn rect(&mut self, rect: Rect, colour: Colour, opacity: f64);
    /// Fills the area between a base and steps; they are in order and do not overlap.
    fn steps(&mut self, steps: &[Step], base: f64, colour: Colour);
    /// Paints marks of one size (width, height) inside an area.
    fn dots(&mut self, area: Rect, dots: &[Dot], size: (f64, f64));
    /// Writes a line of text.
    fn text(&mut self, label: Label<'_>);
}
