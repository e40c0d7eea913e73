//! One panel of load over time: bars by outcome, capacity, faults, crashes, recovery.

use std::time::Duration;

use super::axis::{self, Scale, Upright};
use super::colour::{self, DOWN, GOOD, INK, WHITE};
use super::facts;
use super::font;
use super::frame::{Entry, SMALL, dashes};
use super::marks::{self, Span, faults, name_faults, shade_faults};
use super::surface::{Anchor, Label, Rect, Step, Surface};
use crate::metrics::{Metric, Outcome};
use crate::report::text;
use crate::report::window::{self, Binning, Window};
use crate::study::{PolicyResult, StudyResult};

/// The line between rejected and failed attempts.
const GAP: f64 = 1.0;

/// What a panel shows.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    /// How bins are put together.
    pub(super) binning: Binning,
    /// Attempts per bin, by outcome.
    layers: [Vec<u64>; Outcome::ALL.len()],
    /// Retries not sent for want of tokens, by all clients.
    refused: Vec<u64>,
    /// Whether the service was down after a crash.
    down: Vec<bool>,
    /// Attempts that it can serve per second.
    pub(super) capacity_per_s: Option<f64>,
    /// The highest load per second anywhere in the run, after the faults.
    peak_per_s: f64,
    /// When it was back to normal (s), and how long that took.
    recovered: Option<(f64, Duration)>,
    /// The faults in the window.
    faults: Vec<Span>,
    /// When an operator does what (s).
    actions: Vec<(f64, String)>,
    window: Window,
}

impl Panel {
    /// The panel of a service under a policy.
    pub(super) fn new(
        study: &StudyResult,
        policy: &PolicyResult,
        name: &str,
        window: Window,
    ) -> Panel {
        let timeline = &policy.first.timeline;
        // Bars thinner than two pixels wash out.
        let binning = Binning::new(timeline, window, (super::frame::AREA / 2.0) as u64);
        let series = window::service(policy, name);
        let sums = |outcome: usize| series.map_or(vec![], |s| binning.sums(&s.arrivals[outcome]));
        let peak_per_s = policy.overall.get(Metric::PeakPerS).map_or(0.0, |peak| peak.mean);
        Panel {
            binning,
            layers: std::array::from_fn(sums),
            refused: binning.sums(&timeline.refused),
            down: series.map_or(vec![], |series| binning.any(&series.down)),
            capacity_per_s: series.and_then(|series| series.capacity_per_s),
            peak_per_s,
            recovered: facts::recovered_at(study, policy),
            faults: faults(study, window),
            actions: marks::actions(study, window),
            window,
        }
    }

    /// Attempts in a bin, whatever became of them.
    fn load(&self, bin: usize) -> u64 {
        self.layers.iter().map(|layer| layer.get(bin).copied().unwrap_or(0)).sum()
    }

    /// The highest bar.
    pub(super) fn peak(&self) -> f64 {
        (0..self.binning.count).map(|bin| self.load(bin)).max().unwrap_or(0) as f64
    }

    /// The deepest bar below zero.
    pub(super) fn depth(&self) -> f64 {
        self.refused.iter().max().copied().unwrap_or(0) as f64
    }

    /// Attempts that the service can serve in a bin.
    fn bin_capacity(&self) -> Option<f64> {
        self.capacity_per_s.map(|capacity| capacity * self.binning.seconds())
    }

    /// What has to fit on the upright axis besides the bars: the capacity, unless it is so far up
    /// that the bars would be too small to see.
    pub(super) fn capacity(&self) -> f64 {
        let near = |capacity: &f64| *capacity <= self.peak() * 4.0;
        self.bin_capacity().filter(near).map_or(0.0, |capacity| capacity * 1.15)
    }

    /// The capacity per second that all panels have in common.
    pub(super) fn common_capacity(panels: &[Panel]) -> Option<f64> {
        let first = panels.first()?.capacity_per_s?;
        panels.iter().all(|panel| panel.capacity_per_s == Some(first)).then_some(first)
    }

    /// Whether so much of a layer can be seen that a reader would ask what it is.
    fn shows(&self, place: usize) -> bool {
        // Some attempts are always on their way when a run ends: that is no finding.
        let most = self.layers[place].iter().copied().max().unwrap_or(0) as f64;
        most > 0.0 && (place == Outcome::Served as usize || most * 150.0 > self.peak())
    }

    /// The legend of what occurs in any of these panels.
    pub(super) fn legend(panels: &[Panel]) -> Vec<Entry> {
        let mut legend = Vec::new();
        for (place, outcome) in Outcome::ALL.into_iter().enumerate() {
            if panels.iter().any(|panel| panel.shows(place)) {
                legend.push(Entry::Outcome(outcome));
            }
        }
        let capacity = Panel::common_capacity(panels);
        let capacity = capacity.map(|c| format!("capacity {}/s", text::tick(c)));
        let limited = panels.iter().any(|panel| panel.capacity_per_s.is_some());
        let more = [
            (Entry::NotSent, panels.iter().any(|panel| panel.depth() > 0.0)),
            (Entry::Capacity(capacity), limited),
            (Entry::Fault, panels.iter().any(|panel| !panel.faults.is_empty())),
            (Entry::Down, panels.iter().any(|panel| panel.down.contains(&true))),
        ];
        legend.extend(more.into_iter().filter(|(_, shown)| *shown).map(|(entry, _)| entry));
        legend
    }

    /// The name of the upright axis of panels that share their bins.
    pub(super) fn upright_name(panels: &[Panel], service: &str) -> String {
        let Some(panel) = panels.first() else {
            return "attempts".to_string();
        };
        let bin = panel.binning.seconds();
        let mut notes = Vec::new();
        if let Some(capacity) = Panel::common_capacity(panels).filter(|_| bin != 1.0) {
            notes.push(format!("capacity {}", text::tick(capacity * bin)));
        }
        // A reader who compares the bars with the peak in the title would find them too low.
        let flat = |panel: &Panel| panel.peak() / bin < panel.peak_per_s * 0.8;
        if bin > 1.0 && panels.iter().any(flat) {
            notes.push("shorter peaks are averaged".to_string());
        }
        let service = text::shortened(&text::printable(service), 30);
        let notes =
            if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
        format!("attempts at {service} per {}{notes}", text::seconds(bin))
    }

    /// Whether faults are named above the first panel.
    pub(super) fn has_faults(&self) -> bool {
        !self.faults.is_empty()
    }

    /// Names the faults above it.
    pub(super) fn name_faults(&self, on: &mut dyn Surface, area: Rect) {
        name_faults(on, area, time_scale(area, self.window), &self.faults);
    }

    /// Draws it; bars above the top are cut, with their height written on them.
    pub(super) fn draw(&self, on: &mut dyn Surface, area: Rect, axis: Upright, last: bool) {
        let across = time_scale(area, self.window);
        let up = Scale { from: -axis.below, to: axis.top, start: area.bottom(), end: area.y };
        shade_faults(on, area, across, &self.faults);
        axis::time(on, area, across, last);
        axis::counts(on, area, up, (area.h / 28.0).clamp(2.0, 7.0));
        self.draw_bars(on, across, up);
        self.draw_not_sent(on, across, up);
        self.draw_down(on, across, area);
        axis::lines(on, area, up.at(0.0));
        self.draw_capacity(on, area, up);
        marks::draw_actions(on, area, across, &self.actions);
        self.draw_recovery(on, area, across);
        self.draw_cut(on, area, across, axis.top);
    }

    fn draw_bars(&self, on: &mut dyn Surface, across: Scale, up: Scale) {
        let edge = |bin: usize| across.at(self.binning.start(bin));
        // From the top of the stack down, each layer from the axis up and the next one over it:
        // one outline per layer instead of one rectangle per bin.
        for layers in (1..=self.layers.len()).rev() {
            let sum = |bin: usize| -> u64 { self.layers[..layers].iter().map(|l| l[bin]).sum() };
            let own = &self.layers[layers - 1];
            let shown = (0..own.len()).filter(|bin| own[*bin] > 0);
            let step = |bin: usize| Step {
                x: edge(bin),
                right: edge(bin + 1),
                edge: up.at(sum(bin) as f64).min(up.at(0.0) - 0.5),
            };
            if Outcome::ALL[layers - 1] == Outcome::Rejected {
                // Orange and vermilion are a weak pair: a white line keeps them apart.
                let errors = &self.layers[Outcome::Errored as usize];
                let high = |count: u64| up.at(0.0) - up.at(count as f64) > GAP * 3.0;
                let pairs = shown.clone().filter(|bin| high(own[*bin]) && high(errors[*bin]));
                let gap = |step: Step| Step { edge: step.edge - GAP, ..step };
                let gaps: Vec<Step> = pairs.map(|bin| gap(step(bin))).collect();
                on.steps(&gaps, up.at(0.0), WHITE);
            }
            let steps: Vec<Step> = shown.map(step).collect();
            on.steps(&steps, up.at(0.0), colour::outcome(Outcome::ALL[layers - 1]));
        }
    }

    fn draw_not_sent(&self, on: &mut dyn Surface, across: Scale, up: Scale) {
        let edge = |bin: usize| across.at(self.binning.start(bin));
        let shown = (0..self.refused.len()).filter(|bin| self.refused[*bin] > 0);
        let depth = |bin: usize| up.at(-(self.refused[bin] as f64)).max(up.at(0.0) + 0.5);
        let steps: Vec<Step> = shown
            .map(|bin| Step { x: edge(bin), right: edge(bin + 1), edge: depth(bin) })
            .collect();
        on.steps(&steps, up.at(0.0), colour::NOT_SENT);
    }

    /// A strip below the panel, where it hides nothing.
    fn draw_down(&self, on: &mut dyn Surface, across: Scale, area: Rect) {
        let edge = |bin: usize| across.at(self.binning.start(bin));
        let down = (0..self.down.len()).filter(|bin| self.down[*bin]);
        let steps: Vec<Step> = down
            .map(|bin| Step { x: edge(bin), right: edge(bin + 1), edge: area.bottom() + 2.0 })
            .collect();
        on.steps(&steps, area.bottom() + 6.0, DOWN);
    }

    fn draw_capacity(&self, on: &mut dyn Surface, area: Rect, up: Scale) {
        let Some(capacity) = self.bin_capacity() else {
            return;
        };
        if capacity <= up.to {
            dashes(on, area.x, area.right(), up.at(capacity));
            return;
        }
        // Before a fault it is calm at the left; a burst begins there.
        let (x, anchor) = match self.faults.is_empty() {
            true => (area.right() - 4.0, Anchor::End),
            false => (area.x + 5.0, Anchor::Start),
        };
        boxed(on, x, area.y + SMALL + 2.0, anchor, INK, "capacity ↑");
    }

    fn draw_recovery(&self, on: &mut dyn Surface, area: Rect, across: Scale) {
        if let Some((at, after)) = self.recovered.filter(|(at, _)| *at <= across.to) {
            recovery(on, area, across.at(at), after);
        }
    }

    /// Writes the height of the highest of the bars that are cut on it.
    fn draw_cut(&self, on: &mut dyn Surface, area: Rect, across: Scale, top: f64) {
        let highest = (0..self.binning.count).max_by_key(|bin| (self.load(*bin), usize::MAX - bin));
        let Some(bin) = highest.filter(|bin| self.load(*bin) as f64 > top) else {
            return;
        };
        let x = across.at(self.binning.start(bin + 1));
        let text = format!("↑ {}", text::grouped(self.load(bin) as f64));
        let fits = font::width(&text, SMALL) + 10.0 < area.right() - x;
        let (x, anchor) = if fits { (x + 4.0, Anchor::Start) } else { (x - 8.0, Anchor::End) };
        boxed(on, x, area.y + SMALL * 2.0 + 8.0, anchor, INK, &text);
    }

    /// Lines of a table: policy, start of the bin, outcomes, load, capacity, down.
    pub(super) fn csv(&self, policy: &str, csv: &mut csv::Writer<Vec<u8>>) {
        for bin in 0..self.binning.count {
            let start =
                self.binning.width as u128 * (self.binning.first / self.binning.per + bin) as u128;
            let mut row = vec![policy.to_string(), text::exact_seconds(start)];
            row.extend(
                self.layers
                    .iter()
                    .map(|layer| layer.get(bin).map(u64::to_string).unwrap_or_default()),
            );
            row.push(self.load(bin).to_string());
            row.push(self.refused.get(bin).map(u64::to_string).unwrap_or_default());
            row.push(self.bin_capacity().map(|capacity| capacity.to_string()).unwrap_or_default());
            row.push(u8::from(self.down.get(bin).copied().unwrap_or(false)).to_string());
            // Writing to memory cannot fail.
            let _ = csv.write_record(row);
        }
    }
}

/// The tick of recovery with its words, at the side where there is room.
pub(super) fn recovery(on: &mut dyn Surface, area: Rect, x: f64, after: Duration) {
    on.rect(Rect { x: x - 1.0, y: area.y, w: 2.0, h: area.h }, GOOD, 1.0);
    let text = facts::recovered_tick(after);
    let fits = font::width(&text, SMALL) < area.right() - x - 8.0;
    let (x, anchor) = if fits { (x + 6.0, Anchor::Start) } else { (x - 6.0, Anchor::End) };
    boxed(on, x, area.y + SMALL + 2.0, anchor, GOOD, &text);
}

/// The head of the table of a panel.
pub(super) fn csv_header(csv: &mut csv::Writer<Vec<u8>>) {
    let outcomes = Outcome::ALL.map(Outcome::name);
    let more = ["load", "not_sent", "capacity_per_bin", "down"];
    let _ = csv.write_record(["policy", "time_s"].into_iter().chain(outcomes).chain(more));
}

/// The text of a table in memory.
pub(super) fn csv_text(csv: csv::Writer<Vec<u8>>) -> String {
    let bytes = csv.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

/// The scale of the time axis (s).
pub(super) fn time_scale(area: Rect, window: Window) -> Scale {
    let (from, to) = (window.from as f64 / 1e9, window.to as f64 / 1e9);
    Scale { from, to, start: area.x, end: area.right() }
}

/// Text on a pale box, so that bars behind it do not disturb.
pub(super) fn boxed(
    on: &mut dyn Surface,
    x: f64,
    y: f64,
    anchor: Anchor,
    colour: colour::Colour,
    text: &str,
) {
    let w = font::width(text, SMALL);
    let left = match anchor {
        Anchor::Start => x,
        Anchor::Middle => x - w / 2.0,
        Anchor::End => x - w,
    };
    let pale = Rect { x: left - 3.0, y: y - SMALL + 1.0, w: w + 6.0, h: SMALL + 3.0 };
    on.rect(pale, WHITE, 0.85);
    on.text(Label { x, y, size: SMALL, anchor, colour, text });
}
