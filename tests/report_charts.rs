//! Charts: the same bytes, well-formed, and no run so odd that they fail.

mod report_support;

use std::time::Duration;

use herdsim::report::chart::{Pixels, policies, raster, timeline};
use herdsim::report::{Chart, charts};
use herdsim::study::StudyResult;
use report_support::{Shape, study};

/// Charts without pixels.
fn drawn(study: &StudyResult) -> [Chart; 3] {
    [policies, timeline, raster].map(|make| make(study, Pixels::Skipped))
}

/// What is wrong with a text as XML: tags that do not match, letters that must be escaped.
fn malformed(xml: &str) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    while let Some(begin) = rest.find('<') {
        let (text, tagged) = rest.split_at(begin);
        if let Some(bad) = wrong_text(text) {
            return Some(bad);
        }
        let end = tagged.find('>')?;
        let tag = &tagged[1..end];
        rest = &tagged[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Some(format!("</{name}> closes nothing"));
            }
            continue;
        }
        if tag.matches('"').count() % 2 == 1 || tag.contains('<') {
            return Some(format!("<{tag}>"));
        }
        if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or_default());
        }
    }
    open.pop().map(|name| format!("<{name}> stays open"))
}

fn wrong_text(text: &str) -> Option<String> {
    let control = text.chars().any(|c| c.is_control() && c != '\n');
    let entity = |part: &str| ["amp;", "lt;", "gt;", "quot;"].iter().any(|e| part.starts_with(e));
    let bare = text.split('&').skip(1).any(|part| !entity(part));
    (control || bare).then(|| format!("text {text:?}"))
}

#[test]
fn charts_made_twice_are_the_same_bytes() {
    let study = study(Shape::default());
    assert!(charts(&study) == charts(&study));
}

#[test]
fn charts_without_pixels_are_the_same_otherwise() {
    let study = study(Shape { bins: 500, ..Shape::default() });
    for (full, fast) in charts(&study).into_iter().zip(drawn(&study)) {
        assert!(full.png.starts_with(b"\x89PNG") && fast.png.is_empty());
        assert_eq!(full.svg, fast.svg);
    }
}

#[test]
fn every_chart_states_a_finding_and_names_its_axes() {
    for chart in drawn(&study(Shape::default())) {
        assert!(chart.svg.starts_with("<svg ") && chart.svg.contains("role=\"img\""));
        assert!(chart.svg.contains("<title>") && chart.svg.contains("<desc>"));
        assert!(chart.svg.contains(">time (s)"), "{}", chart.id);
        assert!(chart.svg.contains("herdsim 0.1.0 · scenario 8fd57f2c · seed 42"));
        assert!(chart.alt.contains("outage of server from 60 s to 90 s"), "{}", chart.alt);
        assert!(chart.csv.lines().count() > 10, "{}", chart.id);
    }
    let [policies, timeline, raster] = drawn(&study(Shape::default()));
    assert_eq!(
        timeline.title,
        "constant 1 s: not back within 58m30s; peak 10x capacity after the fault, falls 20 times"
    );
    assert_eq!(
        policies.title,
        "Back after 29.5 s with exponential, not within 58m30s with constant 1 s"
    );
    assert!(policies.alt.contains("full jitter stays below it (0.9x)"), "{}", policies.alt);
    assert!(policies.svg.contains(">not within 58m30s →<"));
    assert!(policies.svg.contains("time (s): 0 to 180 of 3 600"));
    assert!(raster.title.contains("index 0.93"), "{}", raster.title);
    assert!(timeline.svg.contains("attempts at server per 1 s"));
    assert!(raster.svg.contains("200 of 1 000 clients of web"));
}

#[test]
fn letters_are_large_enough_to_read_on_a_slide() {
    for chart in drawn(&study(Shape::default())) {
        for part in chart.svg.split("font-size=\"").skip(1) {
            let size: f64 = part.split('"').next().unwrap().parse().unwrap();
            assert!(size >= 13.0, "{size} in {}", chart.id);
        }
    }
}

#[test]
fn pictures_stay_small_enough_to_send() {
    for chart in charts(&study(Shape { policies: 12, bins: 600, ..Shape::default() })) {
        assert!(chart.svg.len() < 500_000, "{} has {} bytes", chart.id, chart.svg.len());
        assert!(chart.png.len() < 1_000_000, "{} has {} bytes", chart.id, chart.png.len());
    }
}

#[test]
fn titles_of_any_kind_give_well_formed_files() {
    let long: &'static str = "endless & \u{1F980} ".repeat(400).leak();
    for title in ["<script>&\"'", "שלום עולם", "🦀🔥", "\u{0}\u{1b}[31m\n\u{ffff}", "", long]
    {
        let mut study = study(Shape { bins: 600, title, ..Shape::default() });
        for policy in &mut study.policies {
            policy.label = title.to_string();
        }
        study.faults[0].2 = title.to_string();
        study.policies[0].peak_service = title.to_string();
        study.policies[0].first.timeline.services[0].name = title.to_string();
        study.policies[0].first.raster.group = title.to_string();
        for chart in charts(&study) {
            assert_eq!(malformed(&chart.svg), None, "{title:?} in {}", chart.id);
            assert!(!chart.svg.contains("<script"));
        }
    }
}

#[test]
fn odd_runs_are_drawn_too() {
    let usual = Shape { bins: 400, ..Shape::default() };
    let shapes = [
        Shape { bins: 0, ..usual },
        Shape { bins: 1, ..usual },
        Shape { fault: false, ..usual },
        Shape { capacity: None, ..usual },
        Shape { capacity: Some(0.0), ..usual },
        Shape { capacity: Some(1e300), ..usual },
        Shape { scale: 0.0, ..usual },
        Shape { policies: 0, ..usual },
        Shape { policies: 1, ..usual },
        Shape { policies: 14, reps: 10, ..usual },
        Shape { bin: Duration::ZERO, ..usual },
        Shape { bin: Duration::from_nanos(7), ..usual },
        Shape { bin: Duration::from_secs(86_400), ..usual },
    ];
    for shape in shapes {
        for chart in charts(&study(shape)) {
            assert_eq!(malformed(&chart.svg), None, "{shape:?}");
            assert!(chart.png.starts_with(b"\x89PNG"), "{shape:?}");
            assert!(!chart.svg.contains("NaN") && !chart.svg.contains("inf\""), "{shape:?}");
        }
    }
}

#[test]
fn the_largest_counts_are_drawn() {
    let mut study = study(Shape { bins: 400, ..Shape::default() });
    for policy in &mut study.policies {
        policy.first.timeline.refused.fill(u32::MAX);
        for series in &mut policy.first.timeline.services[0].arrivals {
            series.fill(u32::MAX);
        }
        policy.first.raster.clients = u32::MAX;
    }
    for chart in charts(&study) {
        assert_eq!(malformed(&chart.svg), None);
    }
}

#[test]
fn a_run_without_services_or_series_is_drawn() {
    let mut study = study(Shape { bins: 400, ..Shape::default() });
    study.policies[0].first.timeline.services.clear();
    study.policies[1].first.timeline = Default::default();
    study.policies[2].first.raster = Default::default();
    study.faults = vec![(study.horizon, herdsim::time::SimTime::FOREVER, "late".into())];
    for chart in charts(&study) {
        assert_eq!(malformed(&chart.svg), None);
    }
}

#[test]
fn a_spike_that_dwarfs_the_others_is_cut_and_says_how_high_it_is() {
    let mut study = study(Shape { bins: 2000, ..Shape::default() });
    for series in &mut study.policies[2].first.timeline.services[0].arrivals {
        series.iter_mut().skip(455).take(3).for_each(|count| *count *= 3000);
    }
    let chart = policies(&study, Pixels::Skipped);
    assert!(chart.svg.contains("bars cut at ") && chart.svg.contains("↑ "));
}
