//! Valid scenarios: what they come to, and that their effective text says the same.

use std::path::Path;
use std::time::Duration;

use herdsim::dist::Dist;
use herdsim::load::Shape;
use herdsim::policy::Scope;
use herdsim::policy::backoff::{Cap, CapPosition, Growth, Jitter};
use herdsim::scenario::{Error, Loaded, Options, Part, Subject, read, read_text};

const FOLDER: &str = "tests/fixtures/good";

fn options(set: &[&str]) -> Options {
    Options { set: set.iter().map(|text| text.to_string()).collect(), ..Options::default() }
}

fn good(name: &str, set: &[&str]) -> Loaded {
    match read(&format!("{FOLDER}/{name}"), &options(set)) {
        Ok(loaded) => loaded,
        Err(error) => panic!("{}", error.render(false)),
    }
}

fn again(loaded: &Loaded) -> Loaded {
    match read_text("again.toml", &loaded.effective, Path::new(FOLDER), &Options::default()) {
        Ok(loaded) => loaded,
        Err(error) => panic!("{}\n{}", loaded.effective, error.render(false)),
    }
}

#[test]
fn the_effective_text_reads_back_as_the_same_scenario_and_the_same_text() {
    let sets: [&[&str]; 3] = [
        &[],
        &["horizon=2h", "bin=\"2s\"", "title=a \"quoted\" title"],
        &["measure.recovery.within=10%"],
    ];
    for name in ["checkout.toml", "everything.toml"] {
        for set in sets {
            let first = good(name, set);
            let second = again(&first);
            assert_eq!(first.effective, second.effective);
            assert_eq!(format!("{:?}", first.scenario), format!("{:?}", second.scenario));
            assert_eq!(first.files, second.files);
        }
    }
}

#[test]
fn the_effective_text_has_every_default() {
    insta::assert_snapshot!(good("everything.toml", &[]).effective);
}

#[test]
fn the_checkout_example_means_what_it_says() {
    let scenario = good("checkout.toml", &[]).scenario;
    assert_eq!((scenario.seed, scenario.reps), (42, 1));
    let labels: Vec<&str> = scenario.policies.iter().map(|case| case.label.as_str()).collect();
    assert_eq!(labels, ["shipped", "no jitter", "short queue"]);
    let layer = |index: usize| &scenario.policies[index].model.groups[0].caller.layers[0];
    assert!(matches!(layer(0).backoff.jitter, Jitter::Full(_)));
    assert!(matches!(layer(1).backoff.jitter, Jitter::None(_)));
    assert_eq!(scenario.policies[0].model.services[0].spec.queue_capacity, Some(200));
    assert_eq!(scenario.policies[2].model.services[0].spec.queue_capacity, Some(40));
    let expect = &scenario.expects[0];
    assert_eq!(expect.summary, "shipped: recovery_s p95 <= 30s");
    assert_eq!((expect.subject, expect.max), (Subject::RecoveryP95, Some(30.0)));
    assert_eq!(scenario.hash.len(), 64);
}

#[test]
fn every_shape_of_the_language_is_read() {
    let scenario = good("everything.toml", &[]).scenario;
    let model = &scenario.policies[0].model;
    let loads = &model.groups[0].loads;
    assert!(matches!(loads[0].shape, Shape::Burst { .. }));
    assert!(matches!(loads[1].shape, Shape::Periodic { .. }));
    assert!(matches!(loads[2].shape, Shape::Poisson { .. }));
    assert!(matches!(loads[3].shape, Shape::Closed { .. }));
    assert!(matches!(loads[4].shape, Shape::Ramp { .. }));
    assert!(matches!(loads[5].shape, Shape::Step { .. }));
    let Shape::Trace { calls, file } = &loads[6].shape else { panic!("{:?}", loads[6]) };
    assert_eq!((calls.rows().len(), file.as_str()), (3, "calls.csv"));
    let layers = &model.groups[0].caller.layers;
    assert_eq!((layers[0].max_attempts, layers[1].max_attempts), (Some(3), None));
    assert!(matches!(layers[1].backoff.growth, Growth::Decorrelated(_)));
    let longest = Duration::from_secs(20);
    assert_eq!(layers[1].backoff.cap, Some(Cap { longest, position: CapPosition::AfterJitter }));
    assert_eq!(layers[1].budget.as_ref().unwrap().scope, Scope::Process(10));
    assert_eq!(model.groups[1].caller.timeout, None);
    assert!(matches!(model.services[0].spec.network, Dist::Empirical(_)));
    assert_eq!(model.services[1].spec.workers, 1);
    assert_eq!(model.services[0].calls.len(), 2);
    assert!(!model.services[0].calls[0].holds_worker);
    assert_eq!(model.faults.len(), 5);
    assert_eq!(scenario.policies[1].model.services[1].spec.workers, 2);
    let parts: Vec<Part> = scenario.expects.iter().map(|expect| expect.part).collect();
    assert_eq!(parts, [Part::Whole, Part::Clients(0), Part::Whole, Part::Service(1)]);
    assert_eq!(scenario.expects[1].max, Some(2500.0));
}

#[test]
fn actions_add_up_in_the_order_of_time() {
    let scenario = good("everything.toml", &[]).scenario;
    let actions = &scenario.policies[0].actions;
    assert_eq!(actions.len(), 2);
    assert_eq!(actions[0].summary, "batch.timeout = \"10s\", api.calls.0.timeout = \"300ms\"");
    assert_eq!(actions[0].model.services[0].spec.workers, 8);
    assert_eq!(actions[1].model.services[0].spec.workers, 16);
    let timeout = actions[1].model.groups[2].caller.timeout.as_ref().unwrap();
    assert_eq!(timeout.as_constant(), Some(Duration::from_secs(10)));
}

#[test]
fn options_set_values_by_name_and_by_index() {
    let set = ["web.count=7", "clients.0.timeout=5s", "web.retry.jitter=equal", "faults.0.for=1m"];
    let mut options = options(&set);
    options.seed = Some(9);
    options.reps = Some(30);
    let loaded = read(&format!("{FOLDER}/checkout.toml"), &options).unwrap();
    let model = &loaded.scenario.policies[0].model;
    assert_eq!((loaded.scenario.seed, loaded.scenario.reps), (9, 30));
    assert_eq!(model.groups[0].count, 7);
    let timeout = model.groups[0].caller.timeout.as_ref().unwrap();
    assert_eq!(timeout.as_constant(), Some(Duration::from_secs(5)));
    assert!(matches!(model.groups[0].caller.layers[0].backoff.jitter, Jitter::Equal(_)));
    assert_eq!(model.faults[0].lasts, Duration::from_secs(60));
    assert_eq!(again(&loaded).scenario.hash, loaded.scenario.hash);
}

#[test]
fn a_value_drives_out_the_one_it_stands_for() {
    let model = |set: &[&str]| good("checkout.toml", set).scenario.policies[0].model.clone();
    let layer = &model(&["web.retry.max_retries=7"]).groups[0].caller.layers[0];
    assert_eq!(layer.max_attempts, Some(8));
    let spec = &model(&["server.rate=30/s"]).services[0].spec;
    assert_eq!((spec.workers, spec.queue_capacity), (1, Some(200)));
}

#[test]
fn explain_tells_every_value_with_its_origin() {
    let loaded = good("checkout.toml", &["server.workers=60"]);
    let told = |path: &str| -> Vec<(&str, &str)> {
        let all = loaded.explained.iter().filter(|explained| explained.path == path);
        all.map(|explained| (explained.value.as_str(), explained.source.as_str())).collect()
    };
    assert_eq!(told("horizon"), [("\"6m\"", "tests/fixtures/good/checkout.toml:5")]);
    assert_eq!(told("bin"), [("\"100ms\"", "default")]);
    assert_eq!(told("server.workers"), [("60", "--set")]);
    let jitter = [
        ("\"full\"", "tests/fixtures/good/checkout.toml:14"),
        ("\"none\"", "policy \"no jitter\""),
    ];
    assert_eq!(told("web.retry.jitter"), jitter);
    assert!(loaded.explained.iter().all(|explained| explained.doc.len() > 10));
}

#[test]
fn json_of_the_same_shape_is_read_as_the_same_scenario() {
    let toml = good("checkout.toml", &[]);
    let value: toml::Table = toml.effective.parse().unwrap();
    let json = serde_json::to_string_pretty(&value).unwrap();
    for name in ["checkout.json", "-"] {
        let loaded = read_text(name, &json, Path::new(FOLDER), &Options::default()).unwrap();
        assert_eq!(
            format!("{:?}", loaded.scenario.policies),
            format!("{:?}", toml.scenario.policies)
        );
    }
}

#[test]
fn a_policy_may_supply_what_the_file_leaves_out() {
    let text = std::fs::read_to_string(format!("{FOLDER}/checkout.toml")).unwrap();
    let (start, rest) = text.split_once("retry = ").unwrap();
    let text = format!("{start}{}", rest.split_once('\n').unwrap().1);
    let set = "set = { \"web.retry\" = \"none\", ";
    let text = text.replace("label = \"shipped\"", &format!("label = \"shipped\"\n{set} }}"));
    let error = read_text("x.toml", &text, Path::new("."), &Options::default()).unwrap_err();
    let Error::Bad(found) = error else { panic!("{error}") };
    assert!(found.render(false).contains("web.retry.jitter"), "{}", found.render(false));
    let retry = "\"web.retry\" = { max_attempts = 2, backoff = { constant = \"1s\" } }";
    let text = text.replace("\"web.retry.jitter\" = \"none\"", retry);
    let text =
        text.replace("\"server.queue.capacity\"", &format!("{retry}, \"server.queue.capacity\""));
    let loaded = read_text("x.toml", &text, Path::new("."), &Options::default());
    let loaded = loaded.unwrap_or_else(|error| panic!("{}", error.render(false)));
    assert_eq!(loaded.scenario.policies[0].model.groups[0].caller.layers.len(), 0);
    assert_eq!(loaded.scenario.policies[1].model.groups[0].caller.layers.len(), 1);
    assert_eq!(again(&loaded).effective, loaded.effective);
}

/// Values that change what other values mean, or what their defaults are.
const CHANGES: [(&str, &str); 24] = [
    ("web.retry", "\"none\""),
    ("web.retry", "{ max_attempts = 1 }"),
    (
        "web.retry",
        "{ max_retries = 2, backoff = { decorrelated = { base = \"1s\" } }, cap = \"9s\" }",
    ),
    ("web.retry", "{ max_attempts = 2, backoff = { constant = \"1s\" }, cap = \"9s\" }"),
    ("web.retry.backoff", "{ decorrelated = { base = \"10ms\" } }"),
    ("web.retry.backoff", "{ linear = { base = \"1s\", step = \"1s\" } }"),
    ("web.retry.jitter", "\"none\""),
    ("web.retry.max_retries", "\"unlimited\""),
    ("web.retry.cap", "\"30s\""),
    ("web.retry.cap_position", "\"after-jitter\""),
    ("web.retry.budget", "{ aws-quota = { cost = 1 } }"),
    ("web.load", "{ periodic = \"10s\" }"),
    ("web.load", "[{ trace = \"calls.csv\" }, { burst = \"1s\" }]"),
    ("web.timeout", "\"none\""),
    ("web.sharing.budget", "\"process:3\""),
    ("server.rate", "\"7/min\""),
    ("server.workers", "3"),
    ("server.service_time", "\"1ms\""),
    ("server.discipline", "\"ps\""),
    ("server.calls", "[{ to = \"db\", timeout = \"1s\", retry = \"none\" }]"),
    ("server.calls.0.holds_worker", "false"),
    ("faults.0.mode", "\"blackhole\""),
    ("measure.recovery.hold", "\"2m\""),
    ("slo.share", "0.5"),
];

#[test]
fn a_default_written_out_never_changes_what_a_policy_means() {
    let text = std::fs::read_to_string(format!("{FOLDER}/checkout.toml")).unwrap();
    let two = "[[services]]\nname = \"db\"\nrate = \"9/s\"\n\n[[faults]]\ntarget = \"server\"";
    let text = text.replace("[[faults]]", two).replace("count =", "target = \"server\"\ncount =");
    let mut accepted = 0;
    for (first, before) in CHANGES {
        for (second, after) in CHANGES {
            let set = format!("set = {{ \"{second}\" = {after} }}");
            let policy = format!("\n[[policy]]\nlabel = \"changed\"\n{set}\n");
            let options = options(&[&format!("{first}={before}")]);
            let text = format!("{text}{policy}");
            let Ok(loaded) = read_text("x.toml", &text, Path::new(FOLDER), &options) else {
                continue;
            };
            accepted += 1;
            let second = again(&loaded);
            assert_eq!(loaded.effective, second.effective);
            assert_eq!(format!("{:?}", loaded.scenario), format!("{:?}", second.scenario));
        }
    }
    assert!(accepted > 200, "{accepted}");
}
