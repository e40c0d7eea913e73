//! JSON text to the tree.

use jsonc_parser::ast::{Object, Value as Json};
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::diagnostics::Problem;
use super::node::{Entry, Node, Place, Value};

/// JSON as the standard has it: no comments, no trailing commas, no bare words.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Reads a whole file, or says what is wrong with it.
pub(super) fn document(text: &str) -> Result<Node, Vec<Problem>> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &STRICT).map_err(|error| {
        vec![Problem::new(place(error.range()), sentence(&error.kind().to_string()))]
    })?;
    let start = Place { text: 0, start: 0, end: 0 };
    let mut problems = Vec::new();
    let Some(value) = parsed.value else {
        return Ok(Node::new(start, Value::Table(Vec::new())));
    };
    let mut root = node(value, &mut problems);
    if !matches!(root.value, Value::Table(_)) {
        let message = format!("a scenario is an object of keys, not {}", root.kind());
        problems.push(Problem::new(root.place, message));
    }
    root.place = start;
    if problems.is_empty() { Ok(root) } else { Err(problems) }
}

fn place(range: Range) -> Place {
    Place { text: 0, start: range.start, end: range.end }
}

/// The parser writes its messages like sentences; ours begin with a small letter.
fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

fn node(value: Json<'_>, problems: &mut Vec<Problem>) -> Node {
    let at = place(value.range());
    let value = match value {
        Json::StringLit(string) => Value::Text(string.value.into_owned()),
        Json::NumberLit(number) => number_value(number.value),
        Json::BooleanLit(flag) => Value::Flag(flag.value),
        Json::NullKeyword(_) => Value::Other("null"),
        Json::Array(array) => {
            Value::List(array.elements.into_iter().map(|item| node(item, problems)).collect())
        }
        Json::Object(object) => table(object, problems),
    };
    Node::new(at, value)
}

fn number_value(text: &str) -> Value {
    match text.parse::<i128>() {
        Ok(whole) => Value::Whole(whole),
        Err(_) => Value::Number(text.parse().unwrap_or(f64::NAN)),
    }
}

fn table(object: Object<'_>, problems: &mut Vec<Problem>) -> Value {
    let mut entries: Vec<Entry> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for property in object.properties {
        let at = place(property.name.range());
        let key = property.name.into_string();
        let node = node(property.value, problems);
        if seen.insert(key.clone()) {
            entries.push(Entry { key, place: at, node });
        } else {
            problems
                .push(Problem::new(at, format!("duplicate key `{}`", super::node::shorten(&key))));
        }
    }
    Value::Table(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_strict_json_is_refused_with_its_place() {
        for text in ["{ \"a\": 1, }", "{ a: 1 }", "{ \"a\": 1 // no\n}", "[1]", "{\"a\":1,\"a\":2}"]
        {
            assert!(document(text).is_err(), "{text}");
        }
        assert!(document(&"[".repeat(200_000)).is_err());
        assert_eq!(document("{ \"a\": 12 }").unwrap().get("a").unwrap().place.start, 7);
    }
}
