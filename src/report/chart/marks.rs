//! What happens to the system from outside: faults that are shaded, actions that are marked.

use super::axis::Scale;
use super::colour::{FAULT_SHADE, GREY, INK};
use super::font;
use super::frame::SMALL;
use super::panel::boxed;
use super::surface::{Anchor, Label, Rect, Surface};
use crate::report::text;
use crate::report::window::Window;
use crate::study::StudyResult;

/// Longest words of an action.
const WORDS: usize = 34;

/// A fault on the time axis.
#[derive(Clone, Debug)]
pub(super) struct Span {
    /// Its begin (s).
    begins: f64,
    /// Its end at full strength (s).
    ends: f64,
    /// The end of its fading away (s).
    gone: f64,
    /// What it is.
    label: String,
}

/// The faults that reach into the window.
pub(super) fn faults(study: &StudyResult, window: Window) -> Vec<Span> {
    let faults = study.faults.iter();
    let inside = faults
        .filter(|f| f.begins.as_nanos() < window.to && f.gone.as_nanos() >= window.from)
        .map(|fault| Span {
            begins: fault.begins.as_secs_f64(),
            ends: fault.ends.as_secs_f64(),
            gone: fault.gone.as_secs_f64(),
            label: fault.label.clone(),
        });
    inside.collect()
}

/// Shades the faults, and half as dark the time in which they fade away.
pub(super) fn shade_faults(on: &mut dyn Surface, area: Rect, across: Scale, faults: &[Span]) {
    for fault in faults {
        let (x, end) = (across.at(fault.begins), across.at(fault.ends));
        on.rect(Rect { x, y: area.y, w: (end - x).max(1.0), h: area.h }, INK, FAULT_SHADE);
        let w = across.at(fault.gone) - end;
        if w > 0.0 {
            on.rect(Rect { x: end, y: area.y, w, h: area.h }, INK, FAULT_SHADE / 2.0);
        }
    }
}

/// What an operator does in the window, and when (s).
pub(super) fn actions(study: &StudyResult, window: Window) -> Vec<(f64, String)> {
    let actions = study.actions.iter();
    let inside = actions.filter(|(at, _)| (window.from..window.to).contains(&at.as_nanos()));
    let words = |words: &String| text::shortened(&text::printable(words), WORDS);
    inside.map(|(at, summary)| (at.as_secs_f64(), words(summary))).collect()
}

/// Dotted lines where an operator does something, with what that is where there is room.
pub(super) fn draw_actions(
    on: &mut dyn Surface,
    area: Rect,
    across: Scale,
    actions: &[(f64, String)],
) {
    let mut taken = area.x;
    for (at, words) in actions {
        let x = across.at(*at);
        let mut y = area.y;
        while y < area.bottom() {
            on.rect(Rect { x: x - 0.75, y, w: 1.5, h: 2.0 }, INK, 1.0);
            y += 5.0;
        }
        let w = font::width(words, SMALL);
        let left = if x + 6.0 + w < area.right() { x + 6.0 } else { x - 6.0 - w };
        // The row above belongs to the words about capacity and recovery.
        if left >= taken {
            boxed(on, left, area.y + SMALL * 2.0 + 8.0, Anchor::Start, INK, words);
            taken = left + w + 8.0;
        }
    }
}

/// Writes above an area what the faults are, with a line over each of them, where there is room.
pub(super) fn name_faults(on: &mut dyn Surface, area: Rect, across: Scale, faults: &[Span]) {
    let mut taken = area.x;
    for Span { begins, ends, label, .. } in faults {
        let (x, right) = (across.at(*begins), across.at(*ends));
        on.rect(Rect { x, y: area.y - 4.0, w: (right - x).max(1.0), h: 2.0 }, GREY, 1.0);
        let label = text::printable(label);
        let long = format!("{label}, {}", text::seconds(ends - begins));
        let kind = label.split(' ').next().unwrap_or_default().to_string();
        // Faults that are close together have room for fewer words, or for none.
        let place = |words: &String| {
            let w = font::width(words, SMALL);
            let left = ((x + right - w) / 2.0).min(area.right() - w).max(area.x);
            (left >= taken).then_some((left, w))
        };
        let words = [long, label, kind];
        if let Some((text, (x, w))) = words.iter().find_map(|word| place(word).map(|at| (word, at)))
        {
            let y = area.y - 8.0;
            taken = x + w + 8.0;
            on.text(Label { x, y, size: SMALL, anchor: Anchor::Start, colour: GREY, text });
        }
    }
}
