//! How options select columns: by name, by position or by pattern.

use anyhow::{Result, anyhow, bail};
use regex_lite::Regex;

use crate::output::quoted_list;

/// What an option says of columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selector {
    text: String,
    /// Whether it was in double quotes, and so is a name and nothing else.
    is_quoted: bool,
}

/// The columns that a selector selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selected {
    /// The column of this name.
    Named(String),
    /// Columns whose names match a pattern.
    Matched(Vec<String>),
}

impl Selector {
    /// The selectors of a list separated by commas, of which those in double quotes and regular expressions
    /// between slashes may contain commas.
    pub(crate) fn list(text: &str) -> Vec<Self> {
        let (mut selectors, mut rest) = (Vec::new(), Some(text));
        while let Some(text) = rest {
            let (selector, others) = quoted(text).or_else(|| between_slashes(text)).unwrap_or_else(|| {
                let (name, others) =
                    text.split_once(',').map_or((text, None), |(name, rest)| (name, Some(rest)));
                (Self { text: name.into(), is_quoted: false }, others)
            });
            selectors.push(selector);
            rest = others;
        }
        selectors
    }

    /// The selector of one column, in which commas are part of its name.
    pub(crate) fn one(text: &str) -> Self {
        match quoted(text) {
            Some((selector, None)) => selector,
            _ => Self { text: text.into(), is_quoted: false },
        }
    }

    /// The name or pattern.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it may be more than a name, so that the names of all columns must be known.
    pub(crate) fn may_be_pattern(&self) -> bool {
        let is_pattern = self.text.contains(['*', '?']) || self.expression().is_some();
        !self.is_quoted && (is_pattern || self.position().is_some())
    }

    /// The columns that it selects of those of a file. Patterns do not match the columns of labels and
    /// weights.
    pub(crate) fn select(&self, file: &str, columns: &[String], reserved: &[&str]) -> Result<Selected> {
        if !self.may_be_pattern() || columns.contains(&self.text) {
            return Ok(Selected::Named(self.text.clone()));
        }
        let text = &self.text;
        if let Some(position) = self.position() {
            let Some(name) = position.checked_sub(1).and_then(|place| columns.get(place)) else {
                let n = columns.len();
                bail!("{file}: {text} is not a column; the columns are numbered from #1 to #{n}");
            };
            if reserved.contains(&name.as_str()) {
                bail!("{file}: {text} is the column {name:?}, which has the labels or weights");
            }
            return Ok(Selected::Named(name.clone()));
        }
        let features: Vec<&String> =
            columns.iter().filter(|name| !reserved.contains(&name.as_str())).collect();
        let pattern = self.pattern().map_err(|error| anyhow!("{text} is no regular expression: {error}"))?;
        let matched = features.iter().filter(|name| pattern.is_match(name));
        let matched: Vec<String> = matched.map(|name| (*name).clone()).collect();
        if matched.is_empty() {
            bail!("{file}: no column matches {text:?}; the columns are {}", quoted_list(&features));
        }
        Ok(Selected::Matched(matched))
    }

    /// The regular expression between slashes.
    fn expression(&self) -> Option<&str> {
        self.text.strip_prefix('/')?.strip_suffix('/').filter(|expression| !expression.is_empty())
    }

    /// What names are matched with: a regular expression somewhere in them, or all of them by `*`, any text,
    /// and `?`, any character.
    fn pattern(&self) -> Result<Regex, regex_lite::Error> {
        if let Some(expression) = self.expression() {
            return Regex::new(expression);
        }
        let part = |letter: char| match letter {
            '*' => ".*".into(),
            '?' => ".".into(),
            letter => regex_lite::escape(letter.encode_utf8(&mut [0; 4])),
        };
        let whole: String = self.text.chars().map(part).collect();
        Regex::new(&format!("(?s)^{whole}$"))
    }

    /// The number of the column, counted from 1, of `#1`, `#2`, and so on.
    fn position(&self) -> Option<usize> {
        self.text
            .strip_prefix('#')
            .filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()))?
            .parse()
            .ok()
    }
}

/// A name in double quotes, and what follows behind a comma.
fn quoted(text: &str) -> Option<(Selector, Option<&str>)> {
    let (text, others) = in_quotes(text)?;
    let others = if others.is_empty() { None } else { Some(others.strip_prefix(',')?) };
    Some((Selector { text, is_quoted: true }, others))
}

/// The content of double quotes at the start of a text, in which two of them are one, and what follows them.
pub(super) fn in_quotes(text: &str) -> Option<(String, &str)> {
    let mut content = String::new();
    let mut rest = text.strip_prefix('"')?;
    loop {
        let (part, after) = rest.split_once('"')?;
        content.push_str(part);
        let Some(more) = after.strip_prefix('"') else { return Some((content, after)) };
        content.push('"');
        rest = more;
    }
}

/// A regular expression between slashes, and what follows behind a comma.
fn between_slashes(text: &str) -> Option<(Selector, Option<&str>)> {
    let behind = text.strip_prefix('/')?;
    let end = behind.match_indices('/').map(|(place, _)| place + 1);
    let end =
        end.filter(|&end| end > 1).find(|&end| matches!(text[end + 1..].chars().next(), None | Some(',')))?;
    let (own, others) = text.split_at(end + 1);
    Some((Selector { text: own.into(), is_quoted: false }, others.strip_prefix(',')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_are_texts_and_question_marks_characters() {
        let matches = |pattern: &str, name: &str| {
            Selector { text: pattern.into(), is_quoted: false }.pattern().unwrap().is_match(name)
        };
        for (pattern, name) in [
            ("*", ""),
            ("a.b*", "a.b\nc"),
            ("*", "ä b"),
            ("id_*", "id_"),
            ("id_*", "id_7"),
            ("*_id", "a_id_id"),
            ("a*b*c", "abbcbc"),
            ("?", "ß"),
            ("x??", "x10"),
            ("*?*", "x"),
            ("**", "x"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("", "a"),
            ("?", ""),
            ("id_*", "aid_7"),
            ("id_*", "ID_7"),
            ("a*b", "abc"),
            ("a.b*", "axb"),
            ("x?", "x10"),
            ("*?*", ""),
        ] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn names_in_quotes_contain_commas() {
        let list = |text: &str| -> Vec<(String, bool)> {
            Selector::list(text).into_iter().map(|selector| (selector.text, selector.is_quoted)).collect()
        };
        let (plain, quoted) = (|text: &str| (text.to_owned(), false), |text: &str| (text.to_owned(), true));
        assert_eq!(list("a,b c,"), [plain("a"), plain("b c"), plain("")]);
        assert_eq!(list("\"a,b\",c"), [quoted("a,b"), plain("c")]);
        assert_eq!(list("c,\"a \"\"b\"\",\""), [plain("c"), quoted("a \"b\",")]);
        // What is not closed before a comma or the end is no quote.
        assert_eq!(list("\"a,b"), [plain("\"a"), plain("b")]);
        assert_eq!(list("\"a\"b,c"), [plain("\"a\"b"), plain("c")]);
        assert_eq!(list("5\" pipe"), [plain("5\" pipe")]);
    }

    #[test]
    fn regular_expressions_are_between_slashes() {
        let texts = |text: &str| -> Vec<String> {
            Selector::list(text).into_iter().map(|selector| selector.text).collect()
        };
        assert_eq!(texts("/^a{1,2}$/,b,/c/"), ["/^a{1,2}$/", "b", "/c/"]);
        assert_eq!(texts("/a/b/"), ["/a/b/"]);
        assert_eq!(texts("/a,b"), ["/a", "b"]);
        assert_eq!(texts("//,b"), ["//", "b"]);
        let columns = ["id", "aid", "q1", "q22", "/x/", "y"].map(String::from);
        let select = |text: &str| Selector::list(text)[0].select("f", &columns, &["y"]);
        assert_eq!(select("/id/").unwrap(), Selected::Matched(vec!["id".into(), "aid".into()]));
        assert_eq!(select("/^q[0-9]{2,}$/").unwrap(), Selected::Matched(vec!["q22".into()]));
        assert_eq!(select("/x/").unwrap(), Selected::Named("/x/".into()));
        assert!(select("/y/").is_err());
        let error = select("/(/").unwrap_err().to_string();
        assert!(error.starts_with("/(/ is no regular expression"), "{error}");
    }

    #[test]
    fn names_go_before_patterns() {
        let columns = ["#2", "a*", "ab", "y"].map(String::from);
        let select = |text: &str| Selector::list(text)[0].select("f", &columns, &["y"]);
        assert_eq!(select("#2").unwrap(), Selected::Named("#2".into()));
        assert_eq!(select("#3").unwrap(), Selected::Named("ab".into()));
        assert_eq!(select("a*").unwrap(), Selected::Named("a*".into()));
        assert_eq!(select("a?").unwrap(), Selected::Matched(vec!["a*".into(), "ab".into()]));
        assert_eq!(select("*").unwrap(), Selected::Matched(vec!["#2".into(), "a*".into(), "ab".into()]));
        assert_eq!(select("\"*\"").unwrap(), Selected::Named("*".into()));
        for text in ["#0", "#4", "#5", "#99999999999999999999", "z*", "y?"] {
            assert!(select(text).is_err() || text.len() > 10, "{text}");
        }
    }
}
