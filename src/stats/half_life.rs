//! How fast does a herd lose its step, round by round?

use std::f64::consts::{LN_2, TAU};

use super::resultant::Resultant;

/// Bins that a round must have: with fewer, the rounding of a round to whole bins looks like
/// synchrony.
const MIN_BINS: f64 = 8.0;

/// Events that a round must have.
const MIN_EVENTS: f64 = 20.0;

/// Rounds that a line is fitted to, at least.
const MIN_ROUNDS: usize = 3;

/// Rounds until R² has halved, ln 2 / (−2 ln R₁), where R₁ is the factor by which the resultant
/// length shrinks per round: the slope of ln R over the rounds.
///
/// `None` when it does not shrink by more than twice its standard error, and when fewer than
/// three successive rounds have 20 events and a resultant beyond chance (1 in 1,000).
pub(super) fn half_life_rounds(counts: &[u32], period_bins: f64) -> Option<f64> {
    if period_bins < MIN_BINS {
        return None;
    }
    let rounds = rounds(counts, period_bins);
    let chance = libm::log(1e3);
    let usable = |round: &Resultant| {
        round.events >= MIN_EVENTS && round.power() > chance && round.unbiased() > 0.0
    };
    let usable: Vec<&Resultant> =
        rounds.iter().skip_while(|r| !usable(r)).take_while(|r| usable(r)).collect();
    let slope = slope(&usable)?;
    Some(LN_2 / (-2.0 * slope))
}

/// The resultants of the whole rounds of the series, cut midway between the herd's passages.
fn rounds(counts: &[u32], period_bins: f64) -> Vec<Resultant> {
    let frequency = 1.0 / period_bins;
    let all = Resultant::of(counts, frequency);
    let passage = libm::atan2(all.im, all.re) / TAU * period_bins;
    // Bin k has its middle at k + 0.5; a round starts with the first middle at or after its cut.
    let cut = |round: f64| (passage + (round + 0.5) * period_bins - 0.5).ceil().max(0.0) as usize;
    let first = if passage + 0.5 * period_bins >= 0.0 { 0.0 } else { 1.0 };
    let mut rounds = Vec::new();
    let mut round = first;
    while cut(round + 1.0) <= counts.len() {
        rounds.push(Resultant::of(&counts[cut(round)..cut(round + 1.0)], frequency));
        round += 1.0;
    }
    rounds
}

/// The slope of ln R over successive rounds by weighted least squares; `None` when it is not
/// surely negative.
///
/// Weights are the events times R², for ln R has at most the variance 1 / (2 N R²).
fn slope(rounds: &[&Resultant]) -> Option<f64> {
    if rounds.len() < MIN_ROUNDS {
        return None;
    }
    let points = rounds.iter().enumerate().map(|(k, round)| {
        let r2 = round.unbiased();
        (k as f64, 0.5 * libm::log(r2), round.events * r2)
    });
    let (mut w, mut wx, mut wy) = (0.0, 0.0, 0.0);
    for (x, y, weight) in points.clone() {
        w += weight;
        wx += weight * x;
        wy += weight * y;
    }
    let (mut sxx, mut sxy) = (0.0, 0.0);
    for (x, y, weight) in points {
        sxx += weight * (x - wx / w) * (x - wx / w);
        sxy += weight * (x - wx / w) * (y - wy / w);
    }
    let slope = sxy / sxx;
    let error = (0.5 / sxx).sqrt();
    (slope < -2.0 * error).then_some(slope)
}
