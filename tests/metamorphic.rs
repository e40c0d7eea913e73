//! What must not change, or must change in a known way, when a scenario is said differently.

mod common;

use std::collections::BTreeMap;

use common::{scenario, study, trace};
use herdsim::metrics::{Mark, Measures, Metric, Raster, Recovery, RunResult, Unit};
use herdsim::rng::Seed;
use herdsim::sim::simulate;
use herdsim::stats::{mean_interval, t_quantile};
use herdsim::time::{SimTime, nanos};
use serde_json::Value;

/// A scenario in which `@250` is 250 ms and `~2` is two per second, with times 2^k as long.
///
/// These have no unit of the scenario in them and stay as they are: the minute of `bad_minutes`,
/// the second in which the rule `load > …` of a crash counts, and the least width of one
/// millisecond in which synchrony is sought. These have defaults in seconds and are set: `bin`,
/// `measure.peak_width`, `measure.recovery.hold`.
///
/// What is no whole number of nanoseconds is rounded and scales up to that: growth by a factor
/// such as 1.7, work under a slowdown of 3 or over a ramp, shares of a worker by three, phases of
/// seven clients, and everything that is drawn.
fn scaled(template: &str, k: i32) -> String {
    let times = |value: u64| if k < 0 { value >> -k } else { value << k };
    let mut text = String::new();
    for part in template.split_inclusive(['@', '~']) {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let (number, rest) = part.split_at(digits);
        match text.pop() {
            Some('@') => {
                text += &format!("\"{}ns\"", times(number.parse::<u64>().unwrap() * 1_000_000));
            }
            Some('~') => {
                let rate = number.parse::<f64>().unwrap();
                text += &format!("\"{}/s\"", rate * 1024.0 / times(1024) as f64);
            }
            other => {
                text.extend(other);
                text += number;
            }
        }
        text += rest;
    }
    text
}

fn first_run(text: &str) -> RunResult {
    let scenario = scenario(text);
    simulate(&scenario.policies[0], Seed::new(scenario.seed), true)
}

/// Parts of a run with their measures.
fn parts(run: &RunResult) -> Vec<(String, Measures)> {
    let whole = [("whole".to_string(), run.overall.clone())];
    whole.into_iter().chain(run.clients.clone()).chain(run.services.clone()).collect()
}

/// Measures and series of a run are those of another whose times are `factor` times shorter.
fn scales(short: &RunResult, long: &RunResult, factor: u32) -> u32 {
    let f = f64::from(factor);
    let mut seen = 0;
    for ((part, a), (_, b)) in parts(short).iter().zip(&parts(long)) {
        for metric in Metric::ALL {
            let times = match metric.unit() {
                Unit::Seconds | Unit::Milliseconds => f,
                Unit::PerSecond => 1.0 / f,
                Unit::Minutes => continue,
                Unit::Count | Unit::Ratio => 1.0,
            };
            let (a, b) = (a.get(metric).map(|a| a * times), b.get(metric));
            seen += u32::from(b.is_some_and(|value| value > 0.0));
            match (a, b) {
                // A quantile is the last nanosecond of its cell of the histogram.
                (Some(a), Some(b))
                    if metric.name().contains("_p") && metric.unit() != Unit::PerSecond =>
                {
                    assert!((b - a) * 1e6 < f && b >= a, "{part}: {metric}: {a}, {b}");
                }
                (a, b) => assert_eq!(a, b, "{part}: {metric}"),
            }
        }
    }
    series_scale(short, long, factor);
    seen
}

fn series_scale(short: &RunResult, long: &RunResult, factor: u32) {
    let mut timeline = short.timeline.clone();
    timeline.bin *= factor;
    for service in &mut timeline.services {
        service.capacity_per_s = service.capacity_per_s.map(|c| c / f64::from(factor));
    }
    assert_eq!(timeline, long.timeline);
    let later = |time: SimTime| SimTime::from_nanos(time.as_nanos() * u64::from(factor));
    let marks = short.raster.marks.iter().map(|mark| Mark { sent: later(mark.sent), ..*mark });
    assert_eq!(Raster { marks: marks.collect(), ..short.raster.clone() }, long.raster);
    let crashes: Vec<_> = short.crashes.iter().map(|(time, at)| (later(*time), *at)).collect();
    assert_eq!(crashes, long.crashes);
    let recovery = match short.recovery {
        Recovery::NotAsked => Recovery::NotAsked,
        Recovery::After(took) => Recovery::After(took * factor),
        Recovery::NotWithin(seen) => Recovery::NotWithin(seen * factor),
    };
    assert_eq!(recovery, long.recovery);
    assert_eq!(short.distributions.attempts, long.distributions.attempts);
    for (a, b) in [
        (&short.distributions.latency, &long.distributions.latency),
        (&short.distributions.error_latency, &long.distributions.error_latency),
    ] {
        assert_eq!(a.len(), b.len());
        for ((a, calls), (b, others)) in a.iter().zip(b) {
            assert_eq!(calls, others);
            let gap = nanos(*b) - nanos(*a) * u64::from(factor);
            assert!(gap < u64::from(factor), "{a:?}, {b:?}");
        }
    }
}

/// A line of a trace with its times so many times longer.
fn longer(line: &Value, factor: u64) -> Value {
    let mut line = line.clone();
    for (key, value) in line.as_object_mut().unwrap() {
        if key.ends_with("_ns") {
            *value = (value.as_u64().unwrap() * factor).into();
        } else if key == "capacity_per_s" {
            *value = value.as_f64().map(|capacity| capacity / factor as f64).into();
        }
    }
    line["t_s"] = Value::Null;
    line
}

/// Every event of a scenario with times 2^k as long happens 2^k as late, for several k.
fn scales_exactly(template: &str) {
    let base = scaled(template, -1);
    let (short, events) = (first_run(&base), trace(&scenario(&base)));
    for k in [0, 1, 3] {
        let (text, factor) = (scaled(template, k), 1 << (k + 1));
        let seen = scales(&short, &first_run(&text), factor);
        assert!(seen > 40, "only {seen} measures are above zero");
        let long = trace(&scenario(&text));
        assert_eq!(events.len(), long.len());
        assert!(events.len() > 1_000, "only {} events", events.len());
        for (a, b) in events[1..].iter().zip(&long[1..]) {
            assert_eq!(longer(a, u64::from(factor)), longer(b, 1), "k = {k}");
        }
    }
}

/// A herd that meets an outage and a brownout.
const HERD: &str = r#"
seed = 1
horizon = @151072
bin = @100
slo = { latency = @900, share = 0.9 }
measure = { peak_width = @1000, recovery = { hold = @5000 }, first_below = 3 }
[[clients]]
name = "c"
count = 40
load = [{ burst = @2000 }, { periodic = @4000, phase = "even" }]
timeout = @700
deadline = { for = @5000 }
retry = { max_attempts = 5, backoff = { exponential = { base = @300 } }, cap = @2000 }
[server]
workers = 3
service_time = @70
network = @4
queue = { capacity = 12 }
[[faults]]
kind = "outage"
at = @9000
for = @6000
[[faults]]
kind = "brownout"
slowdown = 2
at = @18000
for = @2000
"#;

/// Clients without jitter that stay in step after an outage, under a crash rule.
const IN_STEP: &str = r#"
seed = 2
horizon = @141072
bin = @200
warmup = @1000
measure = { peak_width = @2000, recovery = { hold = @9000 } }
[[clients]]
name = "c"
count = 60
load = { closed = { think = @3000 } }
timeout = @900
sharing = { budget = "process:7" }
[clients.retry]
max_attempts = "unlimited"
backoff = { schedule = [@500, @1500] }
budget = { aws-quota = { capacity = 300, cost = 5 } }
[server]
workers = 4
service_time = @60
queue = { capacity = 50, on_full = "429" }
crash = { when = "queue > 25", restart = @2500 }
stale_work = "dropped"
[[faults]]
kind = "outage"
mode = "blackhole"
at = @5000
for = @5000
[[actions]]
at = @60000
set = { "server.workers" = 9, "c.timeout" = @1100 }
"#;

/// Services that call services, limits of all kinds, layers, propagated deadlines.
const DEEP: &str = r#"
seed = 3
horizon = @155072
bin = @250
measure = { peak_width = @1000, recovery = { hold = @6000 } }
[[clients]]
name = "web"
count = 30
target = "front"
load = { periodic = @1800, phase = "even" }
timeout = @800
deadline = { for = @2500, propagate = true }
[[clients.retry.layers]]
max_attempts = 2
backoff = { constant = @900 }
max_elapsed = @2400
[[clients.retry.layers]]
max_attempts = 2
backoff = { linear = { base = @100, step = @50 } }
[[clients]]
name = "jobs"
count = 5
target = "back"
load = { periodic = @300, phase = "same" }
timeout = "none"
retry = { max_attempts = 3, backoff = { constant = @70 } }
[[services]]
name = "front"
workers = 8
service_time = @30
network = @3
queue = { capacity = 9, on_full = "drop" }
limit = { count = 12, per = @700, window = "sliding" }
[[services.calls]]
to = "back"
timeout = @250
retry = { max_attempts = 2, backoff = { constant = @40 } }
[[services.calls]]
to = "log"
timeout = "none"
retry = "none"
[[services]]
name = "back"
workers = 3
service_time = @45
queue = { capacity = 6 }
limit = { count = 11, per = @400, window = "bucket" }
[[services]]
name = "log"
workers = 4
service_time = @25
discipline = "ps"
limit = { count = 5, per = @200, window = "fixed", on_excess = "503" }
[[faults]]
kind = "errors"
target = "back"
share = "100%"
class = "throttling"
at = @10000
for = @3000
[[faults]]
kind = "latency"
target = "front"
add = @120
at = @20000
for = @4000
"#;

#[test]
fn times_twice_as_long_make_every_event_twice_as_late() {
    scales_exactly(HERD);
}

#[test]
fn a_herd_in_step_keeps_its_rhythm_when_all_times_are_longer() {
    scales_exactly(IN_STEP);
    let run = first_run(&scaled(IN_STEP, 0));
    assert!(run.overall.get(Metric::SyncPeriodS).is_some(), "nothing is in step");
    assert!(!run.crashes.is_empty(), "nothing falls");
}

#[test]
fn services_that_call_services_scale_as_a_whole() {
    scales_exactly(DEEP);
}

/// When something happens to a call of a client, in nanoseconds.
fn moments(lines: &[Value], event: &str) -> Vec<u64> {
    let of = lines.iter().filter(|line| line["event"] == event);
    of.map(|line| line["t_ns"].as_u64().unwrap()).collect()
}

/// Random times are rounded to whole nanoseconds, each by itself: draw number n of a sum is off by
/// at most half a nanosecond, and by half a nanosecond × 2^k in the longer run.
#[test]
fn random_times_scale_up_to_the_nanoseconds_that_they_are_rounded_to() {
    let template = "seed = 4\nhorizon = @400000\nbin = @1000\n\
        measure = { peak_width = @1000 }\n[[clients]]\nname = \"c\"\ncount = 1\n\
        load = { poisson = ~4 }\ntimeout = \"none\"\nretry = \"none\"\n\
        [server]\nworkers = 1\nservice_time = { exponential = @200 }\n";
    let short = trace(&scenario(&scaled(template, 0)));
    for k in [1, 3, -1] {
        let long = trace(&scenario(&scaled(template, k)));
        let factor = if k < 0 { 0.5 } else { f64::from(1 << k) };
        let each = (factor + 1.0) / 2.0;
        // A departure is a sum of arrivals and work: at most two draws for each call before it.
        for (event, draws) in [("call_began", 1), ("call_ended", 2)] {
            let (a, b) = (moments(&short, event), moments(&long, event));
            assert!(a.len() > 1_400 && a.len().abs_diff(b.len()) <= 1);
            for (n, (a, b)) in (1..).zip(a.iter().zip(&b)) {
                let off = (*b as f64 - *a as f64 * factor).abs();
                let bound = f64::from(n * draws) * each;
                assert!(off <= bound, "{event} {n} is off by {off} ns, more than {bound}");
            }
        }
    }
}

/// What a trace says of each caller, without the numbers of calls and the order within an instant.
fn by_caller(lines: &[Value]) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in lines {
        let Some(caller) = line["caller"].as_str() else { continue };
        let mut line = line.clone();
        for key in ["call", "root"] {
            line.as_object_mut().unwrap().remove(key);
        }
        all.entry(caller.to_string()).or_default().push(line.to_string());
    }
    all.values_mut().for_each(|lines| lines.sort_unstable());
    all
}

/// The histories of the clients in the raster, in no order.
fn histories(run: &RunResult) -> Vec<Vec<(SimTime, &'static str)>> {
    let mut rows = vec![Vec::new(); run.raster.clients as usize];
    for mark in &run.raster.marks {
        rows[mark.row as usize].push((mark.sent, mark.outcome.name()));
    }
    rows.iter_mut().for_each(|row| row.sort_unstable());
    rows.sort_unstable();
    rows
}

/// A run without its raster, whose rows have names.
fn unnamed(run: &RunResult) -> RunResult {
    RunResult { raster: Raster::default(), ..run.clone() }
}

/// Where every client does the same at the same time, a seed is a permutation of the clients and
/// nothing else: the order of ties is the only thing that it draws.
#[test]
fn a_permutation_of_clients_that_are_alike_changes_no_measure() {
    let alike =
        |template: &str| scaled(template, 0).replace("phase = \"even\"", "phase = \"same\"");
    // A budget of its own for each client: which clients share one depends on their numbers.
    let own = |text: String| text.replace("process:7", "client");
    for text in [alike(HERD), own(alike(IN_STEP))] {
        let case = &scenario(&text).policies[0];
        let first = simulate(case, Seed::new(1), true);
        let shape = |run: &RunResult| format!("{:?}", unnamed(run));
        let mut moved = 0;
        for seed in 2..7 {
            let run = simulate(case, Seed::new(seed), true);
            assert_eq!(shape(&run), shape(&first), "seed {seed}");
            assert_eq!(histories(&run), histories(&first), "seed {seed}");
            moved += u32::from(run.raster != first.raster);
        }
        assert_eq!(moved, 5, "the clients were not permuted");
        // Nor does it matter whether there is a permutation at all.
        let plain = scenario(&format!("scramble_ties = false\n{text}"));
        let run = simulate(&plain.policies[0], Seed::new(1), true);
        assert_eq!(shape(&run), shape(&first));
        assert_eq!(histories(&run), histories(&first));
    }
}

/// Groups of one behaviour, by name and number of clients, with all times constant.
fn population(groups: &[(&str, u32)]) -> String {
    let (head, server) = HERD.split_once("[server]").unwrap();
    let (head, keys) = head.split_once("[[clients]]\nname = \"c\"\ncount = 40\n").unwrap();
    let keys = keys.replace("phase = \"even\"", "phase = \"same\"");
    let group = |(name, count): &(&str, u32)| {
        format!("[[clients]]\nname = \"{name}\"\ncount = {count}\n{keys}\n")
    };
    let groups: String = groups.iter().map(group).collect();
    scaled(&format!("{head}{groups}[server]{server}"), 0)
}

#[test]
fn a_population_split_into_groups_gives_the_same_sums() {
    let sums = |groups: &[(&str, u32)]| {
        let run = first_run(&population(groups));
        let timeline = format!("{:?}", run.timeline);
        let latency = format!("{:?}", run.distributions);
        (run.overall, run.services, run.recovery, timeline, latency)
    };
    let whole = sums(&[("c", 40)]);
    for groups in
        [&[("a", 10), ("b", 30)][..], &[("b", 30), ("a", 10)], &[("a", 1), ("b", 13), ("d", 26)]]
    {
        assert_eq!(sums(groups), whole, "{groups:?}");
    }
}

/// Three groups that differ and never meet at one instant before the service.
fn unlike(order: [usize; 3]) -> String {
    let groups = [
        "[[clients]]\nname = \"a\"\ncount = 1\nload = { periodic = \"700ms\", phase = \"same\" }\n\
         timeout = \"201ms\"\nretry = { max_attempts = 3, backoff = { constant = \"13ms\" } }\n",
        "[[clients]]\nname = \"b\"\ncount = 3\nload = { burst = \"107003us\" }\n\
         timeout = \"none\"\nretry = { max_attempts = \"unlimited\", \
         backoff = { linear = { base = \"97000700ns\", step = \"31000030ns\" } } }\n",
        "[[clients]]\nname = \"d\"\ncount = 1\nload = { closed = { think = \"91000110ns\" } }\n\
         timeout = \"300000013ns\"\nretry = \"none\"\n",
    ];
    format!(
        "seed = 1\nhorizon = \"60s\"\nscramble_ties = false\n{}[server]\nworkers = 1\n\
         service_time = \"50000900ns\"\nqueue = {{ capacity = 1 }}\n",
        order.map(|group| groups[group]).concat()
    )
}

#[test]
fn the_order_in_which_groups_are_listed_changes_no_event() {
    let first = by_caller(&trace(&scenario(&unlike([0, 1, 2]))));
    assert_eq!(first.len(), 3);
    assert!(first.values().all(|lines| lines.len() > 15), "{first:?}");
    for order in [[2, 1, 0], [1, 2, 0], [0, 2, 1]] {
        assert_eq!(by_caller(&trace(&scenario(&unlike(order)))), first, "{order:?}");
    }
}

/// With random times the streams belong to group and client: another division into groups draws
/// other numbers from the same distribution.
#[test]
fn a_random_population_split_into_groups_has_the_same_means() {
    let means = |groups: &[(&str, u32)]| {
        let group = |(name, count): &(&str, u32)| {
            format!(
                "[[clients]]\nname = \"{name}\"\ncount = {count}\n\
                 load = {{ poisson = \"0.4/s\" }}\ntimeout = {{ exponential = \"800ms\" }}\n\
                 retry = {{ max_attempts = 4, \
                 backoff = {{ exponential = {{ base = \"300ms\" }} }}, jitter = \"full\" }}\n"
            )
        };
        let groups: String = groups.iter().map(group).collect();
        study(&scenario(&format!(
            "seed = 8\nreps = 300\nhorizon = \"40s\"\nbin = \"1s\"\n{groups}[server]\n\
             workers = 3\nservice_time = {{ exponential = \"200ms\" }}\n\
             queue = {{ capacity = 30 }}\n"
        )))
        .policies
        .remove(0)
    };
    let whole = means(&[("c", 40)]);
    for split in [means(&[("a", 15), ("b", 25)]), means(&[("b", 25), ("a", 15)])] {
        for metric in [Metric::Attempts, Metric::Succeeded, Metric::LatencyMeanMs, Metric::Wasted] {
            let (a, b) = (whole.overall.get(metric).unwrap(), split.overall.get(metric).unwrap());
            assert_ne!(a.mean, b.mean, "{metric}: the same numbers were drawn");
            // Half an interval of 95 % is two standard errors: four of the difference.
            let half = |e: herdsim::study::Estimate| (e.hi - e.lo) / 2.0;
            let gap = (a.mean - b.mean).abs();
            let error = libm::sqrt(half(a) * half(a) + half(b) * half(b));
            assert!(gap < 2.0 * error, "{metric}: {} and {}, ± {error}", a.mean, b.mean);
            assert!(error < 0.04 * a.mean, "{metric}: ± {error} says too little");
        }
    }
}

/// One worker that is shared, or takes one attempt after the other.
fn one_worker(discipline: &str, seed: u64) -> String {
    format!(
        "seed = {seed}\nhorizon = \"2000s\"\nbin = \"100s\"\n[[clients]]\nname = \"c\"\ncount = 1\n\
         load = {{ poisson = \"0.7/s\" }}\ntimeout = \"none\"\nretry = \"none\"\n[server]\n\
         workers = 1\nservice_time = {{ exponential = \"1s\" }}\ndiscipline = \"{discipline}\"\n"
    )
}

/// When the service becomes idle.
fn idle(lines: &[Value]) -> Vec<u64> {
    let of = lines.iter().filter(|line| line["event"] == "level" && line["in_system"] == 0);
    of.map(|line| line["t_ns"].as_u64().unwrap()).collect()
}

#[test]
fn a_shared_worker_is_idle_exactly_when_one_that_serves_in_turn_is() {
    let (fifo, ps) = ("fifo", "ps");
    let turn = idle(&trace(&scenario(&one_worker(fifo, 5))));
    let shared = idle(&trace(&scenario(&one_worker(ps, 5))));
    assert_eq!(turn.len(), shared.len());
    assert!(turn.len() > 300, "only {} busy periods", turn.len());
    for (a, b) in turn.iter().zip(&shared) {
        // Completions under sharing are rounded up to a whole nanosecond, and shares to 2^-32.
        assert!(b >= a && b - a < 1_000, "{a}, {b}");
    }
}

#[test]
fn sharing_a_worker_does_not_change_the_mean_of_memoryless_work() {
    let present = |discipline: &str| -> Vec<f64> {
        let run = |seed| {
            simulate(&scenario(&one_worker(discipline, seed)).policies[0], Seed::new(seed), false)
        };
        let mean = |seed| run(seed).overall.get(Metric::LatencyMeanMs).unwrap();
        (0..200).map(mean).collect()
    };
    let (turn, shared) = (present("fifo"), present("ps"));
    let gaps: Vec<f64> = turn.iter().zip(&shared).map(|(a, b)| a - b).collect();
    let gap = mean_interval(&gaps).unwrap();
    let half = (gap.hi - gap.mean) * t_quantile(199, 0.999) / t_quantile(199, 0.95);
    assert!(gap.mean.abs() < half, "{} ± {half}", gap.mean);
    // M/M/1: one second over 1 − 0.7.
    assert!(half < 0.03 * 3333.3, "± {half} ms says too little");
    let latency = mean_interval(&turn).unwrap();
    assert!((latency.mean / 3333.3 - 1.0).abs() < 0.05, "{}", latency.mean);
}
