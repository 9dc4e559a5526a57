//! Which family each column gets, and the hyper-parameters: what is said in the SQL of a query.

use std::collections::BTreeMap;

use datafusion::arrow::datatypes::DataType;
use nb_core::{Bernoulli, Blocks, Categorical, Categories, Complement, Gaussian, Missing, Multinomial, Poisson, Prior, Smoothing, Unseen, VarianceEstimator, VarianceSmoothing};
use nb_io::{Column, Family, Kind, Model, Schema};
use nb_linear::SharedGaussian;
use serde::Deserialize;

use crate::FitError;

/// The family of a column.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ColumnFamily {
    /// Real numbers: a normal distribution per class.
    Gaussian,
    /// Real numbers with one variance for all classes.
    SharedGaussian,
    /// Categories: texts, whole numbers or truth values.
    Categorical,
    /// Whether a number is above zero.
    Bernoulli,
    /// Independent counts.
    Poisson,
    /// Counts of one vector of events, such as words.
    Multinomial,
    /// As multinomial, but scored by what the other classes are like.
    Complement,
}

/// Families and hyper-parameters of a model that is to be fitted.
///
/// In SQL it is a text: the name of a family, or JSON with the fields of this type, such as
/// `{"smoothing": 0.5, "columns": {"clicks": "poisson"}}`.
///
/// ```
/// use datafusion::arrow::datatypes::DataType;
/// use nb_datafusion::Design;
/// use nb_io::Family;
///
/// let design: Design = r#"{"columns": {"clicks": "poisson"}}"#.parse()?;
/// let columns = [("amount", &DataType::Float64), ("clicks", &DataType::Int64)];
/// assert!(matches!(design.template("fraud", &columns)?.family(), Family::Blocks(_)));
/// let counts: Design = "multinomial".parse()?;
/// assert!(matches!(counts.template("fraud", &columns)?.family(), Family::Multinomial(_)));
/// # Ok::<(), nb_datafusion::FitError>(())
/// ```
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Design {
    /// The family of all columns that are not named in `columns`. By default texts are categorical, truth values
    /// Bernoulli, and other numbers Gaussian.
    pub family: Option<ColumnFamily>,
    /// The families of single columns.
    pub columns: BTreeMap<String, ColumnFamily>,
    /// The pseudo-count that is added to every count: 0 is maximum likelihood, 1 (the default) is Laplace.
    pub smoothing: f64,
    /// A variance is at least this share (by default 1e-9) of the column's variance over all rows.
    pub variance_floor: f64,
    /// Divides variances by n - 1 instead of n.
    pub unbiased: bool,
    /// Whether a missing cell (NULL or NaN) is an error; by default it is left out of its row.
    pub missing_is_error: bool,
    /// Whether all classes have the same prior probability; by default it is their share of the rows.
    pub uniform_prior: bool,
}

impl Default for Design {
    fn default() -> Self {
        Self {
            family: None,
            columns: BTreeMap::new(),
            smoothing: 1.0,
            variance_floor: 1e-9,
            unbiased: false,
            missing_is_error: false,
            uniform_prior: false,
        }
    }
}

impl std::str::FromStr for Design {
    type Err = FitError;

    fn from_str(text: &str) -> Result<Self, FitError> {
        let refused =
            |error: serde_json::Error| FitError::Design { design: text.into(), reason: error.to_string() };
        if text.trim_start().starts_with('{') {
            return serde_json::from_str(text).map_err(refused);
        }
        let family = ColumnFamily::deserialize(serde_json::Value::from(text.trim())).map_err(refused)?;
        Ok(Self { family: Some(family), ..Self::default() })
    }
}

impl Design {
    /// A model without rows, for columns of these names and types; categories are learnt from the rows.
    ///
    /// # Errors
    /// [`FitError`] if a column that is named is not there, or its type does not suit its family.
    pub fn template(&self, label: &str, columns: &[(&str, &DataType)]) -> Result<Model, FitError> {
        if let Some(name) = self.columns.keys().find(|name| !columns.iter().any(|(column, _)| column == name))
        {
            let known = columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            return Err(FitError::NoColumn { column: name.clone(), known });
        }
        let mut groups: Vec<(ColumnFamily, Vec<usize>)> = Vec::new();
        let mut of_schema = Vec::with_capacity(columns.len());
        for (place, &(name, data_type)) in columns.iter().enumerate() {
            let family =
                self.columns.get(name).copied().or(self.family).unwrap_or_else(|| by_type(data_type));
            match groups.iter_mut().find(|(of_group, _)| *of_group == family) {
                Some((_, own)) => own.push(place),
                None => groups.push((family, vec![place])),
            }
            of_schema.push(Column { name: name.to_owned(), kind: kind(family) });
        }
        let families: Vec<_> = groups
            .into_iter()
            .map(|(family, own)| Ok((self.family(family)?, own)))
            .collect::<Result<_, FitError>>()?;
        let family = match &families[..] {
            [(family, _)] => family.clone(),
            _ => Family::Blocks(
                families.into_iter().fold(Blocks::default(), |all, (family, own)| all.with_same(own, family)),
            ),
        };
        let prior = if self.uniform_prior { Prior::Uniform } else { Prior::Empirical };
        Ok(Model::new(Schema { columns: of_schema, label: label.to_owned() }, family, prior)?)
    }

    fn family(&self, family: ColumnFamily) -> Result<Family, FitError> {
        let smoothing = Smoothing::new(self.smoothing).map_err(nb_io::ModelError::from)?;
        let missing = if self.missing_is_error { Missing::Error } else { Missing::Skip };
        let estimator =
            if self.unbiased { VarianceEstimator::Unbiased } else { VarianceEstimator::MaximumLikelihood };
        let floor = VarianceSmoothing::RelativeFloor(self.variance_floor);
        Ok(match family {
            ColumnFamily::Gaussian => Family::Gaussian(Gaussian { estimator, smoothing: floor, missing }),
            ColumnFamily::SharedGaussian => {
                Family::SharedGaussian(SharedGaussian { estimator, smoothing: floor, missing })
            }
            ColumnFamily::Categorical => Family::Categorical(Categorical {
                categories: Categories::Found,
                smoothing,
                unseen: Unseen::Ignore,
                missing,
            }),
            ColumnFamily::Bernoulli => Family::Bernoulli(Bernoulli { threshold: 0.0, smoothing, missing }),
            ColumnFamily::Poisson => Family::Poisson(Poisson { smoothing, missing }),
            ColumnFamily::Multinomial => Family::Multinomial(Multinomial { smoothing, missing }),
            ColumnFamily::Complement => {
                Family::Complement(Complement { smoothing, normalize: false, missing })
            }
        })
    }
}

/// The family of a column that nobody names.
fn by_type(data_type: &DataType) -> ColumnFamily {
    match data_type {
        DataType::Dictionary(_, values) => by_type(values),
        DataType::Boolean => ColumnFamily::Bernoulli,
        other if other.is_string() || other.is_null() => ColumnFamily::Categorical,
        _ => ColumnFamily::Gaussian,
    }
}

/// What the cells of a column mean to a family.
fn kind(family: ColumnFamily) -> Kind {
    match family {
        ColumnFamily::Categorical => Kind::Categorical { levels: Vec::new() },
        ColumnFamily::Poisson | ColumnFamily::Multinomial | ColumnFamily::Complement => Kind::Count,
        _ => Kind::Numeric,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_get_families_by_type_and_by_name() -> Result<(), FitError> {
        let design: Design = r#"{"smoothing": 0.5, "columns": {"n": "poisson"}}"#.parse()?;
        let columns = [
            ("x", &DataType::Float32),
            ("zip", &DataType::Utf8View),
            ("n", &DataType::Int64),
            ("z", &DataType::Decimal128(10, 2)),
        ];
        let model = design.template("y", &columns)?;
        let Family::Blocks(blocks) = model.family() else { panic!("{:?}", model.family()) };
        let of_blocks: Vec<_> = blocks.iter().map(|(own, _)| own.to_vec()).collect();
        assert_eq!(of_blocks, [vec![0, 3], vec![1], vec![2]]);
        assert_eq!(model.schema().columns[2].kind, Kind::Count);
        let multinomial: Design = " multinomial".parse()?;
        assert!(matches!(multinomial.template("y", &columns[2..])?.family(), Family::Multinomial(_)));
        Ok(())
    }

    #[test]
    fn what_is_no_design_is_refused_by_name() {
        let refused = |text: &str| text.parse::<Design>().expect_err("not a design").to_string();
        assert!(
            refused("normal").contains("unknown variant `normal`, expected one of `gaussian`"),
            "{}",
            refused("normal")
        );
        assert!(
            refused("{\"smooth\": 1}").contains("unknown field `smooth`"),
            "{}",
            refused("{\"smooth\": 1}")
        );
        let design: Design = r#"{"columns": {"n": "poisson"}}"#.parse().expect("a design");
        let error =
            design.template("y", &[("x", &DataType::Float64)]).expect_err("no such column").to_string();
        assert_eq!(error, "the design names the column \"n\", which is not among the features: x");
        let bad = Design { smoothing: -1.0, ..Design::default() };
        assert!(bad.template("y", &[("x", &DataType::Utf8)]).is_err());
    }
}
