//! Presets in scenarios: expanded, changed, explained, and the same when they are read again.

use std::path::Path;

use herdsim::scenario::{Loaded, Options, read_text};

fn load(text: &str, set: &[&str]) -> Result<Loaded, String> {
    let set = set.iter().map(|set| set.to_string()).collect();
    let options = Options { set, ..Options::default() };
    read_text("test.toml", text, Path::new("."), &options).map_err(|error| error.render(false))
}

fn scenario(retry: &str, more: &str) -> String {
    format!(
        "seed = 1\nhorizon = \"9s\"\n[[clients]]\nname = \"web\"\ncount = 1\n\
         load = {{ burst = \"0s\" }}\ntimeout = \"1s\"\nretry = {retry}\n[server]\nrate = \"1/s\"\n\
         {more}"
    )
}

/// The layers of the one client group, by policy.
fn layers(loaded: &Loaded) -> Vec<String> {
    let layer =
        |case: &herdsim::scenario::PolicyCase| format!("{:?}", case.model.groups[0].caller.layers);
    loaded.scenario.policies.iter().map(layer).collect()
}

#[test]
fn a_preset_is_its_layer() {
    let by_name = load(&scenario("\"temporal\"", ""), &[]).unwrap();
    let text = "{ max_retries = \"unlimited\", backoff = { exponential = { base = \"1s\" } }, \
                cap = \"100s\" }";
    let spelled = load(&scenario(text, ""), &[]).unwrap();
    assert_eq!(layers(&by_name), layers(&spelled));
    let table = load(&scenario("{ preset = \"temporal\" }", ""), &[]).unwrap();
    assert_eq!(layers(&table), layers(&spelled));
    let inner = load(&scenario("{ layers = [{ preset = \"temporal\" }] }", ""), &[]).unwrap();
    assert_eq!(layers(&inner), layers(&spelled));
    assert_eq!(by_name.scenario.hash, load(&by_name.effective, &[]).unwrap().scenario.hash);
}

#[test]
fn explain_tells_what_the_preset_has_and_what_was_written() {
    let text = scenario("{ preset = \"kafka\", cap = \"2s\", max_retries = 3 }", "");
    let loaded = load(&text, &["web.retry.floor=1ms"]).unwrap();
    let source = |path: &str| {
        let entry = loaded.explained.iter().find(|entry| entry.path == path);
        entry.unwrap_or_else(|| panic!("no {path}")).source.clone()
    };
    assert_eq!(source("web.retry.backoff.exponential.base"), "test.toml:8, preset \"kafka\"");
    assert_eq!(source("web.retry.jitter.proportional"), "test.toml:8, preset \"kafka\"");
    assert_eq!(source("web.retry.cap"), "test.toml:8");
    assert_eq!(source("web.retry.max_retries"), "test.toml:8");
    assert_eq!(source("web.retry.floor"), "--set");
    assert_eq!(source("web.retry.give_up"), "default");
}

#[test]
fn paths_lead_into_a_preset_and_the_effective_scenario_is_the_same() {
    let policies = "[[policy]]\nlabel = \"shipped\"\n[[policy]]\nlabel = \"no jitter\"\n\
                    set = { \"web.retry.jitter\" = \"none\" }\n[[policy]]\nlabel = \"slower\"\n\
                    set = { \"web.retry.backoff.exponential.base\" = \"1s\" }\n[[policy]]\n\
                    label = \"other\"\nset = { \"web.retry\" = \"grpc\" }\n[[policy]]\n\
                    label = \"fewer\"\nset = { \"web.retry.max_attempts\" = 2 }\n";
    for retry in ["\"stripe-python\"", "{ preset = \"stripe-python\" }"] {
        let loaded = load(&scenario(retry, policies), &[]).unwrap();
        let seen = layers(&loaded);
        assert!(seen[1].contains("jitter: None") && seen[1].contains("500ms"), "{}", seen[1]);
        assert!(seen[2].contains("base: 1s") && seen[2].contains("factor: 2.0"), "{}", seen[2]);
        assert!(seen[3].contains("factor: 1.3"), "{}", seen[3]);
        assert!(seen[4].contains("max_attempts: Some(2)"), "{}", seen[4]);
        let again = load(&loaded.effective, &[]).unwrap();
        assert_eq!(seen, layers(&again));
        assert_eq!(loaded.effective, again.effective);
    }
}

#[test]
fn another_form_takes_the_place_of_that_of_the_preset() {
    let text = scenario("{ preset = \"kafka\", backoff = { constant = \"1s\" } }", "");
    assert!(layers(&load(&text, &[]).unwrap())[0].contains("Constant"));
    let text = scenario("{ preset = \"kafka\", backoff = { exponential = { factor = 3 } } }", "");
    let seen = &layers(&load(&text, &[]).unwrap())[0];
    assert!(seen.contains("factor: 3.0") && seen.contains("base: 100ms"), "{seen}");
}

#[test]
fn mistakes_are_told_where_they_were_written() {
    let wrong = |retry: &str, set: &[&str]| load(&scenario(retry, ""), set).unwrap_err();
    let told = wrong("\"kafak\"", &[]);
    assert!(told.contains("test.toml:8:9") && told.contains("did you mean `kafka`?"), "{told}");
    let told = wrong("{ preset = 5 }", &[]);
    assert!(told.contains("expected the name of a preset"), "{told}");
    let told = wrong("{ preset = \"kafka\", cap = \"50ms\" }", &[]);
    assert!(told.contains("`cap` is shorter than the first wait"), "{told}");
    let told = wrong("{ preset = \"kafka\", max_retries = 3, max_attempts = 3 }", &[]);
    assert!(told.contains("`max_retries` and `max_attempts` exclude each other"), "{told}");
    let told = wrong("{ preset = \"kafka\", jiter = \"full\" }", &[]);
    assert!(told.contains("did you mean `jitter`?"), "{told}");
    let told = wrong("\"kafka\"", &["web.retry.preset=grpc"]);
    assert!(told.contains("a preset is a whole layer"), "{told}");
    let told = wrong("{ preset = \"kafka\", floor = \"9s\", rounding = \"up\" }", &[]);
    assert!(told.contains("`floor` is longer than `cap`"), "{told}");
    let told =
        wrong("{ max_retries = 1, backoff = { constant = \"1s\" }, rounding = \"up\" }", &[]);
    assert!(told.contains("`rounding` without `quantum`"), "{told}");
    let endless = "{ max_retries = \"unlimited\", backoff = { constant = \"9ms\" }, \
                   quantum = \"1s\" }";
    assert!(wrong(endless, &[]).contains("could stop the clock"), "{}", wrong(endless, &[]));
}
