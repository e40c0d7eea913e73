//! Instructions, which repeat to the last digit: the gate against regressions.
//!
//! `benches/gate.sh` runs this and compares with `benches/instructions.txt`. It needs valgrind
//! and gungraun-runner, and says so where they are missing.

#![allow(missing_docs, reason = "of what the macros make")]

#[path = "common/hold.rs"]
mod hold;
#[path = "common/s1.rs"]
mod s1;

use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::Duration;

use gungraun::{Callgrind, LibraryBenchmarkConfig};
use gungraun::{library_benchmark, library_benchmark_group, main};
use herdsim::scenario::PolicyCase;

/// Clients of the whole model.
const CLIENTS: u32 = 10_000;
/// Horizons: attempts and instructions are the differences of two runs.
const SECONDS: [u64; 2] = [20, 40];

fn case(seconds: u64) -> PolicyCase {
    s1::case(CLIENTS, Duration::from_secs(seconds))
}

#[library_benchmark]
#[bench::short(args = (SECONDS[0]), setup = case)]
#[bench::long(args = (SECONDS[1]), setup = case)]
fn whole_model(case: PolicyCase) -> u64 {
    black_box(s1::with_measures(black_box(&case), 1))
}

#[library_benchmark]
#[bench::short(args = (SECONDS[0]), setup = case)]
fn without_measures(case: PolicyCase) -> u64 {
    black_box(s1::without_measures(black_box(&case), 1))
}

fn pending(count: u32) -> hold::Own<'static> {
    hold::Own::new(Box::leak(Box::new(hold::Waits::draw())), count)
}

#[library_benchmark]
#[bench::of_10_000(args = (10_000), setup = pending)]
fn queue(mut own: hold::Own<'static>) -> hold::Own<'static> {
    own.hold(200_000);
    black_box(own)
}

#[library_benchmark]
fn read_scenario() -> herdsim::scenario::Loaded {
    black_box(s1::load(black_box(CLIENTS), Duration::from_secs(20)))
}

library_benchmark_group!(
    name = counts,
    benchmarks = [whole_model, without_measures, queue, read_scenario]
);

fn there(program: &str) -> bool {
    let mut asked = Command::new(program);
    let asked = asked.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    asked.status().is_ok_and(|status| status.success())
}

/// Whether the tools are there; says which is not.
fn can_count() -> bool {
    let runner = option_env!("GUNGRAUN_RUNNER").unwrap_or("gungraun-runner");
    let install = "`cargo install gungraun-runner --version 0.20.0 --locked`";
    for (program, remedy) in [("valgrind", "your system's package"), (runner, install)] {
        if !there(program) {
            println!("skipped: no {program}; install it with {remedy}");
            return false;
        }
    }
    true
}

fn main() {
    // Under valgrind this program is started once more for every benchmark.
    if !std::env::args().any(|arg| arg == "--gungraun-run") {
        if !can_count() {
            return;
        }
        let [short, long] = SECONDS.map(|seconds| s1::counts(&case(seconds), 1).attempts);
        println!("attempts {short} {long}");
    }
    // The macro makes a function of this name, which hides the one around it.
    main!(
        config = LibraryBenchmarkConfig::default()
            .tool(Callgrind::with_args(["--cache-sim=no"]));
        library_benchmark_groups = counts
    );
    main();
}
