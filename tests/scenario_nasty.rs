//! Texts that were made to hurt: the place of what is wrong with them, and no panic.

use std::path::Path;

use herdsim::scenario::{Error, Options, read_text};

const WHOLE: &str = r#"seed = 1
horizon = "2m"
[[clients]]
name = "web"
count = 100
load = { poisson = "0.5/s" }
timeout = "1s"
retry = { max_attempts = 3, backoff = { exponential = { base = "50ms" } } }
[server]
workers = 5
service_time = "20ms"
"#;

/// Line, column and message of all that is wrong, and how it is shown.
fn wrong(name: &str, text: &str) -> (Vec<(usize, usize, String)>, String) {
    match read_text(name, text, Path::new("."), &Options::default()) {
        Err(Error::Bad(found)) => (found.lines(), found.render(false)),
        Err(error) => panic!("{error}"),
        Ok(loaded) => panic!("accepted: {}", loaded.effective),
    }
}

/// The first mistake lies at this line and column, and is shown there.
fn at(text: &str, line: usize, column: usize, message: &str) {
    let (lines, shown) = wrong("x.toml", text);
    let (found_line, found_column, told) = &lines[0];
    assert_eq!((*found_line, *found_column), (line, column), "{shown}");
    assert!(told.contains(message), "{told}");
    for (line, column, _) in &lines[..lines.len().min(20)] {
        assert!(
            shown.contains(&format!("--> x.toml:{line}:{column}\n")),
            "{line}:{column}\n{shown}"
        );
    }
    let hidden = |c: char| c != '\n' && (c.is_control() || ('\u{200b}'..='\u{200f}').contains(&c));
    assert!(
        !shown.contains(hidden) && !shown.contains(['\u{feff}', '\u{202e}', '\u{2060}']),
        "{shown:?}"
    );
}

fn with(from: &str, to: &str) -> String {
    let text = WHOLE.replacen(from, to, 1);
    assert_ne!(text, WHOLE, "{from}");
    text
}

#[test]
fn columns_are_characters_whatever_stands_before_them() {
    at(&with("seed = 1", "\u{feff}seed = -1"), 1, 8, "-1 is too small");
    at(&with("seed = 1", "\tseed\t=\t-1"), 1, 9, "-1 is too small");
    at(&with("count = 100", "count = 0").replace('\n', "\r\n"), 5, 9, "0 is too small");
    at(&with("{ poisson = \"0.5/s\" }", "{\t\tpooisson = 1 }"), 6, 11, "unknown key `pooisson`");
    at(&with("seed = 1", "seed = 1\n\"日本\" = 1"), 2, 1, "unknown key `日本`");
    let wide = "load = [{ step = [{ at = \"日本e\u{301}\u{200b}\", x = 1 }] }]";
    let (lines, _) = wrong("x.toml", &with("load = { poisson = \"0.5/s\" }", wide));
    assert!(lines.iter().any(|(line, column, _)| (*line, *column) == (6, 35)), "{lines:?}");
    at(&with("load = { poisson = \"0.5/s\" }", wide), 6, 19, "a step needs `rate`");
}

#[test]
fn characters_without_width_are_made_visible() {
    at(&with("count =", "\"co\u{200b}unt\" ="), 5, 1, "unknown key `co\u{fffd}unt`");
    at(&with("\"web\"", "\"\u{202e}web\""), 4, 8, "a name consists of letters");
    at(&with("\"1s\"", "\"1\u{2060}s\""), 7, 11, "");
    at(&with("\"web\"", "\"\\u001b[31mred\""), 4, 8, "a name consists of letters");
}

#[test]
fn long_texts_are_shown_in_part() {
    for length in [100, 5_000, 1_000_000] {
        let text = format!("{WHOLE}{} = 1\n", "k".repeat(length));
        let (lines, shown) = wrong("x.toml", &text);
        assert_eq!((lines[0].0, lines[0].1), (12, 1));
        assert!(shown.len() < 2_000, "{} bytes", shown.len());
        let text = with("\"web\"", &format!("\"{}\"", "é".repeat(length + 1)));
        let (lines, shown) = wrong("x.toml", &text);
        assert_eq!((lines[0].0, lines[0].1), (4, 8));
        assert!(shown.len() < 2_000, "{} bytes", shown.len());
    }
}

#[test]
fn numbers_at_the_limits_are_accepted_or_refused_but_never_wrapped() {
    let seed = |number: &str| {
        let text = with("seed = 1", &format!("seed = {number}"));
        read_text("x.toml", &text, Path::new("."), &Options::default()).map(|l| l.scenario.seed)
    };
    for (number, value) in [
        ("9223372036854775807", i64::MAX as u64),
        ("9223372036854775808", 1 << 63),
        ("0xFFFFFFFFFFFFFFFF", u64::MAX),
        ("18446744073709551615", u64::MAX),
    ] {
        assert_eq!(seed(number).unwrap(), value);
    }
    let digits = "9".repeat(500);
    let bad = ["-9223372036854775808", "18446744073709551616", "1e400", "-nan", "0o8", &digits];
    for number in bad {
        assert!(seed(number).is_err(), "{number}");
    }
    at(
        &with("count = 100", &format!("count = {digits}")),
        5,
        9,
        "a number of more than 38 digits is too large",
    );
}

#[test]
fn what_toml_forbids_is_told_at_its_place() {
    at(&format!("{WHOLE}[server]\nworkers = 1\n"), 12, 2, "duplicate key");
    at(&format!("{WHOLE}[[server]]\nworkers = 1\n"), 12, 3, "duplicate key");
    at(&with("seed = 1", "seed = 1\nseed = 2"), 2, 1, "duplicate key");
    at(&with("seed = 1", "seed = 1,,"), 1, 9, "expected newline");
    at(&with("seed = 1\n", "seed = 1\r"), 1, 10, "carriage return");
    at(&with("seed = 1", "seed = 1979-05-27"), 1, 8, "not a date");
    at(&with("count = 100", "count = 07:32:00"), 5, 9, "not a date");
    at(&with("\"1s\"", "'''x\ny'''"), 7, 11, "no duration begins like this");
    at(&format!("{WHOLE}x = \"open"), 12, 10, "invalid basic string");
    let deep = format!("{}{}", "[".repeat(60), "]".repeat(60));
    at(&with("{ poisson = \"0.5/s\" }", &deep), 6, 9, "expected a load");
}

#[test]
fn json_is_placed_in_characters_as_well() {
    let (lines, _) = wrong("x.json", "\u{feff}{ \"日本\": 1,\r\n\t\"seed\": -1 }");
    let places: Vec<(usize, usize)> = lines.iter().map(|(l, c, _)| (*l, *c)).collect();
    assert!(places.contains(&(1, 3)) && places.contains(&(2, 10)), "{lines:?}");
}

#[test]
fn words_and_numbers_that_are_nearly_right_are_told_what_is_wrong() {
    let retry = |value: &str| format!("retry = \"{value}\" # ");
    let whole = "a whole number or decimal with a unit";
    at(&with("retry = ", &retry("nonee")), 8, 9, "no preset is called \"nonee\"");
    at(&with("retry = ", &retry("a preset")), 8, 9, "no preset is called \"a preset\"");
    let process = "sharing = { budget = \"process:99999999999999\" }\ncount =";
    at(&with("count =", process), 5, 22, "the number is too large");
    at(&with("\"1s\"", "\"1e9s\""), 7, 11, whole);
    at(&with("\"1s\"", "\"0.1ns\""), 7, 11, "the clock counts whole nanoseconds");
    at(&with("\"web\"", "\"12\""), 4, 8, "a name needs a letter");
    at(&with("\"web\"", "\"-\""), 4, 8, "a name needs a letter");
    at(&with("\"20ms\"", "{ empirical = \"LICENSE-MIT\" }"), 11, 30, "LICENSE-MIT");
}

#[test]
fn microseconds_may_be_written_with_either_letter() {
    for micro in ["5\u{b5}s", "5\u{3bc}s", "5us"] {
        let text = with("\"1s\"", &format!("\"{micro}\""));
        let loaded = read_text("x.toml", &text, Path::new("."), &Options::default()).unwrap();
        assert!(loaded.effective.contains("timeout = \"5us\""), "{micro}");
    }
}

#[test]
fn json_under_another_name_is_told_to_be_renamed() {
    let (_, shown) = wrong("x.toml", "{ \"seed\": 1 }");
    assert!(shown.contains("help: JSON? name the file .json"), "{shown}");
    let (_, shown) = wrong("x.toml", "{ seed = 1 }");
    assert!(!shown.contains("JSON?"), "{shown}");
}

#[test]
fn more_parts_than_can_be_numbered_are_refused() {
    let mut text = "seed = 1\nhorizon = \"1s\"\n[server]\nrate = \"1/s\"\n".to_string();
    for index in 0..10_001 {
        text.push_str(&format!(
            "[[clients]]\nname = \"c{index}\"\ncount = 1\nload = {{ burst = \"0s\" }}\n\
             timeout = \"1s\"\nretry = \"none\"\n"
        ));
    }
    let read = herdsim::scenario::read_text(
        "many.toml",
        &text,
        std::path::Path::new("."),
        &herdsim::scenario::Options::default(),
    );
    let message = read.map(|_| ()).expect_err("it is refused").render(false);
    assert!(message.contains("at most 10000 are allowed"), "{message}");
}
