//! What do the retry policies of real libraries do?
//!
//! A preset is data: a layer of retries as the scenario language writes it, with the library, the
//! version, the date and the source that its numbers come from, and with what it leaves out. None
//! has code of its own; a formula of its own is a growth or a jitter. Every preset is held to
//! tests/fixtures/presets.json: to waits that the library gave when it was run, or to its formula.

mod agents;
mod dotnet;
mod go;
mod google;
mod grpc;
mod jobs;
mod jvm;
mod kubernetes;
mod node;
mod proxies;
mod python;
mod reconnect;
mod rust;
mod sdks;
mod webhooks;

/// How it is known that a preset waits as its library does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verified {
    /// Its waits are those that this version of the library gave when it was run.
    Against {
        /// The version that was run.
        version: &'static str,
        /// The day of that, as `2026-11-30`.
        on: &'static str,
    },
    /// Its waits are those of the formula in the source or the documentation; nobody ran it.
    Formula,
}

impl Verified {
    /// In words: `verified against 2.8.0 on 2026-11-30`, `formula only`.
    pub fn words(self) -> String {
        match self {
            Verified::Against { version, on } => format!("verified against {version} on {on}"),
            Verified::Formula => "formula only".to_string(),
        }
    }
}

/// The retry policy of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// What scenarios call it.
    pub name: &'static str,
    /// The library, with the part of it.
    pub library: &'static str,
    /// The version or commit that was read; empty where the source names none.
    pub version: &'static str,
    /// The day of that version or commit, or on which it was read, as `2026-11-30`.
    pub date: &'static str,
    /// Where its numbers stand: repository and file, or page.
    pub source: &'static str,
    /// Whether the library was run.
    pub verified: Verified,
    /// The entries of its layer of retries, as the scenario language writes them.
    pub retry: &'static str,
    /// What one should know of it.
    pub notes: &'static [&'static str],
    /// What the library does and the preset does not.
    pub left_out: &'static [&'static str],
}

/// All presets by family, in the order in which they are listed.
pub const FAMILIES: &[&[Preset]] = &[
    google::PRESETS,
    grpc::PRESETS,
    sdks::PRESETS,
    proxies::PRESETS,
    kubernetes::PRESETS,
    jvm::PRESETS,
    dotnet::PRESETS,
    python::PRESETS,
    node::PRESETS,
    go::PRESETS,
    rust::PRESETS,
    jobs::PRESETS,
    agents::PRESETS,
    reconnect::PRESETS,
    webhooks::PRESETS,
];

/// The names of all presets.
pub static NAMES: [&str; count()] = names();

/// All presets, in the order in which they are listed.
pub fn all() -> impl Iterator<Item = &'static Preset> {
    FAMILIES.iter().copied().flatten()
}

/// The preset of this name.
pub fn find(name: &str) -> Option<&'static Preset> {
    all().find(|preset| preset.name == name)
}

const fn count() -> usize {
    let (mut count, mut family) = (0, 0);
    while family < FAMILIES.len() {
        count += FAMILIES[family].len();
        family += 1;
    }
    count
}

const fn names() -> [&'static str; count()] {
    let mut names = [""; count()];
    let (mut at, mut family) = (0, 0);
    while family < FAMILIES.len() {
        let mut member = 0;
        while member < FAMILIES[family].len() {
            names[at] = FAMILIES[family][member].name;
            at += 1;
            member += 1;
        }
        family += 1;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_one_word_and_stands_for_one_preset() {
        let mut names = NAMES.to_vec();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        assert!(names.len() > 80, "{}", names.len());
        for preset in all() {
            let letters =
                |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
            assert!(preset.name.chars().all(letters), "{}", preset.name);
            assert_eq!(find(preset.name), Some(preset));
        }
    }

    #[test]
    fn every_preset_says_where_it_comes_from() {
        for preset in all() {
            let name = preset.name;
            assert!(!preset.library.is_empty() && !preset.source.is_empty(), "{name}");
            assert!(preset.date.len() >= 7 && preset.date.starts_with("20"), "{name}");
            for text in preset.notes.iter().chain(preset.left_out) {
                assert!(text.ends_with('.') || text.ends_with(')'), "{name}: {text}");
            }
        }
    }
}
