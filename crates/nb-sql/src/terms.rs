//! What one cell adds to the log-joint of each class, in SQL.

use nb_core::{
    Missing, Unseen,
    description::{Formula, Values},
    exact::domain::MAX_ABS_VALUE,
    fitted::FittedCategorical,
};
use nb_io::{FittedFamily, Kind, ScoreTable};

use crate::{Dialect, design::LARGEST_COUNT};

/// What a column adds to the classes, and under which condition a row can be scored at all.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    /// By class; nothing where the column adds nothing.
    pub(crate) of_class: Vec<Option<String>>,
    /// The condition on the cell; none if every cell is accepted.
    pub(crate) condition: Option<String>,
}

impl Term {
    /// The same times a weight.
    pub(crate) fn weighted(self, weight: f64, dialect: Dialect) -> Self {
        let weigh = |term: String| format!("{} * ({term})", dialect.double(weight));
        let of_class = self.of_class.into_iter().map(|term| term.filter(|_| weight > 0.0).map(weigh));
        Self { of_class: of_class.collect(), condition: self.condition }
    }
}

/// How a cell is called in a query, and how the dialect writes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell<'a> {
    pub(crate) dialect: Dialect,
    pub(crate) x: &'a str,
    pub(crate) kind: &'a Kind,
}

/// The term of a column of a fitted family that is no block; `None` if it has none in SQL.
pub(crate) fn term(fitted: &FittedFamily, column: usize, cell: Cell<'_>) -> Option<Term> {
    if let Some(fitted) = fitted.of_categories() {
        return Some(categorical(fitted, column, cell));
    }
    let poisson = if let FittedFamily::Poisson(fitted) = fitted { Some(fitted) } else { None };
    let fitted = fitted.inspect()?;
    let (n_classes, _) = fitted.shape()?;
    let formulas: Option<Vec<Formula>> = match poisson {
        Some(poisson) => Some(poisson.centered_formulas(column)),
        None => (0..n_classes).map(|class| fitted.formula(class, column)).collect(),
    };
    let of_class = formulas?.into_iter().map(|formula| match formula {
        // A column that was constant over all training rows says nothing, and a class may be what others are
        // compared with.
        Formula::Sum(terms) if terms.is_empty() => None,
        formula => Some(cell.or_zero(&cell.scores(&formula))),
    });
    let condition = Some(cell.condition(fitted.values(), fitted.missing_cells())?);
    Some(Term { of_class: of_class.collect(), condition })
}

impl Cell<'_> {
    pub(crate) fn double(&self, value: f64) -> String {
        self.dialect.double(value)
    }

    /// A category as a text. Where categories have no names, their codes are in the column.
    pub(crate) fn category(&self, code: usize) -> String {
        let names: &[String] = if let Kind::Categorical { levels } = self.kind { levels } else { &[] };
        self.dialect.text(&names.get(code).cloned().unwrap_or_else(|| code.to_string()))
    }

    /// The condition that a number can be scored; `None` for category codes, which are no numbers. Where it
    /// is NULL, a missing cell is refused.
    fn condition(&self, values: Values, missing: Missing) -> Option<String> {
        let x = self.x;
        let scorable = match values {
            Values::Real => format!("abs({x}) <= {}", self.double(MAX_ABS_VALUE)),
            Values::Positive => {
                format!("{x} > {} AND {x} <= {}", self.double(0.0), self.double(MAX_ABS_VALUE))
            }
            Values::Finite => format!("abs({x}) <= {}", self.double(f64::MAX)),
            // Columns of models that were trained elsewhere may hold fractional counts.
            Values::NotNegative if !matches!(self.kind, Kind::Count) => {
                format!("{x} >= {} AND {x} <= {}", self.double(0.0), self.double(MAX_ABS_VALUE))
            }
            Values::NotNegative | Values::Whole => {
                format!(
                    "{x} >= {} AND {x} <= {} AND {x} = floor({x})",
                    self.double(0.0),
                    self.double(LARGEST_COUNT)
                )
            }
            Values::Codes => return None,
        };
        Some(match missing {
            Missing::Skip => format!("({x} IS NULL OR ({scorable}))"),
            Missing::Error => format!("({scorable})"),
        })
    }

    /// A formula as an expression that is NULL where the cell is missing.
    fn scores(&self, formula: &Formula) -> String {
        match formula {
            Formula::Sum(terms) => self.sum(terms),
            Formula::Product(factors) => self.product(factors, 1.0),
            // Cases have an answer for NULL, too.
            Formula::At(..) | Formula::Above(..) => {
                format!("CASE WHEN {} IS NOT NULL THEN {} END", self.x, self.formula(formula))
            }
            other => self.formula(other),
        }
    }

    /// A sum without parentheses; what is negative is taken off.
    fn sum(&self, terms: &[Formula]) -> String {
        let mut text = String::new();
        for (place, term) in terms.iter().enumerate() {
            let (operator, term) = match term {
                Formula::Number(number) if *number < 0.0 && place > 0 => (" - ", self.double(-number)),
                Formula::Product(factors) if place > 0 && last_is_negative(factors) => {
                    (" - ", self.product(factors, -1.0))
                }
                Formula::Product(factors) => (" + ", self.product(factors, 1.0)),
                term => (" + ", self.formula(term)),
            };
            text.push_str(if place > 0 { operator } else { "" });
            text.push_str(&term);
        }
        text
    }

    /// A product without parentheses, whose last factor is multiplied by a sign.
    fn product(&self, factors: &[Formula], sign: f64) -> String {
        let last = factors.len().saturating_sub(1);
        let factors = factors.iter().enumerate().map(|(place, factor)| match factor {
            Formula::Number(number) if place == last => self.double(sign * number),
            factor => self.formula(factor),
        });
        factors.collect::<Vec<_>>().join(" * ")
    }

    /// A formula as an expression, in parentheses where they matter.
    fn formula(&self, formula: &Formula) -> String {
        match formula {
            Formula::Cell => self.x.to_owned(),
            Formula::Sum(terms) if terms.is_empty() => self.double(0.0),
            Formula::Sum(terms) => format!("({})", self.sum(terms)),
            Formula::Product(factors) => format!("({})", self.product(factors, 1.0)),
            Formula::Quotient(dividend, divisor) => {
                format!("({} / {})", self.formula(dividend), self.formula(divisor))
            }
            Formula::Ln(inner) => format!("ln({})", self.formula(inner)),
            Formula::Ln1p(inner) => self.ln_1p(&self.formula(inner)),
            Formula::Exp(inner) => format!("exp({})", self.formula(inner)),
            Formula::At(value, there, elsewhere) => {
                let (there, elsewhere) = (self.formula(there), self.formula(elsewhere));
                format!("(CASE WHEN {} = {} THEN {there} ELSE {elsewhere} END)", self.x, self.double(*value))
            }
            Formula::Above(value, above, up_to) => {
                let (above, up_to) = (self.formula(above), self.formula(up_to));
                format!("(CASE WHEN {} > {} THEN {above} ELSE {up_to} END)", self.x, self.double(*value))
            }
            Formula::Number(number) => self.double(*number),
            _ => self.dialect.null_number(),
        }
    }

    /// `ln(1 + t)`: by its series where `t` is small, since 1 + t has lost its digits then.
    fn ln_1p(&self, t: &str) -> String {
        const SMALL: f64 = 1.0 / 128.0;
        let series = (1..=7_u32).rev().fold(self.double(0.0), |sum, power| {
            let sign = if power % 2 == 1 { 1.0 } else { -1.0 };
            format!("{t} * ({} + {sum})", self.double(sign / f64::from(power)))
        });
        let (small, one) = (self.double(SMALL), self.double(1.0));
        format!("(CASE WHEN abs({t}) < {small} THEN {series} ELSE ln({one} + {t}) END)")
    }

    /// An expression that is NULL where the cell is missing, and then counts as zero.
    fn or_zero(&self, expression: &str) -> String {
        format!("COALESCE({expression}, {})", self.double(0.0))
    }
}

/// Whether a product ends in a negative number.
fn last_is_negative(factors: &[Formula]) -> bool {
    matches!(factors.last(), Some(Formula::Number(number)) if *number < 0.0)
}

/// The numbers of a table. The family says which values can be scored.
pub(crate) fn tabulated(table: &ScoreTable, fitted: &FittedFamily, column: usize, cell: Cell<'_>) -> Term {
    let x = cell.x;
    let conditions: Vec<String> = if let Some(cuts) = &table.cuts {
        cuts.iter().map(|&cut| format!("{x} <= {}", cell.double(cut))).collect()
    } else {
        (0..table.levels.len()).map(|code| format!("{x} = {}", cell.category(code))).collect()
    };
    let of_class = (0..table.missing.len()).map(|class| {
        let cases = conditions.iter().zip(&table.levels);
        let cases =
            cases.map(|(condition, scores)| format!(" WHEN {condition} THEN {}", cell.double(scores[class])));
        let cases = cases.collect::<Vec<_>>().concat();
        // Above the last cut, or another category.
        let rest = table.levels.get(conditions.len()).unwrap_or(&table.other);
        let (missing, rest) = (cell.double(table.missing[class]), cell.double(rest[class]));
        let level = format!("CASE WHEN {x} IS NULL THEN {missing}{cases} ELSE {rest} END");
        let Some(line) = &table.line else { return Some(level) };
        let [low, high, center, slope] =
            [line.low, line.high, line.center, line.per_unit[class]].map(|number| cell.double(number));
        // The least and the greatest of a missing cell and a number would be the number.
        let line = format!(
            "CASE WHEN {x} IS NULL THEN {} ELSE {slope} * (LEAST(GREATEST({x}, {low}), {high}) - {center}) END",
            cell.double(0.0)
        );
        Some(format!("{level} + {line}"))
    });
    let of_class = of_class.collect();
    let condition = match fitted.of_categories() {
        Some(fitted) => categorical(fitted, column, cell).condition,
        None => fitted.inspect().and_then(|fitted| cell.condition(fitted.values(), fitted.missing_cells())),
    };
    Term { of_class, condition }
}

/// `log θ` of the category.
fn categorical(fitted: &FittedCategorical, column: usize, cell: Cell<'_>) -> Term {
    let x = cell.x;
    let n_classes = fitted.log_probabilities(column).map_or(0, |table| table.ncols());
    let codes = fitted.codes(column);
    let known: Vec<(usize, String)> = codes.iter().map(|&code| (code, cell.category(code))).collect();
    let of_class = (0..n_classes).map(|class| {
        let log = |code| fitted.log_probability(class, column, code).map(|log| cell.double(log));
        let cases: String = known
            .iter()
            .filter_map(|(code, name)| Some(format!(" WHEN {x} = {name} THEN {}", log(*code)?)))
            .collect();
        // No code is that large, so that only the reserved other category answers.
        let zero = cell.double(0.0);
        let other = match log(usize::MAX) {
            Some(other) => format!(" WHEN {x} IS NULL THEN {zero} ELSE {other}"),
            None => format!(" ELSE {zero}"),
        };
        Some(if cases.is_empty() { zero } else { format!("CASE{cases}{other} END") })
    });
    let of_class = of_class.collect();
    let names: Vec<&str> = known.iter().map(|(_, name)| name.as_str()).collect();
    let is_known = if names.is_empty() { "FALSE".into() } else { format!("{x} IN ({})", names.join(", ")) };
    let condition = match (fitted.missing(), fitted.unseen()) {
        (Missing::Skip, Unseen::Error) => Some(format!("({x} IS NULL OR {is_known})")),
        // NULL where the cell is missing, which is refused then.
        (Missing::Error, Unseen::Error) => Some(is_known),
        (Missing::Error, _) => Some(format!("{x} IS NOT NULL")),
        (Missing::Skip, _) => None,
    };
    Term { of_class, condition }
}
