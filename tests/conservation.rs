//! Whatever a scenario says, nothing is lost and nothing is counted twice.

use std::fmt::Write;
use std::path::Path;

use herdsim::metrics::{Measures, Metric, Outcome, Recovery, RunResult};
use herdsim::rng::Seed;
use herdsim::scenario::{Options, Scenario, read_text};
use herdsim::sim::simulate;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::Union;
use proptest::test_runner::FileFailurePersistence;

type Text = BoxedStrategy<String>;

const STALE_WORK: &[&str] = &["served", "dropped", "dropped-queued"];

/// A text with places `{}` filled by other texts, in order.
fn fill(pattern: &'static str, parts: Vec<Text>) -> Text {
    parts
        .prop_map(move |parts| {
            let mut text = String::new();
            let mut pieces = pattern.split("{}");
            text.push_str(pieces.next().unwrap());
            for (part, piece) in parts.iter().zip(pieces) {
                text.push_str(part);
                text.push_str(piece);
            }
            text
        })
        .boxed()
}

fn one_of(words: &'static [&'static str]) -> Text {
    select(words).prop_map(str::to_string).boxed()
}

fn either(texts: Vec<Text>) -> Text {
    Union::new(texts).boxed()
}

/// A text, or nothing.
fn maybe(text: Text) -> Text {
    prop_oneof![Just(String::new()), text].boxed()
}

/// Milliseconds as a duration, without quotes.
fn ms(from: u32, to: u32) -> Text {
    (from..=to).prop_map(|ms| format!("{ms}ms")).boxed()
}

fn number(from: u32, to: u32) -> Text {
    (from..=to).prop_map(|n| n.to_string()).boxed()
}

/// A duration or a distribution of that order.
fn dist(from: u32, to: u32) -> Text {
    let d = || ms(from, to);
    either(vec![
        fill("\"{}\"", vec![d()]),
        fill("{ exponential = \"{}\" }", vec![ms(from.max(1), to)]),
        fill("{ uniform = [\"{}\", \"9s\"] }", vec![d()]),
        fill("{ lognormal = { p50 = \"{}\", p99 = \"9s\" } }", vec![ms(from.max(1), to)]),
        fill("{ normal_abs = { mean = \"{}\", sd = \"{}\" } }", vec![d(), ms(from.max(1), to)]),
        fill(
            "{ pareto = { scale = \"{}\", shape = {} } }",
            vec![ms(from.max(1), to), one_of(&["0.9", "1.5", "3"])],
        ),
    ])
}

fn load() -> Text {
    let of = || maybe(one_of(&[", of = \"group\"", ", of = \"client\""]));
    either(vec![
        fill("{ burst = \"{}\"{} }", vec![ms(0, 9000), of()]),
        fill(
            "{ periodic = \"{}\"{}{} }",
            vec![
                ms(500, 4000),
                maybe(one_of(&[
                    ", phase = \"same\"",
                    ", phase = \"random\"",
                    ", phase = \"even\"",
                ])),
                of(),
            ],
        ),
        fill("{ poisson = \"{}/s\"{} }", vec![one_of(&["0.2", "1", "2"]), of()]),
        fill("{ closed = { think = {} } }", vec![dist(100, 3000)]),
        fill(
            "{ ramp = { from = \"{}/s\", to = \"{}/s\", over = \"{}\" }{} }",
            vec![one_of(&["0", "0.3", "2"]), one_of(&["0.1", "0.5", "1"]), ms(1, 8000), of()],
        ),
        fill(
            "{ step = [{ at = \"{}\", rate = \"1/s\" }, { at = \"6s\", rate = \"{}/s\" }]{} }",
            vec![ms(0, 5000), one_of(&["0", "0.4", "2"]), of()],
        ),
    ])
}

fn loads() -> Text {
    prop_oneof![3 => load(), 1 => fill("[{}, {}]", vec![load(), load()])].boxed()
}

fn backoff() -> Text {
    let jitter = || {
        maybe(one_of(&[
            ", jitter = \"full\"",
            ", jitter = \"equal\"",
            ", jitter = { proportional = \"30%\" }",
        ]))
    };
    let cap = || {
        maybe(one_of(&[
            ", cap = \"2s\"",
            ", cap = \"3s\", cap_position = \"before-jitter\"",
            ", cap = \"2500ms\", cap_position = \"after-jitter\"",
        ]))
    };
    let grown = |pattern| fill(pattern, vec![ms(1, 2000), jitter(), cap()]);
    either(vec![
        grown("backoff = { constant = \"{}\" }{}{}"),
        grown("backoff = { linear = { base = \"{}\", step = \"100ms\" } }{}{}"),
        grown("backoff = { exponential = { base = \"{}\", factor = 1.7 } }{}{}"),
        grown("backoff = { schedule = [\"{}\", \"0s\", \"700ms\"] }{}{}"),
        fill(
            "backoff = { decorrelated = { base = \"{}\" } }{}",
            vec![ms(1, 2000), maybe(one_of(&[", cap = \"2s\""]))],
        ),
        fill("backoff = { constant = \"0s\" }", vec![]),
    ])
}

fn layer() -> Text {
    fill(
        "{ {}, {}{}{}{}{} }",
        vec![
            fill("max_attempts = {}", vec![number(1, 3)]),
            backoff(),
            maybe(fill(", max_elapsed = \"{}\"", vec![ms(1, 6000)])),
            maybe(either(vec![
                fill(", budget = \"aws-quota\"", vec![]),
                fill(
                    ", budget = { aws-quota = { capacity = {}, cost = {}, reward = {} } }",
                    vec![number(1, 60), number(0, 14), number(0, 3)],
                ),
            ])),
            maybe(one_of(&[
                ", retry_on = [\"timeout\"]",
                ", retry_on = [\"transient\", \"throttling\", \"timeout\", \"fatal\"]",
                ", retry_on = []",
            ])),
            maybe(fill(", give_up = \"{}%\"", vec![number(0, 100)])),
        ],
    )
}

fn retry() -> Text {
    prop_oneof![
        1 => Just("\"none\"".to_string()),
        3 => layer(),
        1 => fill("{ layers = [{}, {}] }", vec![layer(), layer()]),
        1 => fill("{ layers = [{}, {}, {}] }", vec![layer(), layer(), layer()]),
    ]
    .boxed()
}

/// How calls are made: timeout, deadline, retries.
fn caller(retry: Text) -> Text {
    fill(
        "timeout = {}\nretry = {}\n{}",
        vec![
            either(vec![fill("\"none\"", vec![]), dist(10, 3000)]),
            retry,
            maybe(fill(
                "deadline = { for = \"{}\", propagate = {} }\n",
                vec![ms(1, 6000), one_of(&["true", "false"])],
            )),
        ],
    )
}

fn group(services: usize) -> Text {
    fill(
        "count = {}\nload = {}\n{}{}target = \"{}\"\n",
        vec![
            number(1, 30),
            loads(),
            caller(retry()),
            maybe(one_of(&[
                "sharing = { budget = \"call\" }\n",
                "sharing = { budget = \"process:7\" }\n",
                "sharing = { budget = \"fleet\" }\n",
                "sharing = { retry_queue = \"client\" }\n",
                "sharing = { retry_queue = \"process:7\", budget = \"call\" }\n",
                "sharing = { retry_queue = \"fleet\", budget = \"fleet\" }\n",
            ])),
            (0..services).prop_map(|s| format!("s{s}")).boxed(),
        ],
    )
}

/// Service number `index` of `services`, which may call those after it.
fn service(index: usize, services: usize) -> Text {
    let discipline = select(&["", "discipline = \"ps\"\n"][..]);
    let call = move |ps: bool| -> Text {
        let holds = if ps { one_of(&["false"]) } else { one_of(&["true", "false"]) };
        let to = (index + 1..services.max(index + 2)).prop_map(|s| format!("s{s}")).boxed();
        // One layer here, lest attempts multiply without end.
        let retry = prop_oneof![Just("\"none\"".to_string()), layer()].boxed();
        fill(
            "[[services.calls]]\nto = \"{}\"\nholds_worker = {}\n{}",
            vec![to, holds, caller(retry)],
        )
    };
    let calls = move |ps: bool| -> Text {
        if index + 1 >= services {
            return Just(String::new()).boxed();
        }
        prop_oneof![
            1 => Just(String::new()),
            2 => call(ps),
            1 => fill("{}{}", vec![call(ps), call(ps)]),
        ]
        .boxed()
    };
    let keys = || {
        fill(
            "{}{}{}{}{}{}{}",
            vec![
                either(vec![
                    fill("workers = {}\nservice_time = {}\n", vec![number(1, 9), dist(0, 400)]),
                    fill("rate = \"{}/s\"\n", vec![number(1, 90)]),
                ]),
                maybe(fill("network = {}\n", vec![dist(0, 300)])),
                maybe(fill(
                    "queue = { capacity = {}, on_full = \"{}\" }\n",
                    vec![number(0, 30), one_of(&["503", "429", "drop"])],
                )),
                maybe(fill(
                    "limit = { count = {}, per = \"{}\", window = \"{}\", on_excess = \"{}\" }\n",
                    vec![
                        number(1, 30),
                        ms(50, 2000),
                        one_of(&["fixed", "sliding", "bucket"]),
                        one_of(&["503", "429", "drop"]),
                    ],
                )),
                maybe(one_of(&["writes = \"versioned\"\n"])),
                maybe(fill("stale_work = \"{}\"\n", vec![one_of(STALE_WORK)])),
                maybe(fill(
                    "crash = { when = \"{}\", restart = \"{}\" }\n",
                    vec![
                        either(vec![
                            fill("queue > {}", vec![number(0, 20)]),
                            fill("load > {}/s", vec![number(1, 40)]),
                        ]),
                        ms(1, 4000),
                    ],
                )),
            ],
        )
    };
    discipline
        .prop_flat_map(move |discipline| {
            (keys(), calls(!discipline.is_empty()))
                .prop_map(move |(keys, calls)| format!("{discipline}{keys}{calls}"))
        })
        .boxed()
}

fn fault(services: usize) -> Text {
    let mode = || one_of(&["reject", "pause", "blackhole"]);
    let fades = || maybe(fill("recover = \"ramp {}\"\n", vec![ms(1, 4000)]));
    let kind = either(vec![
        fill("kind = \"outage\"\nmode = \"{}\"\n{}", vec![mode(), fades()]),
        fill(
            "kind = \"errors\"\nclass = \"{}\"\nshare = \"{}%\"\n{}",
            vec![one_of(&["transient", "throttling", "timeout", "fatal"]), number(0, 100), fades()],
        ),
        fill(
            "kind = \"brownout\"\nslowdown = {}\n{}",
            vec![one_of(&["1", "2.5", "1000"]), fades()],
        ),
        fill("kind = \"latency\"\nadd = {}\n{}", vec![dist(1, 3000), fades()]),
        fill(
            "kind = \"breakdowns\"\nmode = \"{}\"\nevery = {}\nrepair = {}\n",
            vec![mode(), dist(1, 3000), dist(1, 3000)],
        ),
    ]);
    fill(
        "[[faults]]\ntarget = \"{}\"\nat = \"{}\"\nfor = \"{}\"\n{}",
        vec![(0..services).prop_map(|s| format!("s{s}")).boxed(), ms(0, 19_900), ms(1, 6000), kind],
    )
}

fn action(services: usize) -> Text {
    let set = either(vec![
        fill("\"g0.timeout\" = {}", vec![dist(10, 2000)]),
        fill("\"g0.load\" = {}", vec![load()]),
        fill(
            "\"g0.deadline\" = { for = \"{}\", propagate = {} }",
            vec![ms(1, 4000), one_of(&["true", "false"])],
        ),
        (0..services)
            .prop_flat_map(|s| {
                let key = either(vec![
                    fill("workers\" = {}", vec![number(1, 20)]),
                    fill("service_time\" = {}", vec![dist(0, 500)]),
                    fill("network\" = {}", vec![dist(0, 100)]),
                    fill("queue\" = { capacity = {} }", vec![number(0, 9)]),
                    fill("limit\" = { count = {}, per = \"1s\" }", vec![number(1, 9)]),
                    fill("stale_work\" = \"{}\"", vec![one_of(STALE_WORK)]),
                    fill("writes\" = \"{}\"", vec![one_of(&["plain", "versioned"])]),
                    fill(
                        "crash\" = { when = \"queue > {}\", restart = \"1s\" }",
                        vec![number(0, 9)],
                    ),
                ]);
                key.prop_map(move |key| format!("\"s{s}.{key}"))
            })
            .boxed(),
    ]);
    fill("[[actions]]\nat = \"{}\"\nset = { {} }\n", vec![ms(0, 19_900), set])
}

/// A state at time zero.
fn start() -> Text {
    let quota = || {
        maybe(either(vec![
            one_of(&[", quota = \"full\"", ", quota = \"empty\""]),
            fill(", quota = \"{}%\"", vec![number(0, 100)]),
        ]))
    };
    either(vec![
        fill("start = { state = \"empty\"{} }\n", vec![quota()]),
        fill("start = { state = \"saturated\", backlog = {}{} }\n", vec![number(0, 40), quota()]),
        fill("start = { state = \"stationary\", settle = \"{}\"{} }\n", vec![ms(1, 9000), quota()]),
    ])
}

/// The level of budgets goes where there are none: it would be refused.
fn without_idle_quota(text: String) -> String {
    let Some(at) = text.find(", quota = ").filter(|_| !text.contains("budget")) else {
        return text;
    };
    let end = at + text[at..].find(" }").unwrap();
    format!("{}{}", &text[..at], &text[end..])
}

/// A whole scenario; few of them are refused by the language.
fn any_scenario() -> impl Strategy<Value = String> {
    let measure = maybe(one_of(&[
        "measure = { peak_width = \"300ms\", first_below = 3, first_above = 5, \
         recovery = { hold = \"1s\" } }\n",
        "slo = { latency = \"1s\", share = \"99%\" }\n",
    ]));
    (1..=3usize, 1..=3usize).prop_flat_map(move |(groups, services)| {
        let groups: Vec<Text> = (0..groups).map(|_| group(services)).collect();
        let nodes: Vec<Text> = (0..services).map(|s| service(s, services)).collect();
        let faults = prop::collection::vec(fault(services), 0..=3);
        let actions = prop::collection::vec(action(services), 0..=2);
        let head = (any::<u32>(), 1..=12_000u32, 0..=100u32, measure.clone(), maybe(start()));
        (head, groups, nodes, faults, actions).prop_map(
            |((seed, bin, warmup, measure, start), groups, nodes, faults, actions)| {
                let mut text = format!(
                    "seed = {seed}\nhorizon = \"20s\"\nbin = \"{bin}ms\"\nwarmup = \"{}ms\"\n\
                     scramble_ties = {}\n{measure}{start}",
                    warmup * 190,
                    seed % 2 == 0
                );
                for (index, group) in groups.iter().enumerate() {
                    write!(text, "[[clients]]\nname = \"g{index}\"\n{group}").unwrap();
                }
                for (index, node) in nodes.iter().enumerate() {
                    write!(text, "[[services]]\nname = \"s{index}\"\n{node}").unwrap();
                }
                without_idle_quota(text) + &faults.concat() + &actions.concat()
            },
        )
    })
}

/// The scenario of a text, unless the language refuses it.
fn accepted(text: &str) -> Option<Scenario> {
    let loaded = read_text("test.toml", text, Path::new("."), &Options::default());
    loaded.ok().map(|loaded| loaded.scenario)
}

fn get(measures: &Measures, metric: Metric) -> f64 {
    measures.get(metric).unwrap_or_else(|| panic!("no {metric}"))
}

/// Calls and attempts are all accounted for.
fn nothing_is_lost(run: &RunResult) {
    let whole = &run.overall;
    let calls = |m: &Measures| {
        let ended = get(m, Metric::Succeeded) + get(m, Metric::Failed) + get(m, Metric::Open);
        assert_eq!(get(m, Metric::Calls), ended);
    };
    let attempts = |m: &Measures| {
        let outcomes =
            [Metric::Served, Metric::Rejected, Metric::Errored, Metric::Lost, Metric::Waiting];
        assert_eq!(get(m, Metric::Attempts), outcomes.iter().map(|o| get(m, *o)).sum::<f64>());
        assert!(get(m, Metric::Wasted) <= get(m, Metric::Served));
        assert!(get(m, Metric::TimedOut) <= get(m, Metric::Attempts));
    };
    calls(whole);
    attempts(whole);
    run.clients.iter().for_each(|(_, m)| calls(m));
    run.services.iter().for_each(|(_, m)| attempts(m));
    let sum = |parts: &[(String, Measures)], metric| -> f64 {
        parts.iter().map(|(_, m)| get(m, metric)).sum()
    };
    for metric in [Metric::Calls, Metric::Succeeded, Metric::Failed, Metric::Open] {
        assert_eq!(get(whole, metric), sum(&run.clients, metric), "{metric}");
    }
    for metric in [Metric::Attempts, Metric::Served, Metric::TimedOut, Metric::Wasted] {
        assert_eq!(get(whole, metric), sum(&run.services, metric), "{metric}");
    }
    assert!(sum(&run.clients, Metric::Attempts) <= get(whole, Metric::Attempts));
    let ended = get(whole, Metric::Succeeded) + get(whole, Metric::Failed);
    let by_attempts: u64 = run.distributions.attempts.iter().map(|(_, calls)| calls).sum();
    assert_eq!(by_attempts as f64, ended);
}

/// The series say the same as the measures.
fn series_add_up(run: &RunResult, inherits: bool) {
    let timeline = &run.timeline;
    let sum = |series: &[u32]| series.iter().map(|n| f64::from(*n)).sum::<f64>();
    assert_eq!(sum(&timeline.calls), get(&run.overall, Metric::Calls));
    assert_eq!(sum(&timeline.succeeded), get(&run.overall, Metric::Succeeded));
    assert_eq!(sum(&timeline.failed), get(&run.overall, Metric::Failed));
    let bins = timeline.calls.len();
    assert_eq!(timeline.orbit.len(), bins);
    for (series, (_, m)) in timeline.services.iter().zip(&run.services) {
        let of = |outcome: Outcome| sum(&series.arrivals[outcome as usize]);
        // What a service begins with has not arrived, and is no load.
        let adds_up = |found: f64, all: f64| if inherits { found <= all } else { found == all };
        let worked = of(Outcome::Served) + of(Outcome::Wasted);
        assert!(adds_up(worked, get(m, Metric::Served)), "{worked} served");
        for (outcome, metric) in [
            (Outcome::Wasted, Metric::Wasted),
            (Outcome::Rejected, Metric::Rejected),
            (Outcome::Errored, Metric::Errored),
            (Outcome::Lost, Metric::Lost),
        ] {
            assert!(adds_up(of(outcome), get(m, metric)), "{} {metric}", of(outcome));
        }
        // Attempts on their way have not arrived.
        assert!(of(Outcome::Waiting) <= get(m, Metric::Waiting));
        assert_eq!((series.queued.len(), series.down.len()), (bins, bins));
    }
    let refused = sum(&timeline.refused);
    assert!(run.overall.get(Metric::QuotaRefused).is_none_or(|groups| groups <= refused));
}

/// Measures lie where they can.
fn measures_are_possible(run: &RunResult, scenario: &Scenario) {
    let model = &scenario.policies[0].model;
    let horizon = model.horizon.as_secs_f64();
    let whole = &run.overall;
    let parts = run.clients.iter().chain(&run.services).map(|(_, m)| m);
    for m in parts.chain([whole]) {
        for metric in Metric::ALL {
            let value = m.get(metric).unwrap_or(0.0);
            assert!(value.is_finite() && value >= 0.0, "{metric} is {value}");
        }
    }
    let span = horizon - model.warmup.as_secs_f64();
    let good = whole.get(Metric::GoodputPerS).unwrap_or(0.0) * span;
    assert!(good <= get(whole, Metric::Succeeded) + 1e-6);
    let index = whole.get(Metric::SyncIndex).unwrap_or(0.0);
    assert!((0.0..=1.0).contains(&index), "sync_index is {index}");
    assert!(whole.get(Metric::Waited).unwrap_or(0.0) <= 1.0);
    let left = horizon - model.trigger_end().min(model.horizon).as_secs_f64();
    match run.recovery {
        Recovery::NotAsked => assert_eq!(whole.get(Metric::RecoveryS), None),
        Recovery::After(took) => assert!(took.as_secs_f64() <= left, "{took:?} of {left}"),
        Recovery::NotWithin(seen) => assert!(seen.as_secs_f64() <= left + 1e-9),
    }
    let quantiles =
        [Metric::LatencyP50Ms, Metric::LatencyP95Ms, Metric::LatencyP99Ms, Metric::LatencyMaxMs]
            .map(|metric| whole.get(metric).unwrap_or(0.0));
    assert!(quantiles.is_sorted(), "{quantiles:?}");
    // A call that is open at time zero may have begun before it.
    let longest = horizon + model.start.settle().as_secs_f64();
    assert!(quantiles[3] <= longest * 1e3);
    let queued = get(whole, Metric::QueueMean);
    assert!(queued <= get(whole, Metric::InSystemMean));
}

/// 400 cases, or as many as `PROPTEST_CASES` says.
fn config() -> ProptestConfig {
    let file = FileFailurePersistence::Direct("tests/conservation.proptest-regressions");
    let config = ProptestConfig {
        max_global_rejects: 1_000_000,
        failure_persistence: Some(Box::new(file)),
        ..ProptestConfig::default()
    };
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    if asked { config } else { ProptestConfig { cases: 400, ..config } }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn whatever_happens_is_counted_once(text in any_scenario()) {
        let scenario = accepted(&text);
        prop_assume!(scenario.is_some());
        let scenario = scenario.unwrap();
        let run = simulate(&scenario.policies[0], Seed::new(scenario.seed), true);
        nothing_is_lost(&run);
        series_add_up(&run, text.lines().any(|line| line.starts_with("start = ")));
        measures_are_possible(&run, &scenario);
    }
}
