//! `--until MEASURE=SHARE`: as many replications as it takes to know a measure so well.

use std::path::PathBuf;

use super::args::RunArgs;
use super::exit::Failure;
use super::{notes, run, terminal, trace};
use herdsim::metrics::Metric;
use herdsim::scenario::{Loaded, Options};
use herdsim::stats::{Interval, Outcome, Precision, Progress};
use herdsim::study::{PolicyResult, StudyResult};
use herdsim::units::Share;

/// Replications at most, unless `--reps` says otherwise.
const MOST: u32 = 1000;

/// Why it takes no scenario from standard input.
const ONCE: &str = "error: --until reads the scenario several times, and standard input only \
                    once\nhelp: save the scenario to a file";

/// A measure, and how well it is to be known.
struct Wish {
    metric: Metric,
    precision: Precision,
}

/// A study that knows enough, or as much as its replications allow.
struct Settled {
    loaded: Loaded,
    study: StudyResult,
    /// What is known of the measure, in words.
    words: String,
}

/// Runs a scenario with more and more replications. The results are those of `--reps` with the
/// number that it takes.
pub(crate) fn main(args: &RunArgs, wish: &str, dir: PathBuf) -> Result<(), Failure> {
    let common = &args.common;
    if args.scenario == "-" {
        return Err(Failure::Input(ONCE.to_string()));
    }
    let wish = parse(wish, common.reps.unwrap_or(MOST))?;
    // A folder that must not be written is refused before anything is simulated.
    run::prepare(&dir, &load(args, wish.precision.cap as u32)?.scenario, common.force)?;
    let started = notes::Clock::start();
    let Settled { loaded, study, words } = settle(args, &wish)?;
    let spent = started.spent();
    // It may hold what this scenario left there with other replications.
    let output = run::prepare(&dir, &loaded.scenario, true)?;
    let path = common.trace.as_deref();
    let trace = path.map(|path| trace::write(path, &loaded.scenario, common.force)).transpose()?;
    let job = run::Job { loaded: &loaded, dir, shows_parameters: common.verbose };
    let told = run::tell(&job, common, output, &study, trace, spent);
    terminal::tell(&words);
    told
}

/// Studies of more and more replications, until the measure is known well enough.
fn settle(args: &RunArgs, wish: &Wish) -> Result<Settled, Failure> {
    let mut reps = wish.precision.min as u32;
    loop {
        let loaded = load(args, reps)?;
        let study = run::simulate(&loaded.scenario, &args.common)?;
        let looks = study.policies.iter().map(|policy| look(policy, wish));
        let looks: Vec<Progress> = looks.collect::<Result<_, _>>()?;
        let more = looks.iter().map(more).max().unwrap_or(0);
        // A study that the user cut off has fewer than it was asked for. A measure that has no
        // meaning in some replications never has as many values as there may be replications.
        if more == 0 || study.reps < reps || reps as usize >= wish.precision.cap {
            let words = words(wish, &study, &looks);
            return Ok(Settled { loaded, study, words });
        }
        reps = (study.reps + more).min(wish.precision.cap as u32);
    }
}

/// Replications that are likely to be needed still.
fn more(look: &Progress) -> u32 {
    match look {
        Progress::More(more) => *more as u32,
        Progress::Ended(_) => 0,
    }
}

fn load(args: &RunArgs, reps: u32) -> Result<Loaded, Failure> {
    let options = run::options(&args.common);
    run::load(args, &Options { reps: Some(reps), ..options })
}

/// How well the measure is known under a policy.
fn look(policy: &PolicyResult, wish: &Wish) -> Result<Progress, Failure> {
    let found = policy.overall.get(wish.metric).ok_or_else(|| {
        let (name, label) = (wish.metric.name(), &policy.label);
        Failure::Input(format!("error: --until: {name} has no mean under \"{label}\""))
    })?;
    let (mean, lo, hi, n) = (found.mean, found.lo, found.hi, found.n as usize);
    Ok(wish.precision.look(Interval { mean, lo, hi, n }))
}

/// What is known of the measure: under the policy where it is known least.
fn words(wish: &Wish, study: &StudyResult, looks: &[Progress]) -> String {
    let reached = |look: &Progress| matches!(look, Progress::Ended(Outcome::Reached(_)));
    let estimates = study.policies.iter().filter_map(|policy| policy.overall.get(wish.metric));
    let relative = estimates.map(|e| (e.hi - e.lo) / 2.0 / e.mean.abs());
    let worst = 100.0 * relative.filter(|share| share.is_finite()).fold(0.0, f64::max);
    let (name, reps) = (wish.metric.name(), study.reps);
    let wanted = 100.0 * wish.precision.relative;
    if looks.iter().all(reached) {
        format!("{name} is known to ±{worst:.2} % after {reps} replications ({wanted} % wanted)")
    } else {
        format!("{name}: NOT REACHED, ±{worst:.2} % after {reps} replications ({wanted} % wanted)")
    }
}

/// `goodput_per_s=5%`.
fn parse(text: &str, most: u32) -> Result<Wish, Failure> {
    let bad = |reason: &str| {
        let example = "for example --until goodput_per_s=5%";
        Failure::Input(format!("error: --until {text}: {reason}\nhelp: {example}"))
    };
    if most < 2 {
        return Err(bad("one replication has no interval: --reps must be 2 or more"));
    }
    let (name, share) = text.split_once('=').ok_or_else(|| bad("there is no \"=\""))?;
    let share = Share::parse(share.trim()).map_err(|reason| bad(&reason))?.as_f64();
    if share <= 0.0 {
        return Err(bad("no number of replications makes an interval of no width"));
    }
    let metric = measure(name.trim()).map_err(|reason| bad(&reason))?;
    let precision = Precision::of_mean(share, most as usize);
    Ok(Wish { metric, precision: Precision { min: precision.min.min(precision.cap), ..precision } })
}

/// The measure of this name, if it has a mean.
fn measure(name: &str) -> Result<Metric, String> {
    let metric = Metric::ALL.into_iter().find(|metric| metric.name() == name);
    match metric {
        Some(Metric::RecoveryS) => {
            Err("a run may not recover, so that recovery_s has no mean".to_string())
        }
        Some(metric) => Ok(metric),
        None => Err(unknown(name)),
    }
}

/// A name that no measure has, and the nearest that one has.
fn unknown(name: &str) -> String {
    let far = |metric: &Metric| strsim::damerau_levenshtein(metric.name(), name);
    let known = Metric::ALL.into_iter().filter(|_| name.len() <= 64); // very long words are noise
    let nearest = known.min_by_key(far);
    let nearest = nearest.filter(|metric| far(metric) <= 1 + name.len() / 3);
    let hint = nearest.map_or(String::new(), |m| format!(", did you mean \"{}\"?", m.name()));
    format!("there is no measure \"{name}\"{hint}")
}
