//! The palette (Okabe and Ito, told apart by colour-blind readers too).

use crate::metrics::Outcome;

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Colour(pub(super) u8, pub(super) u8, pub(super) u8);

impl Colour {
    /// As `#rrggbb`.
    pub(super) fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// Text, axes, the capacity line, the shade of a fault.
pub(super) const INK: Colour = Colour(0x22, 0x22, 0x22);
/// Text of the second rank (7:1 on white).
pub(super) const GREY: Colour = Colour(0x55, 0x55, 0x55);
/// The page.
pub(super) const WHITE: Colour = Colour(0xff, 0xff, 0xff);
/// A service that is down after a crash.
pub(super) const DOWN: Colour = Colour(0xb0, 0x00, 0x20);
/// Text about recovery: the green of `served`, dark enough to read.
pub(super) const GOOD: Colour = Colour(0x00, 0x6b, 0x4f);
/// Retries that were held back.
pub(super) const NOT_SENT: Colour = Colour(0x00, 0x72, 0xb2);
/// Opacity of the shade of a fault.
pub(super) const FAULT_SHADE: f64 = 0.08;
/// Opacity of the grid.
pub(super) const GRID: f64 = 0.12;

/// The fill of an outcome.
pub(super) fn outcome(outcome: Outcome) -> Colour {
    match outcome {
        Outcome::Served => Colour(0x00, 0x9e, 0x73),
        // The sky blue of the palette, darker: 3:1 on white.
        Outcome::Wasted => Colour(0x3a, 0x96, 0xd4),
        Outcome::Rejected => Colour(0xe6, 0x9f, 0x00),
        Outcome::Errored => Colour(0xd5, 0x5e, 0x00),
        Outcome::Lost => Colour(0xcc, 0x79, 0xa7),
        Outcome::Waiting => Colour(0x8a, 0x8a, 0x8a),
    }
}
