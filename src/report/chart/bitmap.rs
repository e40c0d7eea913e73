//! A surface that paints pixels: at four times the size, averaged down to twice the size, since
//! plotters does not smooth edges.

use plotters::backend::{BitMapBackend, DrawingBackend};
use plotters::style::{Color, IntoTextStyle, RGBColor};

use super::colour::Colour;
use super::font;
use super::surface::{Anchor, Dot, Label, Rect, Step, Surface};

/// How many times larger than the page it is painted.
const SCALE: f64 = 4.0;
/// How many painted pixels across make one of the file.
const AVERAGED: usize = 2;

/// Height of the strip that is painted at a time, in pixels of the page: a strip stays in the
/// cache, where the whole painted page is 40 MB of memory to be fetched.
const STRIP: u32 = 32;

/// What is painted, in the order of painting.
enum Mark {
    /// A filled rectangle, in painted pixels: left, upper, right and lower edge.
    Rect([i32; 4], Colour, f64),
    /// Text from a left end and a baseline on, in a size.
    Text(f64, f64, f64, Colour, String),
}

/// A surface that takes down what is drawn, so that every strip can be painted from it.
#[derive(Default)]
struct Picture {
    marks: Vec<Mark>,
}

impl Mark {
    /// The painted rows in which something of it may be seen.
    fn rows(&self) -> (i32, i32) {
        match self {
            Mark::Rect([_, top, _, bottom], ..) => (*top, *bottom),
            Mark::Text(_, y, size, ..) => {
                let top = zoomed(y - font::baseline(*size));
                // Twice the size holds every letter above and below the line.
                let room = zoomed(size * 2.0);
                (top - room, top + room)
            }
        }
    }
}

impl Picture {
    /// For each strip of the page the places of the marks in it, in the order of painting: a page
    /// of a hundred thousand marks is not searched once for every strip.
    fn by_strip(&self, strips: u32) -> Vec<Vec<u32>> {
        let high = (STRIP * SCALE as u32) as i32;
        let mut all = vec![Vec::new(); strips as usize];
        for (place, mark) in self.marks.iter().enumerate() {
            let (top, bottom) = mark.rows();
            let last = (bottom - 1).div_euclid(high).min(strips as i32 - 1);
            for strip in top.div_euclid(high).max(0)..=last {
                all[strip as usize].push(place as u32);
            }
        }
        all
    }
}

/// Paints on a white page and packs it as PNG.
pub(super) fn png((w, h): (u32, u32), draw: impl FnOnce(&mut dyn Surface)) -> Vec<u8> {
    let mut picture = Picture::default();
    draw(&mut picture);
    let (wide, by) = (w * SCALE as u32, AVERAGED as u32);
    let row = wide as usize * 3;
    let packed_row = row / AVERAGED;
    let mut small = vec![0; packed_row * h as usize * SCALE as usize / AVERAGED];
    let mut strip = vec![0; row * (STRIP * SCALE as u32) as usize];
    for (number, places) in picture.by_strip(h.div_ceil(STRIP)).iter().enumerate() {
        let top = number as u32 * STRIP;
        let high = STRIP.min(h - top) * SCALE as u32;
        let pixels = &mut strip[..row * high as usize];
        pixels.fill(0xff);
        let backend = BitMapBackend::with_buffer(pixels, (wide, high));
        Strip { backend, top: zoomed(f64::from(top)), high: high as i32 }.paint(&picture, places);
        let first = top as usize * SCALE as usize / AVERAGED * packed_row;
        average(&strip[..row * high as usize], row, &mut small[first..]);
    }
    packed(&small, (wide / by, h * SCALE as u32 / by), &Kind::Rgb)
}

/// Pixels that are each the mean of a square of painted ones.
fn average(pixels: &[u8], row: usize, small: &mut [u8]) {
    let pairs = pixels.chunks_exact(row * AVERAGED);
    for (pair, to) in pairs.zip(small.chunks_exact_mut(row / AVERAGED)) {
        let (upper, lower) = pair.split_at(row);
        let squares = upper.chunks_exact(6).zip(lower.chunks_exact(6));
        for ((a, b), to) in squares.zip(to.chunks_exact_mut(3)) {
            for c in 0..3 {
                let [p, q, r, s] = [a[c], a[c + 3], b[c], b[c + 3]].map(u16::from);
                to[c] = ((p + q + r + s + 2) / 4) as u8;
            }
        }
    }
}

/// What the bytes of a pixel are.
enum Kind {
    /// Red, green, blue.
    Rgb,
    /// The place of a colour in this list, from one on; zero is seen through.
    Palette(Vec<Colour>),
}

/// Pixels as a PNG file.
fn packed(pixels: &[u8], (w, h): (u32, u32), kind: &Kind) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, w, h);
    match kind {
        Kind::Rgb => encoder.set_color(png::ColorType::Rgb),
        Kind::Palette(colours) => {
            let clear = Colour(0xff, 0xff, 0xff);
            let all = [clear].into_iter().chain(colours.iter().copied());
            encoder.set_color(png::ColorType::Indexed);
            encoder.set_palette(all.flat_map(|c| [c.0, c.1, c.2]).collect::<Vec<u8>>());
            encoder.set_trns(vec![0]);
        }
    }
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Default);
    encoder.set_filter(png::FilterType::NoFilter);
    let written = encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(pixels).and_then(|()| writer.finish()));
    // Writing to memory cannot fail, and the size is that of the pixels.
    assert!(written.is_ok(), "{written:?}");
    file
}

/// Marks alone on a page that is seen through, in twice their size, for the inside of an SVG.
pub(super) fn dots_png(area: Rect, dots: &[Dot], size: (f64, f64)) -> Vec<u8> {
    let zoom = SCALE / AVERAGED as f64;
    let wide = (area.w * zoom).round().max(1.0) as usize;
    let high = (area.h * zoom).round().max(1.0) as usize;
    let mut pixels = vec![0; wide * high];
    let mut colours: Vec<Colour> = Vec::new();
    let whole = |value: f64, most: usize| (nearest(value * zoom).max(0) as usize).min(most);
    for dot in dots {
        let place = colours.iter().position(|colour| *colour == dot.colour);
        let place = place.unwrap_or_else(|| {
            colours.push(dot.colour);
            colours.len() - 1
        });
        let (x, y) = (dot.x - area.x, dot.y - area.y);
        let (left, right) = (whole(x, wide), whole(x + size.0, wide));
        for row in whole(y, high)..whole(y + size.1, high) {
            pixels[row * wide + left..row * wide + right].fill(place as u8 + 1);
        }
    }
    packed(&pixels, (wide as u32, high as u32), &Kind::Palette(colours))
}

/// A coordinate on the painted page.
fn zoomed(value: f64) -> i32 {
    nearest(value * SCALE)
}

/// The nearest whole number, halves away from zero; `f64::round` is a call into a library, and a
/// chart has a million of these.
fn nearest(value: f64) -> i32 {
    (value + 0.5f64.copysign(value)) as i32
}

fn rgb(colour: Colour) -> RGBColor {
    RGBColor(colour.0, colour.1, colour.2)
}

impl Surface for Picture {
    fn rect(&mut self, rect: Rect, colour: Colour, opacity: f64) {
        let (left, top) = (zoomed(rect.x), zoomed(rect.y));
        // plotters fills up to the last pixel, without it; the thinnest mark is one pixel.
        let right = zoomed(rect.right()).max(left + 1);
        let bottom = zoomed(rect.bottom()).max(top + 1);
        self.marks.push(Mark::Rect([left, top, right, bottom], colour, opacity));
    }

    fn steps(&mut self, steps: &[Step], base: f64, colour: Colour) {
        for step in steps {
            let (w, h) = (step.right - step.x, (base - step.edge).abs());
            self.rect(Rect { x: step.x, y: base.min(step.edge), w, h }, colour, 1.0);
        }
    }

    fn dots(&mut self, _area: Rect, dots: &[Dot], (w, h): (f64, f64)) {
        for dot in dots {
            self.rect(Rect { x: dot.x, y: dot.y, w, h }, dot.colour, 1.0);
        }
    }

    fn text(&mut self, label: Label<'_>) {
        let wide = font::width(label.text, label.size);
        let x = match label.anchor {
            Anchor::Start => label.x,
            Anchor::Middle => label.x - wide / 2.0,
            Anchor::End => label.x - wide,
        };
        let text = label.text.to_string();
        self.marks.push(Mark::Text(x, label.y, label.size, label.colour, text));
    }
}

/// A strip of the page that is being painted, in painted pixels.
struct Strip<'a> {
    backend: BitMapBackend<'a>,
    top: i32,
    high: i32,
}

impl Strip<'_> {
    fn paint(&mut self, picture: &Picture, places: &[u32]) {
        for place in places {
            match &picture.marks[*place as usize] {
                Mark::Rect(edges, colour, opacity) => self.rect(*edges, *colour, *opacity),
                Mark::Text(x, y, size, colour, text) => self.text((*x, *y), *size, *colour, text),
            }
        }
    }

    fn rect(&mut self, [left, top, right, bottom]: [i32; 4], colour: Colour, opacity: f64) {
        let (top, bottom) = ((top - self.top).max(0), (bottom - self.top).min(self.high));
        // Below the end of the page.
        if top >= bottom {
            return;
        }
        let style = rgb(colour).mix(opacity);
        let drawn = self.backend.draw_rect((left, top), (right, bottom), &style, true);
        assert!(drawn.is_ok(), "{drawn:?}");
    }

    fn text(&mut self, (x, y): (f64, f64), size: f64, colour: Colour, text: &str) {
        let y = y - font::baseline(size);
        let at = (zoomed(x), zoomed(y) - self.top);
        let style = font::of_size(size * SCALE).into_text_style(&(0u32, 0u32));
        let drawn = self.backend.draw_text(text, &style.color(&rgb(colour)), at);
        assert!(drawn.is_ok(), "{drawn:?}");
    }
}
