//! The query that scores rows by a model.

use nb_io::{FittedFamily, Kind, Model};

use crate::{
    Dialect,
    choice::Choice,
    pairs,
    terms::{Cell, Term, tabulated, term},
    words::Words,
};

/// The most columns of a query: PostgreSQL allows 1,664.
const MOST_COLUMNS: usize = 1_600;

/// Why there is no query for a model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PredictError {
    /// Posteriors are calibrated by a map that the query does not have.
    #[error(
        "the probabilities are calibrated by isotonic regression, which is not written as SQL; calibrate with `--map platt` (two \
         classes) or `--map temperature` instead, or write the model without it (`nbayes calibrate MODEL --none`)"
    )]
    Calibrated,
    /// The evidence does not make a classifier.
    #[error(transparent)]
    Fit(#[from] nb_core::error::FitError),
    /// A column has texts whose words are not counted in SQL.
    #[error("the texts of column {column:?} cannot be scored in SQL: {reason}; use `nbayes predict`")]
    Text {
        /// The column.
        column: String,
        /// Why not.
        reason: &'static str,
    },
    /// A column has dates.
    #[error("column {column:?} has dates, whose parts are not computed in plain SQL; use `nbayes predict`")]
    Dates {
        /// The column.
        column: String,
    },
    /// A family has no form in SQL.
    #[error("column {column:?} has a family that cannot be written in SQL; use `nbayes predict`")]
    Family {
        /// The column.
        column: String,
    },
    /// The decision rule is for other classes than those of the model.
    #[error(transparent)]
    Decision(#[from] nb_io::OtherClassesError),
    /// The model has prediction sets, and a query gives one label for each row.
    #[error(
        "the query gives one label for each row, and the model makes prediction sets; remove them with `nbayes decide --none`, or \
         use `nbayes predict --sets`"
    )]
    Sets,
    /// Expressions have no label, and so no decision rule.
    #[error(
        "expressions are log-joint probabilities and do not carry the decision rule of the model; write the whole query, or remove \
         the rule with `nbayes decide --none`"
    )]
    Expressions,
    /// There are more columns or classes than the engine takes.
    #[error("the query would have {found} columns, and {engine} takes about {most}; use `nbayes predict`")]
    TooWide {
        /// The number of columns.
        found: usize,
        /// The engine.
        engine: &'static str,
        /// The most columns.
        most: usize,
    },
}

/// A query with one row for each row of a table: the column `id`, if one is named; the label, in a column
/// called `predicted_` and the label's name; and the logarithm of the posterior probability of each class, in
/// columns `log_p(class)`. Of these, one that has the name of the column `id` is called `predicted_` and that
/// name.
///
/// The table is a name, or a query in parentheses.
///
/// # How it is computed
/// Terms are added up pairwise, so that rounding grows with the logarithm of their number (Higham 2002,
/// *Accuracy and Stability of Numerical Algorithms*, 2nd ed., section 4.2), squares of differences are never
/// expanded, and from the sums the largest is taken out before the logarithm of the sum of exponentials is
/// formed (Blanchard, Higham and Higham 2021, *Accurately computing the log-sum-exp and softmax functions*,
/// IMA Journal of Numerical Analysis 41, 2311-2330). No probability is formed, unless a [decision
/// rule](nb_calibration::Decision) of the model has costs or a least probability. Ties go to the first class.
///
/// # Rows without an answer
/// Label and posteriors are NULL for a row that is impossible under every class, and where `nbayes predict`
/// would refuse a cell: a missing one where the model refuses these, an unseen category where it is an error,
/// a value that the family cannot observe. Skipped cells (NULL and NaN) add nothing. So it is, too, for a
/// text with one of the [characters](nb_io::text::Characters::others) whose part in words depends on those
/// beside them.
///
/// # Texts
/// In PostgreSQL and DuckDB words are found by regular expressions that have all letters of Unicode, counted,
/// and joined with the vocabulary, which is part of the query.
///
/// # Errors
/// [`PredictError`] if a column has no form in SQL or the query would be too wide.
pub fn predict_query(
    model: &Model,
    dialect: Dialect,
    table: &str,
    id: Option<&str>,
) -> Result<String, PredictError> {
    let cell_name = |place: usize| format!("x{}", place + 1);
    let Joint { classes, scores, condition, words } = Joint::new(model, dialect, cell_name)?;
    let columns = &model.schema().columns;
    let choice = Choice::new(model, dialect, &classes)?;
    let found = columns.len().max(classes.len() + choice.costs.len());
    if dialect == Dialect::Postgres && found > MOST_COLUMNS {
        return Err(PredictError::TooWide { found, engine: dialect.name(), most: MOST_COLUMNS });
    }
    let id_name = id.map(|id| dialect.identifier(id));
    let first = |text: String| id.map(|_| text);
    let list = |entries: Vec<String>, indent: &str| entries.join(&format!(",\n{indent}"));

    let cells = columns.iter().enumerate().filter(|(_, column)| !matches!(column.kind, Kind::Text(_)));
    let cells = cells.map(|(place, column)| {
        format!("{} AS {}", cell(dialect, column, &dialect.of_table(&column.name)), cell_name(place))
    });
    let cells = cells.chain(words.iter().flat_map(Words::cells));
    let cells =
        list(id_name.iter().map(|id| format!("t.{id} AS nb_id")).chain(cells).collect(), "          ");
    let (tables, table) = with_words(dialect, dialect.table(table), &words);
    let joint: Vec<String> = (1..=classes.len()).map(|class| format!("j{class}")).collect();
    let scores = scores.iter().zip(&joint).map(|(score, joint)| format!("{score} AS {joint}"));
    let scores =
        first("nb_id".into()).into_iter().chain([format!("{condition} AS answerable")]).chain(scores);
    let scores = list(scores.collect(), "        ");
    let greatest = if joint.len() == 1 { "j1".into() } else { format!("GREATEST({})", joint.join(", ")) };
    let own = first("nb_id".into()).into_iter().chain(joint.clone()).collect::<Vec<_>>().join(", ");

    // Far below the largest, an exponential adds nothing to the sum, and in PostgreSQL its underflow would be
    // an error.
    let (least, negligible) = (dialect.double(f64::NEG_INFINITY), dialect.double(-700.0));
    let exponentials = joint.iter().map(|joint| format!("exp(GREATEST({joint} - best, {negligible}))"));
    let total = pairwise(exponentials.collect());
    let labels = choice.label(least.as_str());
    let costs = choice.costs.iter().fold(String::new(), |all, cost| all + ",\n    " + cost);
    // As for `nbayes predict --id`: what is called as the identifier is says that it is predicted.
    let distinct = |name: &str| {
        dialect.identifier(&if id == Some(name) { format!("predicted_{name}") } else { name.to_owned() })
    };
    let label = distinct(&format!("predicted_{}", model.schema().label));
    let posteriors = classes.iter().zip(&joint).map(|(class, joint)| {
        format!("({joint} - best) - excess AS {}", distinct(&format!("log_p({class})")))
    });
    let answers = id_name
        .map(|id| format!("nb_id AS {id}"))
        .into_iter()
        .chain([format!("{labels} AS {label}")])
        .chain(posteriors);
    let fence = dialect.fence();
    Ok(format!(
        "{tables}SELECT {}\nFROM (\n  SELECT {own}, best,\n    CASE WHEN best > {least} THEN ln({total}) END AS excess{costs}\n  FROM (\n    \
         SELECT {own}, CASE WHEN answerable THEN {greatest} END AS best\n    FROM (\n      SELECT {scores}\n      FROM (\n        SELECT {cells}\n        FROM {}\n      \
         ) AS cells{fence}\n    ) AS joint{fence}\n  ) AS highest{fence}\n) AS answers\n",
        list(answers.collect(), "  "),
        table
    ))
}

/// What comes before a query in which words are counted, and the table that has their scores.
fn with_words(dialect: Dialect, table: String, words: &[Words<'_>]) -> (String, String) {
    if words.is_empty() {
        return (String::new(), table);
    }
    let rows =
        format!("nb_rows AS MATERIALIZED (\n  SELECT row_number() OVER () AS nb_row, t.* FROM {table}\n)");
    let tables: Vec<String> =
        std::iter::once(rows).chain(words.iter().flat_map(|words| words.tables(dialect))).collect();
    let joins: String = words.iter().map(Words::join).collect();
    (format!("WITH {}\n", tables.join(",\n")), format!("nb_rows AS t{joins}"))
}

/// The expressions alone, to be used in queries of one's own: for each class the logarithm of its joint
/// probability with the row, as `expression AS "log_joint(class)"`, separated by commas. The class with the
/// largest one is the label. What no class depends on (of Poisson columns `log x!` and what the classes share
/// of the rest) is left out; NULL is as in [`predict_query`].
///
/// # Errors
/// As for [`predict_query`].
pub fn predict_expressions(model: &Model, dialect: Dialect) -> Result<String, PredictError> {
    let columns = &model.schema().columns;
    let own = |place| {
        columns
            .get(place)
            .map_or_else(String::new, |column| cell(dialect, column, &dialect.identifier(&column.name)))
    };
    if model.decision().is_some() {
        return Err(PredictError::Expressions);
    }
    let Joint { classes, scores, condition, words } = Joint::new(model, dialect, own)?;
    if let Some(words) = words.first() {
        let reason = "expressions do not count words, as the whole query does";
        return Err(PredictError::Text { column: words.name().to_owned(), reason });
    }
    let named = classes.iter().zip(scores).map(|(class, score)| {
        let name = dialect.identifier(&format!("log_joint({class})"));
        format!("CASE WHEN {condition} THEN {score} END AS {name}")
    });
    Ok(format!("{}\n", named.collect::<Vec<_>>().join(",\n")))
}

/// A cell, which is called `name` in the query, as its family takes it.
fn cell(dialect: Dialect, column: &nb_io::Column, name: &str) -> String {
    match &column.kind {
        Kind::Categorical { levels } => dialect.category_of(name, levels),
        _ => dialect.number_of(name),
    }
}

/// The joint probabilities of a row and each class.
struct Joint<'a> {
    classes: Vec<String>,
    /// The logarithm of the joint probability with each class.
    scores: Vec<String>,
    /// The condition under which there are any.
    condition: String,
    /// The columns of texts.
    words: Vec<Words<'a>>,
}

impl<'a> Joint<'a> {
    /// For rows whose cells are called so.
    fn new(
        model: &'a Model,
        dialect: Dialect,
        cell_name: impl Fn(usize) -> String,
    ) -> Result<Self, PredictError> {
        let columns = &model.schema().columns;
        if let Some(column) = columns.iter().find(|column| matches!(column.kind, Kind::Dates(_))) {
            return Err(PredictError::Dates { column: column.name.clone() });
        }
        if model.calibration().is_some() {
            return Err(PredictError::Calibrated);
        }
        let classifier = model.classifier()?;
        let all: Vec<usize> = (0..model.schema().n_features()).collect();
        let mut places = vec![None; all.len()];
        let (plain, refined) = match classifier.likelihood() {
            FittedFamily::Refined(refined) => (refined.fitted(), Some(refined)),
            fitted => (fitted, None),
        };
        locate(plain, &all, &mut places);
        let mut terms: Vec<Term> = Vec::new();
        let mut all_words = Vec::new();
        for (place, (column, features)) in columns.iter().zip(model.schema().feature_ranges()).enumerate() {
            // A column that no block has is ignored.
            let feature = features.start;
            let Some(&Some((family, position))) = places.get(feature) else { continue };
            if let Kind::Text(text) = &column.kind {
                let own = (place, column.name.as_str(), text.as_ref());
                let words = Words::new(own, classifier.likelihood(), (family, feature, position), dialect)
                    .map_err(|reason| PredictError::Text { column: column.name.clone(), reason })?;
                let of_class = (0..classifier.classes().len()).map(|class| Some(words.term(class, dialect)));
                terms.push(Term { of_class: of_class.collect(), condition: Some(words.condition()) });
                all_words.push(words);
                continue;
            }
            let x = cell_name(place);
            let cell = Cell { dialect, x: &x, kind: &column.kind };
            // Bins, and what has weights and corrections, add one number per level.
            let term = match classifier.likelihood().score_table(feature) {
                Some(table) => Some(tabulated(&table, family, position, cell)),
                None => match refined {
                    Some(refined) => refined
                        .weight_alone(feature)
                        .and_then(|weight| Some(term(family, position, cell)?.weighted(weight, dialect))),
                    None => term(family, position, cell),
                },
            };
            terms.push(term.ok_or_else(|| PredictError::Family { column: column.name.clone() })?);
        }
        let of_features = columns.iter().zip(model.schema().feature_ranges()).enumerate();
        let with_names: Vec<(usize, String, &Kind)> = of_features
            .map(|(place, (column, features))| (features.start, cell_name(place), &column.kind))
            .collect();
        let cell = |feature: usize| {
            let found = with_names.iter().find(|(first, ..)| *first == feature);
            found.map(|(_, x, kind)| Cell { dialect, x, kind })
        };
        for pair in refined.iter().flat_map(|refined| &refined.refinement().pairs) {
            if let [Some(first), Some(second)] = pair.columns.map(cell) {
                terms.push(pairs::term(pair, [first, second], classifier.classes().len()));
            }
        }
        let conditions: Vec<&str> = terms.iter().filter_map(|term| term.condition.as_deref()).collect();
        let condition = if conditions.is_empty() { "TRUE".into() } else { conditions.join(" AND ") };
        let scores = classifier.log_prior().iter().enumerate().map(|(class, &log_prior)| {
            let own = terms.iter().filter_map(|term| term.of_class.get(class).cloned().flatten());
            pairwise([dialect.double(log_prior)].into_iter().chain(own).collect())
        });
        let scores = scores.collect();
        Ok(Self { classes: classifier.classes().to_vec(), scores, condition, words: all_words })
    }
}

/// For every column its family and its position there.
fn locate<'a>(fitted: &'a FittedFamily, columns: &[usize], places: &mut [Option<(&'a FittedFamily, usize)>]) {
    if let FittedFamily::Blocks(blocks) = fitted {
        for (own, fitted) in blocks.iter() {
            let own: Vec<usize> = own.iter().filter_map(|&column| columns.get(column).copied()).collect();
            locate(fitted, &own, places);
        }
        return;
    }
    for (position, &column) in columns.iter().enumerate() {
        if let Some(place) = places.get_mut(column) {
            *place = Some((fitted, position));
        }
    }
}

/// The sum of expressions as a tree of little depth: rounding grows slowly, and no engine finds it too deep.
pub(crate) fn pairwise(mut terms: Vec<String>) -> String {
    /// How many expressions stand beside one another.
    const BESIDE: usize = 4;
    while terms.len() > BESIDE {
        terms = terms.chunks(BESIDE).map(|chunk| format!("({})", chunk.join(" + "))).collect();
    }
    terms.join(" + ")
}
