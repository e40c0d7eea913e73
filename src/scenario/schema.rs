//! The scenario language as JSON Schema, for editors.

use serde_json::{Map, Value, json};

use super::keys::{FAULT, FAULT_KINDS, LAYER, Need, ROOT, SERVICE, Shape, Table};

/// The scenario language as JSON Schema (2020-12), pretty-printed.
pub fn schema() -> String {
    let mut definitions = Map::new();
    let root = object(&ROOT, &mut definitions);
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "herdsim scenario",
    });
    // Either may come with the other, and one of them must.
    schema["anyOf"] = json!([required(&["server"]), required(&["services"])]);
    if let (Value::Object(schema), Value::Object(root)) = (&mut schema, root) {
        schema.extend(root);
        schema.insert("$defs".to_string(), Value::Object(definitions));
    }
    format!("{schema:#}\n")
}

/// A table as an object; tables inside it are put among the definitions.
fn object(table: &'static Table, definitions: &mut Map<String, Value>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for key in table.keys.iter().filter(|key| key.need != Need::NotYet) {
        let mut property = shape(key.shape, definitions);
        property["description"] = json!(key.doc);
        match key.need {
            Need::Default(text) => property["default"] = json_of(text),
            Need::Required if !is_named_elsewhere(table, key.name) => required.push(key.name),
            _ => {}
        }
        properties.insert(key.name.to_string(), property);
    }
    let mut object = json!({
        "type": "object",
        "description": format!("Describes {}.", table.what),
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        object["required"] = json!(required);
    }
    let mut choices: Vec<Value> = table.one_of.iter().map(|name| self::required(&[name])).collect();
    if std::ptr::eq(table, &SERVICE) {
        choices = vec![self::required(&["rate"]), self::required(&["workers", "service_time"])];
    }
    if std::ptr::eq(table, &LAYER) {
        // A preset brings its own number of attempts.
        object["anyOf"] = json!([json!({ "oneOf": choices }), self::required(&["preset"])]);
        choices = Vec::new();
    }
    if !choices.is_empty() {
        object["oneOf"] = json!(choices);
    }
    if std::ptr::eq(table, &FAULT) {
        object["allOf"] = FAULT_KINDS.iter().map(|(kind, keys)| fault(kind, keys)).collect();
    }
    object
}

/// Whether a key is required, but not in every place of its table: a service that is written as
/// `[server]` has its name from that.
fn is_named_elsewhere(table: &'static Table, key: &str) -> bool {
    std::ptr::eq(table, &SERVICE) && key == "name"
}

fn required(names: &[&str]) -> Value {
    json!({ "required": names })
}

/// What a fault of this kind must have, and what it must not.
fn fault(kind: &str, keys: &Table) -> Value {
    let of_others = FAULT
        .keys
        .iter()
        .filter(|key| key.need != Need::NotYet && !keys.names().contains(&key.name));
    let foreign: Vec<Value> = of_others.map(|key| required(&[key.name])).collect();
    let own = keys.keys.iter().filter(|key| key.need == Need::Required);
    let own: Vec<&str> = own.map(|key| key.name).collect();
    json!({
        "if": { "properties": { "kind": { "const": kind } }, "required": ["kind"] },
        "then": { "required": own, "not": { "anyOf": foreign } },
    })
}

/// A value of TOML as JSON.
pub(super) fn json_of(text: &str) -> Value {
    let parsed: Option<toml::Table> = format!("x = {text}").parse().ok();
    parsed.and_then(|table| serde_json::to_value(&table["x"]).ok()).unwrap_or(Value::Null)
}

fn shape(shape: Shape, definitions: &mut Map<String, Value>) -> Value {
    match shape {
        Shape::Text | Shape::File => json!({ "type": "string" }),
        Shape::Word(words) => json!({ "type": "string", "enum": words }),
        Shape::Phrase(examples) => json!({ "type": "string", "examples": examples }),
        Shape::Whole(least) => json!({ "type": "integer", "minimum": least }),
        Shape::Number | Shape::AtLeast(_) => json!({ "type": "number" }),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Duration | Shape::Positive => json!({
            "type": "string",
            "pattern": "^\\s*([0-9.]+\\s*[a-zA-Zµ]+\\s*)+$",
            "examples": ["250ms", "1m30s"],
        }),
        Shape::Rate => json!({
            "type": "string",
            "pattern": "^[^/]+/\\s*(ms|s|sec|m|min|h)\\s*$",
            "examples": ["90/s"],
        }),
        Shape::Share => json!({ "anyOf": [
            { "type": "number", "minimum": 0, "maximum": 1 },
            { "type": "string", "pattern": "^\\s*[0-9.eE+-]+\\s*%\\s*$", "examples": ["5%"] },
        ] }),
        Shape::Set => json!({ "type": "object" }),
        Shape::List(inner) | Shape::Filled(inner, _) => {
            let mut items = self::shape(*inner, definitions);
            if matches!(inner, Shape::Table(table) if std::ptr::eq(*table, &SERVICE)) {
                items = json!({ "allOf": [items, required(&["name"])] });
            }
            json!({ "type": "array", "items": items })
        }
        Shape::Any(shapes) => {
            let any: Vec<Value> =
                shapes.iter().map(|inner| self::shape(*inner, definitions)).collect();
            json!({ "anyOf": any })
        }
        Shape::Table(table) => {
            let name = name(table);
            if !definitions.contains_key(&name) {
                // Taken before it is filled in, so that a table inside itself ends here.
                definitions.insert(name.clone(), Value::Null);
                let filled = object(table, definitions);
                definitions.insert(name.clone(), filled);
            }
            json!({ "$ref": format!("#/$defs/{name}") })
        }
    }
}

/// `a client group` as the name of a definition: `client-group`.
fn name(table: &Table) -> String {
    let what = table.what.trim_start_matches("an ").trim_start_matches("a ");
    let what = what.trim_start_matches("the ").replace('`', "");
    what.to_lowercase().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: &Value, path: &str) {
        // A condition names properties that are described where they belong.
        if let Some(Value::Object(properties)) = value.get("properties").filter(|_| path != "if") {
            assert_eq!(value["additionalProperties"], json!(false), "{path}");
            for (name, property) in properties {
                let described = property["description"].as_str().is_some_and(|d| d.len() > 10);
                assert!(described, "{path}.{name}");
            }
        }
        match value {
            Value::Object(map) => map.iter().for_each(|(key, v)| check(v, key)),
            Value::Array(items) => items.iter().for_each(|item| check(item, path)),
            _ => {}
        }
    }

    #[test]
    fn every_property_is_described_and_no_other_is_allowed() {
        let schema: Value = serde_json::from_str(&schema()).unwrap();
        check(&schema, "");
        assert_eq!(schema["properties"]["bin"]["default"], json!("100ms"));
        assert!(!schema.to_string().contains("Not supported"));
    }
}
