//! A surface that writes SVG.

use std::fmt::Write;

use super::bitmap;
use super::colour::Colour;
use super::surface::{Anchor, Dot, Label, Rect, Step, Surface};
use crate::report::text::printable;

/// Marks beyond this are painted and set in as one picture, not written one by one.
const MOST_MARKS: usize = 3000;
/// The page's font first; Verdana is drawn in the same widths.
const FAMILY: &str = "DejaVu Sans,Verdana,Geneva,sans-serif";

/// An SVG picture in the making.
pub(super) struct Svg {
    size: (u32, u32),
    body: String,
}

impl Svg {
    /// An empty picture.
    pub(super) fn new(size: (u32, u32)) -> Svg {
        Svg { size, body: String::new() }
    }

    /// The whole file, with what it shows in words for those who do not see it.
    pub(super) fn finish(self, title: &str, alt: &str) -> String {
        let (w, h) = self.size;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 0 {w} {h}\" font-family=\"{FAMILY}\">\n<title>{}</title>\n\
             <desc>{}</desc>\n<rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            escaped(title),
            escaped(alt),
            self.body
        )
    }

    /// One line of the file. Writing to a string cannot fail.
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        let _ = self.body.write_fmt(line);
        self.body.push('\n');
    }

    fn picture(&mut self, area: Rect, dots: &[Dot], size: (f64, f64)) {
        let data = base64(&bitmap::dots_png(area, dots, size));
        let (x, y, w, h) = (short(area.x), short(area.y), short(area.w), short(area.h));
        self.line(format_args!(
            "<image x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" \
             preserveAspectRatio=\"none\" href=\"data:image/png;base64,{data}\"/>"
        ));
    }

    fn marks(&mut self, dots: &[Dot], (w, h): (f64, f64)) {
        let mut colours: Vec<Colour> = Vec::new();
        for dot in dots {
            if !colours.contains(&dot.colour) {
                colours.push(dot.colour);
            }
        }
        let (w, h, back) = (short(w), short(h), short(-w));
        for colour in colours {
            let mut path = String::new();
            for dot in dots.iter().filter(|dot| dot.colour == colour) {
                path.push_str(&format!("M{} {}h{w}v{h}h{back}z", short(dot.x), short(dot.y)));
            }
            self.line(format_args!("<path fill=\"{}\" d=\"{path}\"/>", colour.hex()));
        }
    }
}

impl Surface for Svg {
    fn rect(&mut self, rect: Rect, colour: Colour, opacity: f64) {
        let (x, y, w, h) = (short(rect.x), short(rect.y), short(rect.w), short(rect.h));
        let opacity = match opacity {
            o if o < 1.0 => format!(" fill-opacity=\"{}\"", short(o)),
            _ => String::new(),
        };
        let fill = colour.hex();
        self.line(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{fill}\"{opacity}/>"
        ));
    }

    fn steps(&mut self, steps: &[Step], base: f64, colour: Colour) {
        let mut path = String::new();
        let mut open: Option<Step> = None;
        for step in steps {
            match open.filter(|last| last.right == step.x) {
                Some(last) if last.edge == step.edge => {}
                Some(_) => path.push_str(&format!("H{}V{}", short(step.x), short(step.edge))),
                None => {
                    path.push_str(&closing(open, base));
                    let (x, base, edge) = (short(step.x), short(base), short(step.edge));
                    path.push_str(&format!("M{x} {base}V{edge}"));
                }
            }
            open = Some(*step);
        }
        if open.is_some() {
            path.push_str(&closing(open, base));
            self.line(format_args!("<path fill=\"{}\" d=\"{path}\"/>", colour.hex()));
        }
    }

    fn dots(&mut self, area: Rect, dots: &[Dot], size: (f64, f64)) {
        if dots.len() > MOST_MARKS {
            self.picture(area, dots, size);
        } else {
            self.marks(dots, size);
        }
    }

    fn text(&mut self, label: Label<'_>) {
        let anchor = match label.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y, size) = (short(label.x), short(label.y), short(label.size));
        let (fill, text) = (label.colour.hex(), escaped(label.text));
        self.line(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\"{anchor}>{text}</text>"
        ));
    }
}

/// The way from the last step back to the base.
fn closing(last: Option<Step>, base: f64) -> String {
    last.map_or(String::new(), |last| format!("H{}V{}z", short(last.right), short(base)))
}

/// A coordinate in hundredths, without the zeros that say nothing.
fn short(value: f64) -> String {
    let hundredths = (value * 100.0).round() as i64;
    let (whole, rest) = (hundredths.abs() / 100, hundredths.abs() % 100);
    let sign = if hundredths < 0 { "-" } else { "" };
    match rest {
        0 => format!("{sign}{whole}"),
        _ if rest % 10 == 0 => format!("{sign}{whole}.{}", rest / 10),
        _ => format!("{sign}{whole}.{rest:02}"),
    }
}

/// Text that XML takes as text.
fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for letter in printable(text).chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            _ => safe.push(letter),
        }
    }
    safe
}

/// Bytes as text for a data address (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |place: usize| u32::from(group.get(place).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63] as char;
            text.push(if place <= group.len() { letter } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_pads_as_the_standard_says() {
        let words: [&[u8]; 4] = [b"", b"f", b"fo", b"foo"];
        assert_eq!(words.map(base64), ["", "Zg==", "Zm8=", "Zm9v"]);
    }

    #[test]
    fn coordinates_have_two_places_at_most() {
        assert_eq!([1.0, 0.5, -0.256, 12.049].map(short), ["1", "0.5", "-0.26", "12.05"]);
    }
}
