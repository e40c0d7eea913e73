//! The terminal: colour or not, progress or not.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::args::Color;

/// Whether messages on standard error are coloured.
pub(crate) fn is_colored(color: Color) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if set("NO_COLOR") => false,
        Color::Auto if set("CLICOLOR_FORCE") => true,
        Color::Auto => std::env::var("TERM").as_deref() != Ok("dumb") && is_terminal(),
    }
}

/// A progress bar for so many runs; on a terminal only.
pub(crate) fn progress(runs: u64, quiet: bool) -> ProgressBar {
    if quiet || !is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:32} {pos}/{len} runs, {elapsed}, left {eta}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(runs).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Writes a line to standard error; when nobody reads it, that is no reason to fail.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Set by the first Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// From now on the first Ctrl-C sets the flag that this gives, and a second one ends the program.
pub(crate) fn stop_on_interrupt() -> &'static AtomicBool {
    // When the system refuses, Ctrl-C ends the program at once: files are whole all the same.
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        tell("interrupted: finishing the runs in progress; Ctrl-C again ends at once");
    });
    &STOP
}

fn is_terminal() -> bool {
    std::io::stderr().is_terminal()
}
