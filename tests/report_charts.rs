//! Charts: the same bytes, well-formed, and no run so odd that they fail.

mod report_support;

use std::time::Duration;

use herdsim::metrics::{Outcome, Recovery};
use herdsim::report::chart::{Pixels, policies, raster, timeline};
use herdsim::report::{Chart, charts, sparkline, table};
use herdsim::study::StudyResult;
use herdsim::time::SimTime;
use report_support::{Shape, fault, secs, study};

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
    assert!(policies.svg.contains("time (s): 30 to 180 of 3 600"));
    assert!(raster.title.contains("index 0.93"), "{}", raster.title);
    assert!(timeline.svg.contains("attempts at server per 10 s (capacity 10 k, shorter peaks"));
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
        study.faults[0].label = title.to_string();
        study.policies[0].peak_service = title.to_string();
        study.policies[0].first.timeline.services[0].name = title.to_string();
        study.policies[0].first.raster.group = title.to_string();
        for chart in charts(&study) {
            assert_eq!(malformed(&chart.svg), None, "{title:?} in {}", chart.id);
            assert!(!chart.svg.contains("<script"));
        }
    }
}

/// Pictures set in as base64 may hold any letters and are left out.
fn numbers_are_finite(svg: &str) -> bool {
    let lines = svg.lines().filter(|line| !line.starts_with("<image"));
    lines.clone().count() > 5
        && lines.into_iter().all(|l| !l.contains("NaN") && !l.contains("inf\""))
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
            assert!(numbers_are_finite(&chart.svg), "{shape:?}");
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
    let mut late = fault(0.0, 0.0, "late");
    (late.begins, late.ends, late.gone) = (study.horizon, SimTime::FOREVER, SimTime::FOREVER);
    study.faults = vec![late];
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

/// Pixels darker than a grey that text has and no fill, in the upper rows of a PNG.
fn dark(png: &[u8], rows: usize) -> usize {
    let mut reader = png::Decoder::new(png).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let row = info.width as usize * 3;
    pixels[..row * rows].chunks(3).filter(|p| p.iter().all(|part| *part < 0x60)).count()
}

#[test]
fn pixels_have_their_text_in_every_build() {
    for chart in charts(&study(Shape { bins: 1000, ..Shape::default() })) {
        let title = dark(&chart.png, 90);
        assert!(title > 2000, "{} has {title} dark pixels in its title", chart.id);
    }
}

/// The text between the first of these tags.
fn within<'a>(svg: &'a str, tag: &str) -> &'a str {
    let rest = svg.split_once(&format!("<{tag}>")).map_or("", |(_, rest)| rest);
    rest.split_once(&format!("</{tag}>")).map_or("", |(text, _)| text)
}

#[test]
fn every_svg_says_in_words_what_it_shows_and_names_both_axes_with_units() {
    for reps in [1, 10] {
        for chart in drawn(&study(Shape { reps, bins: 2000, ..Shape::default() })) {
            assert_eq!(malformed(&chart.svg), None);
            assert_eq!(within(&chart.svg, "title"), chart.title);
            assert_eq!(within(&chart.svg, "desc"), chart.alt);
            assert!(chart.alt.len() > 150, "{}", chart.alt);
            let texts: Vec<&str> =
                chart.svg.split("</text>").filter_map(|part| part.rsplit('>').next()).collect();
            let named = |words: &str| texts.iter().any(|text| text.starts_with(words));
            assert!(named("time (s)"), "{}", chart.id);
            let upright =
                if chart.id == "raster" { "client (row)" } else { "attempts at server per" };
            assert!(named(upright), "{}: {texts:?}", chart.id);
            let columns = chart.csv.lines().next().unwrap();
            assert!(columns.starts_with("policy,time_s,") || columns.starts_with("policy,sent_s,"));
        }
    }
}

#[test]
fn a_policy_that_takes_far_longer_does_not_set_the_time_axis() {
    let mut study = study(Shape::default());
    study.policies[0].first.recovery = Recovery::After(Duration::from_secs(1553));
    let [compared, alone, _] = drawn(&study);
    assert!(compared.svg.contains(">recovers at +25m53s →<"), "{}", compared.title);
    assert!(compared.svg.contains("time (s): 30 to 180 of 3 600"));
    assert!(compared.title.starts_with("Back after 29.5 s with exponential"));
    assert!(alone.svg.contains(">recovered +25m53s<"));
    study.policies[0].first.recovery = Recovery::After(Duration::from_secs(200));
    let [near, _, _] = drawn(&study);
    assert!(near.svg.contains(">recovered +3m20s<") && !near.svg.contains("recovers at"));
}

#[test]
fn policies_that_do_not_differ_have_no_winner() {
    let mut study = study(Shape { reps: 10, bins: 2000, ..Shape::default() });
    study.policies.remove(0);
    for (place, policy) in study.policies.iter_mut().enumerate() {
        let time = policy.recovery.as_mut().unwrap();
        let p50 = 20.0 + place as f64;
        (time.p50, time.lo, time.hi) = (Some(p50), Some(18.0), Some(23.0));
    }
    let chart = policies(&study, Pixels::Skipped);
    assert_eq!(chart.title, "No clear winner: back after 20 s to 22 s, 95 % intervals overlap");
    // Three replications have no upper end of an interval; that is not the same as never.
    let first = study.policies[0].recovery.as_mut().unwrap();
    (first.hi, first.p95) = (None, Some(21.0));
    study.policies[2].recovery.as_mut().unwrap().hi = None;
    study.policies[2].recovery.as_mut().unwrap().lo = Some(23.5);
    let chart = policies(&study, Pixels::Skipped);
    assert!(
        chart.title.starts_with("Back after 20 s (median) with exponential"),
        "{}",
        chart.title
    );
}

#[test]
fn the_legend_names_only_what_can_be_seen() {
    let mut study = study(Shape { bins: 2000, ..Shape::default() });
    for policy in &mut study.policies {
        policy.first.timeline.services[0].arrivals[Outcome::Waiting as usize][1900] = 1;
    }
    for chart in drawn(&study) {
        assert!(!chart.svg.contains(">undecided<"), "{}", chart.id);
    }
    let [chart, _, _] = drawn(&study);
    assert!(chart.svg.contains(">not sent<") && chart.svg.contains(">capacity 1 000/s<"));
    study.policies.remove(3);
    let [chart, _, _] = drawn(&study);
    assert!(!chart.svg.contains(">not sent<"));
}

#[test]
fn runs_of_a_nanosecond_and_of_ten_years_are_drawn() {
    let usual = Shape { bins: 400, ..Shape::default() };
    let long = Shape { bins: 3650, bin: Duration::from_secs(86_400), ..usual };
    let short = Shape { bins: 1, bin: Duration::from_nanos(1), ..usual };
    for shape in [long, short, Shape { policies: 40, ..usual }] {
        let mut study = study(shape);
        let mut endless = fault(0.0, 0.0, "outage of x");
        (endless.ends, endless.gone) = (SimTime::FOREVER, SimTime::FOREVER);
        study.actions = vec![(SimTime::ZERO, "now".into()), (SimTime::FOREVER, "late".into())];
        for faults in [vec![endless], vec![]] {
            study.faults = faults;
            for recovery in [
                Recovery::NotAsked,
                Recovery::After(Duration::MAX),
                Recovery::After(Duration::ZERO),
                Recovery::NotWithin(Duration::ZERO),
            ] {
                study.policies[0].first.recovery = recovery;
                for chart in drawn(&study) {
                    assert_eq!(malformed(&chart.svg), None, "{shape:?} {recovery:?}");
                    assert!(numbers_are_finite(&chart.svg), "{shape:?} {recovery:?}");
                }
                let _ = (table::text(&study), sparkline::text(&study));
            }
        }
        assert!(charts(&study).iter().all(|chart| chart.png.len() > 1000));
    }
}

#[test]
fn a_fault_that_fades_and_what_an_operator_does_are_shown() {
    let mut study = study(Shape { bins: 1000, ..Shape::default() });
    study.faults[0].gone = secs(110.0);
    study.actions = vec![(secs(120.0), "web.timeout = \"5s\"".into())];
    let [policies, timeline, raster] = drawn(&study);
    for chart in [&policies, &timeline, &raster] {
        assert!(
            chart.svg.contains("fill-opacity=\"0.04\""),
            "{} shades the ramp lighter",
            chart.id
        );
        assert!(chart.alt.contains("from 60 s to 90 s, fading until 110 s"), "{}", chart.alt);
    }
    assert!([policies, timeline].iter().all(|chart| chart.svg.contains("web.timeout")));
}

#[test]
fn a_burst_is_shown_until_its_last_call_has_ended() {
    let bin = Duration::from_millis(1);
    let mut study =
        study(Shape { policies: 1, bins: 10_000, bin, fault: false, ..Shape::default() });
    let policy = &mut study.policies[0];
    policy.first.recovery = Recovery::After(Duration::from_millis(84));
    let timeline = &mut policy.first.timeline;
    for series in &mut timeline.services[0].arrivals {
        series.iter_mut().skip(50).for_each(|count| *count = 0);
    }
    timeline.services[0].queued.fill(0);
    for series in [&mut timeline.failed, &mut timeline.succeeded, &mut timeline.orbit] {
        series.iter_mut().skip(2000).for_each(|count| *count = 0);
    }
    let [_, timeline, _] = drawn(&study);
    let last: f64 =
        timeline.csv.lines().last().unwrap().split(',').nth(1).unwrap().parse().unwrap();
    assert!((2.0..2.5).contains(&last), "{last}");
}
