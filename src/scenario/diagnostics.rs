//! All that is wrong with a scenario, in the order of the file, with the line and the remedy.

use std::fmt;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};

use super::node::Place;
use super::source::Text;

/// Problems shown in full (≤); the rest is counted.
const SHOWN: usize = 20;
/// Characters of a line shown around a problem (≤).
const WIDTH: usize = 120;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Problem {
    /// Where.
    pub(super) place: Place,
    /// What: begins with a small letter, without a full stop.
    pub(super) message: String,
    /// The remedy.
    pub(super) help: Option<String>,
    /// Whether something is absent: a policy may still supply it.
    pub(super) missing: bool,
}

impl Problem {
    /// Something wrong at this place.
    pub(super) fn new(place: Place, message: String) -> Problem {
        Problem { place, message, help: None, missing: false }
    }

    /// The same with a remedy.
    pub(super) fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }

    /// The same, as something absent.
    pub(super) fn missing(mut self) -> Problem {
        self.missing = true;
        self
    }
}

/// Everything that is wrong with a scenario, in the order of the file.
#[derive(Clone, Debug)]
pub struct Diagnostics {
    problems: Vec<Problem>,
    texts: Vec<Text>,
}

impl Diagnostics {
    /// These problems, sorted by place and each only once.
    pub(super) fn new(mut problems: Vec<Problem>, texts: Vec<Text>) -> Diagnostics {
        problems.sort();
        problems.dedup();
        Diagnostics { problems, texts }
    }

    /// How many problems there are (≥ 1).
    pub fn len(&self) -> usize {
        self.problems.len()
    }

    /// Whether there is no problem at all.
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// `(line, column, message)` of every problem, both counted from 1, in the order of the file.
    pub fn lines(&self) -> Vec<(usize, usize, String)> {
        let places = self.problems.iter().map(|problem| {
            let (line, column) =
                self.text(problem.place).map_or((1, 1), |t| t.position(problem.place.start));
            (line, column, problem.message.clone())
        });
        places.collect()
    }

    /// The problems with their lines, the first 20 in full; coloured for a terminal or plain.
    pub fn render(&self, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let renderer = renderer.decor_style(DecorStyle::Ascii);
        let mut blocks: Vec<String> = self.problems[..self.problems.len().min(SHOWN)]
            .iter()
            .map(|problem| self.render_one(problem, &renderer))
            .collect();
        if self.problems.len() > SHOWN {
            blocks.push(format!("and {} more", self.problems.len() - SHOWN));
        }
        let mut text = blocks.join("\n\n");
        text.push('\n');
        text
    }

    fn render_one(&self, problem: &Problem, renderer: &Renderer) -> String {
        let title = Level::ERROR.primary_title(clean(&problem.message));
        let Some(text) = self.text(problem.place) else {
            return renderer.render(&[title.elements(Vec::<Origin<'_>>::new())]);
        };
        let (line, column) = text.position(problem.place.start);
        let (shown, underline, cut) = excerpt(text, line, problem.place);
        let snippet = Snippet::source(shown)
            .line_start(line)
            .annotation(AnnotationKind::Primary.span(underline));
        let path = clean(text.name());
        // The column of a line that was cut in front is not the one that is shown.
        let mut group = if cut {
            title.element(Origin::path(path).line(line).char_column(column)).element(snippet)
        } else {
            title.element(snippet.path(path))
        };
        if let Some(help) = &problem.help {
            group = group.element(Level::HELP.message(clean(help)));
        }
        renderer.render(&[group])
    }

    fn text(&self, place: Place) -> Option<&Text> {
        self.texts.get(place.text)
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render(false).trim_end())
    }
}

/// The line of a problem, at most [`WIDTH`] characters of it, the bytes to underline, and whether
/// the begin of the line was cut off.
fn excerpt(text: &Text, line: usize, place: Place) -> (String, Range<usize>, bool) {
    let (begin, whole) = text.line(line);
    let start = floor(whole, place.start.saturating_sub(begin));
    let end = floor(whole, place.end.saturating_sub(begin)).max(start);
    let skipped = whole[..start].chars().count().saturating_sub(WIDTH / 2);
    // A short line is shown from its begin; a long one is cut on both sides.
    let from = if skipped == 0 || whole.len() <= WIDTH {
        0
    } else {
        whole.char_indices().nth(skipped).map_or(0, |(at, _)| at)
    };
    let to = whole[from..].char_indices().nth(WIDTH).map_or(whole.len(), |(at, _)| from + at);
    let before = if from > 0 { "…" } else { "" };
    let after = if to < whole.len() { "…" } else { "" };
    let left = format!("{before}{}", clean(&whole[from..start.min(to)]));
    let marked = clean(&whole[start.min(to)..end.min(to)]);
    let mut shown = format!("{left}{marked}{}{after}", clean(&whole[end.min(to)..to]));
    let mut stop = left.len() + marked.len();
    if marked.is_empty() {
        // An empty place is underlined as one character, a blank when the line ends there.
        let next = shown[stop..].chars().next();
        stop += next.map_or(1, char::len_utf8);
        shown.extend(next.is_none().then_some(' '));
    }
    (shown, left.len()..stop, from > 0)
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The text with control characters made visible, so that no file can drive the terminal.
fn clean(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c == '\t' {
                ' '
            } else if c.is_control() {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect()
}
