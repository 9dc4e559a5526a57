//! Texts to the values of their terms, by splitting at what is between words.
//!
//! No standard operator knows which characters are letters, so that texts are only split if they have nothing
//! but printable ASCII, spaces, small Latin letters with accents, and some signs that are in no word. Rows
//! with other texts are refused.
//!
//! A list of all parts of all texts is split at one character after the other; beside it are lists of what is
//! known of each part, such as its row. The list always has a part of a row behind the last, so that it is
//! never empty.

use super::graph::{Graph, Name, count};
use crate::{
    Text,
    text::{Segmentation, Terms},
};

/// Signs beyond ASCII that are in no word, in no emoji, and are no other sign in NFKC but some of these or
/// points.
const SIGNS: &str = "£€¥¢§«»¡¿“”„–—…";
const SPACES: &str = " \t\n\r";
const PUNCTUATION: &str = "!\"#$%&()*+-/<=>?@[\\]^`{|}~";
/// What is in a word of Unicode between two letters or digits: the sign, whether letters may be around it,
/// and digits.
const INNER: [(&str, bool, bool); 5] =
    [(".", true, true), ("'", true, true), (":", true, false), (",", false, true), (";", false, true)];
const LETTER: &str = "[A-Za-zß-öø-ÿ]";
const DIGIT: &str = "[0-9]";

/// What became of the texts.
pub(super) struct Words {
    /// The values of the terms, `n_rows × n_terms`.
    pub(super) values: Name,
    /// Zero, or NaN for a text that cannot be split, `n_rows × 1`.
    pub(super) refused: Name,
}

/// The terms of a column, if they can be counted.
pub(super) fn vocabulary(text: &Text) -> Option<&[String]> {
    match &text.terms {
        Terms::Vocabulary(terms) => Some(terms),
        Terms::Hashed { .. } => None,
    }
}

/// Adds the values of the terms of `texts`, `n_rows × 1`.
pub(super) fn values(graph: &mut Graph, texts: &str, text: &Text, terms: &[String]) -> Words {
    let refused = refused(graph, texts);
    let (words, n_rows) = words(graph, texts, text);
    let counts = counts(graph, &words, &n_rows, text, terms);
    Words { values: weighted(graph, counts, text), refused }
}

/// Parts of texts, and what is known of each.
struct Parts {
    texts: Name,
    rows: Name,
    /// For words of Unicode: 0 for what begins after a space, or the number of the sign of [`INNER`] before
    /// it, from 1.
    signs: Name,
}

fn refused(graph: &mut Graph, texts: &str) -> Name {
    let pattern = format!("[\\t\\n\\r -~ß-öø-ÿ{SIGNS}]*");
    let is_known = graph.matches(texts, &pattern);
    let (zero, nan) = (graph.vector(&[0.0]), graph.vector(&[f64::NAN]));
    graph.operator("Where", &[&is_known, &zero, &nan], &[])
}

/// The words of all texts in their order, with their rows, and the number of rows.
fn words(graph: &mut Graph, texts: &str, text: &Text) -> (Parts, Name) {
    let all = graph.integers(&[-1]);
    let mut texts = graph.operator("Reshape", &[texts, &all], &[]);
    if text.tokens.lower_case {
        // Nothing but ASCII is converted here, and no other letter needs it.
        texts = graph.lower_case(&texts);
    }
    let n_rows = graph.operator("Shape", &[&texts], &[]);
    let last = graph.text("x");
    let texts = graph.operator("Concat", &[&texts, &last], &[("axis", 0)]);
    let rows = graph.numbers_up_to(&n_rows);
    let zero = graph.integers(&[0]);
    let signs = graph.operator("Mul", &[&rows, &zero], &[]);
    let mut parts = Parts { texts, rows, signs };
    let is_unicode = text.tokens.segmentation == Segmentation::UnicodeWords;
    // Without a delimiter runtimes differ in what a space is.
    for sign in SPACES.chars().chain(PUNCTUATION.chars()).chain(SIGNS.chars()) {
        parts = split(graph, &parts, &sign.to_string(), 0);
    }
    if is_unicode {
        for ((sign, _, _), number) in INNER.into_iter().zip(1..) {
            parts = split(graph, &parts, sign, number);
        }
        parts = joined(graph, parts, text);
    } else {
        for sign in INNER.map(|(sign, _, _)| sign).into_iter().chain(["_"]) {
            parts = split(graph, &parts, sign, 0);
        }
    }
    (kept(graph, parts, text), n_rows)
}

/// Splits all parts. Parts behind `sign` get its number; with 0 there are no empty ones.
fn split(graph: &mut Graph, parts: &Parts, sign: &str, number: i64) -> Parts {
    let (pieces, numbers) = graph.split(&parts.texts, sign, None);
    let shape = graph.operator("Shape", &[&pieces], &[]);
    let (axis, all) = (graph.integers(&[1]), graph.integers(&[-1]));
    let wide = |graph: &mut Graph, of_part: &str| {
        let column = graph.operator("Unsqueeze", &[of_part, &axis], &[]);
        graph.operator("Expand", &[&column, &shape], &[])
    };
    let flat = |graph: &mut Graph, values: &str| graph.operator("Reshape", &[values, &all], &[]);
    let rows = wide(graph, &parts.rows);
    let mut signs = wide(graph, &parts.signs);
    let is_there = if number == 0 {
        let empty = graph.text("");
        let is_empty = graph.operator("Equal", &[&pieces, &empty], &[]);
        graph.operator("Not", &[&is_empty], &[])
    } else {
        // Behind the last piece of a part is filling.
        let one = graph.integers(&[1]);
        let width = graph.operator("Gather", &[&shape, &one], &[("axis", 0)]);
        let places = graph.numbers_below(&width);
        let zero = graph.integers(&[0]);
        let is_behind = graph.operator("Greater", &[&places, &zero], &[]);
        let number = graph.integers(&[number]);
        signs = graph.operator("Where", &[&is_behind, &number, &signs], &[]);
        // An empty part stays one: it is what keeps the parts around it from being one word.
        let one = graph.integers(&[1]);
        let numbers = graph.operator("Max", &[&numbers, &one], &[]);
        let numbers = graph.operator("Unsqueeze", &[&numbers, &axis], &[]);
        graph.operator("Less", &[&places, &numbers], &[])
    };
    let is_there = flat(graph, &is_there);
    let pick = |graph: &mut Graph, values: &str| {
        let values = flat(graph, values);
        graph.operator("Compress", &[&values, &is_there], &[("axis", 0)])
    };
    Parts { texts: pick(graph, &pieces), rows: pick(graph, &rows), signs: pick(graph, &signs) }
}

/// The words of Unicode that the pieces make: signs between letters, or between digits, are inside words.
fn joined(graph: &mut Graph, parts: Parts, text: &Text) -> Parts {
    let pattern = |graph: &mut Graph, pattern: String| graph.matches(&parts.texts, &pattern);
    let begins = [LETTER, DIGIT].map(|class| pattern(graph, format!("(?s){class}.*")));
    let ends = [LETTER, DIGIT].map(|class| pattern(graph, format!("(?s).*{class}")));
    let no = graph.flag(false);
    let mut joins: Option<Name> = None;
    let before = ends.map(|ends| graph.shifted_down(&ends, &no));
    for ((_, letters, digits), number) in INNER.into_iter().zip(1..) {
        let number = graph.integers(&[number]);
        let is_sign = graph.operator("Equal", &[&parts.signs, &number], &[]);
        for (class, _) in [letters, digits].into_iter().enumerate().filter(|(_, allowed)| *allowed) {
            let both = graph.operator("And", &[&begins[class], &before[class]], &[]);
            let here = graph.operator("And", &[&is_sign, &both], &[]);
            joins = Some(match joins {
                Some(joins) => graph.operator("Or", &[&joins, &here], &[]),
                None => here,
            });
        }
    }
    let joins = joins.unwrap_or_default();
    let signs: Vec<&str> = std::iter::once("").chain(INNER.map(|(sign, _, _)| sign)).collect();
    let signs = graph.texts(&signs);
    let signs = graph.operator("Gather", &[&signs, &parts.signs], &[("axis", 0)]);
    let with_sign = graph.operator("StringConcat", &[&signs, &parts.texts], &[]);
    let (mut words, mut going_on) = (parts.texts.clone(), graph.flag(true));
    let (mut next, mut next_joins) = (with_sign, joins.clone());
    let nothing = graph.text("");
    for _ in 0..most_pieces(text) {
        next = graph.shifted_up(&next, &nothing);
        next_joins = graph.shifted_up(&next_joins, &no);
        going_on = graph.operator("And", &[&going_on, &next_joins], &[]);
        let longer = graph.operator("StringConcat", &[&words, &next], &[]);
        words = graph.operator("Where", &[&going_on, &longer, &words], &[]);
    }
    // A word that goes on is longer than all that matter.
    let unknown = graph.text(&"\u{1}".repeat(text.tokens.min_chars.max(1)));
    next_joins = graph.shifted_up(&next_joins, &no);
    going_on = graph.operator("And", &[&going_on, &next_joins], &[]);
    words = graph.operator("Where", &[&going_on, &unknown, &words], &[]);
    // A word has a letter or digit.
    let has_any = graph.matches(&words, "(?s).*[A-Za-z0-9ß-öø-ÿ\\x{1}].*");
    let begins = graph.operator("Not", &[&joins], &[]);
    let is_word = graph.operator("And", &[&begins, &has_any], &[]);
    Parts { texts: words, ..parts }.picked(graph, &is_word)
}

/// How many pieces at most are behind the first one in a word that the model knows or leaves out.
fn most_pieces(text: &Text) -> usize {
    let Terms::Vocabulary(terms) = &text.terms else { return 0 };
    let words = terms
        .iter()
        .flat_map(|term| term.split(' '))
        .chain(text.tokens.stop_words.iter().map(String::as_str));
    let signs = words
        .map(|word| word.chars().filter(|c| INNER.iter().any(|(sign, _, _)| sign.starts_with(*c))).count());
    signs.max().unwrap_or(0).max(text.tokens.min_chars)
}

/// Without short words and stop words.
fn kept(graph: &mut Graph, mut words: Parts, text: &Text) -> Parts {
    if text.tokens.min_chars > 1 {
        let is_long = graph.matches(&words.texts, &format!("(?s).{{{}}}.*", text.tokens.min_chars));
        words = words.picked(graph, &is_long);
    }
    if !text.tokens.stop_words.is_empty() {
        let stop_words: Vec<(&str, i64)> =
            text.tokens.stop_words.iter().map(|word| (word.as_str(), 1)).collect();
        let is_stop_word = graph.lookup(&words.texts, &stop_words, 0);
        let zero = graph.integers(&[0]);
        let is_kept = graph.operator("Equal", &[&is_stop_word, &zero], &[]);
        words = words.picked(graph, &is_kept);
    }
    words
}

impl Parts {
    /// Those of which a list of truth values holds.
    fn picked(&self, graph: &mut Graph, holds: &str) -> Self {
        let mut pick = |values: &str| graph.operator("Compress", &[values, holds], &[("axis", 0)]);
        Self { texts: pick(&self.texts), rows: pick(&self.rows), signs: pick(&self.signs) }
    }
}

/// How often each term is in each text.
fn counts(graph: &mut Graph, words: &Parts, n_rows: &str, text: &Text, terms: &[String]) -> Name {
    let numbers: Vec<(&str, i64)> = terms.iter().map(String::as_str).zip(0..).collect();
    let n_terms = graph.integers(&[count(terms)]);
    let (nothing, beyond, space) = (graph.text(""), graph.integers(&[-1]), graph.text(" "));
    let (mut runs, mut ends) = (words.texts.clone(), words.texts.clone());
    let (mut rows, mut places) = (words.rows.clone(), Vec::new());
    for n_words in 1..=*text.tokens.n_grams.end() {
        if n_words > 1 {
            ends = graph.shifted_up(&ends, &nothing);
            rows = graph.shifted_up(&rows, &beyond);
            let both = graph.operator_of_20("StringConcat", &[&runs, &space], &[]);
            runs = graph.operator_of_20("StringConcat", &[&both, &ends], &[]);
        }
        if n_words < *text.tokens.n_grams.start() {
            continue;
        }
        let known = graph.lookup(&runs, &numbers, -1);
        let is_known = graph.operator("Greater", &[&known, &beyond], &[]);
        let is_one_row = graph.operator("Equal", &[&rows, &words.rows], &[]);
        let counts = graph.operator("And", &[&is_known, &is_one_row], &[]);
        let first = graph.operator("Mul", &[&words.rows, &n_terms], &[]);
        let place = graph.operator("Add", &[&first, &known], &[]);
        places.push(graph.operator("Compress", &[&place, &counts], &[("axis", 0)]));
    }
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    let places = graph.operator("Concat", &places, &[("axis", 0)]);
    // One row more, for the part behind the last text.
    let one = graph.integers(&[1]);
    let more_rows = graph.operator("Add", &[n_rows, &one], &[]);
    let size = graph.operator("Mul", &[&more_rows, &n_terms], &[]);
    let zero = graph.vector(&[0.0]);
    let zeros = graph.operator("Expand", &[&zero, &size], &[]);
    let shape = graph.operator("Shape", &[&places], &[]);
    let one = graph.vector(&[1.0]);
    let ones = graph.operator("Expand", &[&one, &shape], &[]);
    let counts = graph.added_at(&zeros, &places, &ones);
    let shape = graph.operator("Concat", &[&more_rows, &n_terms], &[("axis", 0)]);
    let counts = graph.operator("Reshape", &[&counts, &shape], &[]);
    let (start, axis) = (graph.integers(&[0]), graph.integers(&[0]));
    graph.operator("Slice", &[&counts, &start, n_rows, &axis], &[])
}

/// What is in a row for the counts, as [`Weighting`](crate::text::Weighting) does it.
fn weighted(graph: &mut Graph, mut counts: Name, text: &Text) -> Name {
    let weighting = &text.weighting;
    if weighting.log_term_frequency {
        let one = graph.vector(&[1.0]);
        let more = graph.operator("Add", &[&counts, &one], &[]);
        counts = graph.operator("Log", &[&more], &[]);
    }
    if let Some(frequencies) = &weighting.inverse_document_frequency {
        let frequencies = graph.vector(frequencies);
        counts = graph.operator("Mul", &[&counts, &frequencies], &[]);
    }
    if weighting.normalize_length {
        let squares = graph.operator("Mul", &[&counts, &counts], &[]);
        let axis = graph.integers(&[1]);
        let sum = graph.operator("ReduceSum", &[&squares, &axis], &[("keepdims", 1)]);
        let length = graph.operator("Sqrt", &[&sum], &[]);
        let (zero, one) = (graph.vector(&[0.0]), graph.vector(&[1.0]));
        let is_positive = graph.operator("Greater", &[&length, &zero], &[]);
        let divisor = graph.operator("Where", &[&is_positive, &length, &one], &[]);
        counts = graph.operator("Div", &[&counts, &divisor], &[]);
    }
    counts
}
