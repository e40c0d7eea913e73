//! Axes: round numbers, a quiet grid, labels that are not cut off.

use super::colour::{GREY, GRID, INK};
use super::frame::SMALL;
use super::surface::{Anchor, Label, Rect, Surface};
use crate::report::text;

/// Steps of a time axis that people count in (s), from a minute on.
const LONG: [f64; 13] = [
    60.0, 120.0, 300.0, 600.0, 1200.0, 1800.0, 3600.0, 7200.0, 14400.0, 21600.0, 43200.0, 86400.0,
    604_800.0,
];

/// A scale from values to pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// The value at the beginning.
    pub(super) from: f64,
    /// The value at the end (> from).
    pub(super) to: f64,
    /// The pixel of the beginning.
    pub(super) start: f64,
    /// The pixel of the end.
    pub(super) end: f64,
}

impl Scale {
    /// The pixel of a value, held to the ends.
    pub(super) fn at(self, value: f64) -> f64 {
        let share = (value - self.from) / (self.to - self.from);
        self.start + share.clamp(0.0, 1.0) * (self.end - self.start)
    }

    /// Multiples of a step that lie on the scale.
    fn ticks(self, step: f64) -> Vec<f64> {
        let first = (self.from / step - 1e-9).ceil() as i64;
        let last = (self.to / step + 1e-9).floor() as i64;
        (first..=last).take(200).map(|place| place as f64 * step).collect()
    }
}

/// What the upright axis holds: so much above zero, and below it what was not sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Upright {
    /// The upper end (> 0).
    pub(super) top: f64,
    /// How far it reaches below zero (≥ 0).
    pub(super) below: f64,
}

impl Upright {
    /// The axis up to a round number; what hangs below is cut where it would take half the room.
    pub(super) fn new(highest: f64, below: f64, steps: f64) -> Upright {
        let top = nice_top(highest.max(1.0), steps);
        let below = if below > 0.0 { nice_top(below.min(top), steps) } else { 0.0 };
        Upright { top, below }
    }
}

/// The smallest of 1, 2, 5 times a power of ten that is not below a value.
pub(super) fn nice_above(value: f64) -> f64 {
    if !(value > 0.0 && value.is_finite()) {
        return 1.0;
    }
    let mut power = 1e-9;
    while power * 10.0 <= value {
        power *= 10.0;
    }
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * power >= value * (1.0 - 1e-9));
    step.unwrap_or(10.0) * power
}

/// The end of an axis from zero that holds a value: a whole number of steps.
pub(super) fn nice_top(value: f64, steps: f64) -> f64 {
    let step = nice_above(value.max(1e-9) / steps);
    (value.max(1e-9) / step - 1e-9).ceil() * step
}

/// The step of a time axis with at most so many ticks (s).
fn time_step(seconds: f64, most: f64) -> f64 {
    let least = seconds / most;
    if least <= 10.0 {
        return nice_above(least);
    }
    [20.0, 30.0].into_iter().chain(LONG).find(|s| *s >= least).unwrap_or_else(|| nice_above(least))
}

/// Vertical grid lines of a time axis, and below the area their labels when wanted.
pub(super) fn time(on: &mut dyn Surface, area: Rect, scale: Scale, labelled: bool) {
    let step = time_step(scale.to - scale.from, 10.0);
    for value in scale.ticks(step) {
        let x = scale.at(value);
        on.rect(Rect { x: x - 0.5, y: area.y, w: 1.0, h: area.h }, INK, GRID);
        if labelled {
            on.rect(Rect { x: x - 0.5, y: area.bottom(), w: 1.0, h: 5.0 }, INK, 1.0);
            let text = text::number(value);
            let y = area.bottom() + 20.0;
            on.text(Label { x, y, size: SMALL, anchor: Anchor::Middle, colour: INK, text: &text });
        }
    }
}

/// Horizontal grid lines of a count axis with their labels.
pub(super) fn counts(on: &mut dyn Surface, area: Rect, scale: Scale, steps: f64) {
    for value in scale.ticks(nice_above(((scale.to - scale.from) / steps).max(1.0))) {
        let y = scale.at(value);
        on.rect(Rect { x: area.x, y: y - 0.5, w: area.w, h: 1.0 }, INK, GRID);
        // What hangs below zero is counted too.
        label_left(on, area, y, &text::tick(value.abs()));
    }
}

/// A label left of an area, its middle at a height.
pub(super) fn label_left(on: &mut dyn Surface, area: Rect, y: f64, text: &str) {
    let (x, y) = (area.x - 7.0, y + SMALL * 0.36);
    on.text(Label { x, y, size: SMALL, anchor: Anchor::End, colour: INK, text });
}

/// The two lines of the axes, the one across at a height.
pub(super) fn lines(on: &mut dyn Surface, area: Rect, y: f64) {
    on.rect(Rect { x: area.x - 1.0, y: area.y, w: 1.0, h: area.h + 1.0 }, INK, 1.0);
    on.rect(Rect { x: area.x - 1.0, y, w: area.w + 1.0, h: 1.0 }, INK, 1.0);
}

/// The name of the time axis, below its labels.
pub(super) fn time_name(on: &mut dyn Surface, area: Rect, text: &str) {
    let (x, y) = (area.x + area.w / 2.0, area.bottom() + 41.0);
    on.text(Label { x, y, size: SMALL, anchor: Anchor::Middle, colour: GREY, text });
}

/// The name of the upright axis, lying above its upper end where it can be read.
pub(super) fn upright_name(on: &mut dyn Surface, area: Rect, text: &str) {
    let (x, y) = (super::frame::MARGIN, area.y - 15.0);
    on.text(Label { x, y, size: SMALL, anchor: Anchor::Start, colour: GREY, text });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_on_round_numbers() {
        assert_eq!([0.7, 1.0, 3.0, 7.0, 1001.0].map(nice_above), [1.0, 1.0, 5.0, 10.0, 2000.0]);
        assert_eq!(nice_top(10_400.0, 5.0), 15_000.0);
        assert_eq!(time_step(400.0, 10.0), 60.0);
        assert_eq!(time_step(4.0, 10.0), 0.5);
    }
}
