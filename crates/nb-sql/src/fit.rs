//! The query that sums a table up.

use crate::{Design, DesignColumn, DesignError, Dialect, Kept};

/// Whether numbers are shifted before they are squared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shift {
    /// By about the mean of their class, found in a first pass over the table.
    #[default]
    Mean,
    /// Not at all: one pass less, and the variance of numbers far from zero loses its digits.
    None,
}

/// How many columns of numbers are summed in one scan: six aggregates each, and PostgreSQL allows 1,664 in a
/// query.
const NUMBERS_PER_SCAN: usize = 250;
/// How many columns of categories are counted in one scan: Spark allows 64 in grouping sets.
const CATEGORIES_PER_SCAN: usize = 50;

/// The columns of the result, after the class.
const RESULT: [&str; 10] = [
    "kind",
    "feature",
    "category",
    "n_rows",
    "weight",
    "missing",
    "refused",
    "shift",
    "sum",
    "sum_of_squares",
];

/// The query whose result [`Evidence::read`](crate::Evidence::read) takes: one row for each class, for each
/// class and column of numbers, and for each class, column and category, with the same columns in every
/// dialect.
///
/// A row for a column of [`Kept::MomentsBeside`] has the weight of the other numbers as `weight`, and
/// `n_rows` counts all that are not missing.
///
/// With a column of groups ([`Design::group`]) the result has the rows of each group, with its value as
/// `nb_group`, for [`Evidence::read_groups`](crate::Evidence::read_groups).
///
/// The table is a name, or a query in parentheses. NULL is a missing cell, and so is NaN. It is read once for
/// its columns of numbers and once for those of categories (once more for every 250 and every 50 of them),
/// and before that once for the shifts, if there are any.
///
/// # The shift
/// `Σx²` and `(Σx)²/n` of numbers far from zero are nearly equal, and their difference is what rounding
/// leaves of it: the relative error of the variance is about `κ² = 1 + mean²/variance` times that of the sums
/// (Chan, Golub and LeVeque 1983, *Algorithms for computing the sample variance: analysis and
/// recommendations*, The American Statistician 37, 242-247). The query sums `x - c` and `(x - c)²`, with `c`
/// near the mean of the class, so that κ² is near one, and the sums of `x` and `x²` are put together
/// from these in exact arithmetic.
///
/// `c` is the mean rounded to a multiple of `u`, the power of two at or next to the standard deviation:
/// - the rounding moves `c` by at most `u/2`, so that κ² stays below about 1.3;
/// - a difference of two doubles within a factor of two of one another is exact, whatever `c` is (Sterbenz
///   1974, *Floating-Point Computation*, theorem 4.3.1), which covers data far from zero;
/// - whole numbers without weights give whole multiples of `min(u, 1)`, so that their sums are exact while
///   `5n` and `Σ(x - c)²` are below `2^53`, and the evidence is the same as that of the rows to the last bit.
///
/// Where all numbers of a class are equal, `c` is that number, and the variance exactly zero.
///
/// ```
/// use nb_sql::{Design, DesignColumn, Dialect, Kept, Shift, fit_query};
///
/// let columns = vec![DesignColumn { name: "length".into(), kept: Kept::Moments }];
/// let design = Design { label: "species".into(), weights: None, group: None, columns };
/// let query = fit_query(&design, Dialect::DuckDb, "iris", Shift::Mean)?;
/// assert!(query.contains("FROM \"iris\" AS t"));
/// # Ok::<(), nb_sql::DesignError>(())
/// ```
///
/// # Errors
/// [`DesignError`] if the design is none.
pub fn fit_query(
    design: &Design,
    dialect: Dialect,
    table: &str,
    shift: Shift,
) -> Result<String, DesignError> {
    design.check()?;
    let keys = if design.group.is_some() { Keys::GROUPED } else { Keys::CLASSES };
    let writer = Writer { dialect, weighted: design.weights.is_some(), keys, shift };
    let columns: Vec<(String, &DesignColumn)> = design
        .columns
        .iter()
        .enumerate()
        .map(|(place, column)| (format!("x{}", place + 1), column))
        .collect();
    let (categories, numbers): (Vec<_>, Vec<_>) =
        columns.iter().cloned().partition(|(_, column)| column.kept == Kept::Categories);
    let mut tables = vec![writer.data(design, &columns, table)];
    let mut selects = Vec::new();
    // Without columns of numbers there is still a scan for the classes.
    let mut rest = numbers.as_slice();
    for scan in 1.. {
        let (now, later) = rest.split_at(rest.len().min(NUMBERS_PER_SCAN));
        tables.extend(writer.shifts(now, scan));
        tables.push(writer.sums(now, scan));
        selects.push(writer.long(now, scan));
        rest = later;
        if rest.is_empty() {
            break;
        }
    }
    selects.extend(categories.chunks(CATEGORIES_PER_SCAN).map(|columns| writer.categories(columns)));
    Ok(format!("WITH {}\n{}\n", tables.join(",\n"), selects.join("\nUNION ALL\n")))
}

/// A column under its name in the query.
type Named<'a> = (String, &'a DesignColumn);

/// The name of the cells that are summed: those of the column, or those other than a value, which has its own
/// sum.
fn summed(x: &str, column: &DesignColumn) -> String {
    match column.kept {
        Kept::MomentsBeside(_) => format!("{x}_other"),
        _ => x.to_owned(),
    }
}

/// The columns by which rows are grouped. A NULL has its own mark, so that it can be joined on and is no
/// other value.
#[derive(Clone, Copy)]
struct Keys(&'static [&'static str]);

impl Keys {
    const CLASSES: Self = Self(&["unlabelled", "class"]);
    const GROUPED: Self = Self(&["ungrouped", "nb_group", "unlabelled", "class"]);

    /// All of them, separated by commas, with something before each.
    fn list(self, before: &str) -> String {
        let keys: Vec<String> = self.0.iter().map(|key| format!("{before}{key}")).collect();
        keys.join(", ")
    }

    /// Those of the result.
    fn shown(self) -> &'static str {
        if self.0 == Self::GROUPED.0 { "nb_group, class" } else { "class" }
    }

    /// The kind of the row of a class: rows without a key are counted under their own kinds.
    fn kind_of_class(self) -> String {
        let ungrouped = if self.0 == Self::GROUPED.0 { "WHEN ungrouped THEN 'ungrouped' " } else { "" };
        format!("CASE {ungrouped}WHEN unlabelled THEN 'unlabelled' ELSE 'class' END")
    }
}

struct Writer {
    dialect: Dialect,
    weighted: bool,
    keys: Keys,
    shift: Shift,
}

impl Writer {
    /// The table with short names and few types.
    fn data(&self, design: &Design, columns: &[Named<'_>], table: &str) -> String {
        let dialect = self.dialect;
        let key = |column: &String, is_null: &str, name: &str| {
            let text = dialect.text_of(&dialect.of_table(column));
            [format!("{text} IS NULL AS {is_null}"), format!("COALESCE({text}, '') AS {name}")]
        };
        let group = design.group.iter().flat_map(|group| key(group, "ungrouped", "nb_group"));
        let mut entries: Vec<String> = group.chain(key(&design.label, "unlabelled", "class")).collect();
        entries.extend(
            design
                .weights
                .iter()
                .map(|weights| format!("{} AS w", dialect.number_of(&dialect.of_table(weights)))),
        );
        for (x, column) in columns {
            let cell = match column.kept {
                Kept::Categories => dialect.text_of(&dialect.of_table(&column.name)),
                _ => dialect.number_of(&dialect.of_table(&column.name)),
            };
            entries.push(format!("{cell} AS {x}"));
            if let Kept::MomentsBeside(value) = column.kept {
                let (value, other) = (dialect.double(value), summed(x, column));
                entries.push(format!("CASE WHEN {cell} <> {value} THEN {cell} END AS {other}"));
            }
        }
        let head = dialect.common_table("nb_data");
        format!("{head} (\n  SELECT {}\n  FROM {}\n)", entries.join(",\n    "), dialect.table(table))
    }

    /// The shifts of each class; see [`fit_query`]. None if no column wants one.
    fn shifts(&self, columns: &[Named<'_>], scan: usize) -> Option<String> {
        let shifted = columns.iter().filter(|(_, column)| self.is_shifted(column));
        let shifted: Vec<String> = shifted.map(|(x, column)| summed(x, column)).collect();
        if shifted.is_empty() {
            return None;
        }
        let [half, two] = [0.5, 2.0].map(|value| self.dialect.double(value));
        let spans = shifted.iter().map(|x| {
            // Of numbers that differ no standard deviation is below their range over 2n, whatever rounding says.
            let spread = format!("GREATEST(stddev_pop({x}), (max({x}) - min({x})) / (2 * count({x})))");
            format!(
                ",\n      avg({x}) AS mean_{x}, min({x}) AS least_{x},\n      CASE WHEN min({x}) < max({x}) THEN \
                 power({two}, floor(ln({spread}) / ln({two}))) END AS unit_{x}"
            )
        });
        let rounded = shifted.iter().map(|x| {
            format!(",\n    COALESCE(floor(mean_{x} / unit_{x} + {half}) * unit_{x}, least_{x}) AS c_{x}")
        });
        Some(format!(
            "{} (\n  SELECT {keys}{}\n  FROM (\n    SELECT {keys}{}\n    FROM nb_data\n    GROUP BY {keys}\n  ) AS \
             spans\n)",
            self.dialect.common_table(&format!("nb_shifts_{scan}")),
            rounded.collect::<String>(),
            spans.collect::<String>(),
            keys = self.keys.list("")
        ))
    }

    fn is_shifted(&self, column: &DesignColumn) -> bool {
        self.shift == Shift::Mean && column.kept.has_squares()
    }

    /// One wide row for each class.
    fn sums(&self, columns: &[Named<'_>], scan: usize) -> String {
        let own = columns.iter().map(|(x, column)| self.sums_of_column(x, column));
        let entries: Vec<String> = [self.sums_of_class()].into_iter().chain(own).collect();
        // Every row has its shift; a left join lets planners know it, which else expect few rows and sort
        // them.
        let join = if columns.iter().any(|(_, column)| self.is_shifted(column)) {
            let equal: Vec<String> = self.keys.0.iter().map(|key| format!("h.{key} = d.{key}")).collect();
            format!("\n  LEFT JOIN nb_shifts_{scan} AS h ON {}", equal.join(" AND "))
        } else {
            String::new()
        };
        let head = self.dialect.common_table(&format!("nb_sums_{scan}"));
        let named: Vec<String> = self.keys.0.iter().map(|key| format!("d.{key} AS {key}")).collect();
        format!(
            "{head} (\n  SELECT {},\n    {}\n  FROM nb_data AS d{join}\n  GROUP BY {}\n)",
            named.join(", "),
            entries.join(",\n    "),
            self.keys.list("d.")
        )
    }

    /// Rows, weight, and rows whose weights are refused.
    fn sums_of_class(&self) -> String {
        if !self.weighted {
            let weight = self.n_as_weight("count(*)");
            return format!("count(*) AS n_all, {weight} AS w_all, CAST(0 AS bigint) AS r_all");
        }
        let [zero, least, most] =
            [0.0, 2.0_f64.powi(-60), 2.0_f64.powi(60)].map(|value| self.dialect.double(value));
        format!(
            "count(*) AS n_all, sum(w) AS w_all,\n    count(CASE WHEN w IS NULL OR w < {zero} OR w > {most} OR (w < {least} AND w \
             <> {zero}) THEN 1 END) AS r_all"
        )
    }

    /// Cells that are there, weight of those that are not, cells that are refused, shift and sums.
    fn sums_of_column(&self, x: &str, column: &DesignColumn) -> String {
        let [zero, one] = [0.0, 1.0].map(|value| self.dialect.double(value));
        let (missing, weight, times) = if self.weighted {
            (format!("sum(CASE WHEN {x} IS NULL THEN w ELSE {zero} END)"), "w", "w * ")
        } else {
            (self.n_as_weight(&format!("count(*) - count({x})")), one.as_str(), "")
        };
        let refused = column.kept.refused(self.dialect, x);
        let counts = format!(
            "count({x}) AS n_{x}, {missing} AS m_{x}, count(CASE WHEN {refused} THEN 1 END) AS r_{x}"
        );
        let counts = match column.kept {
            Kept::MomentsBeside(_) if self.weighted => {
                format!(
                    "{counts}, sum(CASE WHEN {x} IS NULL THEN {zero} ELSE w END) AS e_{x}",
                    x = summed(x, column)
                )
            }
            Kept::MomentsBeside(_) => {
                let x = summed(x, column);
                format!("{counts}, {} AS e_{x}", self.n_as_weight(&format!("count({x})")))
            }
            _ => counts,
        };
        let x = &summed(x, column);
        let sums = match column.kept {
            _ if self.is_shifted(column) => {
                let difference = format!("({x} - c_{x})");
                let first = if self.weighted { format!("w * {difference}") } else { format!("{x} - c_{x}") };
                format!(
                    "min(c_{x}) AS c_{x}, sum({first}) AS s_{x}, sum({times}{difference} * {difference}) AS q_{x}"
                )
            }
            Kept::Moments | Kept::MomentsBeside(_) | Kept::CountMoments => {
                format!("sum({times}{x}) AS s_{x}, sum({times}{x} * {x}) AS q_{x}")
            }
            Kept::Above(threshold) => {
                let above = self.dialect.double(threshold);
                format!("sum(CASE WHEN {x} > {above} THEN {weight} ELSE {zero} END) AS s_{x}")
            }
            Kept::Counts | Kept::Categories => format!("sum({times}{x}) AS s_{x}"),
        };
        format!("{counts},\n      {sums}")
    }

    /// A number of rows, each of the weight one.
    fn n_as_weight(&self, count: &str) -> String {
        format!("CAST({count} AS {})", self.dialect.double_type())
    }

    /// A row for each class, in the first scan, and for each of its columns.
    fn long(&self, columns: &[Named<'_>], scan: usize) -> String {
        let (no_text, no_number) = (self.dialect.null_text(), self.dialect.null_number());
        let mut rows = Vec::new();
        if scan == 1 {
            rows.push(vec![
                self.keys.kind_of_class(),
                no_text.clone(),
                no_text.clone(),
                "n_all".into(),
                "w_all".into(),
                no_number.clone(),
                "r_all".into(),
                no_number.clone(),
                no_number.clone(),
                no_number.clone(),
            ]);
        }
        rows.extend(columns.iter().map(|(x, column)| {
            let own = summed(x, column);
            let shift = if self.is_shifted(column) { format!("c_{own}") } else { self.dialect.double(0.0) };
            let squares = if column.kept.has_squares() { format!("q_{own}") } else { no_number.clone() };
            let is_beside = matches!(column.kept, Kept::MomentsBeside(_));
            let weight = if is_beside { format!("e_{own}") } else { no_number.clone() };
            vec![
                "'feature'".into(),
                self.dialect.text(&column.name),
                no_text.clone(),
                format!("n_{x}"),
                weight,
                format!("m_{x}"),
                format!("r_{x}"),
                shift,
                format!("s_{own}"),
                squares,
            ]
        }));
        self.dialect.long(self.keys.shown(), &RESULT, &rows, &format!("nb_sums_{scan}"))
    }

    /// A row for each class, column and category.
    fn categories(&self, columns: &[Named<'_>]) -> String {
        let names: Vec<&str> = columns.iter().map(|(x, _)| x.as_str()).collect();
        // The columns that a row is not grouped by are NULL.
        let category = if let [x] = names[..] { x.into() } else { format!("COALESCE({})", names.join(", ")) };
        let feature = columns.iter().map(|(x, column)| {
            format!("\n    WHEN GROUPING({x}) = 0 THEN {}", self.dialect.text(&column.name))
        });
        let weight = if self.weighted { "sum(w)".into() } else { self.n_as_weight("count(*)") };
        let no_number = self.dialect.null_number();
        let sets: Vec<String> = names.iter().map(|x| format!("({}, {x})", self.keys.list(""))).collect();
        format!(
            "SELECT {}, CASE WHEN {category} IS NULL THEN 'missing' ELSE 'category' END AS kind,\n  CASE{} END AS feature,\n  \
             {category} AS category, count(*) AS n_rows, {weight} AS weight,\n  {no_number} AS missing, CAST(0 AS bigint) AS refused, {no_number} \
             AS shift, {no_number} AS sum, {no_number} AS sum_of_squares\nFROM nb_data\nGROUP BY GROUPING SETS ({})",
            self.keys.shown(),
            feature.collect::<String>(),
            sets.join(", ")
        )
    }
}
