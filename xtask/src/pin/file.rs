//! The file of pins: a line for each table and family, and for each type of input that gives other bits than
//! the others.

use std::{collections::BTreeMap, fmt};

use super::{
    answers::{PARTS, Pin},
    form::Form,
};

/// What a pin is of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) table: String,
    pub(super) family: String,
    pub(super) form: Form,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.table, self.family, self.form.name())
    }
}

/// All pins.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pins(pub(super) BTreeMap<Key, Pin>);

impl Pins {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The content of the file. Types of input whose bits are the same share a line.
    pub(super) fn to_text(&self) -> String {
        let mut text = format!(
            "# Written by `cargo xtask pin`; one line is: table, family, types of input, and hashes of the bits of\n# {}.\n",
            PARTS.join(", ")
        );
        let mut lines: Vec<(&Key, &Pin, Vec<&str>)> = Vec::new();
        for (key, pin) in &self.0 {
            let same = lines.iter_mut().rev().take(Form::ALL.len()).find(|(first, other, _)| {
                (&first.table, &first.family) == (&key.table, &key.family) && *other == pin
            });
            match same {
                Some((_, _, forms)) => forms.push(key.form.name()),
                None => lines.push((key, pin, vec![key.form.name()])),
            }
        }
        for (key, pin, forms) in lines {
            text += &[&key.table, &key.family, forms.join(",").as_str()].join(" ");
            for hash in pin {
                text.push(' ');
                text += hash;
            }
            text.push('\n');
        }
        text
    }

    /// The pins of a file.
    ///
    /// # Errors
    /// The line that is none.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut pins = BTreeMap::new();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        for line in lines {
            let wrong = || format!("not a line of pins: {line}");
            let words: Vec<&str> = line.split(' ').collect();
            let [table, family, forms, hashes @ ..] = &words[..] else { return Err(wrong()) };
            let hashes: [&str; PARTS.len()] = hashes.try_into().map_err(|_| wrong())?;
            for form in forms.split(',') {
                let form = Form::of_name(form).ok_or_else(wrong)?;
                let key = Key { table: (*table).into(), family: (*family).into(), form };
                pins.insert(key, hashes.map(String::from));
            }
        }
        Ok(Self(pins))
    }

    /// Where others differ from these, a line each.
    pub(super) fn differences(&self, others: &Self) -> Vec<String> {
        let mut differences = Vec::new();
        for (key, pin) in &self.0 {
            let Some(other) = others.0.get(key) else {
                differences.push(format!("{key}: gone"));
                continue;
            };
            let parts = PARTS.iter().zip(pin.iter().zip(other)).filter(|(_, (ours, theirs))| ours != theirs);
            let parts: Vec<String> =
                parts.map(|(part, (ours, theirs))| format!("{part} {ours} -> {theirs}")).collect();
            if !parts.is_empty() {
                differences.push(format!("{key}: {}", parts.join(", ")));
            }
        }
        let new = others.0.keys().filter(|key| !self.0.contains_key(*key));
        differences.extend(new.map(|key| format!("{key}: new")));
        differences
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(family: &str, form: Form) -> Key {
        Key { table: "iris".into(), family: family.into(), form }
    }

    fn pin(labels: &str) -> Pin {
        ["a", "b", "c", labels, "e", "f"].map(String::from)
    }

    fn pins() -> Pins {
        Pins(BTreeMap::from([
            (key("gaussian", Form::F64), pin("d")),
            (key("gaussian", Form::F32), pin("x")),
            (key("gaussian", Form::CsrI32), pin("d")),
            (key("poisson", Form::F64), pin("d")),
        ]))
    }

    #[test]
    fn files_are_read_as_they_were_written() {
        let text = pins().to_text();
        assert_eq!(Pins::parse(&text), Ok(pins()));
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(
            lines,
            [
                "iris gaussian f64,csr-i32 a b c d e f",
                "iris gaussian f32 a b c x e f",
                "iris poisson f64 a b c d e f"
            ]
        );
        for damaged in ["iris gaussian", "iris gaussian f64 a b c d e", "iris gaussian f16 a b c d e f"] {
            assert!(Pins::parse(damaged).is_err_and(|error| error.contains(damaged)));
        }
    }

    #[test]
    fn what_differs_is_named() {
        assert!(pins().differences(&pins()).is_empty());
        let mut others = pins();
        others.0.insert(key("gaussian", Form::F32), pin("y"));
        others.0.remove(&key("poisson", Form::F64));
        others.0.insert(key("bernoulli", Form::U8), pin("d"));
        assert_eq!(
            pins().differences(&others),
            ["iris gaussian f32: labels x -> y", "iris poisson f64: gone", "iris bernoulli u8: new"]
        );
    }
}
