//! What the user typed: the only user of clap.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Exit codes, for `--help`.
const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    internal error
  2    usage, scenario or input error: nothing was written
  4    an [[expect]] of the scenario was not met or could not be decided
  130  interrupted";

/// Simulates retry storms: does the service come back, when, and what does the retry policy change?
#[derive(Debug, Parser)]
#[command(name = "herdsim", version, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Show the classic herd: a thousand clients, a 30 s outage, four retry policies
    #[command(after_help = "Example:\n  herdsim demo --out output/demo --force")]
    Demo(DemoArgs),
    /// Simulate a scenario, every [[policy]] in it side by side
    #[command(after_help = "Example:\n  herdsim run scenarios/thundering-herd.toml --reps 5")]
    Run(RunArgs),
    /// Simulate models with exact answers on this machine, and compare
    #[command(after_help = "Example:\n  herdsim verify --only M/M/c")]
    Verify(VerifyArgs),
    /// List the retry policies of real libraries, or tell all about one
    #[command(after_help = "Example:\n  herdsim presets kafka")]
    Presets(PresetsArgs),
    /// Print when a policy retries, how spread its clients are, and the total
    #[command(after_help = "Example:\n  herdsim schedule --base 1s --factor 2 --cap 300s \
                            --retries 6")]
    Schedule(ScheduleArgs),
    /// Check scenario files without running them
    #[command(after_help = "Example:\n  herdsim check scenarios/thundering-herd.toml")]
    Check(CheckArgs),
    /// Print every effective parameter and where it came from
    #[command(after_help = "Example:\n  herdsim explain scenarios/nats-reconnect.toml")]
    Explain(ExplainArgs),
    /// Write a commented scenario to edit
    #[command(after_help = "Example:\n  herdsim init my.toml")]
    Init(InitArgs),
    /// Print the JSON Schema of scenario files
    #[command(after_help = "Example:\n  herdsim schema")]
    Schema,
    /// Print the completions of a shell
    #[command(after_help = "Example:\n  herdsim completions bash")]
    Completions(CompletionsArgs),
    /// Print the manual page, of the program or of one verb
    #[command(after_help = "Example:\n  herdsim man")]
    Man(ManArgs),
}

/// Arguments of `presets`.
#[derive(Debug, Args)]
pub(crate) struct PresetsArgs {
    /// The preset to tell all about; all of them, in a line each, when it is left out
    pub(crate) name: Option<String>,
    /// What to print, and where its files go.
    #[command(flatten)]
    pub(crate) shown: Shown,
    /// What to print on standard output
    #[arg(long, value_enum, default_value_t = PresetsFormat::Table)]
    pub(crate) format: PresetsFormat,
}

/// Arguments of `schedule`.
#[derive(Debug, Args)]
pub(crate) struct ScheduleArgs {
    /// The policy of a library (`herdsim presets` lists them), of which the other options change
    /// what they name
    #[arg(long)]
    pub(crate) preset: Option<String>,
    /// Wait before the first retry [default: 1s]
    #[arg(long)]
    pub(crate) base: Option<String>,
    /// What every further retry multiplies the wait by [default: 2]
    #[arg(long)]
    pub(crate) factor: Option<String>,
    /// The longest wait
    #[arg(long)]
    pub(crate) cap: Option<String>,
    /// Where the cap acts: before-jitter, after-jitter or around-jitter
    #[arg(long)]
    pub(crate) cap_position: Option<String>,
    /// Retries, 0 to 100 [default: those of the preset, at most 10; 6 without one]
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) retries: Option<u32>,
    /// How a wait is spread: none, full, equal, proportional=20%, or any other of a scenario
    #[arg(long)]
    pub(crate) jitter: Option<String>,
    /// Any other key of a layer of retries: floor=500ms, backoff.linear.step=2s
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// What to print, and where its files go.
    #[command(flatten)]
    pub(crate) shown: Shown,
    /// What to print on standard output
    #[arg(long, value_enum, default_value_t = ScheduleFormat::Table)]
    pub(crate) format: ScheduleFormat,
}

/// Options of what is computed and not simulated.
#[derive(Debug, Args)]
pub(crate) struct Shown {
    /// Folder for the calendar as JSON and CSV, and the chart of clients that wait alike [default:
    /// none is written]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write into a folder that holds something else
    #[arg(long)]
    pub(crate) force: bool,
    /// Print no "wrote" lines
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Colour of messages
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

/// What `presets` prints on standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PresetsFormat {
    /// A table for people
    Table,
    /// One JSON array
    Json,
}

/// What `schedule` prints on standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScheduleFormat {
    /// A table for people
    Table,
    /// One JSON object
    Json,
    /// One line per retry
    Csv,
}

/// Arguments of `init`.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// File to write; `-` for standard output
    pub(crate) file: PathBuf,
    /// Write over a file that is there
    #[arg(long)]
    pub(crate) force: bool,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The verb; the whole program when it is left out
    pub(crate) verb: Option<String>,
}

/// Arguments of `demo`.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// How it is run and where the results go.
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Arguments of `run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Scenario file in TOML or JSON; `-` for standard input
    pub(crate) scenario: String,
    /// Go on until the 95 % interval of a measure is within so much of its mean under every policy:
    /// goodput_per_s=5%; --reps is then the most [default: 1000]
    #[arg(long, value_name = "MEASURE=SHARE")]
    pub(crate) until: Option<String>,
    /// How it is run and where the results go.
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Only models with this in their name
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Option<String>,
    /// Seed of the simulations
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// What to print on standard output
    #[arg(long, value_enum, default_value_t = VerifyFormat::Table)]
    pub(crate) format: VerifyFormat,
    /// Threads [default: RAYON_NUM_THREADS, or one per core]; results do not depend on it
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) jobs: Option<u32>,
    /// Print no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// What `verify` prints on standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerifyFormat {
    /// A table for people
    Table,
    /// One JSON object
    Json,
    /// One line per check
    Csv,
    /// The tables of docs/validation.md
    Markdown,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Scenario files; `-` for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<String>,
    /// Colour of messages
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Scenario file, `-` for standard input, or `demo` for the built-in scenario
    pub(crate) scenario: String,
    /// Change a key: web.count=500, web.retry.jitter=full
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = ExplainFormat::Table)]
    pub(crate) format: ExplainFormat,
    /// Colour of messages
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

/// Options of everything that simulates.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Seed of the first replication
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Independent replications per policy
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) reps: Option<u32>,
    /// Change a key: web.count=500, web.retry.jitter=full
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
    /// Folder for the results [default: output/<scenario>]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write into a folder that holds something else, or over a file
    #[arg(long)]
    pub(crate) force: bool,
    /// Write every event of replication 0 as JSON Lines; at most 1,000,000 lines over all
    /// policies, otherwise nothing is run
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// What to print on standard output
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    /// Threads [default: RAYON_NUM_THREADS, or one per core]; results do not depend on it
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) jobs: Option<u32>,
    /// Draw no charts
    #[arg(long)]
    pub(crate) no_charts: bool,
    /// Print no progress and no "wrote" lines
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Also print the simulator's own work and all parameters
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Colour of messages
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

/// What to print on standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table, timelines and verdicts for people
    Table,
    /// One JSON object
    Json,
    /// One JSON object per policy and line
    Jsonl,
    /// One line per policy, part and measure
    Csv,
}

/// How to print parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainFormat {
    /// A table: key, value, where it came from, what it means
    Table,
    /// One JSON object per key and line
    Jsonl,
    /// The scenario with every default written out
    Toml,
}

/// When to colour messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR or TERM=dumb says otherwise
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}
