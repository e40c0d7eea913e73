//! The charts of a run, each as SVG, PNG and the numbers behind it.
//!
//! A chart is laid out once, in pixels of the page, on a `surface::Surface`; one surface writes
//! SVG, the other paints pixels, so that both pictures come from one code path.

mod atoms;
mod axis;
mod bitmap;
mod colour;
mod facts;
mod font;
mod frame;
mod marks;
mod panel;
mod policies;
mod raster;
mod surface;
mod svg;
mod timeline;

use std::panic::resume_unwind;
use std::thread;

use crate::report::calendar::Calendar;
use crate::study::StudyResult;

/// A chart in all its forms.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Its name, and that of its files.
    pub id: &'static str,
    /// What it shows, as a sentence made from the numbers.
    pub title: String,
    /// What one would see, in words.
    pub alt: String,
    /// The picture as SVG.
    pub svg: String,
    /// The picture as PNG in twice the size; empty when no pixels were asked for.
    pub png: Vec<u8>,
    /// The numbers behind the picture.
    pub csv: String,
}

/// Whether a chart is painted in pixels too: most of its time goes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pixels {
    /// SVG and PNG.
    Painted,
    /// SVG only.
    Skipped,
}

/// Makes one chart of a study.
pub type Maker = fn(&StudyResult, Pixels) -> Chart;

/// The makers of all charts, so that a caller may run them side by side.
pub const MAKERS: [Maker; 3] = [policies, timeline, raster];

/// All charts with their pixels, made side by side, in the order of [`MAKERS`].
pub fn charts(study: &StudyResult) -> Vec<Chart> {
    thread::scope(|scope| {
        let running = MAKERS.map(|make| scope.spawn(move || make(study, Pixels::Painted)));
        let done = running.map(|chart| chart.join());
        // A bug in a chart is that bug here too.
        done.into_iter().map(|chart| chart.unwrap_or_else(|bug| resume_unwind(bug))).collect()
    })
}

/// C1: load of the peak service over time under the baseline, by outcome.
pub fn timeline(study: &StudyResult, pixels: Pixels) -> Chart {
    make("timeline", &timeline::Timeline::new(study), pixels)
}

/// C2: the same, one panel per policy on shared axes.
pub fn policies(study: &StudyResult, pixels: Pixels) -> Chart {
    make("policies", &policies::Policies::new(study), pixels)
}

/// C3: one tick per attempt of a sample of clients.
pub fn raster(study: &StudyResult, pixels: Pixels) -> Chart {
    make("raster", &raster::Raster::new(study), pixels)
}

/// C4: the share of clients that wait exactly alike, by the number of the retry.
pub fn atoms(calendar: &Calendar, pixels: Pixels) -> Chart {
    make("atoms", &atoms::Atoms::new(calendar), pixels)
}

/// A chart that is ready to be drawn.
trait Drawing {
    /// Width and height in pixels of the page.
    fn size(&self) -> (u32, u32);
    /// The sentence over it.
    fn title(&self) -> String;
    /// What one would see.
    fn alt(&self) -> String;
    /// Draws it.
    fn draw(&self, on: &mut dyn surface::Surface);
    /// The numbers behind it.
    fn csv(&self) -> String;
}

fn make(id: &'static str, drawing: &dyn Drawing, pixels: Pixels) -> Chart {
    let (title, alt) = (drawing.title(), drawing.alt());
    let mut svg = svg::Svg::new(drawing.size());
    drawing.draw(&mut svg);
    let png = match pixels {
        Pixels::Painted => bitmap::png(drawing.size(), |on| drawing.draw(on)),
        Pixels::Skipped => Vec::new(),
    };
    Chart { id, svg: svg.finish(&title, &alt), png, csv: drawing.csv(), title, alt }
}
