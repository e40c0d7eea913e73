//! C4: does the policy bring clients together? The share that waits exactly alike, by retry.

use super::axis::Scale;
use super::colour::{GREY, INK, NOT_SENT, WHITE};
use super::frame::{AREA, FOOTER, HEADER, LEFT, SMALL, WIDTH};
use super::surface::{Anchor, Label, Rect, Surface};
use super::{Drawing, axis, font, frame};
use crate::report::calendar::{Calendar, Entry, alike};
use crate::report::text;

const HEIGHT: u32 = 460;
/// A share below this is that of a clock that counts in milliseconds, and no herd.
const HERD: f64 = 0.05;
/// Shares that differ by less are said to stay.
const SAME: f64 = 0.01;

/// The chart, ready to be drawn.
pub(super) struct Atoms<'a> {
    calendar: &'a Calendar,
}

impl<'a> Atoms<'a> {
    /// The chart of a calendar.
    pub(super) fn new(calendar: &'a Calendar) -> Atoms<'a> {
        Atoms { calendar }
    }

    fn entries(&self) -> &[Entry] {
        &self.calendar.entries
    }

    /// The finding: who waits exactly what, and when.
    fn finding(&self) -> String {
        let entries = self.entries();
        let Some(last) = entries.last() else { return "there are no retries".to_string() };
        let most = entries.iter().map(|entry| entry.atom).fold(0.0, f64::max);
        if most < HERD {
            return "no two clients that fail together come back together".to_string();
        }
        if entries.iter().all(|entry| entry.atom >= 1.0) {
            return "all clients wait exactly alike before every retry".to_string();
        }
        let who = |share: f64| match share {
            share if share > 1.0 - 1e-9 => "all clients".to_string(),
            share => format!("{:.0} % of clients", share * 100.0),
        };
        if last.atom > most - SAME {
            let stays = |entry: &&Entry| (entry.atom - last.atom).abs() <= SAME;
            let from = entries.iter().rev().take_while(stays).last().unwrap_or(last).retry;
            let when = match from == last.retry {
                true => format!("before retry {from}"),
                false => format!("from retry {from} on"),
            };
            let wait = text::seconds(last.atom_at);
            return format!("{} wait exactly {wait} {when}", who(last.atom));
        }
        let herd = entries.iter().find(|entry| entry.atom > most - SAME).unwrap_or(last);
        let wait = text::seconds(herd.atom_at);
        format!("{} wait exactly {wait} before retry {}", who(herd.atom), herd.retry)
    }

    fn bars(&self, on: &mut dyn Surface, area: Rect, upright: Scale) {
        let room = area.w / self.entries().len().max(1) as f64;
        let every = (self.entries().len() as f64 / 25.0).ceil().max(1.0) as u32;
        for (place, entry) in self.entries().iter().enumerate() {
            let middle = area.x + room * (place as f64 + 0.5);
            let w = (room * 0.7).min(56.0);
            let y = upright.at(entry.atom * 100.0);
            on.rect(Rect { x: middle - w / 2.0, y, w, h: area.bottom() - y }, NOT_SENT, 1.0);
            let mut label = |y: f64, colour, text: &str| {
                // The grid does not run through the words.
                let w = font::width(text, SMALL) + 4.0;
                let behind = Rect { x: middle - w / 2.0, y: y - SMALL, w, h: SMALL + 3.0 };
                on.rect(behind, WHITE, 1.0);
                on.text(Label { x: middle, y, size: SMALL, anchor: Anchor::Middle, colour, text });
            };
            if (entry.retry - 1).is_multiple_of(every) {
                label(area.bottom() + 20.0, INK, &entry.retry.to_string());
            }
            let share = alike(entry.atom);
            let at = format!("at {}", text::seconds(entry.atom_at));
            if font::width(&share, SMALL) < room - 4.0 {
                let tall = entry.atom >= HERD && font::width(&at, SMALL) < room - 4.0;
                label(y - if tall { 21.0 } else { 6.0 }, INK, &share);
                if tall {
                    label(y - 6.0, GREY, &at);
                }
            }
        }
    }
}

impl Drawing for Atoms<'_> {
    fn size(&self) -> (u32, u32) {
        (WIDTH, HEIGHT)
    }

    fn title(&self) -> String {
        format!("{}: {}", self.calendar.name, self.finding())
    }

    fn alt(&self) -> String {
        let shares = self.entries().iter().map(|entry| {
            let at = text::seconds(entry.atom_at);
            format!("retry {}: {} at {at}", entry.retry, alike(entry.atom))
        });
        let shares: Vec<String> = shares.collect();
        format!(
            "{}. Bars: share of clients with exactly the same wait, by retry. {}.",
            self.title(),
            shares.join("; ")
        )
    }

    fn draw(&self, on: &mut dyn Surface) {
        let subtitle = "the largest share of clients with exactly the same wait before a retry · \
                        computed from the policy, not simulated";
        frame::header(on, &self.title(), subtitle, &[]);
        let name = Rect { x: LEFT, y: HEADER, w: AREA, h: 0.0 };
        axis::upright_name(on, name, "clients that wait exactly alike (%)");
        // Room above a bar of all clients for its two labels.
        let y = HEADER + 30.0;
        let area = Rect { x: LEFT, y, w: AREA, h: f64::from(HEIGHT) - FOOTER - y };
        let upright = Scale { from: 0.0, to: 100.0, start: area.bottom(), end: area.y };
        axis::counts(on, area, upright, 5.0);
        self.bars(on, area, upright);
        axis::lines(on, area, area.bottom());
        axis::time_name(on, area, "number of the retry");
        let version = env!("CARGO_PKG_VERSION");
        let foot = format!("herdsim {version} · {}", self.calendar.name);
        frame::foot_line(on, &foot, f64::from(HEIGHT));
    }

    fn csv(&self) -> String {
        self.calendar.csv()
    }
}
