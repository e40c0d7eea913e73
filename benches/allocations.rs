//! How often does a run ask for memory once it is under way?
//!
//! `cargo bench --bench allocations`
//!
//! What a run of twice the length asks for more, by the attempts that it has more: everything
//! that is set up once, and everything that grows to its size once, falls out of the difference.

#[path = "common/s1.rs"]
mod s1;

use std::time::Duration;

use allocation_counter::measure;

fn main() {
    println!("| row | what | measured | target | met |\n| --- | --- | --- | --- | --- |");
    for clients in [1_000, 10_000] {
        for (what, measures) in [("nothing kept", false), ("all measures", true)] {
            let (short, long) = (run(clients, 24, measures), run(clients, 48, measures));
            let attempts = long.0 - short.0;
            let allocations = long.1 as f64 - short.1 as f64;
            println!(
                "| T14 | allocations per attempt, {clients} clients, {what} | {:.6} \
                 ({allocations} over {attempts} attempts) | 0 | {} |",
                allocations / attempts as f64,
                // A series has a bin more for every 100 ms: it may grow.
                if allocations <= 64.0 { "yes" } else { "**no**" },
            );
        }
    }
}

/// Attempts and allocations of a run.
fn run(clients: u32, seconds: u64, measures: bool) -> (u64, u64) {
    let case = s1::case(clients, Duration::from_secs(seconds));
    let attempts = s1::counts(&case, 1).attempts;
    let counted = measure(|| {
        std::hint::black_box(match measures {
            true => s1::with_measures(&case, 1),
            false => s1::without_measures(&case, 1),
        });
    });
    (attempts, counted.count_total)
}
