//! C2: which policy? The load of the peak service under each, on shared axes.

use super::axis::Upright;
use super::frame::{AREA, FAULTS, FOOTER, HEADER, LEFT, WIDTH};
use super::panel::{self, Panel};
use super::surface::{Rect, Surface};
use super::{Drawing, axis, facts, frame};
use crate::report::text;
use crate::report::window::{self, Window};
use crate::study::{PolicyResult, StudyResult};

/// Panels beyond this are left out, and the subtitle says so.
const MOST: usize = 12;
/// Height of the title of a panel.
const HEAD: f64 = 26.0;
/// Room between panels: for the strip of a crash.
const GAP: f64 = 10.0;
/// A peak so many times higher than all others is cut.
const OUTLIER: f64 = 20.0;

/// The chart, ready to be drawn.
pub(super) struct Policies<'a> {
    study: &'a StudyResult,
    service: &'a str,
    window: Window,
    shown: &'a [PolicyResult],
    panels: Vec<Panel>,
    /// The upright axis of each panel: the same upper end and scale, and only as far below zero as
    /// the panel needs.
    axes: Vec<Upright>,
    /// Whether bars are cut at the upper end.
    cut: bool,
}

impl<'a> Policies<'a> {
    /// The chart of a study.
    pub(super) fn new(study: &'a StudyResult) -> Policies<'a> {
        let shown = &study.policies[..study.policies.len().min(MOST)];
        let service = window::peak_service(study);
        let window = window::compare(study, shown);
        let panels: Vec<Panel> =
            shown.iter().map(|p| Panel::new(study, p, service, window)).collect();
        let (highest, cut) = highest(&panels);
        let axes = panels.iter().map(|p| Upright::new(highest, p.depth(), 4.0)).collect();
        Policies { study, service, window, shown, panels, axes, cut }
    }

    /// Height of a panel without its title: many share the page.
    fn panel_height(&self, axis: &Upright) -> f64 {
        let above = match self.panels.len() {
            0..=2 => 190.0,
            3..=4 => 130.0,
            5..=6 => 90.0,
            _ => 70.0,
        };
        above * (axis.top + axis.below) / axis.top
    }

    /// What a panel shows; its recovery only where it does not stand at the right end.
    fn panel_title(&self, policy: &PolicyResult, panel: &Panel, beyond: bool) -> String {
        let mut course = facts::course(self.study, policy);
        if let (None, Some(own)) = (Panel::common_capacity(&self.panels), panel.capacity_per_s) {
            course = course.replacen("capacity", &format!("capacity of {}/s", text::tick(own)), 1);
        }
        let back = facts::back(self.study, policy).filter(|_| !beyond);
        let back = back.map(|words| format!(", {words}")).unwrap_or_default();
        format!("{}: {course}{back}", facts::name(policy))
    }

    /// Where the first panel begins: below the header, its title and the names of the faults.
    fn first_area(&self) -> Rect {
        let faults = self.panels.first().is_some_and(Panel::has_faults);
        let y = HEADER + 22.0 + HEAD + if faults { FAULTS } else { 0.0 };
        Rect { x: LEFT, y, w: AREA, h: 0.0 }
    }

    fn subtitle(&self) -> String {
        let mut more = String::new();
        if let Some(axis) = self.axes.first().filter(|_| self.cut) {
            more.push_str(&format!(" · bars cut at {}", text::number(axis.top)));
        }
        if self.shown.len() < self.study.policies.len() {
            let all = self.study.policies.len();
            more.push_str(&format!(" · {} of {all} policies", self.shown.len()));
        }
        frame::setup(self.study, &more)
    }
}

/// What the upright axis that all panels share has to hold: the highest bar, unless it dwarfs the
/// bars of every other policy and is cut.
fn highest(panels: &[Panel]) -> (f64, bool) {
    let mut peaks: Vec<f64> = panels.iter().map(Panel::peak).collect();
    peaks.sort_by(f64::total_cmp);
    let capacity = panels.iter().map(Panel::capacity).fold(0.0, f64::max);
    let highest = peaks.pop().unwrap_or(0.0);
    let others = peaks.pop().unwrap_or(highest);
    if others > 0.0 && highest > others * OUTLIER && highest > capacity * OUTLIER / 4.0 {
        return ((others * 1.5).max(capacity), true);
    }
    (highest.max(capacity), false)
}

impl Drawing for Policies<'_> {
    fn size(&self) -> (u32, u32) {
        let panels: f64 = self.axes.iter().map(|a| HEAD + self.panel_height(a) + GAP).sum();
        (WIDTH, (self.first_area().y - HEAD + panels.max(60.0) + FOOTER) as u32)
    }

    fn title(&self) -> String {
        facts::comparison(self.study)
    }

    fn alt(&self) -> String {
        let panels = self.shown.iter().zip(&self.panels);
        let each = panels.map(|(policy, panel)| self.panel_title(policy, panel, false));
        let each: Vec<String> = each.collect();
        format!(
            "{}. {}. One panel of stacked bars over time per policy: {}, by outcome, on shared \
             axes, {}. {} {}.",
            self.title(),
            facts::peaks(self.study),
            Panel::upright_name(&self.panels, self.service),
            facts::time_name(self.study, self.window),
            facts::faults(self.study),
            each.join(". ")
        )
    }

    fn draw(&self, on: &mut dyn Surface) {
        let legend = Panel::legend(&self.panels);
        frame::header(on, &self.title(), &self.subtitle(), &legend);
        let mut area = self.first_area();
        let name = Rect { y: HEADER + 26.0, ..area };
        axis::upright_name(on, name, &Panel::upright_name(&self.panels, self.service));
        let last = self.panels.len().saturating_sub(1);
        for (place, (policy, panel)) in self.shown.iter().zip(&self.panels).enumerate() {
            let beyond = facts::beyond(self.study, policy, self.window);
            let title = self.panel_title(policy, panel, beyond.is_some());
            area.h = self.panel_height(&self.axes[place]);
            let mut y = area.y - 8.0;
            if place == 0 && panel.has_faults() {
                panel.name_faults(on, area);
                y -= FAULTS;
            }
            frame::panel_title(on, y, &title, beyond);
            panel.draw(on, area, self.axes[place], place == last);
            if place == last {
                axis::time_name(on, area, &facts::time_name(self.study, self.window));
            }
            area.y += HEAD + area.h + GAP;
        }
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
