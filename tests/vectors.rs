//! Waits and quotas against the golden values of real libraries: what they gave when they were
//! run (facts, rewritten here), or what their published formula gives.

mod common;

use std::time::Duration;

use common::scenario;
use herdsim::failure::FailureClass;
use herdsim::policy::backoff::{Backoff, Retry};
use herdsim::policy::budget::{Budget, Level};
use herdsim::rng::{Purpose, Seed};

/// The backoff of a retry policy as a scenario writes it.
fn backoff(text: &str) -> Backoff {
    let scenario = scenario(&format!(
        "seed = 1\nhorizon = \"1s\"\n[[clients]]\nname = \"c\"\ncount = 1\n\
         load = {{ burst = \"0s\" }}\ntimeout = \"1s\"\nretry = {{ max_attempts = 30, {text} }}\n\
         [server]\nrate = \"1/s\"\n"
    ));
    scenario.policies[0].model.groups[0].caller.layers[0].backoff.clone()
}

/// The waits of one client, each drawn from its own stream.
fn waits(backoff: &Backoff, client: u64, retries: u32) -> Vec<Duration> {
    let mut previous = None;
    let wait = |number| {
        let mut rng = Seed::new(3).stream(Purpose::Jitter, client, u64::from(number));
        let wait = backoff.delay(Retry { number, previous }, &mut rng);
        previous = Some(wait);
        wait
    };
    (1..=retries).map(wait).collect()
}

#[test]
fn ladders_without_jitter_are_those_of_the_libraries() {
    let exponential = |base: &str, factor: f64, cap: &str| {
        format!(
            "backoff = {{ exponential = {{ base = \"{base}\", factor = {factor} }} }}, \
             cap = \"{cap}\""
        )
    };
    let cases: &[(&str, String, &[f64])] = &[
        ("webhook calculator", exponential("1s", 2.0, "300s"), &[1., 2., 4., 8., 16., 32.]),
        (
            "cenkalti/backoff 4.1.3",
            exponential("500ms", 1.5, "60s"),
            &[
                0.5,
                0.75,
                1.125,
                1.6875,
                2.53125,
                3.796875,
                5.6953125,
                8.54296875,
                12.814453125,
                19.221679687,
                28.83251953,
                43.248779295,
                60.,
                60.,
            ],
        ),
        (
            "AWS SDK 2026, transient",
            exponential("50ms", 2.0, "20s"),
            &[0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 20., 20.],
        ),
        ("AWS SDK 2026, throttling", exponential("1s", 2.0, "20s"), &[1., 2., 4., 8., 16., 20.]),
        (
            "DynamoDB 2026",
            exponential("25ms", 2.0, "20s"),
            &[0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 20.],
        ),
        (
            "Temporal server",
            exponential("1s", 2.0, "100s"),
            &[1., 2., 4., 8., 16., 32., 64., 100., 100.],
        ),
        ("Kafka without jitter", exponential("100ms", 2.0, "1s"), &[0.1, 0.2, 0.4, 0.8, 1., 1.]),
        (
            "Kubernetes job",
            exponential("10s", 2.0, "10m"),
            &[10., 20., 40., 80., 160., 320., 600., 600.],
        ),
        (
            "kombu publish",
            "backoff = { linear = { base = \"0s\", step = \"200ms\" } }, cap = \"1s\"".to_string(),
            &[0., 0.2, 0.4, 0.6, 0.8, 1., 1.],
        ),
        (
            "SignalR",
            "backoff = { schedule = [\"0s\", \"2s\", \"10s\", \"30s\"] }".to_string(),
            &[0., 2., 10., 30.],
        ),
        ("tenacity fixed", "backoff = { constant = \"2s\" }".to_string(), &[2., 2., 2.]),
    ];
    for (name, text, wanted) in cases {
        let found = waits(&backoff(text), 0, wanted.len() as u32);
        for (found, wanted) in found.iter().zip(*wanted) {
            let gap = (found.as_secs_f64() - wanted).abs();
            assert!(gap < 1e-9 * wanted.max(1.0), "{name}: {found:?}, not {wanted} s");
        }
    }
}

/// Mean, share at `atom`, least and largest of the waits of 20,000 clients before one retry.
fn spread(backoff: &Backoff, number: u32, atom: f64) -> [f64; 4] {
    let n = 20_000;
    let drawn: Vec<f64> =
        (0..n).map(|client| waits(backoff, client, number).last().unwrap().as_secs_f64()).collect();
    let mean = drawn.iter().sum::<f64>() / n as f64;
    let at = drawn.iter().filter(|wait| **wait == atom).count() as f64 / n as f64;
    let least = drawn.iter().copied().fold(f64::MAX, f64::min);
    [mean, at, least, drawn.iter().copied().fold(0.0, f64::max)]
}

/// For one retry: support, mean, and the share of clients that wait exactly its upper end.
type Row = ((f64, f64), f64, f64);

/// A library, its policy as a scenario writes it, and rows by the number of the retry.
type Case = (&'static str, &'static str, &'static [(u32, Row)]);

#[test]
fn jittered_waits_have_the_support_the_mean_and_the_atom_of_the_libraries() {
    let cases: &[Case] = &[
        (
            "Kafka: the cap acts after the jitter, half of the clients end up on it",
            "backoff = { exponential = { base = \"100ms\" } }, jitter = { proportional = 0.2 }, \
             cap = \"1s\", cap_position = \"after-jitter\"",
            &[
                (1, ((0.08, 0.12), 0.1, 0.0)),
                (4, ((0.64, 0.96), 0.8, 0.0)),
                // Kafka clamps its exponent, so that its share stays at one half for ever; ours
                // grows past the cap, as resilience4j's does.
            ],
        ),
        (
            "resilience4j: the exponent grows past the cap, all clients end up on it",
            "backoff = { exponential = { base = \"500ms\" } }, jitter = { proportional = 0.5 }, \
             cap = \"5s\", cap_position = \"after-jitter\"",
            &[
                (1, ((0.25, 0.75), 0.5, 0.0)),
                (4, ((2.0, 5.0), 3.875, 0.25)),
                (5, ((4.0, 5.0), 4.9375, 0.875)),
                (6, ((5.0, 5.0), 5.0, 1.0)),
            ],
        ),
        (
            "OpenTelemetry collector: the cap acts before the jitter, nobody is on it",
            "backoff = { exponential = { base = \"5s\", factor = 1.5 } }, \
             jitter = { proportional = 0.5 }, cap = \"30s\"",
            &[
                (1, ((2.5, 7.5), 5.0, 0.0)),
                (5, ((12.65625, 37.96875), 25.3125, 0.0)),
                (8, ((15.0, 45.0), 30.0, 0.0)),
            ],
        ),
        (
            "gRPC with its 20 %",
            "backoff = { exponential = { base = \"100ms\" } }, jitter = { proportional = 0.2 }, \
             cap = \"400ms\"",
            &[(1, ((0.08, 0.12), 0.1, 0.0)), (4, ((0.32, 0.48), 0.4, 0.0))],
        ),
        (
            "AWS Architecture Blog, full",
            "backoff = { exponential = { base = \"10ms\" } }, jitter = \"full\", cap = \"2s\"",
            &[(1, ((0.0, 0.01), 0.005, 0.0)), (9, ((0.0, 2.0), 1.0, 0.0))],
        ),
        (
            "AWS Architecture Blog, equal",
            "backoff = { exponential = { base = \"10ms\" } }, jitter = \"equal\", cap = \"2s\"",
            &[(1, ((0.005, 0.01), 0.0075, 0.0)), (9, ((1.0, 2.0), 1.5, 0.0))],
        ),
        (
            "redis-py, whose first wait is the base and whose second is our first",
            "backoff = { decorrelated = { base = \"1s\" } }, cap = \"10s\"",
            &[
                (1, ((1.0, 3.0), 1.9941, 0.0)),
                (2, ((1.0, 9.0), 3.5027, 0.0)),
                (3, ((1.0, 10.0), 5.1894, 0.1491)),
                (4, ((1.0, 10.0), 6.2263, 0.3032)),
                (7, ((1.0, 10.0), 7.231, 0.4612)),
            ],
        ),
    ];
    for (name, text, rows) in cases {
        let backoff = backoff(text);
        for (number, ((low, high), mean, atom)) in *rows {
            let [found, at, least, largest] = spread(&backoff, *number, *high);
            let width = (high - low).max(1e-9);
            assert!(least >= low - 1e-9 && largest <= high + 1e-9, "{name}: {least} … {largest}");
            // Four standard errors of a uniform, and of the library's own 10,000 samples.
            assert!((found - mean).abs() < 0.02 * width + 1e-9, "{name} {number}: mean {found}");
            assert!((at - atom).abs() < 0.02, "{name} {number}: {at} on the upper end");
        }
    }
}

#[test]
fn decorrelated_waits_settle_where_the_exact_chain_does() {
    // d' = min(cap, U(base, 3 d)), stationary: mean and share at the cap from the integral
    // equation.
    for (base, mean, at_cap) in [("50ms", 9.130422, 0.269337), ("1s", 13.174298, 0.412765)] {
        let text = format!("backoff = {{ decorrelated = {{ base = \"{base}\" }} }}, cap = \"20s\"");
        let [found, at, _, _] = spread(&backoff(&text), 40, 20.0);
        assert!((found - mean).abs() < 0.25, "{base}: {found}, not {mean}");
        assert!((at - at_cap).abs() < 0.016, "{base}: {at}, not {at_cap}");
    }
}

#[test]
fn the_quota_follows_the_sequences_of_the_sdks() {
    use FailureClass::{Throttling, Transient};
    let quota = |capacity| {
        Budget::AwsQuota(herdsim::policy::budget::AwsQuota {
            capacity,
            cost: 14,
            cost_timeout: 14,
            cost_throttling: 5,
            reward: 1,
        })
    };
    // Two transient failures, then success: 500, 486, 472, and the last cost comes back.
    let budget = quota(500);
    let mut level = budget.full();
    assert_eq!(budget.pay(&mut level, Transient), Some(14));
    assert_eq!(level.tokens, 486);
    assert_eq!(budget.pay(&mut level, Transient), Some(14));
    assert_eq!(level.tokens, 472);
    budget.reward(&mut level, Some(14));
    assert_eq!(level.tokens, 486);
    // A bucket of 14: one retry, then the quota stops; nothing in it: no retry at all.
    let budget = quota(14);
    let mut level = budget.full();
    assert_eq!(budget.pay(&mut level, Transient), Some(14));
    assert_eq!(budget.pay(&mut level, Transient), None);
    assert_eq!(level, Level { tokens: 0 });
    assert_eq!(budget.pay(&mut level, Throttling), None);
    // Mixed failures: throttling twice, transient four times, throttling once.
    let budget = quota(500);
    let mut level = budget.full();
    let classes = [Throttling, Throttling, Transient, Transient, Transient, Transient, Throttling];
    let costs: Vec<_> = classes.iter().filter_map(|c| budget.pay(&mut level, *c)).collect();
    assert_eq!(costs, [5, 5, 14, 14, 14, 14, 5]);
    assert_eq!(level.tokens, 429);
    // Two calls at once on one bucket: 500 − 14 − 14 + 14 − 14 + 14, in any order.
    let mut level = budget.full();
    for _ in 0..3 {
        budget.pay(&mut level, Transient);
    }
    budget.reward(&mut level, Some(14));
    budget.reward(&mut level, Some(14));
    assert_eq!(level.tokens, 486);
}

#[test]
fn six_webhook_retries_take_63_seconds() {
    let text = "backoff = { exponential = { base = \"1s\" } }, cap = \"300s\"";
    let total: Duration = waits(&backoff(text), 0, 6).iter().sum();
    assert_eq!(total, Duration::from_secs(63));
}
