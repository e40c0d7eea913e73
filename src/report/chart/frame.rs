//! What stands around every chart: the finding, the set-up, the legend, the foot line.

use super::colour::{self, Colour, DOWN, FAULT_SHADE, GREY, INK};
use super::font;
use super::surface::{Anchor, Label, Rect, Surface};
use crate::metrics::Outcome;
use crate::report::text::{counted, printable};
use crate::study::StudyResult;

/// Width of every chart.
pub(super) const WIDTH: u32 = 960;
/// Free space at the left and the right.
pub(super) const MARGIN: f64 = 22.0;
/// Where the area of a chart begins: room for the labels of the upright axis.
pub(super) const LEFT: f64 = 78.0;
/// Width of the area of a chart; the last label has room at the right.
pub(super) const AREA: f64 = WIDTH as f64 - LEFT - 30.0;
/// Where the header ends and panels may begin.
pub(super) const HEADER: f64 = 100.0;
/// Room below the last panel for labels, the name of the axis and the foot line.
pub(super) const FOOTER: f64 = 78.0;
/// Size of small text.
pub(super) const SMALL: f64 = 13.5;
/// Room above the first panel for the names of the faults.
pub(super) const FAULTS: f64 = 20.0;
/// Size of the title of a panel.
const PANEL: f64 = 14.5;
const TITLE: f64 = 20.0;
const SUBTITLE: f64 = 14.5;

/// An entry of the legend.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Entry {
    /// The fill of an outcome.
    Outcome(Outcome),
    /// Retries held back, below zero.
    NotSent,
    /// The dashed line, and how much it is where that is the same in all panels.
    Capacity(Option<String>),
    /// The shade of a fault.
    Fault,
    /// The strip of a service that is down after a crash.
    Down,
}

impl Entry {
    fn words(&self) -> &str {
        match self {
            Entry::Outcome(Outcome::Served) => "served",
            Entry::Outcome(Outcome::Wasted) => "wasted",
            Entry::Outcome(Outcome::Rejected) => "rejected",
            Entry::Outcome(Outcome::Errored) => "error",
            Entry::Outcome(Outcome::Lost) => "lost",
            Entry::Outcome(Outcome::Waiting) => "undecided",
            Entry::NotSent => "not sent",
            Entry::Capacity(how_much) => how_much.as_deref().unwrap_or("capacity"),
            Entry::Fault => "fault",
            Entry::Down => "crashed",
        }
    }

    fn swatch(&self, on: &mut dyn Surface, x: f64, y: f64) {
        let square = Rect { x, y: y - 11.0, w: 13.0, h: 13.0 };
        match self {
            Entry::Outcome(outcome) => on.rect(square, colour::outcome(*outcome), 1.0),
            Entry::NotSent => on.rect(square, colour::NOT_SENT, 1.0),
            Entry::Capacity(_) => {
                dashes(on, x - 7.0, x + 1.0, y - 5.0);
                dashes(on, x + 5.0, x + 13.0, y - 5.0);
            }
            Entry::Fault => {
                on.rect(square, INK, FAULT_SHADE * 2.0);
            }
            Entry::Down => on.rect(Rect { y: y - 7.0, h: 5.0, ..square }, DOWN, 1.0),
        }
    }
}

/// The title of a panel, and at its right end what lies beyond the panel.
pub(super) fn panel_title(
    on: &mut dyn Surface,
    y: f64,
    title: &str,
    beyond: Option<(String, Colour)>,
) {
    let mut room = AREA;
    if let Some((text, colour)) = beyond {
        room -= font::width(&text, SMALL) + 16.0;
        let (x, anchor) = (LEFT + AREA, Anchor::End);
        on.text(Label { x, y, size: SMALL, anchor, colour, text: &text });
    }
    let text = font::fit(&printable(title), PANEL, room);
    on.text(Label { x: LEFT, y, size: PANEL, anchor: Anchor::Start, colour: INK, text: &text });
}

/// A horizontal dashed line.
pub(super) fn dashes(on: &mut dyn Surface, from: f64, to: f64, y: f64) {
    let mut x = from;
    while x < to {
        let w = f64::min(8.0, to - x);
        on.rect(Rect { x, y: y - 0.75, w, h: 1.5 }, INK, 1.0);
        x += 12.0;
    }
}

/// The finding, the set-up and the legend.
pub(super) fn header(on: &mut dyn Surface, title: &str, subtitle: &str, legend: &[Entry]) {
    // A long finding is written smaller before it is cut.
    let title = printable(title);
    let room = f64::from(WIDTH) - 2.0 * MARGIN;
    let size = (TITLE * room / font::width(&title, TITLE).max(1.0)).clamp(SUBTITLE, TITLE);
    line(on, MARGIN, 34.0, size, INK, &title);
    line(on, MARGIN, 57.0, SUBTITLE, GREY, subtitle);
    // A long legend moves closer together before it is cut.
    let wide = |entry: &Entry| 19.0 + font::width(entry.words(), SMALL);
    let spare = room - legend.iter().map(wide).sum::<f64>();
    let gap = (spare / legend.len().max(1) as f64).clamp(10.0, 24.0);
    let mut x = MARGIN;
    for entry in legend {
        entry.swatch(on, x, 82.0);
        line(on, x + 19.0, 82.0, SMALL, INK, entry.words());
        x += wide(entry) + gap;
    }
}

/// A line of text that is cut at the right margin.
fn line(on: &mut dyn Surface, x: f64, y: f64, size: f64, colour: Colour, text: &str) {
    let text = font::fit(&printable(text), size, f64::from(WIDTH) - MARGIN - x);
    on.text(Label { x, y, size, anchor: Anchor::Start, colour, text: &text });
}

/// The foot line: what made this picture, of which scenario, from which seed.
pub(super) fn foot(on: &mut dyn Surface, study: &StudyResult, height: f64) {
    let hash: String = study.hash.chars().take(8).collect();
    let version = env!("CARGO_PKG_VERSION");
    foot_line(on, &format!("herdsim {version} · scenario {hash} · seed {}", study.seed), height);
}

/// The foot line with these words.
pub(super) fn foot_line(on: &mut dyn Surface, text: &str, height: f64) {
    line(on, MARGIN, height - 12.0, SMALL - 0.5, GREY, text);
}

/// The set-up in a line: the scenario and which of its runs is shown.
pub(super) fn setup(study: &StudyResult, more: &str) -> String {
    let runs = match study.reps {
        0 | 1 => format!("seed {}", study.seed),
        n => {
            let runs = counted(n as usize, "run", "runs");
            format!("first of {runs}, seed {}", study.seed)
        }
    };
    format!("{} · {runs}{more}", study.title)
}
