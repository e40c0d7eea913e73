//! The queue alone, and the whole model on it.

use std::time::Duration;

use herdsim::scenario::PolicyCase;
use herdsim::sim::simulate;

use super::clock::{median, timed};
use super::hold::{Own, Waits};
use super::options::Options;
use super::reference::Reference;
use super::table::{Table, Target, grouped, ratio, short};
use super::{naive, s1, targets};

const SIZES: [u32; 5] = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// How long the scenario is simulated with so many clients: the fewer, the longer.
pub fn horizon(clients: u32) -> Duration {
    Duration::from_millis(match clients {
        0..10_000 => 60_000,
        10_000..100_000 => 12_000,
        100_000..1_000_000 => 6_000,
        _ => 2_400,
    })
}

/// What is measured with so many clients, or events pending: nanoseconds by round.
struct Size<'w> {
    clients: u32,
    reference: Side<Reference<'w>>,
    own: Side<Own<'w>>,
    /// A run with all its measures.
    whole: Side<Model>,
    /// A run of which nothing is kept.
    bare: Side<Model>,
    /// What the library does in one go: a run, and the twin that it is compared with.
    twin: Side<Model>,
    naive: Side<u64>,
}

/// One side of a ratio, if it is wanted, and nanoseconds per hold or attempt.
struct Side<T> {
    thing: Option<T>,
    ns: Vec<f64>,
}

struct Model {
    case: PolicyCase,
    attempts: u64,
}

/// Measures T1 to T4, T8, T12 and the cost of the twin.
pub fn measure(options: &Options, table: &mut Table) {
    if !options.wants_any(&["t1", "t2", "t3", "t4", "t8", "t12", "twin"]) {
        return;
    }
    let waits = Waits::draw();
    let biggest = if options.quick { 100_000 } else { 10_000_000 };
    let sizes = SIZES.into_iter().filter(|clients| *clients <= biggest);
    let mut sizes: Vec<Size> = sizes.map(|clients| Size::new(clients, &waits, options)).collect();
    for round in 0..options.rounds() {
        eprintln!("round {} of {}", round + 1, options.rounds());
        for size in &mut sizes {
            size.round(options);
        }
    }
    for size in &sizes {
        size.hold_rows(options, table);
    }
    for size in &sizes {
        size.model_rows(options, table);
    }
    if options.wants("t4") {
        growth(&sizes, table);
    }
}

impl<'w> Size<'w> {
    fn new(clients: u32, waits: &'w Waits, options: &Options) -> Size<'w> {
        let small = clients <= 1_000_000;
        let model = small || options.huge;
        let wants = |rows: &[&str], fits: bool| fits && options.wants_any(rows);
        let whole = wants(&["t2", "t3", "t4", "t8", "t12"], model);
        let twin = wants(&["twin"], clients == 10_000);
        let mut size = Size {
            clients,
            reference: side(wants(&["t1", "t3"], true), || Reference::new(waits, clients)),
            own: side(wants(&["t1", "t2"], true), || Own::new(waits, clients)),
            whole: side(whole || twin, || Model::new(clients, false)),
            bare: side(wants(&["t12"], small), || Model::new(clients, false)),
            twin: side(twin, || Model::new(clients, true)),
            naive: side(wants(&["t8"], small), || {
                naive::run(clients, horizon(clients), 1).0.attempts
            }),
        };
        // A queue is in its steady state when every event has had its turn.
        let turns = if options.quick { clients.min(100_000) } else { clients };
        size.reference.thing.iter_mut().for_each(|hold| hold.hold(turns.into()));
        size.own.thing.iter_mut().for_each(|hold| hold.hold(turns.into()));
        size
    }

    fn round(&mut self, options: &Options) {
        let turns = if options.quick { 200_000 } else { 1_000_000 };
        let horizon = horizon(self.clients);
        self.reference.time(|hold| timed(|| hold.hold(turns)), |_| turns);
        self.own.time(|hold| timed(|| hold.hold(turns)), |_| turns);
        let attempts = |model: &Model| model.attempts;
        self.whole.time(|model| timed(|| s1::with_measures(&model.case, 1)).discard(), attempts);
        self.bare.time(|model| timed(|| s1::without_measures(&model.case, 1)).discard(), attempts);
        let seed = herdsim::rng::Seed::new(1);
        self.twin.time(|model| timed(|| simulate(&model.case, seed, false)).discard(), attempts);
        let clients = self.clients;
        self.naive.time(|_| timed(|| naive::run(clients, horizon, 1)).discard(), |count| *count);
    }

    fn hold_rows(&self, options: &Options, table: &mut Table) {
        if !options.wants("t1") || self.own.ns.is_empty() {
            return;
        }
        let (value, spread) = ratio(&self.reference.ns, &self.own.ns);
        let note = format!("x{spread}, {} of {} ns", self.own.ns(), self.reference.ns());
        let what = format!("queue against std heap, {} pending", grouped(self.clients));
        table.add("T1", what, value, least(targets::of(targets::HOLD, self.clients)), &note);
    }

    fn model_rows(&self, options: &Options, table: &mut Table) {
        let clients = grouped(self.clients);
        let mut add = |name: &str, what: &str, of: (f64, String), target: Target, note: String| {
            if options.wants(name) {
                table.add(
                    name,
                    format!("{what}, {clients} clients"),
                    of.0,
                    target,
                    &(of.1 + &note),
                );
            }
        };
        if self.whole.ns.is_empty() {
            return;
        }
        let ns = format!(", {} ns", self.whole.ns());
        if let Some(figure) = targets::of(targets::MODEL_BY_OWN_HOLD, self.clients) {
            let of = ratio(&self.whole.ns, &self.own.ns);
            add("T2", "attempt in own holds", of, Target::AtMost(figure), ns.clone());
        }
        if let Some(figure) = targets::of(targets::MODEL_BY_REFERENCE, self.clients) {
            let of = ratio(&self.whole.ns, &self.reference.ns);
            add("T3", "attempt in std-heap holds", of, Target::AtMost(figure), ns);
        }
        if !self.naive.ns.is_empty() {
            let of = ratio(&self.naive.ns, &self.whole.ns);
            let note = format!(", {} of {} ns", self.whole.ns(), self.naive.ns());
            let target = least(targets::of(targets::NAIVE, self.clients));
            add("T8", "times faster than closures", of, target, note);
        }
        if !self.bare.ns.is_empty() {
            let extra: Vec<f64> =
                self.whole.ns.iter().zip(&self.bare.ns).map(|(whole, bare)| whole - bare).collect();
            let of = ratio(&extra, &self.whole.ns);
            let target = Target::AtMost(targets::MEASURES_SHARE);
            add("T12", "share of measures", of, target, String::new());
        }
        if !self.twin.ns.is_empty() {
            let of = ratio(&self.twin.ns, &self.whole.ns);
            let what = "attempt of a run and its twin by one of the run alone";
            add("twin", what, of, Target::Shown, String::new());
        }
    }
}

fn growth(sizes: &[Size], table: &mut Table) {
    for size in sizes {
        let Some(figure) = targets::of(targets::GROWTH, size.clients) else { continue };
        if size.whole.ns.is_empty() {
            continue;
        }
        let (value, spread) = ratio(&size.whole.ns, &sizes[0].whole.ns);
        let what = format!("attempt with {} clients by 1,000", grouped(size.clients));
        let note = format!("{spread}, {} of {} ns", size.whole.ns(), sizes[0].whole.ns());
        table.add("T4", what, value, Target::AtMost(figure), &note);
    }
}

fn least(figure: Option<f64>) -> Target {
    figure.map_or(Target::Shown, Target::AtLeast)
}

fn side<T>(wanted: bool, make: impl FnOnce() -> T) -> Side<T> {
    Side { thing: wanted.then(make), ns: Vec::new() }
}

impl<T> Side<T> {
    /// Takes its turn, of which `units` were done.
    fn time(&mut self, work: impl FnOnce(&mut T) -> ((), Duration), units: impl FnOnce(&T) -> u64) {
        let Some(thing) = &mut self.thing else { return };
        let ((), took) = work(thing);
        self.ns.push(took.as_nanos() as f64 / units(thing) as f64);
    }

    fn ns(&self) -> String {
        short(median(&self.ns))
    }
}

/// A measurement of which only the time counts.
trait Discard {
    fn discard(self) -> ((), Duration);
}

impl<T> Discard for (T, Duration) {
    fn discard(self) -> ((), Duration) {
        ((), self.1)
    }
}

impl Model {
    /// The scenario, and the attempts of one run; `twin` for those of its twin as well.
    fn new(clients: u32, twin: bool) -> Model {
        let case = s1::case(clients, horizon(clients));
        let mut attempts = s1::counts(&case, 1).attempts;
        if twin {
            let mut calm = case.clone();
            calm.model = case.model.undisturbed();
            attempts += s1::counts(&calm, 1).attempts;
        }
        Model { case, attempts }
    }
}
