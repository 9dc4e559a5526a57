//! Texts in SQL: their words are found by regular expressions, counted, and joined with the scores of the
//! terms.

use std::ops::RangeInclusive;

use nb_core::Likelihood;
use nb_io::{
    FittedFamily,
    text::{Characters, Terms, Text},
};

use crate::Dialect;

/// A column of texts.
pub(crate) struct Words<'a> {
    /// The position of the column, counted from 1.
    place: usize,
    name: &'a str,
    text: &'a Text,
    vocabulary: &'a [String],
    characters: Characters,
    /// By term, what each adds to the classes for a value of 1.
    scores: Vec<Vec<f64>>,
    /// What is added to each class if a text has none of the terms.
    absent: Vec<f64>,
}

impl<'a> Words<'a> {
    /// The column at `place`, whose terms are the columns from `first` on of the model, `position` of their
    /// family `plain`.
    ///
    /// # Errors
    /// Why there is no query for it.
    pub(crate) fn new(
        (place, name, text): (usize, &'a str, &'a Text),
        model: &FittedFamily,
        (plain, first, position): (&FittedFamily, usize, usize),
        dialect: Dialect,
    ) -> Result<Self, &'static str> {
        if dialect == Dialect::Spark {
            return Err("queries of texts are for PostgreSQL and DuckDB");
        }
        let Terms::Vocabulary(vocabulary) = &text.terms else { return Err("its terms are hashed") };
        let characters = text.tokens.characters();
        let (FittedFamily::Multinomial(_) | FittedFamily::Complement(_)) = plain else {
            return Err("only multinomial and complement models have texts in SQL");
        };
        let refined = if let FittedFamily::Refined(refined) = model { Some(refined) } else { None };
        let (n_classes, _) = plain.shape().ok_or("its family has no classes")?;
        let scores = (0..vocabulary.len()).map(|term| {
            let alone = |class| plain.log_likelihood(class, position + term, 1.0);
            let Some(refined) = refined else { return Some((0..n_classes).map(alone).collect()) };
            if let Some(per_unit) = refined.per_unit(first + term) {
                return Some(per_unit.to_vec());
            }
            let weight = refined.weight_alone(first + term)?;
            Some((0..n_classes).map(|class| if weight > 0.0 { weight * alone(class) } else { 0.0 }).collect())
        });
        let scores = scores.collect::<Option<_>>().ok_or("its terms have corrections by levels")?;
        let texts = refined.into_iter().flat_map(|refined| &refined.refinement().absent_texts);
        let absent = texts.filter(|text| text.terms.start == first).map(|text| text.added.clone()).next();
        let absent = absent.unwrap_or_else(|| vec![0.0; n_classes]);
        Ok(Self { place: place + 1, name, text, vocabulary, characters, scores, absent })
    }

    /// What the column is called.
    pub(crate) fn name(&self) -> &str {
        self.name
    }

    /// What the column adds to a class.
    pub(crate) fn term(&self, class: usize, dialect: Dialect) -> String {
        format!("COALESCE(x{}_{}, {})", self.place, class + 1, dialect.double(self.absent[class]))
    }

    /// The condition that the words of a row are found.
    pub(crate) fn condition(&self) -> String {
        format!("x{}_known", self.place)
    }

    /// What a row has of this column.
    pub(crate) fn cells(&self) -> Vec<String> {
        let Self { place, .. } = self;
        let scores = (1..=self.n_classes()).map(|class| format!("s{place}.x{place}_{class}"));
        scores.chain([format!("w{place}.x{place}_known")]).collect()
    }

    /// Joins them to the rows `t`.
    pub(crate) fn join(&self) -> String {
        let Self { place, .. } = self;
        format!(
            " JOIN nb_texts_{place} AS w{place} ON w{place}.nb_row = t.nb_row LEFT JOIN nb_scores_{place} AS s{place} ON s{place}.nb_row = t.nb_row"
        )
    }

    fn n_classes(&self) -> usize {
        self.scores.first().map_or(0, Vec::len)
    }

    /// The common table expressions of the column.
    pub(crate) fn tables(&self, dialect: Dialect) -> Vec<String> {
        let Self { place, characters, .. } = self;
        let (from, to) = replacements(characters);
        let column = dialect.text_of(&dialect.of_table(self.name));
        let known = [
            Some(class(dialect, &characters.others)),
            (!characters.emoji.is_empty() && !characters.joining.is_empty())
                .then(|| class(dialect, &characters.emoji) + &class(dialect, &characters.joining)),
        ];
        let known: Vec<String> = known
            .into_iter()
            .flatten()
            .map(|pattern| format!("NOT {}", matches(dialect, "x", &pattern)))
            .collect();
        let texts = format!(
            "nb_texts_{place} AS MATERIALIZED (\n  SELECT nb_row, x, {} AS x{place}_known\n  FROM (SELECT nb_row, translate(COALESCE({column}, ''), {}, {}) AS x FROM nb_rows AS t) AS texts\n)",
            known.join(" AND "),
            dialect.text(&from),
            dialect.text(&to),
        );
        let words = format!(
            "nb_words_{place} AS MATERIALIZED (\n  SELECT nb_row, place, word\n  FROM ({}) AS words\n  WHERE {}\n)",
            self.found(dialect),
            self.kept(dialect)
        );
        let terms = format!("nb_terms_{place} AS MATERIALIZED (\n  {}\n)", self.terms());
        vec![texts, words, terms, self.sums(dialect)]
    }

    /// The words of all rows, with their places.
    fn found(&self, dialect: Dialect) -> String {
        let Self { place, characters, .. } = self;
        let pattern = dialect.text(&pattern(dialect, characters));
        match dialect {
            Dialect::Postgres => format!(
                "SELECT nb_row, found.place, found.words[1] AS word FROM nb_texts_{place} CROSS JOIN LATERAL regexp_matches(x, {pattern}, 'g') WITH ORDINALITY AS found(words, place)"
            ),
            Dialect::DuckDb | Dialect::Spark => format!(
                "SELECT nb_row, unnest(range(len(words))) AS place, unnest(words) AS word FROM (SELECT nb_row, regexp_extract_all(x, {pattern}) AS words FROM nb_texts_{place}) AS found"
            ),
        }
    }

    /// The condition that a word is not left out.
    fn kept(&self, dialect: Dialect) -> String {
        let tokens = &self.text.tokens;
        let mut long = format!("char_length(word) >= {}", tokens.min_chars);
        if !self.characters.emoji.is_empty() {
            let emoji = "^".to_owned() + &class(dialect, &self.characters.emoji);
            long = format!("({long} OR {})", matches(dialect, "word", &emoji));
        }
        if tokens.stop_words.is_empty() {
            return long;
        }
        let stop_words: Vec<String> = tokens.stop_words.iter().map(|word| dialect.text(word)).collect();
        format!("{long} AND word NOT IN ({})", stop_words.join(", "))
    }

    /// The terms that the words make.
    fn terms(&self) -> String {
        let Self { place, .. } = self;
        let n_grams = &self.text.tokens.n_grams;
        let of_length = |length: usize| {
            if length == 1 {
                return format!("SELECT nb_row, word AS term FROM nb_words_{place}");
            }
            let next: Vec<String> =
                (1..length).map(|by| format!(" || ' ' || lead(word, {by}) OVER in_text")).collect();
            format!(
                "SELECT nb_row, word{} AS term FROM nb_words_{place} WINDOW in_text AS (PARTITION BY nb_row ORDER BY place)",
                next.concat()
            )
        };
        n_grams.clone().map(of_length).collect::<Vec<_>>().join("\n  UNION ALL ")
    }

    /// What the terms of a row add to each class.
    fn sums(&self, dialect: Dialect) -> String {
        let Self { place, .. } = self;
        let weighting = &self.text.weighting;
        let mut value = "n".to_owned();
        if weighting.log_term_frequency {
            value = format!("ln({} + n)", dialect.double(1.0));
        }
        if weighting.inverse_document_frequency.is_some() {
            value += " * idf";
        }
        let length = if weighting.normalize_length {
            format!(
                " / CASE WHEN sum(v * v) > {zero} THEN sqrt(sum(v * v)) ELSE {} END",
                dialect.double(1.0),
                zero = dialect.double(0.0)
            )
        } else {
            String::new()
        };
        let classes = 1..=self.n_classes();
        let list =
            |write: &dyn Fn(usize) -> String| classes.clone().map(write).collect::<Vec<_>>().join(", ");
        let sums = list(&|class| format!("sum(v * s{class}){length} AS x{place}_{class}"));
        let names = list(&|class| format!("s{class}"));
        let frequencies = weighting.inverse_document_frequency.as_deref();
        let rows = self.vocabulary.iter().zip(&self.scores).enumerate().map(|(at, (term, scores))| {
            let frequency = frequencies.map(|all| dialect.double(all.get(at).copied().unwrap_or(1.0)));
            let scores = scores.iter().map(|&score| dialect.double(score));
            let cells: Vec<String> =
                std::iter::once(dialect.text(term)).chain(frequency).chain(scores).collect();
            format!("    ({})", cells.join(", "))
        });
        let idf = if frequencies.is_some() { "idf, " } else { "" };
        format!(
            "nb_scores_{place} AS (\n  SELECT nb_row, {sums}\n  FROM (\n    SELECT nb_row, {value} AS v, {names}\n    FROM (SELECT nb_row, term, CAST(count(*) AS {}) AS n FROM nb_terms_{place} GROUP BY nb_row, term) AS counts\n    JOIN (VALUES\n{}\n    ) AS vocabulary(term, {idf}{names}) USING (term)\n  ) AS weighted\n  GROUP BY nb_row\n)",
            dialect.double_type(),
            rows.collect::<Vec<_>>().join(",\n")
        )
    }
}

/// Characters, and what is read in their places; those without a partner are dropped.
fn replacements(characters: &Characters) -> (String, String) {
    let kept = characters.replaced.iter().filter_map(|&(from, to)| Some((from, to?)));
    let dropped = characters.replaced.iter().filter(|(_, to)| to.is_none()).map(|&(from, _)| from);
    let (mut from, to): (String, String) = kept.unzip();
    from.extend(dropped);
    (from, to)
}

/// The condition that a text has a match.
fn matches(dialect: Dialect, text: &str, pattern: &str) -> String {
    let pattern = dialect.text(pattern);
    match dialect {
        Dialect::Postgres => format!("({text} ~ {pattern})"),
        Dialect::DuckDb | Dialect::Spark => format!("regexp_matches({text}, {pattern})"),
    }
}

/// The regular expression of a word.
fn pattern(dialect: Dialect, characters: &Characters) -> String {
    let class = |ranges: &[RangeInclusive<char>]| (!ranges.is_empty()).then(|| class(dialect, ranges));
    // Of a kind of characters, those between two of them included.
    let chain = |ranges: &[RangeInclusive<char>], between: &[RangeInclusive<char>]| {
        let own = class(ranges)?;
        Some(class(between).map_or_else(|| own.clone(), |between| format!("{own}(?:{between}{own})*")))
    };
    let letters = chain(&characters.letters, &characters.between_letters);
    let digits = chain(&characters.digits, &characters.between_digits);
    let either = |parts: [Option<String>; 2]| parts.into_iter().flatten().collect::<Vec<_>>().join("|");
    let core = format!("(?:{})+", either([letters, digits]));
    let core = match class(&characters.syllables) {
        Some(syllables) => format!("(?:{core}|{syllables}+)"),
        None => core,
    };
    let word = match class(&characters.connectors) {
        Some(connectors) => format!("{connectors}*{core}(?:{connectors}+{core})*{connectors}*"),
        None => core,
    };
    let alone = [class(&characters.single), class(&characters.emoji)];
    std::iter::once(word).chain(alone.into_iter().flatten()).collect::<Vec<_>>().join("|")
}

/// A class of characters in a regular expression.
fn class(dialect: Dialect, ranges: &[RangeInclusive<char>]) -> String {
    let character = |c: char| match (dialect, u32::from(c)) {
        _ if c.is_ascii_alphanumeric() => c.to_string(),
        (Dialect::Postgres, code @ ..=0xFFFF) => format!("\\u{code:04X}"),
        (Dialect::Postgres, code) => format!("\\U{code:08X}"),
        (Dialect::DuckDb | Dialect::Spark, code) => format!("\\x{{{code:X}}}"),
    };
    let ranges = ranges.iter().map(|range| {
        let (start, end) = (*range.start(), *range.end());
        if start == end { character(start) } else { character(start) + "-" + &character(end) }
    });
    format!("[{}]", ranges.collect::<String>())
}
