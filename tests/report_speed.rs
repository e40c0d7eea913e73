//! How long each chart takes, as SVG alone and with its pixels. Run with
//! `cargo test --release --test report_speed -- --ignored --nocapture`.

mod report_support;

use std::time::Instant;

use herdsim::report::chart::{Pixels, policies, raster, timeline};
use report_support::{Shape, study};

#[test]
#[ignore = "measures wall time"]
#[expect(clippy::disallowed_methods, reason = "measures the program, not a result")]
fn a_chart_takes_less_than_a_tenth_of_a_second() {
    let study = study(Shape::default());
    for (name, make) in
        [("policies", policies as fn(_, _) -> _), ("timeline", timeline), ("raster", raster)]
    {
        for pixels in [Pixels::Skipped, Pixels::Painted] {
            // The fastest of three: other work on the machine is not the chart's.
            let time = || {
                let started = Instant::now();
                let chart: herdsim::report::Chart = make(&study, pixels);
                (started.elapsed().as_millis(), chart.png.len() / 1024)
            };
            let (ms, kb) = [time(), time(), time()].into_iter().min().unwrap();
            println!("{name:9} {pixels:?} {ms:4} ms, {kb} kB");
            assert!(ms < 100 || cfg!(debug_assertions), "{name} took {ms} ms");
        }
    }
}
