//! The table of what was measured and what was wanted.

use super::clock::median;

/// What is wanted of a ratio.
#[derive(Clone, Copy)]
pub enum Target {
    /// At most this.
    AtMost(f64),
    /// At least this.
    AtLeast(f64),
    /// Nothing: it is shown.
    Shown,
}

#[derive(Default)]
pub struct Table {
    rows: Vec<[String; 5]>,
}

impl Table {
    /// Adds a row of which `value` is held to its target; `note` follows what was measured.
    pub fn add(&mut self, name: &str, what: String, value: f64, target: Target, note: &str) {
        let (wanted, met) = match target {
            Target::AtMost(most) => (format!("≤ {}", short(most)), yes(value <= most)),
            Target::AtLeast(least) => (format!("≥ {}", short(least)), yes(value >= least)),
            Target::Shown => (String::new(), String::new()),
        };
        let measured = format!("{}{note}", short(value));
        eprintln!("{name} {what}: {measured} {wanted} {met}");
        self.rows.push([name.to_string(), what, measured, wanted, met]);
    }

    /// Prints it as Markdown.
    pub fn print(&self) {
        println!("| row | what | measured | target | met |\n| --- | --- | --- | --- | --- |");
        for row in &self.rows {
            println!("| {} |", row.join(" | "));
        }
    }
}

fn yes(met: bool) -> String {
    if met { "yes" } else { "**no**" }.to_string()
}

/// With three digits that count.
pub fn short(value: f64) -> String {
    let decimals = match value.abs() {
        100.0.. => 0,
        10.0.. => 1,
        _ => 2,
    };
    format!("{value:.decimals$}")
}

/// The median of the ratios of every round, and the least and the greatest.
pub fn ratio(above: &[f64], below: &[f64]) -> (f64, String) {
    let ratios: Vec<f64> = above.iter().zip(below).map(|(a, b)| a / b).collect();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = ratios.iter().copied().fold(0.0, f64::max);
    (median(&ratios), format!(" ({}–{})", short(least), short(greatest)))
}

/// A number with its thousands apart.
pub fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let parts: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    parts.iter().map(|part| String::from_utf8_lossy(part)).collect::<Vec<_>>().join(",")
}
