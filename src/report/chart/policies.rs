//! C2: which policy? The load of the peak service under each, on shared axes.

use super::axis::Upright;
use super::colour::INK;
use super::frame::{AREA, FOOTER, HEADER, LEFT, MARGIN, WIDTH};
use super::panel::{self, Panel};
use super::surface::{Anchor, Label, Rect, Surface};
use super::{Drawing, axis, facts, font, frame};
use crate::report::text;
use crate::report::window::{self, Window};
use crate::study::{PolicyResult, StudyResult};

/// Panels beyond this are left out, and the subtitle says so.
const MOST: usize = 12;
/// Height of the title of a panel.
const HEAD: f64 = 26.0;
/// Size of the title of a panel.
const SIZE: f64 = 14.5;
/// A peak so many times higher than all others is cut.
const OUTLIER: f64 = 20.0;

/// The chart, ready to be drawn.
pub(super) struct Policies<'a> {
    study: &'a StudyResult,
    service: &'a str,
    window: Window,
    shown: &'a [PolicyResult],
    panels: Vec<Panel>,
    /// The end of the shared upright axis, and whether bars are cut there.
    axis: (Upright, bool),
}

impl<'a> Policies<'a> {
    /// The chart of a study.
    pub(super) fn new(study: &'a StudyResult) -> Policies<'a> {
        let shown = &study.policies[..study.policies.len().min(MOST)];
        let service = window::peak_service(study);
        let window = window::choose(study, shown);
        let panels: Vec<Panel> =
            shown.iter().map(|p| Panel::new(study, p, service, window)).collect();
        let axis = shared_axis(&panels);
        Policies { study, service, window, shown, panels, axis }
    }

    /// Height of a panel without its title: many share the page.
    fn panel_height(&self) -> f64 {
        match self.panels.len() {
            0..=2 => 170.0,
            3..=4 => 120.0,
            5..=6 => 90.0,
            _ => 70.0,
        }
    }

    fn panel_title(&self, policy: &PolicyResult) -> String {
        let tail = facts::recovery(self.study, policy).map(|words| format!(", {words}"));
        format!("{}: {}{}", facts::name(policy), facts::peak(policy), tail.unwrap_or_default())
    }

    fn subtitle(&self) -> String {
        let mut more = String::new();
        if self.axis.1 {
            more.push_str(&format!(" · bars cut at {}", text::number(self.axis.0.top)));
        }
        if self.shown.len() < self.study.policies.len() {
            let all = self.study.policies.len();
            more.push_str(&format!(" · {} of {all} policies", self.shown.len()));
        }
        frame::setup(self.study, &more)
    }
}

/// The end of the upright axis that all panels share: the highest bar, unless it dwarfs the bars
/// of every other policy.
fn shared_axis(panels: &[Panel]) -> (Upright, bool) {
    let depth = panels.iter().map(Panel::depth).fold(0.0, f64::max);
    let mut peaks: Vec<f64> = panels.iter().map(Panel::peak).collect();
    peaks.sort_by(f64::total_cmp);
    let capacity = panels.iter().map(Panel::capacity).fold(0.0, f64::max);
    let highest = peaks.pop().unwrap_or(0.0);
    let others = peaks.pop().unwrap_or(highest);
    if others > 0.0 && highest > others * OUTLIER && highest > capacity * OUTLIER / 4.0 {
        return (Upright::new((others * 1.5).max(capacity), depth, 4.0), true);
    }
    (Upright::new(highest.max(capacity), depth, 4.0), false)
}

impl Drawing for Policies<'_> {
    fn size(&self) -> (u32, u32) {
        let panels = self.panels.len() as f64 * (HEAD + self.panel_height() + 8.0);
        (WIDTH, (HEADER + 22.0 + panels.max(60.0) + FOOTER) as u32)
    }

    fn title(&self) -> String {
        facts::comparison(self.study)
    }

    fn alt(&self) -> String {
        let bin = self.panels.first().map(|panel| panel.upright_name(self.service));
        let each: Vec<String> = self.shown.iter().map(|policy| self.panel_title(policy)).collect();
        format!(
            "One panel of stacked bars over time per policy: {}, by outcome, on shared axes. {} {}.",
            bin.unwrap_or_default(),
            facts::faults(self.study),
            each.join(". ")
        )
    }

    fn draw(&self, on: &mut dyn Surface) {
        let legend = Panel::legend(&self.panels);
        frame::header(on, &self.title(), &self.subtitle(), &legend);
        let h = self.panel_height();
        let mut area = Rect { x: LEFT, y: HEADER + 22.0 + HEAD, w: AREA, h };
        if let Some(panel) = self.panels.first() {
            let name = Rect { y: HEADER + 26.0, ..area };
            axis::upright_name(on, name, &panel.upright_name(self.service));
        }
        let last = self.panels.len().saturating_sub(1);
        for (place, (policy, panel)) in self.shown.iter().zip(&self.panels).enumerate() {
            let title = font::fit(&self.panel_title(policy), SIZE, f64::from(WIDTH) - 2.0 * MARGIN);
            let (x, y) = (LEFT, area.y - 8.0);
            let anchor = Anchor::Start;
            on.text(Label { x, y, size: SIZE, anchor, colour: INK, text: &title });
            panel.draw(on, area, self.axis.0, place == last);
            area.y += HEAD + h + 8.0;
        }
        area.y -= HEAD + h + 8.0;
        axis::time_name(on, area, &facts::time_name(self.study, self.window));
        frame::foot(on, self.study, f64::from(self.size().1));
    }

    fn csv(&self) -> String {
        let mut csv = csv::Writer::from_writer(Vec::new());
        panel::csv_header(&mut csv);
        for (policy, panel) in self.shown.iter().zip(&self.panels) {
            panel.csv(&policy.label, &mut csv);
        }
        panel::csv_text(csv)
    }
}
