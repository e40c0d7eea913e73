//! The terminal: colour or not, progress or not.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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

/// Steps of a bar that shows a share.
const STEPS: u64 = 10_000;

/// A progress bar for so many checks; on a terminal only.
pub(crate) fn progress(checks: u64, quiet: bool) -> ProgressBar {
    bar(checks, "{bar:32} {pos}/{len} checks, {elapsed}, left {eta}", quiet)
}

/// How much of the work is done, on a terminal only; told from any thread.
pub(crate) struct Share {
    bar: ProgressBar,
    reached: AtomicU64,
}

impl Share {
    /// A bar for so many runs together.
    pub(crate) fn of_runs(runs: u64, quiet: bool) -> Share {
        let runs = if runs == 1 { "1 run".to_string() } else { format!("{runs} runs") };
        let template = format!("{{bar:32}} {{percent}} % of {runs}, {{elapsed}}, left {{eta}}");
        Share { bar: bar(STEPS, &template, quiet), reached: AtomicU64::new(0) }
    }

    /// So much is done (0 … 1). The bar never goes back, whichever thread comes first.
    pub(crate) fn reach(&self, share: f64) {
        let step = (share * STEPS as f64) as u64;
        let further = self.reached.load(Ordering::Relaxed) < step;
        if further && self.reached.fetch_max(step, Ordering::Relaxed) < step {
            self.bar.set_position(step);
        }
    }

    /// Takes it off the screen.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn bar(steps: u64, template: &str, quiet: bool) -> ProgressBar {
    if quiet || !is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template);
    let bar = ProgressBar::new(steps);
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
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
        tell("interrupted: what is whole is kept; Ctrl-C again ends at once");
    });
    &STOP
}

fn is_terminal() -> bool {
    std::io::stderr().is_terminal()
}
