//! Many small runs on one thread and on two.

use std::time::Duration;

use herdsim::study;

use super::options::Options;
use super::table::{Table, Target, ratio};
use super::usage::{user_cpu, wall};
use super::{s1, targets};

/// Measures T13.
pub fn measure(options: &Options, table: &mut Table) {
    if !options.wants("t13") {
        return;
    }
    let runs = if options.quick { 100 } else { 1_000 };
    let mut scenario = s1::load(1_000, Duration::from_secs(6)).scenario;
    scenario.reps = runs;
    let (mut cpu, mut time) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for _ in 0..options.rounds().min(5) {
        for threads in [1, 2] {
            let began = (user_cpu(), wall());
            let options = study::Options { jobs: Some(threads), progress: &|| {} };
            let result = study::run(&scenario, &options).expect("the threads can be started");
            std::hint::black_box(&result);
            cpu[threads - 1].push((user_cpu() - began.0).as_secs_f64());
            time[threads - 1].push((wall() - began.1).as_secs_f64());
        }
    }
    let (most, least) = targets::SWEEP;
    let (value, spread) = ratio(&cpu[1], &cpu[0]);
    let what = format!("user CPU of {runs} runs on 2 threads by 1");
    table.add("T13", what, value, Target::AtMost(most), &spread);
    let (value, spread) = ratio(&time[0], &time[1]);
    let what = format!("times faster on 2 threads, {runs} runs (idle cores only)");
    table.add("T13", what, value, Target::AtLeast(least), &spread);
}
