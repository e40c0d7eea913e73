//! What is said beside the results: parameters, claims, the simulator's own work, and what the
//! model leaves out.

use super::memory;
use herdsim::rng::{Purpose, Seed};
use herdsim::scenario::{Explained, PolicyCase, Scenario};
use herdsim::study::{Answer, Claim, StudyResult};

/// A stopwatch for the simulator's own work: never part of a result.
pub(crate) struct Clock {
    started: std::time::Instant,
    /// Memory of the program at that moment, in bytes.
    before: Option<u64>,
}

/// What a study took.
#[derive(Clone, Copy)]
pub(crate) struct Spent {
    /// Wall time (s).
    seconds: f64,
    /// Memory at its peak, and what was added to it, in bytes.
    memory: Option<(u64, u64)>,
}

impl Clock {
    /// Starts it.
    #[expect(clippy::disallowed_methods, reason = "tells the user how long the run took")]
    pub(crate) fn start() -> Clock {
        Clock { started: std::time::Instant::now(), before: memory::now() }
    }

    /// What was taken since it was started.
    pub(crate) fn spent(&self) -> Spent {
        let memory = memory::peak().zip(self.before);
        let memory = memory.map(|(peak, before)| (peak, peak.saturating_sub(before)));
        Spent { seconds: self.started.elapsed().as_secs_f64(), memory }
    }
}

/// Seeds of replications that are shown; the rule gives the others.
const SEEDS: u32 = 8;

/// What the numbers rest on and what they took: version, generator, streams, seeds, events, wall
/// time, memory.
pub(crate) fn own_work(
    study: &StudyResult,
    scenario: &Scenario,
    spent: Spent,
    jobs: Option<usize>,
) -> String {
    let seconds = spent.seconds;
    let events: u64 = study.policies.iter().map(|policy| policy.events).sum();
    let millions = events as f64 / 1e6;
    let speed = millions / seconds;
    let version = env!("CARGO_PKG_VERSION");
    let purposes: Vec<String> = Purpose::ALL.iter().map(|p| p.name().to_string()).collect();
    [
        format!("\nherdsim {version}; generator {}\n", study.generator),
        "streams: found by seed, purpose, key (a group, a load, a client or a call)\n         and \
         index (the number of the call or of the attempt), never by the order of draws\n"
            .to_string(),
        wrap("purposes", &purposes),
        wrap("seeds", &seeds(study)),
        format!("work: {millions:.2} million events in {seconds:.2} s: {speed:.1} million/s\n"),
        memory_line(scenario, study.reps, spent, jobs).unwrap_or_default(),
    ]
    .concat()
}

/// `memory: 52 MB at its peak, 49 bytes per client`, where it is known. Threads have a run each in
/// the memory, so that it is shared by the clients of so many runs; a policy may have its own
/// number of clients, and that with the most counts.
fn memory_line(
    scenario: &Scenario,
    reps: u32,
    spent: Spent,
    jobs: Option<usize>,
) -> Option<String> {
    let (peak, added) = spent.memory?;
    let clients = |case: &PolicyCase| -> u64 {
        case.model.groups.iter().map(|group| u64::from(group.count)).sum()
    };
    let clients = scenario.policies.iter().map(clients).max().unwrap_or(0);
    let runs = scenario.policies.len() as u64 * u64::from(reps);
    let runs = (threads(jobs) as u64).min(runs);
    let each = added as f64 / (clients * runs).max(1) as f64;
    let mb = peak as f64 / 1e6;
    let at_a_time = if runs == 1 { String::new() } else { format!(" of {runs} runs at a time") };
    Some(format!("memory: {mb:.0} MB at its peak, {each:.0} bytes per client{at_a_time}\n"))
}

/// The threads of a study.
fn threads(jobs: Option<usize>) -> usize {
    let set = || std::env::var("RAYON_NUM_THREADS").ok()?.parse().ok().filter(|n| *n > 0);
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    jobs.or_else(set).unwrap_or_else(cores)
}

/// The seed of every replication, or of the first few and the rule.
fn seeds(study: &StudyResult) -> Vec<String> {
    let first = Seed::new(study.seed);
    let seed = |index: u32| format!("{index}: {}", first.replication(u64::from(index)).as_u64());
    let mut seeds: Vec<String> = (0..study.reps.min(SEEDS)).map(seed).collect();
    if study.reps > SEEDS {
        let stream = format!("the first number of the stream ({}, replication, i, 0)", study.seed);
        seeds.push(format!("replication i > 0: {stream}"));
    }
    seeds
}

/// All parameters, one line for every part of the system.
pub(crate) fn parameters(explained: &[Explained]) -> String {
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for Explained { path, value, policy, .. } in explained {
        // What is different under a policy stands under the name of the policy.
        let (part, key) = match policy {
            Some(label) => (format!("policy \"{label}\""), path.as_str()),
            None => {
                let (part, key) = path.split_once('.').unwrap_or(("run", path));
                (part.to_string(), key)
            }
        };
        let entry = format!("{key} = {value}");
        match lines.iter_mut().find(|(name, _)| *name == part) {
            Some((_, entries)) => entries.push(entry),
            None => lines.push((part, vec![entry])),
        }
    }
    let line = |(part, entries): &(String, Vec<String>)| wrap(part, entries);
    lines.iter().map(line).collect()
}

/// `part: a, b, c`, broken at 100 columns.
fn wrap(part: &str, entries: &[String]) -> String {
    let mut text = String::new();
    let mut line = format!("{part}:");
    for entry in entries {
        if line.chars().count() + entry.chars().count() + 2 > 100 {
            text.push_str(&line);
            text.push('\n');
            line = " ".repeat(part.chars().count() + 1);
        }
        line.push_str(&format!(" {entry};"));
    }
    text.push_str(line.trim_end_matches(';'));
    text.push('\n');
    text
}

/// What the scenario claims, and whether it is so.
pub(crate) fn claims(claims: &[Claim]) -> String {
    if claims.is_empty() {
        return String::new();
    }
    let lines: String = claims.iter().map(|c| format!("  {}\n", claim(c))).collect();
    format!("\nExpectations:\n{lines}")
}

/// One claim with its answer.
pub(crate) fn claim(claim: &Claim) -> String {
    let answer = match claim.answer {
        Answer::Met => "met",
        Answer::NotMet => "NOT MET",
        Answer::Undecided => "UNDECIDED",
    };
    format!("{answer}: {} (found {})", claim.summary, claim.found)
}

/// How the model works and what it leaves out.
pub(crate) fn model() -> Vec<String> {
    [
        "Every client, every attempt and every worker is simulated by itself, event by event, in \
         whole nanoseconds. Events of one instant have an order: completions, then changes of the \
         system, then timeouts, then arrivals; clients of one instant come in an order that is \
         drawn per seed.",
        "Random numbers belong to a purpose, a client, a call and an attempt, never to the order \
         of draws: all policies meet the same arrivals, the same work and the same network, so \
         that a difference between them is theirs.",
        "Recovery is measured against a twin: the same run without the faults. A service is back \
         to normal when its backlog is what the twin's is 99 % of the time and its goodput is \
         within 5 % of the twin's, and both last.",
        "A timeout or a reply is never cancelled: the caller compares it with the attempt it waits \
         for. A service that does not look (stale_work = \"served\") works for callers that have \
         gone, and that work is counted as wasted.",
        "Left out: connections and their set-up, packet loss, load balancers and several instances \
         of a service, garbage collection, caches, the cost of refusing an attempt, clocks that \
         disagree. A reject costs the service nothing; a crashed service loses its queue, resets \
         its callers' connections and refuses everything until it has restarted.",
    ]
    .map(|paragraph| paragraph.to_string())
    .to_vec()
}
