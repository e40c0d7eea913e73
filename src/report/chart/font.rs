//! The one font: it travels in the program, so that charts need none of the system's.

use std::sync::LazyLock;

use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};

/// The family under which plotters knows it: a name of our own, never a system font.
const FAMILY: &str = "herdsim-dejavu-sans";
static BYTES: &[u8] = include_bytes!("../../../assets/DejaVuSans.ttf");
/// Height of a line of this font in its own size: plotters counts sizes so.
const LINE: f64 = 2384.0 / 2048.0;
/// Widths are measured this large, since plotters rounds them to whole pixels.
const LARGE: f64 = 1000.0;

static REGISTERED: LazyLock<bool> =
    LazyLock::new(|| register_font(FAMILY, FontStyle::Normal, BYTES).is_ok());

/// The font in a size (px of the em).
pub(super) fn of_size(size: f64) -> FontDesc<'static> {
    assert!(*REGISTERED, "the embedded font is readable");
    FontDesc::new(FontFamily::Name(FAMILY), size * LINE, FontStyle::Normal)
}

/// How far below the upper edge of its box plotters puts the baseline.
pub(super) fn baseline(size: f64) -> f64 {
    size * LINE / 2.0
}

/// Width of a line of text in a size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let wide = of_size(LARGE).layout_box(text).map_or(0, |(from, to)| to.0 - from.0);
    f64::from(wide) * size / LARGE
}

/// The text, cut with an ellipsis when it is wider than the room.
pub(super) fn fit(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_string();
    }
    let mut letters: Vec<char> = text.chars().collect();
    // Long strangers first lose what cannot fit at a third of an em a letter: one pass, not n.
    letters.truncate((room * 3.0 / size) as usize + 1);
    while letters.pop().is_some() {
        let cut: String = letters.iter().collect::<String>().trim_end().to_string() + "…";
        if width(&cut, size) <= room {
            return cut;
        }
    }
    String::new()
}
