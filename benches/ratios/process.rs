//! What takes a process of its own: memory, start-up, the demo.

use std::process::{Command, Stdio};
use std::time::Duration;

use super::clock::median;
use super::models::horizon;
use super::options::Options;
use super::table::{Table, Target, ratio, short};
use super::usage::{children, wall};
use super::{s1, targets};

const HERDSIM: &str = env!("CARGO_BIN_EXE_herdsim");

/// In the child: one run, then its peak memory in KiB.
pub fn one_run(clients: u32) {
    let case = s1::case(clients, Duration::from_millis(2_400));
    std::hint::black_box(s1::with_measures(&case, 1));
    // The usage of a process counts what its parent had before; this file does not.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    println!("{}", kib.unwrap_or_default());
}

/// In the child: the demo, then its user CPU in milliseconds and its peak memory in KiB.
pub fn one_demo() {
    let folder = std::env::temp_dir().join(format!("herdsim-bench-{}", std::process::id()));
    let demo = Command::new(HERDSIM).args(["demo", "--quiet", "--out"]).arg(&folder).output();
    let worked = demo.is_ok_and(|output| output.status.success());
    let _ = std::fs::remove_dir_all(&folder);
    assert!(worked, "the demo failed");
    let (cpu, kib) = children();
    println!("{} {kib}", cpu.as_millis());
}

/// What a child of this program prints, as numbers.
fn child(args: &[&str]) -> Vec<f64> {
    let own = std::env::current_exe().expect("this program has a path");
    let output = Command::new(own).args(args).output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// Measures T11: peak memory of a process that does one run.
pub fn memory(options: &Options, table: &mut Table) {
    if !options.wants("t11") {
        return;
    }
    let clients = if options.quick { 100_000 } else { 1_000_000 };
    let peak = |clients: u32| child(&["--child", &clients.to_string()]).first().copied();
    let (Some(few), Some(many)) = (peak(1_000), peak(clients)) else { return };
    if few == 0.0 {
        eprintln!("T11 skipped: there is no /proc/self/status");
        return;
    }
    let bytes = (many - few) * 1024.0 / f64::from(clients - 1_000);
    let note = format!(" B, {} MB beside {} MB with 1,000", short(many / 1e3), short(few / 1e3));
    let what = format!("peak memory per client, {} clients", super::table::grouped(clients));
    table.add("T11", what, bytes, Target::AtMost(targets::BYTES_PER_CLIENT), &note);
}

/// Measures how long the binary takes to start and to end, beside a program that does nothing.
pub fn start_up(options: &Options, table: &mut Table) {
    if !options.wants("start") {
        return;
    }
    let time = |program: &str, args: &[&str]| {
        let began = wall();
        let ended = Command::new(program).args(args).stdout(Stdio::null()).status();
        ended.is_ok_and(|status| status.success()).then(|| (wall() - began).as_secs_f64() * 1e3)
    };
    let (mut own, mut nothing) = (Vec::new(), Vec::new());
    for _ in 0..if options.quick { 30 } else { 200 } {
        own.extend(time(HERDSIM, &["--version"]));
        nothing.extend(time("true", &[]));
    }
    if own.is_empty() || own.len() != nothing.len() {
        eprintln!("start skipped: no program `true` to compare with");
        return;
    }
    // Single starts are disturbed: the ratio is that of the medians.
    let (own, nothing) = (median(&own), median(&nothing));
    let note = format!("x, {} of {} ms", short(own), short(nothing));
    let what = "`herdsim --version` by `true`, from start to end".to_string();
    table.add("start", what, own / nothing, Target::Shown, &note);
}

/// Measures the demo, in runs of the 10,000-client scenario.
pub fn demo(options: &Options, table: &mut Table) {
    if !options.wants("demo") {
        return;
    }
    let case = s1::case(10_000, horizon(10_000));
    let (mut time, mut cpu, mut peak, mut run) = (vec![], vec![], vec![], vec![]);
    for _ in 0..3 {
        let began = wall();
        let told = child(&["--child-demo"]);
        time.push((wall() - began).as_secs_f64());
        let [user, kib] = told[..] else { return };
        cpu.push(user / 1e3);
        peak.push(kib / 1e3);
        let (_, took) = super::clock::timed(|| s1::with_measures(&case, 1));
        run.push(took.as_secs_f64());
    }
    let seconds = Target::AtMost(targets::DEMO_SECONDS);
    table.add(
        "demo",
        "`herdsim demo`, seconds on the wall".to_string(),
        median(&time),
        seconds,
        "",
    );
    let (value, spread) = ratio(&cpu, &run);
    let note = format!(
        "x{spread}: {} s of user CPU, peak {} MB",
        short(median(&cpu)),
        short(median(&peak)),
    );
    let what = "`herdsim demo` by one run with 10,000 clients".to_string();
    table.add("demo", what, value, Target::Shown, &note);
}
