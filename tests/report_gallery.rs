//! Writes the charts of hand-made results, to be looked at: `HERDSIM_GALLERY=DIR`.

mod report_support;

use std::fs;
use std::path::Path;

use herdsim::report;
use report_support::{Shape, fault, study};

#[test]
fn the_gallery_is_written_where_it_is_asked_for() {
    let Ok(folder) = std::env::var("HERDSIM_GALLERY") else {
        return;
    };
    let shapes = [
        ("four", Shape::default()),
        ("twelve", Shape { policies: 12, reps: 10, ..Shape::default() }),
        ("one", Shape { policies: 1, ..Shape::default() }),
        ("calm", Shape { fault: false, capacity: None, bins: 600, ..Shape::default() }),
        ("burst", Shape { fault: false, bins: 6000, ..Shape::default() }),
        ("roomy", Shape { capacity: Some(250_000.0), bins: 1500, policies: 3, ..Shape::default() }),
        ("nasty", Shape { title: "<script>&\" שלום 🦀", bins: 2000, ..Shape::default() }),
    ];
    for (name, shape) in shapes {
        let mut study = study(shape);
        if name == "roomy" {
            study.faults.push(fault(70.0, 110.0, "errors of database"));
            study.faults.push(fault(75.0, 85.0, "restart"));
        }
        if name == "burst" {
            for policy in &mut study.policies {
                let after = std::time::Duration::from_millis(93_400);
                policy.first.recovery = herdsim::metrics::Recovery::After(after);
            }
        }
        if name == "nasty" {
            study.policies[0].label = "an <i>endless</i> label ".repeat(9);
            for series in &mut study.policies[2].first.timeline.services[0].arrivals {
                series.iter_mut().skip(455).take(3).for_each(|count| *count *= 3000);
            }
        }
        for chart in report::charts(&study) {
            let base = Path::new(&folder).join(format!("{name}-{}", chart.id));
            fs::write(base.with_extension("png"), &chart.png).unwrap();
            fs::write(base.with_extension("svg"), &chart.svg).unwrap();
            println!("{name} {}: {} kB, {}", chart.id, chart.svg.len() / 1024, chart.title);
        }
        println!("{}{}", report::table::text(&study), report::sparkline::text(&study));
    }
}
