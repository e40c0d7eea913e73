//! How fast is it, in ratios that were measured side by side in one process?
//!
//! Every ratio is the median over rounds in which both sides took their turn, on the CPU clock of
//! the thread. Nanoseconds are shown for orientation: they are those of one machine.
//!
//! `cargo bench --bench ratios -- [--quick] [--huge] [--only T1,T8] [--seeds 10]`

#[path = "../common/clock.rs"]
mod clock;
#[path = "../common/hold.rs"]
mod hold;
mod models;
#[path = "../common/naive.rs"]
mod naive;
mod options;
mod peer;
mod process;
mod reference;
#[path = "../common/s1.rs"]
mod s1;
mod sweep;
mod table;
mod targets;
mod usage;

use options::{Command, Options};
use table::Table;

fn main() {
    let options = match Options::read(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("error: {message}");
            std::process::exit(2);
        }
    };
    match options.command {
        Command::Child { clients } => process::one_run(clients),
        Command::ChildDemo => process::one_demo(),
        Command::Measure => {
            let mut table = Table::default();
            models::measure(&options, &mut table);
            peer::measure(&options, &mut table);
            process::memory(&options, &mut table);
            sweep::measure(&options, &mut table);
            process::start_up(&options, &mut table);
            process::demo(&options, &mut table);
            table.print();
        }
    }
}
