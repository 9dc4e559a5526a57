//! Which family each column gets, and the hyper-parameters: what is said in the SQL of a query.

use std::collections::{BTreeMap, BTreeSet};

use datafusion::arrow::datatypes::DataType;
use nb_core::{
    Blocks, Prior,
    description::{Columns, SettingError, Value, parameters},
};
use nb_io::{
    Column, Family, Kind, Model, Registry, RegistryError, Schema,
    read::{Inference, Inferred},
};
use serde::Deserialize;

use crate::FitError;

/// The family of a column, by its name: one of those in [`Registry::default`].
///
/// ```
/// use nb_datafusion::ColumnFamily;
///
/// let family: ColumnFamily = "negative_binomial".parse()?;
/// assert_eq!(family.name(), "negative_binomial");
/// # Ok::<(), nb_io::RegistryError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnFamily(Family);

impl ColumnFamily {
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.0.description().name
    }

    /// The same beside what the cells of its columns mean to it.
    fn with_kind(self) -> (Kind, Self) {
        (kind(&self.0), self)
    }

    /// The family of this name, which is one of ours.
    fn of(name: &'static str) -> Self {
        name.parse().unwrap_or_else(|_| unreachable!("{name} is in the list"))
    }
}

impl std::str::FromStr for ColumnFamily {
    type Err = RegistryError;

    fn from_str(name: &str) -> Result<Self, RegistryError> {
        Registry::default().family(name).map(Self)
    }
}

impl<'de> Deserialize<'de> for ColumnFamily {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The value of a hyper-parameter in a [`Design`].
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(untagged)]
pub enum DesignValue {
    /// Yes or no.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A name.
    Name(String),
}

impl From<&DesignValue> for Value {
    fn from(value: &DesignValue) -> Self {
        match value {
            DesignValue::Flag(flag) => Self::Flag(*flag),
            DesignValue::Number(number) => Self::Number(*number),
            DesignValue::Name(name) => Self::Name(name.replace('-', "_")),
        }
    }
}

/// Families and hyper-parameters of a model to fit.
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
    /// The family of all columns that are not named in `columns`. By default texts are categorical, truth
    /// values Bernoulli, and other numbers Gaussian.
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
    /// Other hyper-parameters by their names, such as `{"dispersion": "shared"}`, for all families that have
    /// them.
    pub parameters: BTreeMap<String, DesignValue>,
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
            parameters: BTreeMap::new(),
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
        self.model(label, columns, |_, data_type| by_type(data_type).with_kind())
    }

    /// The same with the families that `nbayes train` chooses for the columns that were looked at, unless the
    /// design has one for them: numbers that are 0 and 1 are Bernoulli, [few different whole
    /// numbers](Inferred::likely_categories) categorical, other numbers Gaussian, and of free texts the
    /// words are counted.
    ///
    /// ```
    /// use datafusion::arrow::datatypes::DataType;
    /// use nb_datafusion::Design;
    /// use nb_io::{Family, Schema, read::{Inference, Inferred, Reason}};
    ///
    /// let schema = Schema::numeric(["member"], "fraud");
    /// let member = Inference {
    ///     column: "member".into(),
    ///     kind: schema.columns[0].kind.clone(),
    ///     reason: Reason::AllNumbers,
    ///     few_values: vec![0.0, 1.0],
    /// };
    /// let inferred = Inferred::new(schema, vec![member], 100);
    /// let template = Design::default().template_of("fraud", &[("member", &DataType::Int64)], &inferred)?;
    /// assert!(matches!(template.family(), Family::Bernoulli(_)));
    /// # Ok::<(), nb_datafusion::FitError>(())
    /// ```
    ///
    /// # Errors
    /// [`FitError`] if a column that is named is not there, or its type does not suit its family.
    pub fn template_of(
        &self,
        label: &str,
        columns: &[(&str, &DataType)],
        inferred: &Inferred,
    ) -> Result<Model, FitError> {
        let likely: BTreeSet<&str> =
            inferred.likely_categories().map(|inference| inference.column.as_str()).collect();
        let found: BTreeMap<&str, &Inference> =
            inferred.columns.iter().map(|inference| (inference.column.as_str(), inference)).collect();
        self.model(label, columns, |name, data_type| {
            let Some(inference) = found.get(name) else { return by_type(data_type).with_kind() };
            match &inference.kind {
                Kind::Text(text) => (Kind::Text(text.clone()), ColumnFamily::of("multinomial")),
                Kind::Categorical { .. } => ColumnFamily::of("categorical").with_kind(),
                _ if likely.contains(name) => ColumnFamily::of("categorical").with_kind(),
                _ if inference.is_binary() => (Kind::Numeric, ColumnFamily::of("bernoulli")),
                _ => (Kind::Numeric, ColumnFamily::of("gaussian")),
            }
        })
    }

    /// A model without rows, with this kind and family for the columns for which the design has none.
    fn model(
        &self,
        label: &str,
        columns: &[(&str, &DataType)],
        choose: impl Fn(&str, &DataType) -> (Kind, ColumnFamily),
    ) -> Result<Model, FitError> {
        if let Some(name) = self.columns.keys().find(|name| !columns.iter().any(|(column, _)| column == name))
        {
            let known = columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            return Err(FitError::NoColumn { column: name.clone(), known });
        }
        let (mut of_schema, mut of_columns) = (Vec::new(), Vec::new());
        for &(name, data_type) in columns {
            let own = self.columns.get(name).or(self.family.as_ref());
            let (kind, family) = match own {
                Some(family) => family.clone().with_kind(),
                None => choose(name, data_type),
            };
            of_schema.push(Column { name: name.to_owned(), kind });
            of_columns.push(family);
        }
        let schema = Schema { columns: of_schema, label: label.to_owned() };
        // Every text is its own block; other columns of a family are one together.
        let mut groups: Vec<(ColumnFamily, bool, Vec<usize>)> = Vec::new();
        let features = schema.columns.iter().zip(schema.feature_ranges());
        for ((column, features), family) in features.zip(of_columns) {
            let is_text = matches!(column.kind, Kind::Text(_));
            let group = groups.iter_mut().find(|(of_group, of_text, _)| !of_text && *of_group == family);
            match group.filter(|_| !is_text) {
                Some((_, _, own)) => own.extend(features),
                None => groups.push((family, is_text, features.collect())),
            }
        }
        self.check_parameters(groups.iter().map(|(family, _, _)| family))?;
        let families: Vec<_> = groups
            .into_iter()
            .map(|(family, _, own)| Ok((self.family(family)?, own)))
            .collect::<Result<_, FitError>>()?;
        let family = match &families[..] {
            [(family, _)] => family.clone(),
            _ => Family::Blocks(
                families.into_iter().fold(Blocks::default(), |all, (family, own)| all.with_same(own, family)),
            ),
        };
        let prior = if self.uniform_prior { Prior::Uniform } else { Prior::Empirical };
        Ok(Model::new(schema, family, prior)?)
    }

    /// The family with the hyper-parameters of the design.
    fn family(&self, ColumnFamily(mut family): ColumnFamily) -> Result<Family, FitError> {
        let missing = if self.missing_is_error { "error" } else { "skip" };
        let own = [
            (parameters::SMOOTHING.name, Value::Number(self.smoothing)),
            (parameters::VARIANCE_FLOOR.name, Value::Number(self.variance_floor)),
            (parameters::UNBIASED.name, Value::Flag(self.unbiased)),
            (parameters::MISSING.name, Value::Name(missing.into())),
            (parameters::UNSEEN.name, Value::Name("ignore".into())),
        ];
        for mut hyper in family.hyper_parameters() {
            let name = hyper.parameter.name;
            let given = self.parameters.iter().find(|(given, _)| hyper.parameter.is_called(given));
            let value = given.map(|(_, value)| Value::from(value));
            let value =
                value.or_else(|| own.iter().find(|(own, _)| *own == name).map(|(_, value)| value.clone()));
            value.map_or(Ok(()), |value| hyper.set(&value))?;
        }
        Ok(family)
    }

    /// Refuses hyper-parameters that no family has.
    fn check_parameters<'a>(&self, families: impl Iterator<Item = &'a ColumnFamily>) -> Result<(), FitError> {
        let settings: Vec<_> = families.flat_map(|family| family.0.settings()).collect();
        match self
            .parameters
            .keys()
            .find(|name| !settings.iter().any(|(parameter, _)| parameter.is_called(name)))
        {
            Some(name) => {
                let mut known: Vec<&str> = settings.iter().map(|(parameter, _)| parameter.name).collect();
                known.sort_unstable();
                known.dedup();
                Err(SettingError::Unknown { name: name.clone(), known: known.join(", ") }.into())
            }
            None => Ok(()),
        }
    }
}

/// The family of a column that nobody names.
fn by_type(data_type: &DataType) -> ColumnFamily {
    match data_type {
        DataType::Dictionary(_, values) => by_type(values),
        DataType::Boolean => ColumnFamily::of("bernoulli"),
        other if other.is_string() || other.is_null() => ColumnFamily::of("categorical"),
        _ => ColumnFamily::of("gaussian"),
    }
}

/// What the cells of a column mean to a family.
pub(crate) fn kind(family: &Family) -> Kind {
    match family.description().columns {
        Columns::Categories => Kind::Categorical { levels: Vec::new() },
        Columns::Counts => Kind::Count,
        Columns::Real | Columns::Mixed => Kind::Numeric,
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
    fn hyper_parameters_are_set_by_name() -> Result<(), FitError> {
        let design: Design =
            r#"{"columns": {"n": "negative_binomial"}, "parameters": {"dispersion": "shared"}}"#.parse()?;
        let model = design.template("y", &[("n", &DataType::Int64)])?;
        let Family::NegativeBinomial(family) = model.family() else { panic!("{:?}", model.family()) };
        assert_eq!(
            (family.dispersion, family.missing),
            (nb_core::Dispersion::Shared, nb_core::Missing::Skip)
        );
        assert_eq!(model.schema().columns[0].kind, Kind::Count);
        Ok(())
    }

    #[test]
    fn what_is_no_design_is_refused_by_name() {
        let refused = |text: &str| text.parse::<Design>().expect_err("not a design").to_string();
        assert!(
            refused("normal").contains("there is no family \"normal\"; there are: gaussian, "),
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
        let design: Design =
            r#"{"family": "poisson", "parameters": {"dispersion": "shared"}}"#.parse().expect("a design");
        let error = design
            .template("y", &[("x", &DataType::Int64)])
            .expect_err("no such hyper-parameter")
            .to_string();
        assert_eq!(
            error,
            "there is no hyper-parameter \"dispersion\"; there are: missing_cells, rate_prior, smoothing"
        );
        let bad = Design { smoothing: -1.0, ..Design::default() };
        assert!(bad.template("y", &[("x", &DataType::Utf8)]).is_err());
    }
}
