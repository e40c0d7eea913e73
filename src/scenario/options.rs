//! What the command line sets in a scenario.

use super::diagnostics::Problem;
use super::node::{Node, Place, Value};
use super::patch::Patch;
use super::source::Text;
use super::{Options, toml_doc};

/// The values that the options set, with the texts that they were written in.
pub(super) fn patches(
    options: &Options,
    texts: &mut Vec<Text>,
    problems: &mut Vec<Problem>,
) -> Vec<Patch> {
    let mut patches = Vec::new();
    for (index, text) in options.set.iter().enumerate() {
        let number = texts.len();
        texts.push(Text::new(format!("--set {}", index + 1), text.clone()));
        match patch(text, number) {
            Ok(patch) => patches.push(patch),
            Err(found) => problems.extend(found),
        }
    }
    let numbers = [("seed", options.seed), ("reps", options.reps.map(u64::from))];
    for (key, number) in numbers {
        let Some(number) = number else { continue };
        let text = format!("--{key} {number}");
        let place = Place { text: texts.len(), start: key.len() + 3, end: text.len() };
        let value = Node::new(place, Value::Whole(number.into()));
        texts.push(Text::new(format!("--{key}"), text));
        patches.push(Patch { path: key.to_string(), place, value });
    }
    patches
}

/// `path=value`; a value that is no TOML but a bare word, such as `5s`, is a text.
pub(super) fn patch(text: &str, number: usize) -> Result<Patch, Vec<Problem>> {
    let whole = Place { text: number, start: 0, end: text.len() };
    let Some((path, value)) = text.split_once('=') else {
        let problem = Problem::new(whole, "expected path=value".to_string());
        return Err(vec![problem.help("for example --set web.count=500")]);
    };
    let place = Place { text: number, start: 0, end: path.trim_end().len() };
    let start = path.len() + 1 + (value.len() - value.trim_start().len());
    let value = value.trim();
    let parsed = match toml_doc::value(value, number, start) {
        Ok(node) => node,
        Err(problems) if value.starts_with(['"', '\'', '{', '[']) => return Err(problems),
        Err(_) => {
            let place = Place { text: number, start, end: start + value.len() };
            Node::new(place, Value::Text(value.to_string()))
        }
    };
    Ok(Patch { path: path.trim().to_string(), place, value: parsed })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        patch(text, 1).unwrap().value.value
    }

    #[test]
    fn a_bare_word_is_a_text_and_everything_else_is_typed() {
        assert_eq!(value("a=full"), Value::Text("full".to_string()));
        assert_eq!(value("a=5s"), Value::Text("5s".to_string()));
        assert_eq!(value("a=90/s"), Value::Text("90/s".to_string()));
        assert_eq!(value("a=1m30s"), Value::Text("1m30s".to_string()));
        assert_eq!(value("a= 12 "), Value::Whole(12));
        assert_eq!(value("a=true"), Value::Flag(true));
        assert_eq!(value("a=\"x = y\""), Value::Text("x = y".to_string()));
        assert!(matches!(value("a={ b = 1 }"), Value::Table(_)));
        assert!(patch("a={ b = ", 1).is_err());
        assert!(patch("count", 1).is_err());
    }
}
