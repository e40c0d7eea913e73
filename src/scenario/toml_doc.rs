//! TOML text to the tree.

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue, Error};

use super::diagnostics::Problem;
use super::node::{Entry, Node, Place, Value};

/// Parts of one dotted key (≤): the parser itself sets no limit, and its recursion is ours.
const LONGEST_KEY: usize = 12;

/// Reads a whole file, or says everything that is wrong with it.
pub(super) fn document(text: &str) -> Result<Node, Vec<Problem>> {
    refuse_endless_keys(text, 0)?;
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(errors.iter().map(|error| problem(error, 0, text.len(), 0)).collect());
    }
    let place = Place { text: 0, start: 0, end: 0 };
    Ok(Node::new(place, table_value(table.into_inner(), 0, 0)))
}

/// Reads one value that stands at `offset` of the text `number`.
pub(super) fn value(text: &str, number: usize, offset: usize) -> Result<Node, Vec<Problem>> {
    refuse_endless_keys(text, number)?;
    let (value, errors) = DeValue::parse_recoverable(text);
    if !errors.is_empty() {
        let all = errors.iter().map(|error| problem(error, number, text.len(), offset));
        return Err(all.collect());
    }
    Ok(node(value, number, offset))
}

fn problem(error: &Error, text: usize, len: usize, offset: usize) -> Problem {
    let span = error.span().unwrap_or(len..len);
    let place = Place { text, start: span.start + offset, end: span.end + offset };
    Problem::new(place, error.message().to_string())
}

fn node(value: Spanned<DeValue<'_>>, text: usize, offset: usize) -> Node {
    let span = value.span();
    let place = Place { text, start: span.start + offset, end: span.end + offset };
    let value = match value.into_inner() {
        DeValue::String(string) => Value::Text(string.into_owned()),
        DeValue::Integer(integer) => Value::Whole(whole(&integer)),
        DeValue::Float(float) => Value::Number(float.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(flag) => Value::Flag(flag),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(items) => {
            Value::List(items.into_iter().map(|item| node(item, text, offset)).collect())
        }
        DeValue::Table(table) => table_value(table, text, offset),
    };
    Node::new(place, value)
}

fn table_value(table: DeTable<'_>, text: usize, offset: usize) -> Value {
    let mut entries: Vec<Entry> = table
        .into_iter()
        .map(|(key, value)| {
            let span = key.span();
            Entry {
                place: Place { text, start: span.start + offset, end: span.end + offset },
                key: key.into_inner().into_owned(),
                node: node(value, text, offset),
            }
        })
        .collect();
    entries.sort_by_key(|entry| entry.place);
    Value::Table(entries)
}

fn whole(integer: &DeInteger<'_>) -> i128 {
    let far = if integer.as_str().starts_with('-') { i128::MIN } else { i128::MAX };
    i128::from_str_radix(integer.as_str(), integer.radix()).unwrap_or(far)
}

/// Refuses dotted keys so long that the nested tables they make would overflow the stack.
fn refuse_endless_keys(text: &str, number: usize) -> Result<(), Vec<Problem>> {
    let bytes = text.as_bytes();
    let (mut at, mut dots) = (0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'.' => dots += 1,
            b'\n' | b'=' | b',' | b'{' | b'[' => dots = 0,
            b'"' | b'\'' => at = end_of_string(bytes, at),
            b'#' => at = end_of_line(bytes, at),
            _ => {}
        }
        if dots > LONGEST_KEY {
            let place = Place { text: number, start: at, end: at + 1 };
            return Err(vec![Problem::new(place, "a key of too many parts".to_string())]);
        }
        at += 1;
    }
    Ok(())
}

/// The last byte of the string that begins here, or the one before the end of an open one.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let long = bytes[start..].starts_with(&[quote; 3]);
    let mut at = start + if long { 3 } else { 1 };
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if quote == b'"' && bytes.get(at + 1) != Some(&b'\n') => at += 1,
            b'\n' if !long => return at - 1,
            byte if byte == quote && !long => return at,
            byte if byte == quote && bytes[at..].starts_with(&[quote; 3]) => return at + 2,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

fn end_of_line(bytes: &[u8], start: usize) -> usize {
    bytes[start..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |n| start + n - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_keep_the_order_and_the_places_of_the_text() {
        let root = document("b = 1\na = { y = 2, x = \"z\" }\n").unwrap();
        let keys: Vec<_> = root.entries().iter().map(|entry| entry.key.as_str()).collect();
        assert_eq!(keys, ["b", "a"]);
        assert_eq!(root.get("a").unwrap().get("x").unwrap().place.start, 23);
    }

    #[test]
    fn an_endless_key_is_refused_without_a_crash() {
        assert!(document(&format!("{} = 1", vec!["a"; 200_000].join("."))).is_err());
        assert!(document(&"[".repeat(200_000)).is_err());
    }
}
