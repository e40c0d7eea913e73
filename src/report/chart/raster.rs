//! C3: are they synchronized? One tick per attempt of a sample of clients.

use super::axis::{self, Scale};
use super::colour;
use super::frame::{AREA, Entry, FAULTS, FOOTER, HEADER, LEFT, WIDTH};
use super::marks;
use super::panel;
use super::surface::{Dot, Rect, Surface};
use super::{Drawing, facts, frame};
use crate::metrics::{self, Mark, Metric, Outcome};
use crate::report::text;
use crate::report::window::{self, Window};
use crate::study::{PolicyResult, StudyResult};

/// Panels beyond this are left out, and the subtitle says so.
const MOST: usize = 4;
const HEAD: f64 = 26.0;
/// Width of a tick.
const TICK: f64 = 1.5;

/// The chart, ready to be drawn.
pub(super) struct Raster<'a> {
    study: &'a StudyResult,
    window: Window,
    shown: &'a [PolicyResult],
}

impl<'a> Raster<'a> {
    /// The chart of a study.
    pub(super) fn new(study: &'a StudyResult) -> Raster<'a> {
        let shown = &study.policies[..study.policies.len().min(MOST)];
        Raster { study, window: window(study, shown), shown }
    }

    fn panel_height(&self) -> f64 {
        if self.shown.len() < 2 { 300.0 } else { 140.0 }
    }

    fn subtitle(&self) -> String {
        let first = self.shown.first().map(|policy| &policy.first.raster);
        let mut more = first.map_or(String::new(), |raster| {
            let group = text::shortened(&text::printable(&raster.group), 24);
            match self.is_one_sample() {
                true => format!(" · {} of {group}", sample(raster)),
                false => {
                    let all = text::grouped(f64::from(raster.of));
                    format!(" · samples of the {all} clients of {group}")
                }
            }
        });
        if self.shown.len() < self.study.policies.len() {
            let all = self.study.policies.len();
            more.push_str(&format!(" · {} of {all} policies", self.shown.len()));
        }
        frame::setup(self.study, &more)
    }

    /// Whether all panels show the same number of clients.
    fn is_one_sample(&self) -> bool {
        let sizes = |policy: &PolicyResult| (policy.first.raster.clients, policy.first.raster.of);
        self.shown.windows(2).all(|pair| sizes(&pair[0]) == sizes(&pair[1]))
    }

    /// What a panel shows.
    fn panel_title(&self, policy: &PolicyResult) -> String {
        let title = format!("{}: {}", facts::name(policy), synchrony(policy));
        let raster = &policy.first.raster;
        let all = self.shown.first().map_or(0, |first| first.first.raster.of);
        match self.is_one_sample() {
            true => title,
            // The subtitle says of how many, unless policies have their own numbers of clients.
            false if raster.of == all => {
                format!("{title}; {} shown", text::grouped(f64::from(raster.clients)))
            }
            false => format!("{title}; {}", sample(raster)),
        }
    }

    fn legend(&self) -> Vec<Entry> {
        let mut legend: Vec<Entry> = Outcome::ALL
            .into_iter()
            .filter(|outcome| {
                self.shown.iter().any(|p| self.marks(p).any(|m| m.outcome == *outcome))
            })
            .map(Entry::Outcome)
            .collect();
        if !marks::faults(self.study, self.window).is_empty() {
            legend.push(Entry::Fault);
        }
        legend
    }

    /// The marks of a policy that are in the window and in a row that exists.
    fn marks(&self, policy: &'a PolicyResult) -> impl Iterator<Item = &'a Mark> {
        let (window, rows) = (self.window, policy.first.raster.clients);
        policy.first.raster.marks.iter().filter(move |mark| {
            (window.from..window.to).contains(&mark.sent.as_nanos()) && mark.row < rows
        })
    }

    fn draw_panel(&self, on: &mut dyn Surface, policy: &PolicyResult, area: Rect, last: bool) {
        let across = panel::time_scale(area, self.window);
        let rows = f64::from(policy.first.raster.clients.max(1));
        let down = Scale { from: 0.0, to: rows, start: area.y, end: area.bottom() };
        marks::shade_faults(on, area, across, &marks::faults(self.study, self.window));
        axis::time(on, area, across, last);
        axis::lines(on, area, area.bottom());
        axis::label_left(on, area, area.y + 5.0, "1");
        axis::label_left(on, area, area.bottom() - 5.0, &text::tick(rows));
        let high = (area.h / rows).max(0.75);
        let dots: Vec<Dot> = self
            .marks(policy)
            .map(|mark| Dot {
                x: across.at(mark.sent.as_secs_f64()).min(area.right() - TICK),
                y: down.at(f64::from(mark.row)).min(area.bottom() - high),
                colour: colour::outcome(mark.outcome),
            })
            .collect();
        on.dots(area, &dots, (TICK, high * if high > 3.0 { 0.8 } else { 1.0 }));
        if let Some((at, after)) = facts::recovered_at(self.study, policy)
            && at <= across.to
        {
            panel::recovery(on, area, across.at(at), after);
        }
    }

    /// The area of the first panel: below the header, its title and the names of the faults.
    fn first_area(&self) -> Rect {
        let faults = !marks::faults(self.study, self.window).is_empty();
        let y = HEADER + 22.0 + HEAD + if faults { FAULTS } else { 0.0 };
        Rect { x: LEFT, y, w: AREA, h: self.panel_height() }
    }
}

/// The stretch to show: close around the faults, since ticks are told apart only when they are
/// a few pixels away from each other, and no further than marks were kept.
fn window(study: &StudyResult, shown: &[PolicyResult]) -> Window {
    let whole = window::compare(study, shown);
    let sent = shown.iter().flat_map(|p| &p.first.raster.marks).map(|mark| mark.sent.as_nanos());
    let last = sent.max().map_or(whole.to, |last| last.saturating_add(last / 50));
    let mut close = Window { to: whole.to.min(last), ..whole };
    if let Some((begin, end)) = window::faults(study) {
        let (begin, end) = (begin.as_nanos(), end.as_nanos());
        let span = end - begin;
        close.from = close.from.max(begin.saturating_sub(span / 2));
        close.to = close.to.min(end.saturating_add(span.saturating_mul(3)));
    }
    Window { to: close.to.max(close.from + 1), ..close }
}

/// How many clients are shown: `50 of 1 000 clients`.
fn sample(raster: &metrics::Raster) -> String {
    let (some, all) = (f64::from(raster.clients), f64::from(raster.of));
    format!("{} of {} clients", text::grouped(some), text::grouped(all))
}

/// How synchronized the retries of a policy are, in words.
fn synchrony(policy: &PolicyResult) -> String {
    let index = policy.overall.get(Metric::SyncIndex).map(|index| index.mean);
    let period = policy.overall.get(Metric::SyncPeriodS).map(|period| period.mean);
    match (index, period) {
        (Some(index), Some(period)) => {
            format!("in phase every {}, index {}", text::seconds(period), text::digits(index))
        }
        (Some(index), None) => format!("synchronization index {}", text::digits(index)),
        (None, _) => "no common phase".to_string(),
    }
}

impl Drawing for Raster<'_> {
    fn size(&self) -> (u32, u32) {
        let panels = self.shown.len() as f64 * (HEAD + self.panel_height() + 8.0);
        (WIDTH, (self.first_area().y - HEAD + panels.max(60.0) + FOOTER) as u32)
    }

    fn title(&self) -> String {
        let index = |p: &PolicyResult| p.overall.get(Metric::SyncIndex).map(|index| index.mean);
        let mut ranked: Vec<(f64, &PolicyResult)> =
            self.shown.iter().filter_map(|p| index(p).map(|index| (index, p))).collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        match ranked.last() {
            None => "No policy keeps its retries in step".to_string(),
            Some((_, policy)) => {
                format!("Most in step: {} ({})", facts::name(policy), synchrony(policy))
            }
        }
    }

    fn alt(&self) -> String {
        let each = self.shown.iter().map(|p| format!("{}: {}", facts::name(p), synchrony(p)));
        let each: Vec<String> = each.collect();
        format!(
            "One panel per policy: time across, a row per client, a tick per attempt in the colour \
             of its outcome. {} {}.",
            facts::faults(self.study),
            each.join(". ")
        )
    }

    fn draw(&self, on: &mut dyn Surface) {
        frame::header(on, &self.title(), &self.subtitle(), &self.legend());
        let mut area = self.first_area();
        let step = HEAD + area.h + 8.0;
        axis::upright_name(on, Rect { y: HEADER + 26.0, ..area }, "client (row)");
        let faults = marks::faults(self.study, self.window);
        marks::name_faults(on, area, panel::time_scale(area, self.window), &faults);
        let last = self.shown.len().saturating_sub(1);
        for (place, policy) in self.shown.iter().enumerate() {
            let title = self.panel_title(policy);
            let above = if place == 0 && !faults.is_empty() { FAULTS } else { 0.0 };
            let beyond = facts::beyond(self.study, policy, self.window);
            frame::panel_title(on, area.y - 8.0 - above, &title, beyond);
            self.draw_panel(on, policy, area, place == last);
            area.y += step;
        }
        area.y -= step;
        axis::time_name(on, area, &facts::time_name(self.study, self.window));
        frame::foot(on, self.study, f64::from(self.size().1));
    }

    fn csv(&self) -> String {
        let mut csv = csv::Writer::from_writer(Vec::new());
        // Writing to memory cannot fail.
        let _ = csv.write_record(["policy", "sent_s", "client", "outcome"]);
        for policy in self.shown {
            for mark in self.marks(policy) {
                let sent = text::exact_seconds(u128::from(mark.sent.as_nanos()));
                let client = (mark.row + 1).to_string();
                let row = [policy.label.as_str(), &sent, &client, mark.outcome.name()];
                let _ = csv.write_record(row);
            }
        }
        panel::csv_text(csv)
    }
}
