//! Did you mean …?

/// The candidate that a typo most likely stands for.
pub(super) fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    // Very long words are noise, and the distance costs the product of the lengths.
    if word.len() > 64 {
        return None;
    }
    let letters = word.chars().count();
    let allowed = (letters / 3).max(usize::from(letters > 1));
    candidates
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), *candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

/// The sentence that helps with an unknown word: what was meant, or what there is.
pub(super) fn help(word: &str, candidates: &[&str]) -> String {
    match nearest(word, candidates) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if candidates.is_empty() => "nothing can stand here".to_string(),
        None => format!("allowed here: {}", listed(candidates)),
    }
}

/// The words in back quotes, with commas.
pub(super) fn listed(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_is_told_from_another_word() {
        let keys = ["max_attempts", "max_elapsed", "jitter"];
        assert_eq!(nearest("max_atempts", &keys), Some("max_attempts"));
        assert_eq!(nearest("colour", &keys), None);
        assert!(help("colour", &keys).contains("`jitter`"));
    }
}
