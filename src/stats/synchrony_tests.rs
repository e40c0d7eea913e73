//! What is a herd and what is not: simulated series whose rhythm is known.

use super::*;
use crate::rng::{Purpose, Seed, Stream};

/// When an event happens, in seconds.
type Draw<'a> = &'a dyn Fn(&mut Stream) -> f64;

fn stream(seed: u64) -> Stream {
    Seed::new(seed).stream(Purpose::Phase, 1, 1)
}

/// Counts of `n` events at the times that `draw` gives, in `bins` bins of `bin_s` seconds.
fn binned(times: impl Iterator<Item = f64>, bins: usize, bin_s: f64) -> Vec<u32> {
    let mut counts = vec![0; bins];
    for time in times {
        if let Some(count) = counts.get_mut((time / bin_s) as usize) {
            *count += 1;
        }
    }
    counts
}

/// A herd that waits 10 s × (1 ± width) from round to round, counted in bins of 100 ms.
fn herd(seed: u64, clients: usize, width: f64, seconds: f64) -> Vec<u32> {
    let mut stream = stream(seed);
    let mut times = Vec::new();
    for _ in 0..clients {
        let mut time = 3.0;
        while time < seconds {
            times.push(time);
            time += 10.0 * (1.0 + width * (2.0 * stream.unit() - 1.0));
        }
    }
    binned(times.into_iter(), (seconds * 10.0) as usize, 0.1)
}

/// In how many of 300 seeds the series is taken for a herd.
fn found(series: impl Fn(&mut Stream) -> Vec<u32>) -> usize {
    (0..300).filter(|seed| synchrony(&series(&mut stream(*seed)), 0.1).is_some()).count()
}

#[test]
fn a_herd_without_jitter_is_wholly_synchronous_and_stays_so() {
    for (bins, bin_s) in [(100, 1.0), (1_000, 0.1), (31, 1.0), (10_007, 0.1)] {
        let rounds =
            (0..).map(|k| 3.0 + 10.0 * f64::from(k)).take_while(|t| *t < bins as f64 * bin_s);
        let series = binned(rounds.flat_map(|time| [time; 50]), bins, bin_s);
        let rhythm = synchrony(&series, bin_s).unwrap();
        assert!((rhythm.index - 1.0).abs() < 0.02, "{bins}: {rhythm:?}");
        assert!((rhythm.period_s - 10.0).abs() < 0.1, "{bins}: {rhythm:?}");
        assert_eq!(rhythm.half_life_rounds, None, "{bins}");
    }
}

#[test]
fn three_rounds_are_enough_and_multiples_of_the_rhythm_are_not_taken_for_it() {
    for rounds in 3..8 {
        for (width, index) in [(0.0, 1.0), (0.1, 0.968)] {
            // The herd is spread over `width` of a round: R² = sinc²(0.1) = 0.968.
            let mut stream = stream(rounds);
            let times = (0..rounds * 200).map(|i| (i % rounds) as f64 + width * stream.unit());
            let series = binned(times.map(|round| 1.0 + 10.0 * round), 1_000, 0.1);
            let rhythm = synchrony(&series, 0.1).unwrap();
            assert!((rhythm.period_s - 10.0).abs() < 0.1, "{rounds} {width}: {rhythm:?}");
            assert!((rhythm.index - index).abs() < 0.01, "{rounds} {width}: {rhythm:?}");
        }
    }
}

#[test]
fn a_herd_that_shrinks_is_as_synchronous_as_one_that_does_not() {
    let sizes = (0..20).map(|k| (3.0 + 10.0 * f64::from(k), 1_000 - 50 * k as usize));
    let times = sizes.flat_map(|(time, size)| std::iter::repeat_n(time, size));
    let rhythm = synchrony(&binned(times, 2_000, 0.1), 0.1).unwrap();
    assert!(rhythm.index > 0.99, "{rhythm:?}");
    assert!((rhythm.period_s - 10.0).abs() < 0.05, "{rhythm:?}");
}

#[test]
fn independent_events_are_no_herd() {
    for events in [50, 1_000, 20_000] {
        let uniform = |stream: &mut Stream| {
            let times: Vec<f64> = (0..events).map(|_| 100.0 * stream.unit()).collect();
            binned(times.into_iter(), 1_000, 0.1)
        };
        let found = found(uniform);
        assert!(found <= 3, "{found} of 300 with {events} events");
    }
}

#[test]
fn a_decay_is_no_herd() {
    for (events, tau) in [(1_000, 100.0), (5_000, 30.0), (20_000, 10.0), (50_000, 20.0)] {
        let decay = |stream: &mut Stream| {
            let times: Vec<f64> =
                (0..events).map(|_| -tau * libm::log(1.0 - stream.unit())).collect();
            binned(times.into_iter(), 1_000, 0.1)
        };
        let found = found(decay);
        assert!(found <= 9, "{found} of 300 with {events} events, {tau} s");
    }
}

#[test]
fn a_decay_to_a_floor_a_front_and_an_outage_are_no_herd() {
    let floor = |stream: &mut Stream| {
        if stream.unit() < 0.5 {
            100.0 * stream.unit()
        } else {
            -8.0 * libm::log(1.0 - stream.unit())
        }
    };
    let front = |stream: &mut Stream| 40.0 + 60.0 * stream.unit();
    let half = |stream: &mut Stream| {
        if stream.unit() < 0.3 { 100.0 * stream.unit() } else { 30.0 + 25.0 * stream.unit() }
    };
    let draws: [(&str, Draw); 3] = [("floor", &floor), ("front", &front), ("half", &half)];
    for (name, draw) in draws {
        for events in [2_000, 30_000] {
            let found = found(|stream: &mut Stream| {
                let times: Vec<f64> = (0..events).map(|_| draw(stream)).collect();
                binned(times.into_iter(), 1_000, 0.1)
            });
            assert!(found <= 9, "{found} of 300: {name}, {events} events");
        }
    }
}

#[test]
fn one_lone_spike_before_independent_events_is_no_herd() {
    let found = found(|stream: &mut Stream| {
        let spike = std::iter::repeat_n(3.0, 1_000);
        let rest: Vec<f64> = (0..10_000).map(|_| 3.0 + 97.0 * stream.unit()).collect();
        binned(spike.chain(rest), 1_000, 0.1)
    });
    assert!(found <= 3, "{found} of 300");
}

#[test]
fn ten_percent_of_jitter_halve_the_synchrony_in_five_rounds() {
    for seed in 0..10 {
        let rhythm = synchrony(&herd(seed, 2_000, 0.1, 300.0), 0.1).unwrap();
        assert!((rhythm.period_s - 10.0).abs() < 0.1, "{seed}: {rhythm:?}");
        // R₁ = sinc(0.2) = 0.93549.
        let half_life = rhythm.half_life_rounds.unwrap();
        assert!((half_life / 5.197 - 1.0).abs() < 0.2, "{seed}: {rhythm:?}");
    }
}

#[test]
fn a_quarter_of_jitter_halves_it_in_less_than_a_round() {
    for seed in 0..10 {
        let rhythm = synchrony(&herd(seed, 5_000, 0.25, 200.0), 0.1).unwrap();
        assert!((rhythm.period_s - 10.0).abs() < 0.5, "{seed}: {rhythm:?}");
        // R₁ = 2/π.
        let half_life = rhythm.half_life_rounds.unwrap();
        assert!((half_life / 0.767 - 1.0).abs() < 0.3, "{seed}: {rhythm:?}");
    }
}

#[test]
fn an_empty_or_tiny_series_has_no_rhythm() {
    assert_eq!(synchrony(&[], 1.0), None);
    assert_eq!(synchrony(&[0; 100], 1.0), None);
    assert_eq!(synchrony(&[500], 1.0), None);
    assert_eq!(synchrony(&[500, 500, 500, 0, 500], 1.0), None);
}

#[test]
#[ignore = "a measurement: cargo test --release --lib -- --ignored --nocapture synchrony"]
fn sixty_five_thousand_bins_take_well_under_twenty_milliseconds() {
    let series = herd(1, 500, 0.1, 6_553.6);
    #[expect(clippy::disallowed_methods, reason = "the wall clock is what is measured")]
    let now = std::time::Instant::now;
    let start = now();
    let rhythm = synchrony(&series, 0.1);
    println!("{:?}: {rhythm:?}", now() - start);
}
