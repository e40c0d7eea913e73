//! One of several forms, as their descriptions say.

use crate::form::{Form, Given, Item, Key, Need, Shape, Table};
use crate::scenario::node::{Entry, Node, Value};
use crate::scenario::out::{Got, Out};
use crate::scenario::scalars::{duration, number, positive, share, unknown_word, whole};
use crate::scenario::walk::{Context, Walk, list};

/// The name of the form that was chosen, and what was built of it.
type Named<T> = (&'static str, T);

/// Reads one of `forms`: its word, or a table with the key of exactly one; `table` describes that
/// table.
pub(super) fn form<T>(
    context: &mut Context,
    node: &Node,
    table: &'static Table,
    forms: &'static [Form<T>],
) -> Got<Named<T>> {
    if !forms.iter().any(Form::is_word) {
        return one_of(context, node, table, forms);
    }
    let Some(word) = node.text() else {
        return match node.value {
            Value::Table(_) => one_of(context, node, table, forms),
            _ => context.unfit(node, table.what, &examples(forms, table)),
        };
    };
    match forms.iter().find(|form| form.name == word && form.is_word()) {
        None => {
            let names: Vec<&str> = forms.iter().map(|form| form.name).collect();
            unknown_word(context, node, word, &names)
        }
        Some(form) if form.shape.is_none() => {
            let built = (form.build)(&Given::default());
            (Some((form.name, built)), Out::quoted(node, form.name))
        }
        Some(form) => one_of(context, &spelled_out(node, form.name), table, forms),
    }
}

/// What may stand there: the words, and a table where a word does not do.
fn examples<T>(forms: &[Form<T>], table: &Table) -> String {
    let words = forms.iter().filter(|form| form.is_word());
    let words: Vec<String> = words.map(|form| format!("\"{}\"", form.name)).collect();
    let needed = forms.iter().any(|form| !form.is_word()).then(|| table.example());
    std::iter::once(words.join(", ")).chain(needed).collect::<Vec<_>>().join(" or ")
}

/// The table that the name of a form is short for.
fn spelled_out(node: &Node, name: &str) -> Node {
    let empty = Node { value: Value::Table(Vec::new()), ..node.clone() };
    let entry = Entry { key: name.to_string(), place: node.place, node: empty };
    Node { value: Value::Table(vec![entry]), ..node.clone() }
}

fn one_of<T>(
    context: &mut Context,
    node: &Node,
    table: &'static Table,
    forms: &'static [Form<T>],
) -> Got<Named<T>> {
    let Some(mut walk) = Walk::open(context, node, table) else {
        return (None, Out::Nothing);
    };
    let chosen = walk.exactly_one();
    let form = forms.iter().find(|form| Some(form.name) == chosen);
    let named = form.and_then(|form| {
        let shape = form.shape?;
        let given = walk.get(form.name, |context, node| given(context, node, shape))?;
        Some((form.name, (form.build)(&given)))
    });
    (named, walk.finish())
}

/// The parameters of a form; none when one of them is absent or bad.
fn given(context: &mut Context, node: &Node, shape: Shape) -> Got<Given> {
    let mut given = Given::default();
    let Shape::Table(table) = shape else {
        let (value, out) = item(context, node, shape);
        let given = value.map(|value| {
            given.put(Given::VALUE, value);
            given
        });
        return (given, out);
    };
    let Some(mut walk) = Walk::open(context, node, table) else {
        return (None, Out::Nothing);
    };
    let mut complete = true;
    for key in table.keys {
        match walk.get(key.name, |context, node| item(context, node, key.shape)) {
            Some(value) => given.put(key.name, value),
            None if walk.raw(key.name).is_none() && is_like(&mut walk, key, &mut given) => {}
            // What may be left out has no value then, and nothing is wrong.
            None if key.need == Need::Optional && walk.raw(key.name).is_none() => {}
            None => complete = false,
        }
    }
    (complete.then_some(given), walk.finish())
}

/// Whether a parameter that was left out is what another one is.
fn is_like(walk: &mut Walk, key: &Key, given: &mut Given) -> bool {
    let Need::Like(other) = key.need else { return false };
    if given.has(other) {
        let value = given.whole(other);
        given.put(key.name, Item::Whole(value));
        walk.derived(key.name, value.to_string());
    }
    true
}

fn item(context: &mut Context, node: &Node, shape: Shape) -> Got<Item> {
    match shape {
        Shape::Duration => got(duration(context, node), Item::Duration),
        Shape::Positive => got(positive(context, node), Item::Duration),
        Shape::Number => got(number(context, node, f64::NEG_INFINITY), Item::Number),
        Shape::AtLeast(least) => got(number(context, node, least), Item::Number),
        Shape::Share => got(share(context, node), Item::Share),
        Shape::Whole(least) => {
            let (value, out) = whole(context, node, least, u32::MAX.into());
            (value.and_then(|value| u32::try_from(value).ok()).map(Item::Whole), out)
        }
        Shape::List(inner) => items(context, node, *inner),
        Shape::Filled(inner, empty) => match items(context, node, *inner) {
            (Some(Item::List(items)), _) if items.is_empty() => context.bad(node, empty),
            got => got,
        },
        _ => panic!("no form takes {}", shape.example()),
    }
}

fn items(context: &mut Context, node: &Node, shape: Shape) -> Got<Item> {
    got(list(context, node, |context, node| item(context, node, shape)), Item::List)
}

fn got<T>((value, out): Got<T>, wrap: impl FnOnce(T) -> Item) -> Got<Item> {
    (value.map(wrap), out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::backoff::{growth, jitter};
    use crate::policy::budget;
    use crate::scenario::{keys, toml_doc};

    /// Reads every form as its own description spells it.
    fn read_all<T>(table: &'static Table, forms: &'static [Form<T>]) {
        for form in forms {
            let word = format!("\"{}\"", form.name);
            let long = form.shape.map(|shape| format!("{{ {} = {} }}", form.name, shape.example()));
            for text in long.into_iter().chain(form.is_word().then_some(word)) {
                let mut context = Context::new(std::path::PathBuf::new());
                let node = toml_doc::value(&text, 0, 0).unwrap();
                let (named, _) = super::form(&mut context, &node, table, forms);
                let messages: Vec<_> = context.problems.iter().map(|p| &p.message).collect();
                assert!(messages.is_empty(), "{text}: {messages:?}");
                assert_eq!(named.map(|(name, _)| name), Some(form.name), "{text}");
            }
        }
    }

    #[test]
    fn every_form_is_built_from_what_it_describes() {
        read_all(&keys::BACKOFF, growth::FORMS);
        read_all(&keys::JITTER, jitter::FORMS);
        read_all(&keys::BUDGET, budget::FORMS);
    }
}
