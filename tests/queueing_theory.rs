//! Queues whose means are known exactly: the simulator's intervals must hold them.

mod common;

use common::runs::{
    Runs, chain, close, erlang_b, erlang_c, mean, of_service, runs, server, system,
};
use herdsim::metrics::Metric;

/// M/M/c with mean work of one second.
fn many_servers(name: &'static str, c: u32, a: f64, n: u64, horizon: &str, within: f64) {
    let keys = format!("workers = {c}\nservice_time = {{ exponential = \"1s\" }}");
    let runs = runs(name, n, horizon, &format!("poisson = \"{a}/s\""), &server(&keys));
    let waits = erlang_c(c, a);
    let wait = waits / (f64::from(c) - a);
    runs.metric(Metric::Waited, waits, within);
    runs.metric(Metric::WaitMeanMs, wait * 1e3, within);
    runs.metric(Metric::QueueMean, a * wait, within);
    runs.metric(Metric::InSystemMean, a * wait + a, within);
    runs.whole(Metric::LatencyMeanMs, (wait + 1.0) * 1e3, within);
    runs.whole(Metric::GoodputPerS, a, 0.02);
}

#[test]
fn the_formulas_give_the_published_values() {
    close(erlang_b(10, 5.0), 0.018_384_570_34);
    close(erlang_b(10, 10.0), 0.214_582_343_1);
    close(erlang_b(100, 90.0), 0.026_957_380_46);
    close(erlang_c(2, 1.6), 0.711_111_111_1);
    close(erlang_c(100, 95.0), 0.506_456_853_9);
    close(erlang_c(100, 95.0) / 5.0, 0.101_291_370_8);
    close(lossy(1, 10, 1.2).0, 0.192_586_495_1);
    close(lossy(1, 10, 1.2).1, 5.926_137_844);
    close(lossy(10, 20, 12.0).0, 0.179_665_915_7);
    close(lossy(10, 20, 12.0).1, 0.635_969_442_5);
    close(closed(2, 20, 10.0).0, 1.654_790_576);
    close(closed(2, 20, 10.0).1, 2.086_121_528);
    close(root_of_periodic(0.8) / (1.0 - root_of_periodic(0.8)), 1.692_730_84);
    close(root_of_periodic(0.5) / (1.0 - root_of_periodic(0.5)), 0.255_000_974_9);
}

#[test]
fn one_exponential_server() {
    many_servers("M/M/1", 1, 0.8, 40, "32000s", 0.08);
}

#[test]
fn two_exponential_servers() {
    many_servers("M/M/2", 2, 1.6, 40, "16000s", 0.08);
}

#[test]
fn ten_exponential_servers() {
    many_servers("M/M/10", 10, 8.0, 40, "5400s", 0.1);
}

/// M/M/c/K: the share that is refused and the mean wait of those let in.
fn lossy(c: u32, places: u32, a: f64) -> (f64, f64) {
    let p = chain(places, |_| a, |k| f64::from(k.min(c)));
    let lost = p[places as usize];
    (lost, mean(&p, |k| f64::from(k.saturating_sub(c))) / (a * (1.0 - lost)))
}

fn few_places(name: &'static str, c: u32, places: u32, a: f64, n: u64, horizon: &str) {
    let keys = format!(
        "workers = {c}\nservice_time = {{ exponential = \"1s\" }}\nqueue = {{ capacity = {} }}",
        places - c
    );
    let runs = runs(name, n, horizon, &format!("poisson = \"{a}/s\""), &server(&keys));
    let (lost, wait) = lossy(c, places, a);
    runs.refused(lost, 0.05);
    runs.metric(Metric::WaitMeanMs, wait * 1e3, 0.05);
    runs.whole(Metric::GoodputPerS, a * (1.0 - lost), 0.02);
    let p = chain(places, |_| a, |k| f64::from(k.min(c)));
    runs.metric(Metric::InSystemMean, mean(&p, f64::from), 0.05);
}

#[test]
fn one_server_with_ten_places() {
    few_places("M/M/1/10", 1, 10, 1.2, 30, "10400s");
}

#[test]
fn ten_servers_with_twenty_places() {
    few_places("M/M/10/20", 10, 20, 12.0, 30, "1600s");
}

/// M/G/c/c: the share that is refused depends on the mean work only.
fn no_place_to_wait(name: &'static str, a: f64, work: &str, horizon: &str) {
    let keys = format!("workers = 10\nservice_time = {work}\nqueue = {{ capacity = 0 }}");
    let runs = runs(name, 30, horizon, &format!("poisson = \"{a}/s\""), &server(&keys));
    let lost = erlang_b(10, a);
    runs.refused(lost, 0.08);
    runs.metric(Metric::InSystemMean, a * (1.0 - lost), 0.02);
}

#[test]
fn ten_servers_without_a_queue() {
    no_place_to_wait("M/M/10/10", 10.0, "{ exponential = \"1s\" }", "1400s");
    no_place_to_wait("M/M/10/10 light", 5.0, "{ exponential = \"1s\" }", "7400s");
}

#[test]
fn without_a_queue_only_the_mean_work_matters() {
    no_place_to_wait("M/D/10/10", 10.0, "\"1s\"", "1400s");
    no_place_to_wait("M/U/10/10", 10.0, "{ uniform = [\"0s\", \"2s\"] }", "1400s");
    // Mean 1: scale × shape ÷ (shape − 1).
    let pareto = "{ pareto = { scale = \"600ms\", shape = 2.5 } }";
    no_place_to_wait("M/Pareto/10/10", 10.0, pareto, "1400s");
    no_place_to_wait("M/LN/10/10", 10.0, &lognormal(1.0).0, "1400s");
}

/// A lognormal distribution with this mean in seconds, whose 99 % quantile is three times its
/// median m, and its mean square: with s = ln 3 ÷ z, E S = m e^(s²/2) and E S² = e^(s²) (E S)².
fn lognormal(mean: f64) -> (String, f64) {
    let s = libm::log(3.0) / 2.326_347_874_040_841;
    let median = mean * libm::exp(-s * s / 2.0) * 1e9;
    let text =
        format!("{{ lognormal = {{ p50 = \"{median:.0}ns\", p99 = \"{:.0}ns\" }} }}", 3.0 * median);
    (text, libm::exp(s * s) * mean * mean)
}

/// Engset: the share of calls that find all of `c` servers busy, when each of `clients` calls
/// again after a time to think. A client that calls sees the others, who are one fewer.
fn engset(c: u32, clients: u32, think: f64) -> f64 {
    let up = |k: u32| f64::from(clients - 1 - k) / think;
    let p = chain(c.min(clients - 1), up, f64::from);
    p[c as usize]
}

#[test]
fn the_formula_of_engset_gives_the_published_values() {
    close(engset(5, 10, 2.0), 0.106_960_950_8);
    close(engset(20, 100, 4.0), 0.171_407_746_643_077_37);
}

/// Twenty clients without patience in front of four servers without a queue.
fn few_clients(name: &'static str, think: &str, work: &str) {
    let keys = format!("workers = 4\nservice_time = {work}\nqueue = {{ capacity = 0 }}");
    let runs = runs(name, 30, "2400s", &format!("closed = {{ think = {think} }}"), &server(&keys));
    runs.refused(engset(4, 20, 4.0), 0.04);
}

#[test]
fn of_few_clients_only_the_mean_work_and_the_mean_thought_matter() {
    let (normal, _) = lognormal(1.0);
    let pareto = "{ pareto = { scale = \"600ms\", shape = 2.5 } }";
    let memoryless = "{ exponential = \"1s\" }";
    for (name, work) in [
        ("Engset work M", memoryless),
        ("Engset work D", "\"1s\""),
        ("Engset work U", "{ uniform = [\"0s\", \"2s\"] }"),
        ("Engset work LN", &normal),
        ("Engset work Pareto", pareto),
    ] {
        few_clients(name, "{ exponential = \"4s\" }", work);
    }
    let (normal, _) = lognormal(4.0);
    for (name, think) in [
        ("Engset thought D", "\"4s\""),
        ("Engset thought U", "{ uniform = [\"0s\", \"8s\"] }"),
        ("Engset thought LN", &normal),
        ("Engset thought Pareto", "{ pareto = { scale = \"2400ms\", shape = 2.5 } }"),
    ] {
        few_clients(name, think, memoryless);
    }
}

/// The mean wait of M/G/1 (Pollaczek and Khinchine): λ E S² ÷ 2 (1 − ρ), with E S = 1.
fn one_server(name: &'static str, a: f64, keys: &str, square: f64) {
    let runs = runs(name, 40, "16000s", &format!("poisson = \"{a}/s\""), &server(keys));
    let wait = a * square / (2.0 * (1.0 - a));
    runs.metric(Metric::WaitMeanMs, wait * 1e3, 0.08);
    runs.metric(Metric::Waited, a, 0.03);
    runs.metric(Metric::QueueMean, a * wait, 0.08);
}

#[test]
fn one_server_of_constant_rate() {
    one_server("M/D/1", 0.8, "rate = \"1/s\"", 1.0);
}

#[test]
fn one_server_of_uniform_work() {
    let keys = "workers = 1\nservice_time = { uniform = [\"0s\", \"2s\"] }";
    one_server("M/U/1", 0.7, keys, 4.0 / 3.0);
}

#[test]
fn one_server_of_lognormal_work() {
    let (work, square) = lognormal(1.0);
    one_server("M/LN/1", 0.7, &format!("workers = 1\nservice_time = {work}"), square);
}

#[test]
fn two_servers_of_constant_work() {
    let keys = server("workers = 2\nservice_time = \"1s\"");
    let runs = runs("M/D/2", 40, "20000s", "poisson = \"1.6/s\"", &keys);
    runs.metric(Metric::WaitMeanMs, 903.283_879_4, 0.06);
    runs.metric(Metric::QueueMean, 1.6 * 0.903_283_879_4, 0.06);
}

/// The root of s = e^(−(1 − s) ÷ λ): the geometric ratio of D/M/1.
fn root_of_periodic(rate: f64) -> f64 {
    (0..2_000).fold(0.5, |s: f64, _| libm::exp(-(1.0 - s) / rate))
}

#[test]
fn regular_calls_wait_less() {
    let keys = server("workers = 1\nservice_time = { exponential = \"1s\" }");
    let runs = runs("D/M/1", 40, "16000s", "periodic = \"1250ms\"", &keys);
    let root = root_of_periodic(0.8);
    runs.metric(Metric::Waited, root, 0.03);
    runs.metric(Metric::WaitMeanMs, root / (1.0 - root) * 1e3, 0.08);
}

/// Shared workers: as many at the service as with M/M/c, whatever the work is like.
fn shared(name: &'static str, c: u32, a: f64, work: &str) {
    let keys = format!("workers = {c}\nservice_time = {work}\ndiscipline = \"ps\"");
    let runs = runs(name, 40, "16000s", &format!("poisson = \"{a}/s\""), &server(&keys));
    let present = a + a * erlang_c(c, a) / (f64::from(c) - a);
    runs.metric(Metric::InSystemMean, present, 0.08);
    runs.whole(Metric::LatencyMeanMs, present / a * 1e3, 0.08);
}

#[test]
fn a_shared_worker_holds_as_many_as_one_that_serves_in_turn() {
    shared("M/M/1-PS", 1, 0.8, "{ exponential = \"1s\" }");
    shared("M/U/1-PS", 1, 0.7, "{ uniform = [\"0s\", \"2s\"] }");
    shared("M/D/1-PS", 1, 0.7, "\"1s\"");
    shared("M/LN/1-PS", 1, 0.7, &lognormal(1.0).0);
    shared("M/Pareto/1-PS", 1, 0.7, "{ pareto = { scale = \"600ms\", shape = 2.5 } }");
    shared("M/M/2-PS", 2, 1.5, "{ exponential = \"1s\" }");
}

/// M/M/c//N: calls per second and their latency in seconds.
fn closed(c: u32, clients: u32, think: f64) -> (f64, f64) {
    let p = chain(clients, |k| f64::from(clients - k) / think, |k| f64::from(k.min(c)));
    let rate = mean(&p, |k| f64::from(k.min(c)));
    (rate, f64::from(clients) / rate - think)
}

#[test]
fn clients_that_wait_for_their_answers() {
    let keys = server("workers = 2\nservice_time = { exponential = \"1s\" }");
    let (rate, latency) = closed(2, 20, 10.0);
    let (normal, _) = lognormal(10.0);
    for think in [
        "{ exponential = \"10s\" }",
        "\"10s\"",
        "{ uniform = [\"0s\", \"20s\"] }",
        &normal,
        "{ pareto = { scale = \"6s\", shape = 2.5 } }",
    ] {
        let runs =
            runs("M/M/2//20", 30, "6400s", &format!("closed = {{ think = {think} }}"), &keys);
        runs.whole(Metric::GoodputPerS, rate, 0.02);
        runs.whole(Metric::LatencyMeanMs, latency * 1e3, 0.06);
        runs.metric(Metric::InSystemMean, rate * latency, 0.06);
    }
}

/// M/M/1 whose callers leave after `patience`, waiting or in service, and whose work leaves with
/// them: the work ahead of a call has the density λ P(0) e^(−(μ − λ) x) up to the patience, and
/// whoever is worked on is done at rate μ.
fn impatient(name: &'static str, rate: f64, patience: f64) {
    let rest = format!(
        "timeout = \"{patience}s\"\nretry = \"none\"\n[server]\nworkers = 1\n\
         service_time = {{ exponential = \"1s\" }}\nstale_work = \"dropped\"\n"
    );
    let runs = runs(name, 40, "8400s", &format!("poisson = \"{rate}/s\""), &rest);
    let d = 1.0 - rate;
    let idle = 1.0 / (1.0 + rate * (1.0 - libm::exp(-d * patience)) / d);
    let lost = 1.0 - (1.0 - idle) / rate;
    runs.whole(Metric::GoodputPerS, 1.0 - idle, 0.03);
    runs.agree("lost", lost, 0.03, |run| {
        of_service(run, Metric::Lost) / of_service(run, Metric::Attempts)
    });
    runs.agree("busy", 1.0 - idle, 0.03, |run| {
        of_service(run, Metric::InSystemMean) - of_service(run, Metric::QueueMean)
    });
    runs.agree("failed", lost, 0.03, |run| {
        run.overall.get(Metric::Failed).unwrap() / run.overall.get(Metric::Calls).unwrap()
    });
}

#[test]
fn callers_of_fixed_patience() {
    impatient("M/M/1+D light", 0.8, 1.0);
    impatient("M/M/1+D heavy", 1.2, 2.0);
}

/// A limit in front of a service that needs no time.
fn limited(name: &'static str, rate: f64, limit: &str) -> Runs {
    let keys =
        format!("workers = 1\nservice_time = \"0s\"\nlimit = {{ {limit}, on_excess = \"429\" }}");
    runs(name, 30, "1400s", &format!("poisson = \"{rate}/s\""), &server(&keys))
}

#[test]
fn a_bucket_of_tokens_refuses_as_many_as_a_queue_of_constant_work() {
    // M/D/1/b: the loss of a queue of b places whose server takes 1/r.
    let bucket = limited("bucket", 8.0, "count = 5, per = \"500ms\", window = \"bucket\"");
    bucket.refused(0.035_290_396_44, 0.12);
    let bucket = limited("full bucket", 12.0, "count = 10, per = \"1s\", window = \"bucket\"");
    bucket.refused(0.170_910_768_5, 0.05);
}

#[test]
fn a_sliding_window_refuses_as_many_as_servers_of_constant_work() {
    let window = limited("sliding", 10.0, "count = 10, per = \"1s\", window = \"sliding\"");
    window.refused(erlang_b(10, 10.0), 0.05);
}

#[test]
fn a_fixed_window_refuses_what_exceeds_it() {
    // E max(0, N − 10) of a Poisson number N of mean 10 is 10 × P(N = 10).
    let p10 = (1..=10).fold(libm::exp(-10.0), |p, k| p * 10.0 / f64::from(k));
    let window = limited("fixed", 10.0, "count = 10, per = \"1s\", window = \"fixed\"");
    window.refused(p10, 0.05);
}

#[test]
fn the_highest_of_a_hundred_bins() {
    // 1,000 retries spread evenly over 100 bins: E max is known exactly.
    let text = "seed = 5\nhorizon = \"102s\"\nbin = \"1s\"\n[[clients]]\nname = \"c\"\n\
        count = 1000\nload = { burst = \"0s\" }\ntimeout = \"none\"\n\
        retry = { max_attempts = 2, backoff = { constant = \"100s\" }, jitter = \"full\" }\n\
        [server]\nworkers = 1\nservice_time = \"0s\"\n\
        [[faults]]\nkind = \"outage\"\nat = \"0s\"\nfor = \"1ns\"\n";
    let runs = system("occupancy", 200, text);
    runs.whole(Metric::PeakPerS, 18.761_660_02, 0.04);
}

#[test]
fn a_pause_drains_in_the_time_that_the_chain_predicts() {
    // M/M/5 with 115 places, 40/s, 10/s each, paused for 2 s from a stationary state.
    let text = "seed = 6\nhorizon = \"90s\"\nbin = \"1s\"\n[[clients]]\nname = \"c\"\ncount = 1\n\
        load = { poisson = \"40/s\" }\ntimeout = \"none\"\nretry = \"none\"\n[server]\n\
        workers = 5\nservice_time = { exponential = \"100ms\" }\nqueue = { capacity = 115 }\n\
        [[faults]]\nkind = \"outage\"\nmode = \"pause\"\nat = \"8s\"\nfor = \"2s\"\n";
    let runs = system("drain", 300, text);
    runs.whole(Metric::FirstBelowS, 8.117_399_443, 0.15);
}
