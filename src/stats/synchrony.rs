//! Do retries come in step? The period, the strength and the life of a herd's rhythm.
//!
//! The power of a series of counts at a frequency, |Σ n e^(2πi f t)|² / N, is exponential with
//! mean 1 when events are independent, and N R² when they keep a phase: the spectral peak and
//! Kuramoto's order parameter are one number.

use std::f64::consts::LN_2;

use super::fft::power_spectrum;
use super::half_life::half_life_rounds;
use super::resultant::Resultant;
use super::trend::smooth_rate;

/// The rhythm of a series of events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Synchrony {
    /// Unbiased squared resultant length (N R² − 1) / (N − 1) of all whole rounds (0 … 1): 0 for
    /// independent events, 1 for a herd that arrives in one bin each round.
    pub index: f64,
    /// From round to round, in seconds.
    pub period_s: f64,
    /// Rounds until R² has halved; `None` when it does not shrink, or when too few rounds tell.
    pub half_life_rounds: Option<f64>,
}

/// The chance that independent events are taken for a herd.
const ALPHA: f64 = 0.001;

/// Rounds that the series must hold, less what the grid of frequencies cannot tell apart.
const MIN_ROUNDS: f64 = 3.0 - 0.25;

/// Fewer events than this show no rhythm.
const MIN_EVENTS: f64 = 20.0;

/// A longer period is preferred when its R² is at least this part of the best.
const FUNDAMENTAL: f64 = 0.9;

/// The rhythm of events counted in bins of `bin_s` seconds (> 0); `None` when chance explains it.
///
/// Periods from two bins to a third of the series are searched, after a smooth trend is taken
/// off. A peak counts when it exceeds (2 √C + √ln(m/α))²: m frequencies, α = 0.001, and C the
/// continuum around it in frequency, so that neither a front nor one lone spike is a rhythm.
/// Of a perfect herd, 30 events in three rounds are therefore too few; 40 in four are enough.
///
/// Simplifies: a sharp outage within the series can pass for a weak rhythm (index near 0.02) when
/// it holds more than 100,000 events; begin the series where the fault ends.
pub fn synchrony(counts: &[u32], bin_s: f64) -> Option<Synchrony> {
    let counts = busy(counts);
    let events: f64 = counts.iter().map(|count| f64::from(*count)).sum();
    if events < MIN_EVENTS || (counts.len() as f64) < 2.0 * MIN_ROUNDS {
        return None;
    }
    let trend = smooth_rate(counts);
    let rest: Vec<f64> = counts.iter().zip(trend).map(|(n, mean)| f64::from(*n) - mean).collect();
    // Four times as long as the series: a period between two Fourier frequencies loses at most
    // 5 % of its power.
    let mut power = power_spectrum(&rest, 4 * counts.len());
    power.iter_mut().for_each(|power| *power /= events);
    let frequency = refined(counts, fundamental(counts, &peaks(&power, counts.len()))?);
    Some(Synchrony {
        index: rounds(counts, frequency).unbiased().clamp(0.0, 1.0),
        period_s: bin_s / frequency,
        half_life_rounds: half_life_rounds(counts, 1.0 / frequency),
    })
}

/// The part of the series with events. Silence before and after is kept only as long as the
/// longest silence within: a herd is silent between its rounds, but a front is no round.
fn busy(counts: &[u32]) -> &[u32] {
    let events: Vec<usize> = (0..counts.len()).filter(|k| counts[*k] > 0).collect();
    let (Some(first), Some(last)) = (events.first(), events.last()) else { return &[] };
    let silence = events.windows(2).map(|pair| pair[1] - pair[0] - 1).max().unwrap_or(0);
    &counts[first.saturating_sub(silence)..(last + 1 + silence).min(counts.len())]
}

/// A peak of the spectrum that is beyond the chance of independent events.
struct Peak {
    /// Cycles per bin.
    frequency: f64,
    power: f64,
    /// Whether it also stands out of the continuum around it.
    clear: bool,
}

/// The parabola through three points one step apart: where its top is, in steps from the middle.
fn top(left: f64, middle: f64, right: f64) -> f64 {
    let bend = left - 2.0 * middle + right;
    if bend < 0.0 { (0.5 * (left - right) / bend).clamp(-1.0, 1.0) } else { 0.0 }
}

/// The peaks of the power spectrum of `n` bins beyond chance, in order of frequency.
fn peaks(power: &[f64], n: usize) -> Vec<Peak> {
    let m = (2 * (power.len() - 1)) as f64;
    let frequencies = (n as f64 / 2.0 - 2.0).max(1.0);
    let chance = libm::log(frequencies / ALPHA);
    let lowest = (MIN_ROUNDS * m / n as f64) as usize;
    let continuum = Continuum::of(power, lowest);
    let peak = |j: usize| {
        let (left, middle, right) = (power[j - 1], power[j], power[j + 1]);
        if middle < chance || middle < left || middle <= right {
            return None;
        }
        let frequency = (j as f64 + top(left, middle, right)) / m;
        let bound = 2.0 * continuum.at(j).sqrt() + chance.sqrt();
        let clear = middle > bound * bound;
        (frequency * n as f64 >= MIN_ROUNDS).then_some(Peak { frequency, power: middle, clear })
    };
    (lowest.max(1)..power.len() - 1).filter_map(peak).collect()
}

/// What the spectrum is like without its lines: the median over two octaves around a frequency,
/// less that of independent events.
struct Continuum {
    lowest: usize,
    levels: Vec<f64>,
}

impl Continuum {
    /// Levels per octave.
    const DENSITY: f64 = 4.0;

    /// Of a spectrum from the index `lowest` (≥ 1) up.
    fn of(power: &[f64], lowest: usize) -> Continuum {
        let lowest = lowest.max(1);
        let octaves = libm::log2(power.len() as f64 / lowest as f64).max(0.0);
        let level = |i: usize| {
            let centre = lowest as f64 * libm::exp2(i as f64 / Continuum::DENSITY);
            let first = (centre / 2.0) as usize;
            let last = ((2.0 * centre) as usize).clamp(first, power.len() - 1);
            (median(&power[first..=last]) - LN_2).max(0.0)
        };
        let levels = (0..=(octaves * Continuum::DENSITY) as usize).map(level).collect();
        Continuum { lowest, levels }
    }

    /// The level at index `j` of the spectrum.
    fn at(&self, j: usize) -> f64 {
        let octaves = libm::log2(j as f64 / self.lowest as f64);
        let nearest = (octaves * Continuum::DENSITY).round() as usize;
        self.levels[nearest.min(self.levels.len() - 1)]
    }
}

/// The median, of at most 512 values spread over the slice.
fn median(values: &[f64]) -> f64 {
    let n = values.len();
    // In steps of the golden section, not of a whole number, which could meet every line of a
    // comb, or none.
    let step = |i: usize| ((i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize;
    let mut sample: Vec<f64> = if n <= 512 {
        values.to_vec()
    } else {
        (0..512).map(|i| values[(step(i) * n) >> 32]).collect()
    };
    let middle = sample.len() / 2;
    *sample.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// The frequency, in cycles per bin, of the longest period whose R² nearly is the best; `None`
/// when no peak is clear.
///
/// A herd of three rounds is a comb without a continuum to stand out of, except for some of its
/// multiples; hence the longest period need not be clear itself.
fn fundamental(counts: &[u32], peaks: &[Peak]) -> Option<f64> {
    let clear = peaks.iter().filter(|peak| peak.clear);
    let best = clear.max_by(|a, b| a.power.total_cmp(&b.power))?;
    let strength = |peak: &Peak| rounds(counts, peak.frequency).unbiased();
    let enough = FUNDAMENTAL * strength(best);
    // The trend takes a part of the slowest rhythms, so that their powers are only a hint. A few
    // are looked at, for each costs a pass over the series.
    let slower = peaks
        .iter()
        .take_while(|peak| peak.frequency < best.frequency)
        .filter(|peak| peak.power > 0.5 * best.power)
        .take(24)
        .find(|peak| strength(peak) >= enough);
    Some(slower.unwrap_or(best).frequency)
}

/// The frequency near `frequency` at which the counts themselves, trend and all, agree best.
fn refined(counts: &[u32], frequency: f64) -> f64 {
    let whole = whole_rounds(counts, frequency);
    let power = |frequency| Resultant::of(whole, frequency).power();
    let (mut frequency, mut step) = (frequency, 0.25 / whole.len() as f64);
    for _ in 0..4 {
        let around = [frequency - step, frequency, frequency + step].map(power);
        frequency += step * top(around[0], around[1], around[2]);
        step /= 4.0;
    }
    frequency
}

/// The resultant of as many whole rounds as the series holds: over part of a round even a
/// constant rate has one.
fn rounds(counts: &[u32], frequency: f64) -> Resultant {
    Resultant::of(whole_rounds(counts, frequency), frequency)
}

/// As many whole rounds as the series holds.
fn whole_rounds(counts: &[u32], frequency: f64) -> &[u32] {
    let rounds = (counts.len() as f64 * frequency + 0.25).floor().max(1.0);
    let bins = ((rounds / frequency).round() as usize).min(counts.len());
    &counts[..bins]
}

#[cfg(test)]
#[path = "synchrony_tests.rs"]
mod tests;
