//! Options of variants as tables of TOML; what is wrong with one is said by its name and value.

use serde::de::DeserializeOwned;

/// Keys without which a table has no meaning: if another one is to blame, it is found first.
const NEEDED: [&str; 4] = ["method", "family", "how", "rule"];

/// Words of serde, and what they are for people.
const WORDS: [(&str, &str); 6] = [
    ("expected usize", "expected a whole number, 0 or more"),
    ("expected u64", "expected a whole number, 0 or more"),
    ("expected f64", "expected a number"),
    ("expected a boolean", "expected true or false"),
    ("invalid type: ", ""),
    ("invalid value: ", ""),
];

/// Reads a table.
///
/// # Errors
/// Says what is wrong, after the path and value of the option that is: the first without which the table
/// would be read, or another option be wrong.
pub(super) fn read<T: DeserializeOwned>(table: &toml::Table) -> Result<T, String> {
    let problem = match table.clone().try_into::<T>() {
        Ok(found) => return Ok(found),
        Err(error) => error.message().trim().to_owned(),
    };
    let mut paths = Vec::new();
    leaves(table, &mut Vec::new(), &mut paths);
    let is_needed = |path: &Vec<String>| path.last().is_some_and(|key| NEEDED.contains(&key.as_str()));
    // The table that has all others in it is to blame if none of them is.
    paths.sort_by_key(|path| if is_needed(path) { usize::MAX - path.len() } else { 0 });
    let is_to_blame = |path: &&Vec<String>| {
        let mut rest = table.clone();
        // Without such a key the rest of its table has no meaning, either.
        remove(&mut rest, if is_needed(path) && path.len() > 1 { &path[..path.len() - 1] } else { path });
        rest.try_into::<T>().map_or_else(|error| error.message().trim() != problem, |_| true)
    };
    let problem_in_words =
        WORDS.iter().fold(problem.clone(), |text, (word, plain)| text.replace(word, plain));
    Err(match paths.iter().find(is_to_blame).and_then(|path| Some((path, get(table, path)?))) {
        Some((path, value)) => format!("{} is {value}: {problem_in_words}", path.join(".")),
        None => problem_in_words,
    })
}

/// The paths of all values that are no tables.
fn leaves(table: &toml::Table, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    for (key, value) in table {
        path.push(key.clone());
        match value {
            toml::Value::Table(parts) if !parts.is_empty() => leaves(parts, path, found),
            _ => found.push(path.clone()),
        }
        path.pop();
    }
}

fn get<'a>(table: &'a toml::Table, path: &[String]) -> Option<&'a toml::Value> {
    let (last, parents) = path.split_last()?;
    let parent = parents.iter().try_fold(table, |table, key| table.get(key)?.as_table());
    parent?.get(last)
}

fn remove(table: &mut toml::Table, path: &[String]) {
    match path {
        [] => {}
        [last] => {
            table.remove(last);
        }
        [first, rest @ ..] => {
            if let Some(toml::Value::Table(parts)) = table.get_mut(first) {
                remove(parts, rest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Design, Variant};

    fn error(text: &str) -> String {
        Variant::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn options_that_are_wrong_are_named_with_their_values() {
        for (text, expected) in [
            (
                "kdb:k=-1",
                "variant `kdb:k=-1`: k is -1: there is no rule for parents \"-1\"; choose the largest",
            ),
            ("kdb:l=much", "l is \"much\": smoothing is much; it must be a number"),
            ("kdb:tune.parents=[1,-1]", "tune, with parents=-1: parents is -1: there is no rule"),
            ("gaussian:method=forest", "unknown variant `forest`, expected one of `aode`, `tan`, "),
            (
                "hdp:smoothing.hdp.foo=1",
                "smoothing.hdp.foo is 1: smoothing is additive or hdp, or has options of hdp, which are iterations, burn_in and seed",
            ),
            (
                "hdp:smoothing.hdp.seed=1,smoothing.hdp.burn_in=-2",
                "smoothing.hdp.burn_in is -2: smoothing is",
            ),
            (
                "gaussian:prior=flat",
                "prior is \"flat\": unknown variant `flat`, expected `empirical` or `uniform`",
            ),
            ("gaussian:numeric.family=normal,l=2", "numeric.family is \"normal\": unknown family `normal`"),
            ("aode:bins.equal-width=0.5", "bins.equal-width is 0.5: "),
            ("aode:k=3", "k is 3: unknown field `k`, expected one of `bins`"),
        ] {
            assert!(error(text).contains(expected), "{text}: {}", error(text));
        }
        let design = "sets = ['iris']\nvariants = [{ preset = 'kdb', k = -1 }]";
        let found = Design::from_toml(design).unwrap_err().to_string();
        assert!(found.contains("k is -1: "), "{found}");
    }
}
