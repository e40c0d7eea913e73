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

/// A picture in the making.
struct Bitmap<'a> {
    backend: BitMapBackend<'a>,
}

/// Paints on a white page and packs it as PNG.
pub(super) fn png((w, h): (u32, u32), draw: impl FnOnce(&mut dyn Surface)) -> Vec<u8> {
    let scale = SCALE as u32;
    let (wide, high) = (w * scale, h * scale);
    let mut pixels = vec![0xff; wide as usize * high as usize * 3];
    draw(&mut Bitmap { backend: BitMapBackend::with_buffer(&mut pixels, (wide, high)) });
    let small = averaged(&pixels, wide as usize, high as usize);
    let by = AVERAGED as u32;
    packed(&small, (wide / by, high / by), png::ColorType::Rgb)
}

/// Each pixel the mean of a square of painted ones.
fn averaged(pixels: &[u8], wide: usize, high: usize) -> Vec<u8> {
    let row = wide * 3;
    let mut small = Vec::with_capacity(pixels.len() / AVERAGED / AVERAGED);
    for pair in pixels.chunks_exact(row * AVERAGED).take(high / AVERAGED) {
        let (upper, lower) = pair.split_at(row);
        for (a, b) in upper.chunks_exact(6).zip(lower.chunks_exact(6)) {
            for c in 0..3 {
                let sum = [a[c], a[c + 3], b[c], b[c + 3]].map(u16::from).iter().sum::<u16>();
                small.push(((sum + 2) / 4) as u8);
            }
        }
    }
    small
}

/// Pixels as a PNG file, packed quickly.
fn packed(pixels: &[u8], (w, h): (u32, u32), colour: png::ColorType) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, w, h);
    encoder.set_color(colour);
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
    let mut pixels = vec![0; wide * high * 4];
    let whole = |value: f64, most: usize| ((value * zoom).round().max(0.0) as usize).min(most);
    for dot in dots {
        let (x, y) = (dot.x - area.x, dot.y - area.y);
        let (left, right) = (whole(x, wide), whole(x + size.0, wide));
        for row in whole(y, high)..whole(y + size.1, high) {
            for pixel in pixels[(row * wide + left) * 4..(row * wide + right) * 4].chunks_mut(4) {
                pixel.copy_from_slice(&[dot.colour.0, dot.colour.1, dot.colour.2, 0xff]);
            }
        }
    }
    packed(&pixels, (wide as u32, high as u32), png::ColorType::Rgba)
}

/// A coordinate on the painted page.
fn zoomed(value: f64) -> i32 {
    (value * SCALE).round() as i32
}

fn rgb(colour: Colour) -> RGBColor {
    RGBColor(colour.0, colour.1, colour.2)
}

impl Surface for Bitmap<'_> {
    fn rect(&mut self, rect: Rect, colour: Colour, opacity: f64) {
        let (left, top) = (zoomed(rect.x), zoomed(rect.y));
        // plotters fills up to the last pixel, without it; the thinnest mark is one pixel.
        let (right, bottom) = (zoomed(rect.right()), zoomed(rect.bottom()));
        let (right, bottom) = (right.max(left + 1), bottom.max(top + 1));
        let style = rgb(colour).mix(opacity);
        let drawn = self.backend.draw_rect((left, top), (right, bottom), &style, true);
        assert!(drawn.is_ok(), "{drawn:?}");
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
        let at = (zoomed(x), zoomed(label.y - font::baseline(label.size)));
        let style = font::of_size(label.size * SCALE).into_text_style(&(0u32, 0u32));
        let drawn = self.backend.draw_text(label.text, &style.color(&rgb(label.colour)), at);
        assert!(drawn.is_ok(), "{drawn:?}");
    }
}
