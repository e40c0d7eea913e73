//! C1: how high, how long? The load of the peak service over time under the baseline.

use super::frame::{AREA, FAULTS, FOOTER, HEADER, LEFT, WIDTH};
use super::panel::{self, Panel};
use super::surface::{Rect, Surface};
use super::{Drawing, axis, facts, frame};
use crate::report::window::{self, Window};
use crate::study::StudyResult;

const HEIGHT: u32 = 520;

/// The chart, ready to be drawn.
pub(super) struct Timeline<'a> {
    study: &'a StudyResult,
    service: &'a str,
    window: Window,
    panels: Vec<Panel>,
}

impl<'a> Timeline<'a> {
    /// The chart of a study: one panel, or none when there is no policy.
    pub(super) fn new(study: &'a StudyResult) -> Timeline<'a> {
        let baseline = &study.policies[..study.policies.len().min(1)];
        let service = window::peak_service(study);
        let window = window::whole(study, baseline);
        let panels = baseline.iter().map(|p| Panel::new(study, p, service, window)).collect();
        Timeline { study, service, window, panels }
    }
}

impl Drawing for Timeline<'_> {
    fn size(&self) -> (u32, u32) {
        (WIDTH, HEIGHT)
    }

    fn title(&self) -> String {
        let baseline = self.study.policies.first();
        baseline.map_or("no policy".to_string(), |policy| facts::finding(self.study, policy))
    }

    fn alt(&self) -> String {
        format!(
            "{}. Stacked bars over time: {}, by outcome, {}. {}",
            self.title(),
            Panel::upright_name(&self.panels, self.service),
            facts::time_name(self.study, self.window),
            facts::faults(self.study)
        )
    }

    fn draw(&self, on: &mut dyn Surface) {
        let subtitle = frame::setup(self.study, "");
        frame::header(on, &self.title(), &subtitle, &Panel::legend(&self.panels));
        let faults = self.panels.first().is_some_and(Panel::has_faults);
        let y = HEADER + 28.0 + if faults { FAULTS } else { 0.0 };
        let h = f64::from(HEIGHT) - FOOTER - y;
        let area = Rect { x: LEFT, y, w: AREA, h };
        let name = Rect { y: HEADER + 26.0, ..area };
        axis::upright_name(on, name, &Panel::upright_name(&self.panels, self.service));
        for panel in &self.panels {
            panel.name_faults(on, area);
            let highest = panel.peak().max(panel.capacity());
            panel.draw(on, area, axis::Upright::new(highest, panel.depth(), 5.0), true);
        }
        axis::time_name(on, area, &facts::time_name(self.study, self.window));
        frame::foot(on, self.study, f64::from(HEIGHT));
    }

    fn csv(&self) -> String {
        let mut csv = csv::Writer::from_writer(Vec::new());
        panel::csv_header(&mut csv);
        for (policy, panel) in self.study.policies.iter().zip(&self.panels) {
            panel.csv(&policy.label, &mut csv);
        }
        panel::csv_text(csv)
    }
}
