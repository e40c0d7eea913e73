//! Published results about retries and their budgets: Brooker's simulations of 2022, the retry
//! quota of the AWS SDKs, and retries that multiply from hop to hop.
//!
//! Not expressible yet: the budget of Brooker's "adaptive" strategy (a tenth of a token per call
//! that begins), his breaker, gRPC's budget in LoadControl (14.75 leaf calls become 1.68), and
//! the retries with a probability of `queueingsimulator`, whose queue moreover lets newcomers
//! overtake when a worker has just become free, so that it is no FIFO queue.

mod common;

use common::{mean, run, scenario};
use herdsim::metrics::{Metric, Record, Recorder};
use herdsim::rng::Seed;
use herdsim::sim;
use herdsim::stats::{clopper_pearson_interval, mean_interval};
use herdsim::time::SimTime;

/// What became of the calls of one client.
#[derive(Clone, Debug, Default)]
struct Client {
    calls: u64,
    succeeded: u64,
    attempts: u64,
    /// Retries not sent for want of tokens.
    denied: u64,
    /// The number of the call of which a retry was denied first.
    first_denied: Option<u64>,
}

/// A tape that counts.
#[derive(Default)]
struct Count {
    clients: Vec<Client>,
}

impl Count {
    fn of(&mut self, client: u32) -> &mut Client {
        let client = client as usize;
        if self.clients.len() <= client {
            self.clients.resize(client + 1, Client::default());
        }
        &mut self.clients[client]
    }
}

impl Recorder for Count {
    fn record(&mut self, _: SimTime, record: Record) {
        match record {
            Record::CallBegan { who, .. } => self.of(who.client).calls += 1,
            Record::AttemptSent { who, .. } => self.of(who.client).attempts += 1,
            Record::CallEnded { who, failure, .. } => {
                self.of(who.client).succeeded += u64::from(failure.is_none());
            }
            Record::QuotaRefused { who, .. } => {
                let client = self.of(who.client);
                client.denied += 1;
                client.first_denied.get_or_insert(client.calls);
            }
            _ => {}
        }
    }
}

/// Runs the only policy of a text once and counts, client by client.
fn count(text: &str, seed: u64) -> Vec<Client> {
    let scenario = scenario(text);
    let case = &scenario.policies[0];
    sim::play(&case.model, &case.actions, Seed::new(seed), Count::default()).0.clients
}

/// The mean of our independent values lies within 3.29 standard errors (99.9 %) of a published
/// mean of `theirs` values as widely spread, which is rounded to `digit`.
fn near(what: &str, ours: &[f64], published: f64, theirs: f64, digit: f64) {
    let interval = mean_interval(ours).unwrap();
    let n = ours.len() as f64;
    let squares: f64 = ours.iter().map(|x| (x - interval.mean) * (x - interval.mean)).sum();
    let spread = (squares / (n - 1.0)).sqrt();
    let allowed = 3.29 * spread * (1.0 / n + 1.0 / theirs).sqrt() + 0.5 * digit;
    let found = interval.mean;
    assert!((found - published).abs() <= allowed, "{what}: {found}, not {published} ± {allowed}");
}

/// The same for an exact value.
fn exact(what: &str, ours: &[f64], value: f64) {
    near(what, ours, value, f64::INFINITY, 0.0);
}

/// `count` clients that make one call after the other, each of which fails with probability `p`
/// at every attempt, under the quota of 500 tokens.
fn quota(p: f64, cost: u32, attempts: u32, clients: u32, calls: u32) -> Vec<Client> {
    let text = format!(
        "seed = 1\nhorizon = \"{calls}ms\"\nbin = \"1s\"\n\
         [[clients]]\nname = \"c\"\ncount = {clients}\n\
         load = {{ closed = {{ think = \"1ms\" }} }}\ntimeout = \"none\"\n\
         retry = {{ max_attempts = {attempts}, backoff = {{ constant = \"0s\" }}, \
         budget = {{ aws-quota = {{ cost = {cost} }} }} }}\n\
         [server]\nworkers = 1\nservice_time = \"0s\"\n\
         [[faults]]\nkind = \"errors\"\nshare = {p}\nat = \"0s\"\nfor = \"{calls}ms\"\n"
    );
    count(&text, 7)
}

/// Retries denied and attempts sent per operation, against three runs of 100,000 operations of an
/// independent program: failure probability, retries denied and what they are rounded to,
/// attempts. Gives the mean attempts.
fn denied(cost: u32, rows: &[(f64, f64, f64, Option<f64>)]) -> Vec<f64> {
    let row = |(p, denied, digit, load): &(f64, f64, f64, Option<f64>)| {
        let clients = quota(*p, cost, 3, 6, 100_000);
        let per_call = |of: fn(&Client) -> u64| -> Vec<f64> {
            clients.iter().map(|client| of(client) as f64 / client.calls as f64).collect()
        };
        near(&format!("denied at {p}"), &per_call(|c| c.denied), *denied, 3.0, *digit);
        let loads = per_call(|c| c.attempts);
        if let Some(load) = load {
            near(&format!("attempts at {p}"), &loads, *load, 3.0, 1e-3);
        }
        mean_interval(&loads).unwrap().mean
    };
    rows.iter().map(row).collect()
}

#[test]
fn under_the_quota_of_cost_14_load_peaks_at_the_drain_point_and_falls_beyond_it() {
    let rows = [
        (0.20, 0.0, 1e-4, Some(1.240)),
        (0.215, 0.0057, 1e-4, Some(1.256)),
        (0.22, 0.0145, 1e-4, Some(1.252)),
        (0.23, 0.037, 1e-3, Some(1.240)),
        (0.25, 0.083, 1e-3, Some(1.214)),
        (0.30, 0.179, 1e-3, Some(1.167)),
        (0.50, 0.464, 1e-3, Some(1.072)),
    ];
    let loads = denied(14, &rows);
    assert!(loads[0] < loads[1] && loads[1..].is_sorted_by(|a, b| a > b), "{loads:?}");
}

#[test]
fn the_quota_of_cost_5_denies_retries_above_its_drain_point() {
    let rows = [
        (0.32, 0.0013, 1e-4, None),
        (0.33, 0.024, 1e-3, None),
        (0.35, 0.080, 1e-3, None),
        (0.40, 0.199, 1e-3, None),
        (0.50, 0.391, 1e-3, None),
    ];
    denied(5, &rows);
}

#[test]
fn the_first_denied_retry_comes_when_the_exact_chain_says() {
    // Expected number of the operation, from the linear system of the chain on 0 … 500 tokens.
    let rows = [
        (14, 3, 0.25, 1370.829726, 6_000),
        (14, 3, 0.40, 195.2403126, 1_000),
        (14, 3, 0.50, 105.092602, 600),
        (14, 4, 0.30, 464.0678036, 4_000),
        (5, 3, 0.40, 950.1308969, 4_000),
    ];
    for (cost, attempts, p, expected, calls) in rows {
        let clients = quota(p, cost, attempts, 400, calls);
        let first: Vec<f64> =
            clients.iter().map(|c| c.first_denied.expect("long enough") as f64).collect();
        exact(&format!("cost {cost}, p = {p}"), &first, expected);
    }
    // A total outage: nothing is left to chance.
    for (cost, retries, operation) in [(14, 35, 18), (5, 100, 51)] {
        let client = &quota(1.0, cost, 3, 1, 1_000)[0];
        assert_eq!(client.attempts - client.calls, retries, "{client:?}");
        assert_eq!(client.first_denied, Some(operation));
    }
}

/// Brooker's "Fixing retries" (2022): 100 clients of 10 calls per second for 10 s, two ways of
/// 10 ms in the mean, a server that fails with probability `p`.
fn fixing(p: f64, retries: u32, wait: &str, load: &str, horizon: &str) -> String {
    format!(
        "seed = 1\nhorizon = \"{horizon}\"\nbin = \"1s\"\n\
         [[clients]]\nname = \"c\"\ncount = 100\nload = {load}\ntimeout = \"none\"\n\
         retry = {{ max_retries = {retries}, backoff = {{ constant = \"{wait}\" }} }}\n\
         [server]\nworkers = 1\nservice_time = \"0s\"\nnetwork = {{ exponential = \"10ms\" }}\n\
         [[faults]]\nkind = \"errors\"\nshare = {p}\nat = \"0s\"\nfor = \"{horizon}\"\n"
    )
}

/// Calls that begin within 10 s, and all the time they need.
const OPEN: &str =
    "{ step = [{ at = \"0s\", rate = \"10/s\" }, { at = \"10s\", rate = \"0/s\" }] }";

/// What 20 runs give.
struct Shares {
    /// Successes per call, run by run.
    success: Vec<f64>,
    /// Attempts per call, run by run.
    load: Vec<f64>,
    /// Calls of all runs, and those that did not succeed.
    calls: usize,
    lost: usize,
}

fn shares(p: f64, retries: u32, wait: &str) -> Shares {
    let text = fixing(p, retries, wait, OPEN, "15s");
    let mut shares = Shares { success: Vec::new(), load: Vec::new(), calls: 0, lost: 0 };
    for seed in 0..20 {
        let clients = count(&text, seed);
        let sum = |of: fn(&Client) -> u64| clients.iter().map(of).sum::<u64>();
        let (calls, succeeded) = (sum(|c| c.calls), sum(|c| c.succeeded));
        shares.success.push(succeeded as f64 / calls as f64);
        shares.load.push(sum(|c| c.attempts) as f64 / calls as f64);
        shares.calls += calls as usize;
        shares.lost += (calls - succeeded) as usize;
    }
    shares
}

#[test]
fn retries_buy_success_with_load_as_the_closed_forms_say() {
    // One run each of the published program: success and load without and with three retries.
    let rows = [
        (0.05, [0.953, 1.0], [1.0, 1.055]),
        (0.10, [0.899, 1.0], [1.0, 1.106]),
        (0.20, [0.804, 1.0], [0.998, 1.242]),
        (0.30, [0.698, 1.0], [0.991, 1.407]),
        (0.50, [0.500, 1.0], [0.935, 1.881]),
        (0.75, [0.253, 1.0], [0.682, 2.723]),
    ];
    for (p, without, with) in rows {
        for (retries, published) in [(0, without), (3, with)] {
            let what = format!("p = {p}, {retries} retries");
            let Shares { success, load, calls, lost } = shares(p, retries, "0s");
            let share = libm::pow(p, f64::from(retries + 1));
            // Binomial, and at 5 % with retries one call is lost in all 20 runs: their spread
            // says nothing.
            let found = clopper_pearson_interval(lost, calls, 0.999).unwrap();
            let agrees = (found.lo..=found.hi).contains(&share);
            assert!(agrees, "{what}: {lost} of {calls} lost, {found:?}, not {share}");
            exact(&format!("{what}, load"), &load, (1.0 - share) / (1.0 - p));
            near(&format!("{what}, success"), &success, published[0], 1.0, 1e-3);
            near(&format!("{what}, load"), &load, published[1], 1.0, 1e-3);
        }
    }
}

#[test]
fn waiting_does_not_spare_a_server_from_open_clients() {
    for (wait, published) in [("0s", 1.858), ("100ms", 1.878)] {
        let Shares { load, .. } = shares(0.5, 3, wait);
        exact(wait, &load, 1.875);
        near(wait, &load, published, 1.0, 1e-3);
    }
}

/// Calls and attempts of each of 20 runs of 10 s.
fn totals(text: &str) -> (Vec<f64>, Vec<f64>) {
    let run = |seed| {
        let clients = count(text, seed);
        let sum = |of: fn(&Client) -> u64| clients.iter().map(of).sum::<u64>() as f64;
        (sum(|c| c.calls), sum(|c| c.attempts))
    };
    (0..20).map(run).unzip()
}

#[test]
fn waiting_spares_a_server_from_clients_that_make_one_call_after_the_other() {
    // "What is backoff for?" (Brooker 2022): 10,197 calls and 18,988 attempts become 4,367 and
    // 8,214. The first are what open clients send; serial ones wait 100 ms in the mean before a
    // call, and 100 ms before each retry.
    let (calls, attempts) = totals(&fixing(0.5, 3, "0s", "{ poisson = \"10/s\" }", "10s"));
    near("open calls", &calls, 10_197.0, 1.0, 1.0);
    near("open attempts", &attempts, 18_988.0, 1.0, 1.0);
    let serial = "{ closed = { think = { exponential = \"100ms\" } } }";
    let (calls, attempts) = totals(&fixing(0.5, 3, "100ms", serial, "10s"));
    near("serial calls", &calls, 4_367.0, 1.0, 1.0);
    near("serial attempts", &attempts, 8_214.0, 1.0, 1.0);
}

/// Attempts at the last of three services that call one another, the last of which always fails,
/// per call of the client; each of the three hops makes so many attempts.
fn leaf_calls(hops: [u32; 3]) -> f64 {
    let retry = |attempts: u32| {
        format!("{{ max_attempts = {attempts}, backoff = {{ constant = \"1ms\" }} }}")
    };
    let service = |name: &str, calls: Option<(&str, u32)>| {
        let calls = calls.map_or(String::new(), |(to, attempts)| {
            let retry = retry(attempts);
            format!("calls = [{{ to = \"{to}\", timeout = \"none\", retry = {retry} }}]\n")
        });
        format!("[[services]]\nname = \"{name}\"\nworkers = 9\nservice_time = \"1ms\"\n{calls}")
    };
    let policy = run(&format!(
        "seed = 1\nhorizon = \"30s\"\n\
         [[clients]]\nname = \"c\"\ncount = 4\ntarget = \"a\"\nload = {{ burst = \"1s\" }}\n\
         timeout = \"none\"\nretry = {}\n{}{}{}\
         [[faults]]\nkind = \"errors\"\ntarget = \"leaf\"\nshare = 1\n\
         at = \"0s\"\nfor = \"30s\"\n",
        retry(hops[0]),
        service("a", Some(("b", hops[1]))),
        service("b", Some(("leaf", hops[2]))),
        service("leaf", None)
    ));
    assert_eq!(mean(&policy, Metric::Failed), 4.0);
    policy.services[2].1.get(Metric::Attempts).unwrap().mean / 4.0
}

#[test]
fn three_attempts_over_three_hops_are_27_and_3_when_one_layer_retries() {
    // LoadControl: 27 leaf calls for one request, 3 with the rule that one layer retries.
    assert_eq!(leaf_calls([3, 3, 3]), 27.0);
    for one in [[3, 1, 1], [1, 3, 1], [1, 1, 3]] {
        assert_eq!(leaf_calls(one), 3.0, "{one:?}");
    }
}
