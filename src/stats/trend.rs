//! The smooth course of a rate, to be taken off before periods are looked for.
//!
//! A front, a ramp or a decay has power at low frequencies that is no period. The trend is
//! e^(cubic), fitted to the counts as Poisson counts: exact for a constant, for an exponential
//! decay and for a Gaussian bump, and with at most two turns unable to follow three rounds.

/// Coefficients of the logarithm of the rate.
const TERMS: usize = 4;

/// Blocks that the fit uses: enough for a cubic, and few enough to cost nothing.
const BLOCKS: usize = 256;

/// The expected counts of a smooth rate through `counts`, bin by bin; zeros when all are zero.
pub(super) fn smooth_rate(counts: &[u32]) -> Vec<f64> {
    let n = counts.len();
    let total: f64 = counts.iter().map(|count| f64::from(*count)).sum();
    if total == 0.0 {
        return vec![0.0; n];
    }
    let blocks = blocks(counts);
    let mut fit = [0.0; TERMS];
    fit[0] = libm::log(total / n as f64);
    // Newton's method; far steps are halved until the likelihood grows.
    for _ in 0..30 {
        let Some(step) = newton_step(&blocks, &fit) else { break };
        let before = likelihood(&blocks, &fit);
        let tried = (0..12).map(|halvings| {
            let scale = 1.0 / f64::from(1u32 << halvings);
            std::array::from_fn(|i| fit[i] + scale * step[i])
        });
        let Some(better) = tried.into_iter().find(|fit| likelihood(&blocks, fit) > before) else {
            break;
        };
        fit = better;
    }
    let rate: Vec<f64> = (0..n).map(|k| expected(&fit, position(k as f64 + 0.5, n))).collect();
    // The blocks are a little coarse; the total is made to agree.
    let scale = total / rate.iter().sum::<f64>();
    rate.iter().map(|x| x * scale).collect()
}

/// Where the bin position `k` lies in −1 … 1.
fn position(k: f64, n: usize) -> f64 {
    2.0 * k / n as f64 - 1.0
}

/// Neighbouring bins taken together.
struct Block {
    /// Powers 0 … 3 of the middle, in −1 … 1.
    powers: [f64; TERMS],
    bins: f64,
    events: f64,
}

fn blocks(counts: &[u32]) -> Vec<Block> {
    let width = counts.len().div_ceil(BLOCKS);
    let block = |(i, part): (usize, &[u32])| {
        let x = position((i * width) as f64 + part.len() as f64 / 2.0, counts.len());
        Block {
            powers: [1.0, x, x * x, x * x * x],
            bins: part.len() as f64,
            events: part.iter().map(|count| f64::from(*count)).sum(),
        }
    };
    counts.chunks(width).enumerate().map(block).collect()
}

fn log_rate(fit: &[f64; TERMS], powers: &[f64; TERMS]) -> f64 {
    fit.iter().zip(powers).map(|(a, b)| a * b).sum()
}

fn expected(fit: &[f64; TERMS], x: f64) -> f64 {
    libm::exp(log_rate(fit, &[1.0, x, x * x, x * x * x]))
}

/// The weight that keeps the curve finite where there is nothing to fit.
const RIDGE: f64 = 1e-3;

/// The logarithm of the Poisson likelihood, less the ridge on all but the level.
fn likelihood(blocks: &[Block], fit: &[f64; TERMS]) -> f64 {
    let of = |block: &Block| {
        let log = log_rate(fit, &block.powers);
        block.events * log - block.bins * libm::exp(log)
    };
    let bent: f64 = fit[1..].iter().map(|a| a * a).sum();
    blocks.iter().map(of).sum::<f64>() - RIDGE * bent / 2.0
}

/// The step to the top of the parabola that touches the likelihood; `None` when there is none.
fn newton_step(blocks: &[Block], fit: &[f64; TERMS]) -> Option<[f64; TERMS]> {
    let mut system = [[0.0; TERMS + 1]; TERMS];
    for block in blocks {
        let mean = block.bins * libm::exp(log_rate(fit, &block.powers));
        for (row, a) in system.iter_mut().zip(&block.powers) {
            for (cell, b) in row.iter_mut().zip(&block.powers) {
                *cell += mean * a * b;
            }
            row[TERMS] += (block.events - mean) * a;
        }
    }
    for i in 1..TERMS {
        system[i][i] += RIDGE;
        system[i][TERMS] -= RIDGE * fit[i];
    }
    solve(system)
}

/// Gaussian elimination with pivots; the last column is the right-hand side.
fn solve(mut system: [[f64; TERMS + 1]; TERMS]) -> Option<[f64; TERMS]> {
    for i in 0..TERMS {
        let best = (i..TERMS).max_by(|a, b| system[*a][i].abs().total_cmp(&system[*b][i].abs()))?;
        system.swap(i, best);
        let pivot = system[i];
        if !pivot[i].is_normal() {
            return None;
        }
        for row in system.iter_mut().skip(i + 1) {
            let factor = row[i] / pivot[i];
            row.iter_mut().zip(pivot).for_each(|(cell, above)| *cell -= factor * above);
        }
    }
    let mut solution = [0.0; TERMS];
    for i in (0..TERMS).rev() {
        let known: f64 = (i + 1..TERMS).map(|j| system[i][j] * solution[j]).sum();
        solution[i] = (system[i][TERMS] - known) / system[i][i];
    }
    solution.iter().all(|x| x.is_finite()).then_some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_follows(rate: impl Fn(f64) -> f64, n: usize) {
        let counts: Vec<u32> =
            (0..n).map(|k| rate((k as f64 + 0.5) / n as f64).round() as u32).collect();
        let smooth = smooth_rate(&counts);
        for (k, smooth) in smooth.iter().enumerate() {
            let expected = rate((k as f64 + 0.5) / n as f64);
            assert!((smooth - expected).abs() < 0.01 * expected + 1.0, "{k}: {smooth} {expected}");
        }
    }

    #[test]
    fn constants_decays_and_bumps_are_followed() {
        assert_follows(|_| 1_000.0, 100);
        assert_follows(|t| 5_000.0 * libm::exp(-20.0 * t), 1_000);
        assert_follows(|t| 3_000.0 * libm::exp(-30.0 * (t - 0.4) * (t - 0.4)), 300);
    }

    #[test]
    fn a_comb_of_three_teeth_leaves_a_trend_that_is_almost_flat() {
        let mut counts = vec![0; 30];
        (counts[5], counts[15], counts[25]) = (900, 900, 900);
        let smooth = smooth_rate(&counts);
        assert!((smooth.iter().sum::<f64>() - 2_700.0).abs() < 1e-6);
        assert!(smooth.iter().all(|x| (50.0..150.0).contains(x)), "{smooth:?}");
    }

    #[test]
    fn nothing_and_next_to_nothing_are_no_trouble() {
        assert_eq!(smooth_rate(&[0, 0, 0]), [0.0; 3]);
        let smooth = smooth_rate(&[0, 0, 0, 7, 0]);
        assert!((smooth.iter().sum::<f64>() - 7.0).abs() < 1e-9, "{smooth:?}");
    }
}
