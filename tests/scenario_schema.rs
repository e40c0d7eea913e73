//! The JSON Schema that editors use: it is shipped, named by every scenario, and says all.

use serde_json::Value;

fn schema() -> Value {
    serde_json::from_str(&herdsim::scenario::schema()).unwrap()
}

#[test]
fn the_shipped_schema_is_the_one_that_the_program_prints() {
    let shipped = std::fs::read_to_string("scenario.schema.json").unwrap();
    let same = shipped == herdsim::scenario::schema();
    assert!(same, "run: herdsim schema > scenario.schema.json");
}

#[test]
fn every_shipped_scenario_names_the_schema() {
    let mut checked = 0;
    for entry in std::fs::read_dir("scenarios").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let text = std::fs::read_to_string(&path).unwrap();
            let named = text.starts_with("#:schema ../scenario.schema.json\n");
            assert!(named, "{}", path.display());
            checked += 1;
        }
    }
    assert!(checked >= 3, "{checked}");
}

/// Every property of every object, with its path; conditions only name what is described elsewhere.
fn properties(value: &Value, path: &str, found: &mut Vec<(String, Value)>) {
    let Value::Object(map) = value else {
        let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
        return items.iter().for_each(|item| properties(item, path, found));
    };
    for (key, inner) in map.iter().filter(|(key, _)| !["if", "then"].contains(&key.as_str())) {
        let below = format!("{path}/{key}");
        if let ("properties", Value::Object(entries)) = (key.as_str(), inner) {
            let named = entries.iter().map(|(name, entry)| (format!("{below}/{name}"), entry));
            found.extend(named.map(|(name, entry)| (name, entry.clone())));
        }
        properties(inner, &below, found);
    }
}

#[test]
fn every_property_is_described() {
    let mut found = Vec::new();
    properties(&schema(), "", &mut found);
    assert!(found.len() > 100, "{}", found.len());
    for (path, property) in found {
        let text = property["description"].as_str().unwrap_or_default();
        assert!(text.len() > 10 && text.ends_with('.'), "{path}: {text:?}");
    }
}

#[test]
fn every_reference_leads_to_a_definition_and_every_definition_is_used() {
    let schema = schema();
    let text = schema.to_string();
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        assert!(definition.is_object(), "{name}");
        assert!(text.contains(&format!("\"#/$defs/{name}\"")), "{name} is not used");
    }
    for reference in text.split("\"#/$defs/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(schema["$defs"].get(name).is_some(), "{name} is not defined");
    }
}

#[test]
fn a_service_in_a_list_needs_its_name_and_a_fault_the_keys_of_its_kind() {
    let schema = schema();
    let services = &schema["properties"]["services"]["items"];
    assert_eq!(services["allOf"][1]["required"], serde_json::json!(["name"]));
    let service = &schema["$defs"]["service"];
    assert!(service["required"].as_array().is_none_or(|all| !all.contains(&"name".into())));
    let kinds = schema["$defs"]["fault"]["allOf"].as_array().unwrap();
    let of = |kind: &str| {
        let has = |rule: &&Value| rule["if"]["properties"]["kind"]["const"] == kind;
        &kinds.iter().find(has).unwrap()["then"]["required"]
    };
    assert_eq!(*of("errors"), serde_json::json!(["kind", "at", "for", "share"]));
    assert_eq!(*of("brownout"), serde_json::json!(["kind", "at", "for", "slowdown"]));
    assert_eq!(*of("latency"), serde_json::json!(["kind", "at", "for", "add"]));
}
