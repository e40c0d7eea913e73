//! Results made by hand, for tests of reports: no simulator needed.
#![allow(dead_code, unreachable_pub)]

use std::time::Duration;

use herdsim::metrics::{
    Distributions, Mark, Measures, Metric, Outcome, Raster, Recovery, RunResult, ServiceSeries,
    Timeline,
};
use herdsim::study::{
    Estimate, Estimates, FaultSpan, PolicyResult, Proportion, RecoveryTime, StudyResult, Verdict,
};
use herdsim::time::SimTime;

/// What a synthetic study is like.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub policies: usize,
    pub bins: usize,
    pub bin: Duration,
    pub reps: u32,
    pub fault: bool,
    pub capacity: Option<f64>,
    /// Multiplies every count.
    pub scale: f64,
    pub title: &'static str,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape {
            policies: 4,
            bins: 18_000,
            bin: Duration::from_millis(200),
            reps: 1,
            fault: true,
            capacity: Some(1000.0),
            scale: 1.0,
            title: "The classic herd",
        }
    }
}

pub fn secs(seconds: f64) -> SimTime {
    SimTime::from_nanos((seconds * 1e9) as u64)
}

/// A small generator of its own: tests must not depend on the library's streams.
pub struct Noise(pub u64);

impl Noise {
    pub fn unit(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }
}

const LABELS: [&str; 12] = [
    "constant 1 s",
    "exponential",
    "equal jitter",
    "full jitter",
    "decorrelated",
    "quota",
    "linear",
    "aws-standard-2026",
    "breaker",
    "hedge",
    "token bucket",
    "no retry",
];

/// Attempts per second t seconds after the outage began under policy number `p`.
fn rate(p: usize, t: f64, noise: &mut Noise) -> f64 {
    let jitter = 0.8 + 0.4 * noise.unit();
    match (p, t) {
        (_, t) if t < 0.0 => 500.0 * jitter,
        (0, t) if t % 1.0 < 0.2 => 10_400.0 * jitter,
        (0, _) => 300.0 * jitter,
        (1, t) if (t % 7.0) < 0.4 && t < 100.0 => 4_000.0 * jitter,
        (_, t) if t < 30.0 => (2000.0 - 50.0 * t) * jitter,
        (_, t) if t < 36.0 + p as f64 * 2.0 => 900.0 * jitter,
        _ => 500.0 * jitter,
    }
}

fn split(count: u32, t: f64, down: bool) -> [u32; 6] {
    let mut parts = [0; 6];
    let cap = 200.min(count);
    if (0.0..30.0).contains(&t) {
        parts[Outcome::Errored as usize] = count;
    } else if down {
        parts[Outcome::Lost as usize] = count;
    } else {
        let wasted = if count > 400 { cap / 3 } else { 0 };
        parts[Outcome::Served as usize] = cap - wasted;
        parts[Outcome::Wasted as usize] = wasted;
        parts[Outcome::Rejected as usize] = count - cap;
    }
    parts
}

fn timeline(shape: Shape, p: usize) -> Timeline {
    let mut noise = Noise(p as u64 + 1);
    let mut arrivals: [Vec<u32>; 6] = Default::default();
    let mut down = Vec::new();
    for bin in 0..shape.bins {
        let t = bin as f64 * shape.bin.as_secs_f64() - 60.0;
        let count = rate(p, t, &mut noise) * shape.bin.as_secs_f64() * shape.scale;
        let is_down = p == 0 && t > 30.0 && (t % 20.0) < 5.0;
        down.push(is_down);
        for (series, part) in arrivals.iter_mut().zip(split(count as u32, t, is_down)) {
            series.push(part);
        }
    }
    let service = ServiceSeries {
        name: "server".into(),
        capacity_per_s: shape.capacity,
        queued: vec![3; shape.bins],
        arrivals,
        down,
    };
    Timeline {
        bin: shape.bin,
        services: vec![service],
        calls: vec![100; shape.bins],
        succeeded: vec![98; shape.bins],
        failed: vec![1; shape.bins],
        refused: (0..shape.bins)
            .map(
                |bin| {
                    if p == 3 && (300..500).contains(&bin) {
                        (shape.scale * 90.0) as u32
                    } else {
                        0
                    }
                },
            )
            .collect(),
        orbit: vec![7; shape.bins],
        quota: vec![],
    }
}

fn raster(shape: Shape, p: usize) -> Raster {
    let mut noise = Noise(p as u64 + 77);
    let mut marks = Vec::new();
    for row in 0..200 {
        let phase = if p == 0 { 0.05 * noise.unit() } else { noise.unit() };
        for k in 0..60 {
            let spread = if p < 2 { 0.0 } else { noise.unit() };
            let t = 30.0 + 1.5 * k as f64 + phase + spread * 5.0;
            let outcome = match t {
                t if (60.0..90.0).contains(&t) => Outcome::Errored,
                t if t > 90.0 && p == 0 => Outcome::Rejected,
                _ => Outcome::Served,
            };
            marks.push(Mark { sent: secs(t), row, outcome });
        }
    }
    let marks = if shape.bins == 0 { vec![] } else { marks };
    Raster { clients: 200, of: 1000, group: "web".into(), marks }
}

fn estimates(shape: Shape, p: usize) -> Estimates {
    let spread = if shape.reps > 1 { 0.05 } else { 0.0 };
    let entry = |(place, metric): (usize, Metric)| {
        let mean = match metric {
            Metric::PeakOverCapacity => [10.4, 4.1, 1.6, 0.9][p % 4],
            Metric::PeakPerS => [10_400.0, 4_100.0, 1_600.0, 900.0][p % 4],
            Metric::Calls => 360_000.0,
            Metric::Attempts => 412_345.0,
            Metric::Failed => 1_200.0,
            Metric::AmplificationTotal => 1.145,
            Metric::SyncIndex => [0.93, 0.4, 0.01, 0.004][p % 4],
            Metric::SyncPeriodS => 1.0,
            Metric::LatencyP99Ms => 4_321.0,
            _ => place as f64,
        };
        let (lo, hi) = (mean * (1.0 - spread), mean * (1.0 + spread));
        (metric, Estimate { mean, lo, hi, n: shape.reps })
    };
    let known = Metric::ALL.into_iter().enumerate();
    let known = known.filter(|(_, m)| shape.capacity.is_some() || *m != Metric::PeakOverCapacity);
    Estimates::new(known.map(entry).collect())
}

fn policy(shape: Shape, p: usize) -> PolicyResult {
    let all_recover = p > 0;
    let after = 19.5 + 10.0 * p as f64;
    let recovery = match (shape.fault, all_recover) {
        (false, _) => Recovery::NotAsked,
        (true, true) => Recovery::After(Duration::from_secs_f64(after)),
        (true, false) => Recovery::NotWithin(
            shape.bin.saturating_mul(shape.bins as u32).saturating_sub(Duration::from_secs(90)),
        ),
    };
    let k = if all_recover { shape.reps } else { 0 };
    let p50 = all_recover.then_some(after);
    let estimates = estimates(shape, p);
    PolicyResult {
        label: LABELS[p % 12].into(),
        overall: estimates.clone(),
        clients: vec![("web".into(), estimates.clone())],
        services: vec![("server".into(), estimates)],
        peak_service: "server".into(),
        recovered: shape.fault.then_some(Proportion { k, n: shape.reps, lo: 0.7, hi: 1.0 }),
        recovery: shape.fault.then_some(RecoveryTime {
            p50,
            p95: p50.map(|t| t * 1.1),
            lo: p50.map(|t| t * 0.9),
            hi: p50.map(|t| t * 1.1),
            censored: shape.reps - k,
            n: shape.reps,
        }),
        censored: vec![],
        verdict: Verdict {
            word: if all_recover { "recovers" } else { "does not recover" }.into(),
            text: format!("{} comes to a verdict.", LABELS[p % 12]),
            evidence: vec!["peak 10.4x capacity".into(), "backlog gone <after> 19.5 s".into()],
        },
        first: RunResult {
            overall: Measures::default(),
            clients: vec![],
            services: vec![],
            peak_service: "server".into(),
            recovery,
            not_within: vec![],
            timeline: timeline(shape, p),
            distributions: Distributions {
                latency: vec![(Duration::from_millis(50), 900), (Duration::from_millis(100), 100)],
                error_latency: vec![(Duration::from_micros(3_000_500), 4)],
                attempts: vec![(1, 800), (2, 200)],
            },
            raster: raster(shape, p),
            crashes: vec![],
            twin_crashes: 0,
            twin_succeeded: Some(1.0),
            events: 1,
        },
        events: 1,
    }
}

/// A fault that ends at once.
pub fn fault(begins: f64, ends: f64, label: &str) -> FaultSpan {
    let (begins, ends) = (secs(begins), secs(ends));
    FaultSpan { begins, ends, gone: ends, label: label.into() }
}

/// A study of this shape.
pub fn study(shape: Shape) -> StudyResult {
    let horizon = shape.bin.as_secs_f64() * shape.bins as f64;
    StudyResult {
        title: shape.title.into(),
        question: "Does it come back?".into(),
        hash: "8fd57f2cc0de".repeat(6)[..64].into(),
        seed: 42,
        reps: shape.reps,
        horizon: secs(horizon),
        generator: "test".into(),
        faults: if shape.fault { vec![fault(60.0, 90.0, "outage of server")] } else { vec![] },
        actions: vec![],
        policies: (0..shape.policies).map(|p| policy(shape, p)).collect(),
    }
}
