//! First passages solved without a subtraction: every chance keeps its digits, however small.

/// X of M X = B, where M = diag(row sum of `rates` + `exits`) − `rates`.
///
/// States are eliminated one after the other, and what leaves a state is summed up anew instead
/// of being taken from one (Grassmann, Taksar and Heyman 1985). With transition probabilities in
/// `rates` and what ends the walk in `exits`, X are sums of B along the walk. The diagonal of
/// `rates` does not matter.
pub(super) fn solve(
    mut rates: Vec<Vec<f64>>,
    mut exits: Vec<f64>,
    mut b: Vec<Vec<f64>>,
) -> Vec<Vec<f64>> {
    let n = exits.len();
    let mut out = vec![0.0; n];
    for k in 0..n {
        out[k] = exits[k] + rates[k][k + 1..].iter().sum::<f64>();
        let (done, rest) = rates.split_at_mut(k + 1);
        let (b_done, b_rest) = b.split_at_mut(k + 1);
        let ahead = targets(&done[k], k);
        let exit = exits[k];
        for (i, other) in rest.iter_mut().enumerate().filter(|(_, row)| row[k] > 0.0) {
            let share = other[k] / out[k];
            ahead.iter().for_each(|&j| other[j] += share * done[k][j]);
            exits[k + 1 + i] += share * exit;
            add(&mut b_rest[i], &b_done[k], share);
        }
    }
    for k in (0..n).rev() {
        let (head, tail) = b.split_at_mut(k + 1);
        for (&rate, known) in rates[k][k + 1..].iter().zip(tail.iter()).filter(|(r, _)| **r > 0.0) {
            add(&mut head[k], known, rate);
        }
        head[k].iter_mut().for_each(|x| *x /= out[k]);
    }
    b
}

/// The later states that a state leads to.
fn targets(row: &[f64], k: usize) -> Vec<usize> {
    (k + 1..row.len()).filter(|&j| row[j] > 0.0).collect()
}

fn add(to: &mut [f64], from: &[f64], share: f64) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += share * from);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A gambler who wins with probability p has n on the way to all or nothing.
    fn gambler(p: f64, n: usize) -> Vec<f64> {
        let inner = n - 1;
        let step = |i: usize, j: usize| {
            if j == i + 1 {
                p
            } else if i == j + 1 {
                1.0 - p
            } else {
                0.0
            }
        };
        let rates = (0..inner).map(|i| (0..inner).map(|j| step(i, j)).collect()).collect();
        let mut exits = vec![0.0; inner];
        exits[0] += 1.0 - p;
        exits[inner - 1] += p;
        let mut wins = vec![vec![0.0]; inner];
        wins[inner - 1][0] = p;
        solve(rates, exits, wins).into_iter().map(|row| row[0]).collect()
    }

    #[test]
    fn a_gambler_s_ruin_has_its_closed_form() {
        // From 1 to 30 with odds 1 : 2 it is 1 / (2³⁰ − 1).
        let found = gambler(1.0 / 3.0, 30)[0];
        assert!((found * 1_073_741_823.0 - 1.0).abs() < 1e-13, "{found}");
    }
}
