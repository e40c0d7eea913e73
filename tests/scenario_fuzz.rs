//! Whatever the text: an answer, never a panic.

use std::path::Path;

use herdsim::scenario::{Options, read_text};
use proptest::prelude::*;

const FOLDER: &str = "tests/fixtures/good";

/// Reads a text in both formats, renders what is wrong, and checks what is right.
fn try_text(text: &str, set: &[String]) {
    let options = Options { set: set.to_vec(), ..Options::default() };
    for name in ["file.toml", "file.json"] {
        match read_text(name, text, Path::new(FOLDER), &options) {
            Err(error) => {
                let told = error.render(false);
                // The last resort of a reader that gave up without a word.
                assert!(!told.is_empty() && !told.contains("cannot be read"), "{told}\n{text}");
                assert!(!error.render(true).is_empty());
            }
            Ok(loaded) => {
                let again = read_text(
                    "again.toml",
                    &loaded.effective,
                    Path::new(FOLDER),
                    &Options::default(),
                );
                let again =
                    again.unwrap_or_else(|e| panic!("{}\n{}", loaded.effective, e.render(false)));
                assert_eq!(loaded.effective, again.effective);
                assert_eq!(
                    format!("{:?}", loaded.scenario.policies),
                    format!("{:?}", again.scenario.policies)
                );
            }
        }
    }
}

fn fixture(name: &str) -> String {
    std::fs::read_to_string(format!("{FOLDER}/{name}")).unwrap()
}

/// Paths that an option may set, or not.
const PATHS: [&str; 22] = [
    "web.timeout",
    "web.retry",
    "web.retry.jitter",
    "web.load",
    "web.load.of",
    "api.calls.0.to",
    "api.discipline",
    "db.rate",
    "faults.0.kind",
    "web.count",
    "horizon",
    "bin",
    "web.retry.cap",
    "actions.0.at",
    "expect.1.max",
    "services",
    "clients.0",
    "server.queue.capacity",
    "seed",
    "web.retry.layers.1.backoff.decorrelated.factor",
    "poller.retry.max_attempts",
    "measure",
];

/// Pieces that are likely to hurt.
fn piece() -> impl Strategy<Value = String> {
    let words = [
        "",
        "\0",
        "\"",
        "'''",
        "[",
        "]]",
        "{",
        "}",
        "=",
        ".",
        "..",
        ",",
        "\n",
        "\r",
        "\u{feff}",
        "é",
        "-1",
        "0",
        "1e999",
        "nan",
        "-inf",
        "true",
        "\"0s\"",
        "\"1s\"",
        "\"9999999years\"",
        "\"1e9/s\"",
        "\"0/s\"",
        "\"none\"",
        "99999999999999999999999999999999999999999999",
        "0.0",
        "{}",
        "[]",
        "\"unlimited\"",
        "\"101%\"",
        "1979-05-27",
        "\"full\"",
        "\"ps\"",
        "null",
        "\"db\"",
        "\\",
        "\"1ns\"",
        "18446744073709551615",
        "\"ramp 1s\"",
        "\"queue > 1\"",
        "\"584years\"",
    ];
    prop_oneof![
        4 => proptest::sample::select(words.to_vec()).prop_map(str::to_string),
        1 => any::<String>(),
    ]
}

/// Replaces a value, or cuts out a piece and puts another one in.
fn mutate(text: &str, at: prop::sample::Index, length: usize, piece: &str, whole: bool) -> String {
    if whole {
        let values: Vec<usize> = text.match_indices("= ").map(|(at, _)| at + 2).collect();
        let start = values[at.index(values.len())];
        let end = text[start..].find([',', '\n', '}', ']']).map_or(text.len(), |n| start + n);
        return format!("{}{piece} {}", &text[..start], &text[end..]);
    }
    let bytes = text.as_bytes();
    let start = at.index(bytes.len());
    let end = (start + length).min(bytes.len());
    let mixed = [&bytes[..start], piece.as_bytes(), &bytes[end..]].concat();
    String::from_utf8_lossy(&mixed).into_owned()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 600,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_text_never_panics(text in any::<String>(), set in any::<String>()) {
        try_text(&text, &[set]);
    }

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        try_text(&String::from_utf8_lossy(&bytes), &[]);
    }

    #[test]
    fn damaged_scenarios_never_panic(
        first in any::<bool>(),
        changes in proptest::collection::vec(
            (any::<prop::sample::Index>(), 0usize..12, piece(), any::<bool>()), 1..4),
    ) {
        let mut text = fixture(if first { "checkout.toml" } else { "everything.toml" });
        for (at, length, piece, whole) in changes {
            if text.contains("= ") {
                text = mutate(&text, at, length, &piece, whole);
            }
        }
        try_text(&text, &[]);
    }

    #[test]
    fn any_option_is_answered(
        path in proptest::sample::select(PATHS.to_vec()),
        value in piece(),
        first in any::<bool>(),
    ) {
        let text = fixture(if first { "checkout.toml" } else { "everything.toml" });
        try_text(&text, &[format!("{path}={value}")]);
    }
}

#[test]
fn deep_and_large_texts_are_refused_calmly() {
    let deep = [
        "[".repeat(100_000),
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}", "{ a = ".repeat(100_000)),
        format!("{} = 1", vec!["a"; 100_000].join(".")),
        format!("[{}]\nx = 1", vec!["a"; 100_000].join(".")),
        format!("a = {{ {} = 1 }}", vec!["\"=\""; 100_000].join(".")),
        format!("x = \"\\\n{} = 1", vec!["a"; 100_000].join(".")),
        "{\"a\":".repeat(100_000),
        "x".repeat(10_000_000),
        "\u{1}\u{7f}é=".repeat(1_000_000),
        "a = 1\n".repeat(200_000),
    ];
    for text in deep {
        try_text(&text, &[format!("web.x={text}")]);
    }
}
