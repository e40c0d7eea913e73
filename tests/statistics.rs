//! The statistics against series, formulas and reference values that others computed.

use std::f64::consts::TAU;
use std::path::Path;

use herdsim::rng::{Purpose, Seed, Stream};
use herdsim::stats::{
    Outcome, Precision, Ranks, acceptance_band, batch_means, clopper_pearson_interval,
    independent_difference, mean_and_variance, mean_interval, overlapping_variance,
    paired_difference, quantile_interval, quantile_ranks, replications_needed, share, t_quantile,
    t_quantile_real, uniformity, variance_ratio, von_neumann, warm_up, wilson_interval,
};
use serde_json::Value;

/// The innovations u − ½ of the fixture: s = 1664525 s + 1013904223 mod 2³², u = (s + ½) / 2³².
fn innovations() -> impl Iterator<Item = f64> {
    let next = |s: &u32| Some(s.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    std::iter::successors(next(&12_345), next).map(|s| (f64::from(s) + 0.5) / 4_294_967_296.0 - 0.5)
}

/// An AR(1) process a(i) = 0.7 a(i − 1) + u(i) − ½.
fn ar1(n: usize) -> Vec<f64> {
    let step = |a: &mut f64, u: f64| {
        *a = 0.7 * *a + u;
        Some(*a)
    };
    innovations().scan(0.0, step).take(n).collect()
}

/// A thousand values that settle at 10: 10 + 5 × 0.98^i + a(i).
fn fixture() -> Vec<f64> {
    let trend = |i: usize| 10.0 + 5.0 * libm::pow(0.98, i as f64);
    ar1(1000).iter().enumerate().map(|(i, a)| trend(i) + a).collect()
}

fn close(got: f64, expected: f64, relative: f64) {
    assert!((got - expected).abs() <= relative * expected.abs(), "{got} is not {expected}");
}

#[test]
fn the_fixture_is_the_published_series() {
    let series = fixture();
    close(series[0], 14.520402685855515, 1e-15);
    close(series[999], 9.602466286238021, 1e-15);
    let (mean, variance) = mean_and_variance(&series).unwrap();
    close(mean, 10.275125962779438, 1e-15);
    close(variance.sqrt(), 0.8584671353575299, 1e-14);
}

#[test]
fn the_fixture_settles_after_140_values() {
    let series = fixture();
    let settled = warm_up(&series).unwrap();
    assert_eq!((settled.values, settled.too_short), (140, false));
    close(settled.mean, 10.0248185998, 1e-11);
}

#[test]
fn twenty_batches_of_the_settled_fixture_give_the_published_interval() {
    let series = fixture();
    let means = batch_means(&series[140..], 20, 0.95).unwrap();
    assert_eq!((means.size, means.interval.n), (43, 20));
    close(means.interval.mean, 10.0248185998, 1e-11);
    close(means.interval.half_width(), 0.0718198388552, 1e-11);
    let independence = means.independence.unwrap();
    close(independence.ratio, 2.024127125319215, 1e-12);
    assert!(independence.accepts());
}

#[test]
fn overlapping_batches_of_a_twentieth_give_the_published_variance() {
    close(overlapping_variance(&fixture()[140..], 43).unwrap(), 1.05231469144, 1e-11);
}

#[test]
fn the_unsettled_fixture_is_not_independent() {
    let series = fixture();
    assert!(!batch_means(&series, 20, 0.95).unwrap().independence.unwrap().accepts());
    assert!(!von_neumann(&series[140..]).unwrap().accepts(), "single values depend");
}

#[test]
fn a_long_autoregressive_series_has_the_variance_of_the_closed_form() {
    // σ² / (1 − φ)² = (1 / 12) / 0.09 and (1 + φ) / (1 − φ) = 17 / 3. With n / m = 1,000 batches
    // the estimate has a relative standard deviation of √(4 / 3 / 1,000) = 3.7 %.
    let series = ar1(1_000_000);
    let asymptotic = overlapping_variance(&series, 1000).unwrap();
    close(asymptotic, 0.9259259259, 0.1);
    let (_, variance) = mean_and_variance(&series).unwrap();
    close(asymptotic / variance, 17.0 / 3.0, 0.1);
}

/// Numbers of experiment `experiment`, for samplers that the tests need.
fn stream(experiment: u64) -> Stream {
    Seed::new(7).stream(Purpose::Demand, experiment, 0)
}

/// Two independent standard normal numbers (Box and Muller).
fn normals(stream: &mut Stream) -> (f64, f64) {
    let radius = (-2.0 * libm::log(1.0 - stream.unit())).sqrt();
    let (sin, cos) = libm::sincos(TAU * stream.unit());
    (radius * cos, radius * sin)
}

/// How many of so many experiments say yes.
fn count(experiments: u64, mut experiment: impl FnMut(&mut Stream) -> bool) -> usize {
    (0..experiments).filter(|number| experiment(&mut stream(*number))).count()
}

/// `n` pairs of standard normal numbers with correlation `rho`.
fn pairs(stream: &mut Stream, n: usize, rho: f64) -> (Vec<f64>, Vec<f64>) {
    let pair = |_| {
        let (a, b) = normals(stream);
        (a, rho * a + (1.0 - rho * rho).sqrt() * b)
    };
    (0..n).map(pair).unzip()
}

#[test]
fn paired_intervals_keep_their_word_even_when_pairing_does_harm() {
    let band = acceptance_band(1000, 0.95, 0.001);
    for rho in [-0.6, 0.0, 0.9] {
        let covered = count(1000, |stream| {
            let (a, b) = pairs(stream, 10, rho);
            paired_difference(&a, &b, 0.95).unwrap().difference.interval.contains(0.0)
        });
        println!("correlation {rho}: {covered} of 1000 paired intervals cover");
        assert!(band.accepts(covered), "correlation {rho}: {covered}");
    }
}

#[test]
fn an_independent_interval_on_paired_runs_breaks_its_word_just_when_pairing_does_harm() {
    // Why a comparison does not fall back to it on the same runs.
    let covered = count(1000, |stream| {
        let (a, b) = pairs(stream, 10, -0.6);
        independent_difference(&a, &b, 0.95).unwrap().interval.contains(0.0)
    });
    println!("correlation -0.6: {covered} of 1000 Welch intervals cover");
    assert!(covered < acceptance_band(1000, 0.95, 0.001).lo, "{covered}");
    let independent = count(1000, |stream| {
        let (a, b) = pairs(stream, 10, 0.0);
        independent_difference(&a, &b, 0.95).unwrap().interval.contains(0.0)
    });
    assert!(acceptance_band(1000, 0.95, 0.001).accepts(independent), "{independent}");
}

#[test]
fn p_values_of_true_hypotheses_are_uniform_and_those_of_false_ones_are_not() {
    let p_values = |shift: f64| -> Vec<f64> {
        let p = |number| {
            let (a, b) = pairs(&mut stream(number), 10, 0.5);
            let shifted: Vec<f64> = b.iter().map(|b| b + shift).collect();
            paired_difference(&a, &shifted, 0.95).unwrap().difference.p_value
        };
        (0..1000).map(p).collect()
    };
    let (held, broken) = (p_values(0.0), p_values(0.3));
    assert!(uniformity(&held).unwrap().p_value > 0.001, "{:?}", uniformity(&held));
    assert!(uniformity(&broken).unwrap().p_value < 1e-6, "{:?}", uniformity(&broken));
}

#[test]
fn quantile_intervals_cover_as_exactly_as_they_say() {
    // The 0.8 quantile of a uniform variable.
    let mut coverage = 0.0;
    let covered = count(1000, |stream| {
        let values: Vec<f64> = (0..50).map(|_| stream.unit()).collect();
        let interval = quantile_interval(&values, 0.8, 0.95).unwrap();
        coverage = interval.coverage;
        interval.lo.unwrap() <= 0.8 && 0.8 <= interval.hi.unwrap()
    });
    println!("{covered} of 1000 cover, {coverage} expected");
    assert!(acceptance_band(1000, coverage, 0.001).accepts(covered), "{covered}, {coverage}");
}

#[test]
fn a_search_for_precision_needs_about_as_many_as_were_foretold() {
    // Exponential values: their standard deviation is their mean.
    let precision = Precision::of_mean(0.3, 400);
    let mut used = 0;
    let covered = count(4000, |stream| {
        let outcome = precision.run(|_| -libm::log(1.0 - stream.unit()));
        let Outcome::Reached(interval) = outcome else { panic!("{outcome:?}") };
        assert!(interval.half_width() <= 0.3 / 1.3 * interval.mean);
        used += interval.n;
        interval.contains(1.0)
    });
    println!("{covered} of 4000 cover, {} replications on average", used / 4000);
    assert_eq!(replications_needed(1.0, 0.3, 0.95), Some(75));
    assert!((280_000..292_000).contains(&used), "{used}");
    // 93.1 % are expected, a little less than 95 %.
    assert!(acceptance_band(4000, 0.931, 0.001).accepts(covered), "{covered}");
}

/// The value of a reference row by our functions; `None` when we have none for it.
fn ours(model: &str, params: &Value, metric: &str, series: &[f64]) -> Option<f64> {
    let number = |name: &str| params[name].as_f64();
    let whole = |name: &str| params[name].as_u64().map(|n| n as usize);
    let words: Vec<&str> = metric.split_whitespace().collect();
    match model {
        "fixture" => fixture_row(metric, series),
        "Student t" => {
            let level = 2.0 * number("q").unwrap_or(0.975) - 1.0;
            Some(t_quantile(whole("df")? as u64, level))
        }
        "quantile CI (order statistics)" => {
            let ranks = quantile_ranks(whole("n")?, number("p")?, number("conf")?);
            rank_row(words[0], ranks)
        }
        "coverage test of nominal 95% CI" => {
            let band = acceptance_band(whole("experiments")?, 0.95, 0.001);
            Some(if metric.ends_with(">=") { band.lo } else { band.hi } as f64)
        }
        "Wilson 95%" | "Clopper-Pearson 95%" => {
            let (hits, n) = (whole("k")?, whole("n")?);
            let interval = if model.starts_with("Wilson") {
                wilson_interval(hits, n)?
            } else {
                clopper_pearson_interval(hits, n, 0.95)?
            };
            Some(if metric == "low" { interval.lo } else { interval.hi })
        }
        "common random numbers" => {
            Some(variance_ratio(number("sd1")?, number("sd2")?, number("rho")?))
        }
        _ if model.starts_with("replications for relative") => {
            replications_needed(number("cv")?, number("gamma")?, 0.95).map(|n| n as f64)
        }
        _ => None,
    }
}

fn fixture_row(metric: &str, series: &[f64]) -> Option<f64> {
    let (mean, variance) = mean_and_variance(series)?;
    match metric {
        "x[0]" => Some(series[0]),
        "x[999]" => Some(series[999]),
        "mean" => Some(mean),
        "sample SD (n-1)" => Some(variance.sqrt()),
        _ => None,
    }
}

fn rank_row(word: &str, ranks: Ranks) -> Option<f64> {
    match word {
        "lower" => Some(ranks.lower as f64),
        "upper" => Some(ranks.upper as f64),
        "exact" => Some(ranks.coverage),
        _ => None,
    }
}

#[test]
fn reference_values_are_met_where_they_are_at_hand() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/oracles.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: there are no reference values beside the repository");
        return;
    };
    let all: Value = serde_json::from_str(&text).unwrap();
    let rows = all["rows"].as_array().unwrap();
    let rows: Vec<&Value> = rows.iter().filter(|row| row["group"] == "stats").collect();
    let series = fixture();
    let mut met = 0;
    for row in &rows {
        let (model, metric) = (row["model"].as_str().unwrap(), row["metric"].as_str().unwrap());
        let expected = row["value"].as_f64().unwrap();
        let Some(got) = ours(model, &row["params"], metric, &series) else { continue };
        let off = (got - expected).abs();
        let id = &row["id"];
        assert!(off <= 1e-12 * expected.abs() + 1e-17, "{id} {model} {metric}: {got}");
        met += 1;
    }
    println!("{met} of {} reference values of statistics are met", rows.len());
    assert!(met >= 50, "only {met} rows were understood: the test is blind");
}

#[test]
fn a_share_of_nothing_is_never_told_as_zero() {
    for n in [1, 10, 1000] {
        let told = format!("{:?}", share(0, n, 0.95).unwrap());
        assert!(told.starts_with("AtMost(0."), "{told}");
    }
}

#[test]
fn real_and_whole_degrees_of_freedom_agree() {
    for df in [1, 2, 9, 100, 2001] {
        close(t_quantile_real(df as f64, 0.99), t_quantile(df, 0.99), 1e-12);
    }
    let interval = mean_interval(&fixture()).unwrap();
    assert_eq!(interval.n, 1000);
}
