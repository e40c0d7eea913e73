//! Wrong numbers that a reader of the code once found, each as a test of its kind.

mod common;

use common::{mean, run, scenario, study};
use herdsim::metrics::{Metric, Record, Recorder};
use herdsim::rng::Seed;
use herdsim::study::{Answer, PolicyResult};
use herdsim::time::SimTime;

fn service(policy: &PolicyResult, name: &str, metric: Metric) -> f64 {
    let (_, estimates) = policy.services.iter().find(|(service, _)| service == name).unwrap();
    estimates.get(metric).unwrap_or_else(|| panic!("{name} has no {metric}")).mean
}

/// Ten clients call a front that calls a database, which is down for 50 s; the front tries again
/// every second for as long as it takes.
fn front(clients: &str, front: &str) -> PolicyResult {
    run(&format!(
        "seed = 1\nhorizon = \"60s\"\n[[clients]]\nname = \"c\"\ncount = 10\n\
         load = {{ burst = \"0s\" }}\ntarget = \"front\"\n{clients}\n\
         [[services]]\nname = \"front\"\nworkers = 10\nservice_time = \"1ms\"\n{front}\n\
         calls = [{{ to = \"db\", timeout = \"1s\", retry = {{ max_attempts = \"unlimited\", \
         backoff = {{ constant = \"1s\" }} }} }}]\n\
         [[services]]\nname = \"db\"\nworkers = 10\nservice_time = \"1ms\"\n\
         [[faults]]\nkind = \"outage\"\ntarget = \"db\"\nat = \"0s\"\nfor = \"50s\"\n\
         [[faults]]\nkind = \"brownout\"\ntarget = \"front\"\nat = \"55s\"\nfor = \"1s\"\n\
         slowdown = 1\n"
    ))
}

#[test]
fn work_whose_caller_has_gone_stops_its_retries_downstream() {
    let gone = front("timeout = \"2s\"\nretry = \"none\"", "stale_work = \"dropped\"");
    // Attempts at 1 ms, 1.001 s: the caller leaves at 2 s.
    assert_eq!(service(&gone, "db", Metric::Attempts), 20.0);
    assert!((service(&gone, "front", Metric::HeldWorkers) - 19.99).abs() < 1e-6);
    let stays = front("timeout = \"2s\"\nretry = \"none\"", "stale_work = \"served\"");
    assert_eq!(service(&stays, "db", Metric::Attempts), 510.0);
}

#[test]
fn a_crash_ends_the_retries_of_the_work_that_it_throws_away() {
    let crash = "queue = { capacity = 50 }\ncrash = { when = \"load > 10/s\", restart = \"30s\" }";
    let late = "timeout = \"none\"\nretry = \"none\"\n\
                [[clients]]\nname = \"late\"\ncount = 11\nload = { burst = \"5s\" }\n\
                target = \"front\"\ntimeout = \"none\"\nretry = \"none\"";
    let felled = front(late, crash);
    assert_eq!(felled.first.crashes.len(), 1);
    // Ten attempts at 1 ms and every second until the front falls at 5 s.
    let attempts = service(&felled, "db", Metric::Attempts);
    assert!((50.0..=60.0).contains(&attempts), "{attempts}");
}

#[test]
fn a_worker_that_waits_at_the_horizon_is_counted_for_its_own_service() {
    let waits = front("timeout = \"none\"\nretry = \"none\"", "");
    assert_eq!(service(&waits, "db", Metric::HeldWorkers), 0.0);
    // Ten workers from 1 ms to 50.001 s, when the database is back.
    assert!((service(&waits, "front", Metric::HeldWorkers) - 500.0).abs() < 0.1);
}

fn paused(discipline: &str, rest: &str) -> PolicyResult {
    run(&format!(
        "seed = 1\nhorizon = \"1200s\"\n[[clients]]\nname = \"c\"\ncount = 100\n\
         load = {{ poisson = \"0.9/s\" }}\ntimeout = \"none\"\nretry = \"none\"\n\
         [server]\nrate = \"100/s\"\ndiscipline = \"{discipline}\"\n{rest}"
    ))
}

#[test]
fn a_backlog_that_shares_the_workers_is_a_backlog() {
    let pause = "[[faults]]\nkind = \"outage\"\nmode = \"pause\"\nat = \"100s\"\nfor = \"30s\"\n";
    let back = |discipline| paused(discipline, pause).recovery.unwrap().p50.unwrap();
    // 2,700 calls of which 10 per second are worked off on top of the new ones.
    assert!((back("fifo") - 270.0).abs() < 60.0, "{}", back("fifo"));
    assert!((back("ps") - back("fifo")).abs() < 10.0, "{} {}", back("ps"), back("fifo"));
    let crash = "crash = { when = \"queue > 500\", restart = \"1s\" }\n".to_string() + pause;
    assert!(!paused("ps", &crash).first.crashes.is_empty());
}

#[test]
fn a_fault_that_lasts_to_the_horizon_is_not_over() {
    let fault = "[[faults]]\nkind = \"outage\"\nat = \"100s\"\nfor = \"1100s\"\n";
    let policy = paused("fifo", fault);
    assert_eq!(policy.recovered.unwrap().k, 0);
    assert_eq!(policy.verdict.word, "does not recover");
}

fn acted(load: &str, server: &str, set: &str, rest: &str) -> PolicyResult {
    run(&format!(
        "seed = 1\nhorizon = \"200s\"\n[[clients]]\nname = \"c\"\ncount = 100\n\
         load = {{ {load} }}\ntimeout = \"none\"\nretry = \"none\"\n[server]\n{server}\n\
         [[actions]]\nat = \"100s\"\nset = {{ {set} }}\n{rest}"
    ))
}

#[test]
fn a_rate_that_an_action_raises_holds_from_then_on() {
    let raised = "\"c.load\" = { poisson = \"1/s\" }";
    let stopped = "step = [{ at = \"0s\", rate = \"0.1/s\" }, { at = \"50s\", rate = \"0/s\" }]";
    let server = "workers = 1000\nservice_time = \"1ms\"";
    for (load, calls) in [("poisson = \"0.01/s\"", 10_100.0), (stopped, 10_500.0)] {
        let found = mean(&acted(load, server, raised, ""), Metric::Calls);
        assert!((found - calls).abs() < 450.0, "{load}: {found}, not {calls}");
    }
}

#[test]
fn a_crash_rule_that_an_action_tightens_holds_from_then_on() {
    let server = "workers = 1000\nservice_time = \"1ms\"\n\
                  crash = { when = \"load > 2000/s\", restart = \"20s\" }";
    let tighter = "\"server.crash.when\" = \"load > 100/s\"";
    let felled = acted("poisson = \"5/s\"", server, tighter, "");
    assert!(felled.first.crashes.len() >= 3, "{:?}", felled.first.crashes);
}

#[test]
fn a_peak_is_measured_against_the_capacity_of_its_time() {
    let fault = "[[faults]]\nkind = \"outage\"\nat = \"150s\"\nfor = \"1s\"\n";
    let more = "\"server.workers\" = 10";
    let policy = acted("poisson = \"0.5/s\"", "workers = 1\nservice_time = \"100ms\"", more, fault);
    let over = mean(&policy, Metric::PeakOverCapacity);
    assert!(over < 1.0, "50 of 100 per second, found {over}");
    assert!(mean(&policy, Metric::QueueNeeded) < 50.0);
}

#[test]
fn the_cohort_ends_where_recovery_is() {
    // Ten calls a bin; those of the bin of the fault take two attempts.
    let policy =
        run("seed = 1\nhorizon = \"300s\"\nbin = \"10s\"\n[[clients]]\nname = \"c\"\ncount = 10\n\
         load = { periodic = \"10s\", phase = \"even\" }\ntimeout = \"none\"\n\
         retry = { max_attempts = 2, backoff = { constant = \"1ns\" } }\n\
         [server]\nworkers = 10\nservice_time = \"1ms\"\n\
         [[faults]]\nkind = \"errors\"\nshare = \"100%\"\nat = \"60s\"\nfor = \"10s\"\n");
    assert_eq!(mean(&policy, Metric::Amplification), 2.0);
}

#[test]
fn a_drain_that_some_runs_do_not_live_to_see_has_no_mean() {
    let text = "seed = 1\nhorizon = \"20s\"\nreps = 20\n[[clients]]\nname = \"c\"\ncount = 3\n\
                load = { burst = \"0s\" }\ntimeout = \"none\"\n\
                retry = { max_attempts = 2, backoff = { constant = \"1s\" } }\n\
                [server]\nworkers = 9\nservice_time = \"1ms\"\n\
                [[faults]]\nkind = \"errors\"\nshare = \"30%\"\nat = \"0s\"\nfor = \"10s\"\n\
                [[expect]]\nmetric = \"drain_s\"\nmax = \"20s\"\n";
    let scenario = scenario(text);
    let study = study(&scenario);
    let failed = study.policies[0].overall.get(Metric::Failed).unwrap().mean;
    assert!(failed > 0.0, "no run failed to drain: the test is blind");
    assert_eq!(study.policies[0].overall.get(Metric::DrainS), None);
    let claims = herdsim::study::check(&scenario.expects, &study);
    assert_eq!(claims[0].answer, Answer::NotMet);
}

/// A recorder that wants to hear so many records.
struct Few(u32);

impl Recorder for Few {
    fn record(&mut self, _: SimTime, _: Record) {
        self.0 = self.0.saturating_sub(1);
    }

    fn wants_more(&self) -> bool {
        self.0 > 0
    }
}

#[test]
fn a_run_ends_when_its_recorder_has_heard_enough() {
    let scenario = scenario(
        "seed = 1\nhorizon = \"100s\"\n[[clients]]\nname = \"c\"\ncount = 10\n\
         load = { poisson = \"1/s\" }\ntimeout = \"none\"\nretry = \"none\"\n\
         [server]\nworkers = 9\nservice_time = \"1ms\"\n",
    );
    let case = &scenario.policies[0];
    let (_, _, events) = herdsim::sim::play(&case.model, &case.actions, Seed::new(1), Few(20));
    assert!((1..=20).contains(&events), "{events}");
}

#[test]
fn the_lowest_quota_of_two_groups_is_not_that_of_the_first_alone() {
    let group = |name| {
        format!(
            "[[clients]]\nname = \"{name}\"\ncount = 10\nload = {{ burst = \"1s\" }}\n\
             timeout = \"none\"\nretry = {{ max_attempts = 2, \
             backoff = {{ constant = \"1s\" }}, budget = \"aws-quota\" }}\n"
        )
    };
    let two = format!("seed = 1\nhorizon = \"10s\"\n{}{}", group("a"), group("b"));
    let server = "[server]\nworkers = 20\nservice_time = \"1ms\"\n";
    let outage = "[[faults]]\nkind = \"outage\"\nat = \"0s\"\nfor = \"2s\"\n";
    assert_eq!(mean(&run(&format!("{two}{server}")), Metric::QuotaMin), 500.0);
    let lowest = mean(&run(&format!("{two}{server}{outage}")), Metric::QuotaMin);
    assert!((480.0..500.0).contains(&lowest), "{lowest}");
}

#[test]
fn a_first_moment_that_some_runs_do_not_live_to_see_has_no_mean_and_no_lower_bound() {
    let text = "seed = 1\nhorizon = \"100s\"\nreps = 10\nmeasure = { first_above = 4 }\n\
                [[clients]]\nname = \"c\"\ncount = 10\nload = { poisson = \"0.05/s\" }\n\
                timeout = \"none\"\nretry = \"none\"\n\
                [server]\nworkers = 1\nservice_time = { exponential = \"1s\" }\n\
                [[expect]]\nmetric = \"first_above_s\"\nmin = \"50s\"\n\
                [[expect]]\nmetric = \"first_above_s\"\nmax = \"50s\"\n";
    let scenario = scenario(text);
    let study = study(&scenario);
    let policy = &study.policies[0];
    let (metric, time) = policy.censored[0];
    assert_eq!(metric, Metric::FirstAboveS);
    assert!(time.lo.unwrap() < 50.0 && time.censored > 0, "{time:?}: the test is blind");
    assert_eq!(policy.overall.get(Metric::FirstAboveS), None);
    let claims = herdsim::study::check(&scenario.expects, &study);
    assert_eq!([claims[0].answer, claims[1].answer], [Answer::Undecided, Answer::NotMet]);
}

#[test]
fn attempts_that_no_call_of_the_run_stands_behind_do_not_amplify() {
    // The cohort is the second until the backlog is gone: ten calls are expected in it.
    let full = run("seed = 1\nhorizon = \"100s\"\n\
         start = { state = \"saturated\", backlog = 100 }\n\
         [[clients]]\nname = \"c\"\ncount = 100\nload = { poisson = \"0.1/s\" }\n\
         target = \"front\"\ntimeout = \"none\"\nretry = \"none\"\n\
         [[services]]\nname = \"front\"\nworkers = 10\nservice_time = \"100ms\"\n\
         calls = [{ to = \"db\", timeout = \"none\", retry = \"none\" }]\n\
         [[services]]\nname = \"db\"\nworkers = 10\nservice_time = \"1ms\"\n");
    assert_eq!(service(&full, "db", Metric::Amplification), 1.0);
    assert_eq!(mean(&full, Metric::Amplification), 2.0);
    assert_eq!(mean(&full, Metric::AmplificationTotal), 2.0);
}

#[test]
fn attempts_whose_calls_ended_before_the_run_do_not_amplify() {
    // Hundreds of callers have gone by time zero; their work is still queued.
    let settled = run("seed = 1\nhorizon = \"10s\"\n\
         start = { state = \"stationary\", settle = \"200s\" }\n\
         [[clients]]\nname = \"c\"\ncount = 1\nload = { poisson = \"2/s\" }\n\
         timeout = \"1s\"\nretry = \"none\"\n\
         [server]\nworkers = 1\nservice_time = \"1s\"\n");
    assert!(service(&settled, "server", Metric::Waiting) > 100.0, "the test is blind");
    assert_eq!(mean(&settled, Metric::AmplificationTotal), 1.0);
    let clients = &settled.clients[0].1;
    assert_eq!(clients.get(Metric::AmplificationTotal).unwrap().mean, 1.0);
}

#[test]
fn a_trace_may_begin_with_an_attempt_whose_call_has_ended() {
    let scenario = scenario(
        "seed = 1\nhorizon = \"10s\"\nstart = { state = \"stationary\", settle = \"10s\" }\n\
         [[clients]]\nname = \"c\"\ncount = 1\nload = { periodic = \"11s\" }\n\
         timeout = \"100ms\"\nretry = \"none\"\n\
         [server]\nworkers = 1\nservice_time = \"15s\"\n",
    );
    let lines = common::trace(&scenario);
    let inherited = lines.iter().find(|line| line["event"] == "inherited").unwrap();
    assert_eq!(inherited["caller"], serde_json::Value::Null);
}
