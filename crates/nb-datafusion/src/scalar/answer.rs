//! The scalar functions.

use std::{
    collections::BTreeMap,
    hash::{Hash, Hasher},
    sync::Arc,
};

use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray, StringViewArray, UInt32Array},
        compute::{cast, take},
        datatypes::DataType,
    },
    common::ScalarValue,
    error::Result,
    logical_expr::{
        ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
        simplify::{ExprSimplifyResult, SimplifyContext},
    },
};
use nb_core::error::PredictError;
use nb_io::read::Table;

use super::{
    Models,
    loaded::Loaded,
    values::{self, Value},
};
use crate::{
    failure::{failed, refused},
    model_bytes::{bytes_of, for_a_name},
    rows::{Arguments, has_texts, texts},
};

/// What is asked of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Question {
    /// The label.
    Label,
    /// The logarithm of the probability of a class.
    LogPosterior,
    /// The probability of a class.
    Posterior,
    /// The logarithms of the probabilities of all classes, in label order.
    LogPosteriors,
    /// The probabilities of all classes, in label order.
    Posteriors,
    /// What each feature adds to the log-odds of a class against another.
    Explanation,
}

impl Question {
    pub(crate) const ALL: [Self; 6] = [
        Self::Label,
        Self::LogPosterior,
        Self::Posterior,
        Self::LogPosteriors,
        Self::Posteriors,
        Self::Explanation,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Label => "nb_predict",
            Self::LogPosterior => "nb_log_posterior",
            Self::Posterior => "nb_posterior",
            Self::LogPosteriors => "nb_log_posteriors",
            Self::Posteriors => "nb_posteriors",
            Self::Explanation => "nb_explain",
        }
    }

    /// How many classes are named after the model.
    fn n_classes(self) -> usize {
        match self {
            Self::LogPosterior | Self::Posterior => 1,
            Self::Explanation => 2,
            _ => 0,
        }
    }
}

/// A scalar function: `name(model, class, ..., feature, ...)`.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    question: Question,
    models: Models,
    signature: Signature,
}

/// The same function, whichever models it has a name for.
impl PartialEq for Answer {
    fn eq(&self, other: &Self) -> bool {
        self.question == other.question
    }
}

impl Eq for Answer {}

impl Hash for Answer {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.question.hash(state);
    }
}

impl Answer {
    pub(crate) fn new(question: Question, models: Models) -> Self {
        Self { question, models, signature: Signature::user_defined(Volatility::Immutable) }
    }

    fn n_leading(&self) -> usize {
        1 + self.question.n_classes()
    }
}

impl ScalarUDFImpl for Answer {
    fn name(&self) -> &str {
        self.question.name()
    }

    fn schema_name(&self, args: &[Expr]) -> Result<String> {
        let args = for_a_name(args);
        let args: Vec<String> = args.iter().map(|argument| argument.schema_name().to_string()).collect();
        Ok(format!("{}({})", self.name(), args.join(",")))
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(match self.question {
            Question::Label => DataType::Utf8,
            Question::LogPosterior | Question::Posterior => DataType::Float64,
            Question::LogPosteriors | Question::Posteriors => values::list_of_numbers(),
            Question::Explanation => values::list_of_terms(),
        })
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let classes = ["", "class, ", "class, against, "][self.question.n_classes()];
        let Some((leading, features)) =
            types.split_at_checked(self.n_leading()).filter(|(_, rest)| !rest.is_empty())
        else {
            return Err(refused(format!(
                "{}(model, {classes}feature, ...) needs more arguments",
                self.name()
            )));
        };
        let model = &leading[0];
        if !(model.is_binary() || model.is_string() || model.is_null()) {
            return Err(refused(format!(
                "the model, the first argument of {}, has the type {model}; it is binary, or the name or path of a model",
                self.name()
            )));
        }
        if let Some(other) = leading[1..].iter().find(|class| !has_texts(class)) {
            return Err(refused(format!("a class has the type {other}; classes are texts, as labels are")));
        }
        Arguments::of(features)?;
        Ok(types.to_vec())
    }

    /// Puts the model in the place of its name, in the process that knows it.
    fn simplify(&self, mut args: Vec<Expr>, _: &SimplifyContext) -> Result<ExprSimplifyResult> {
        let name = match args.first() {
            Some(Expr::Literal(value, _)) => value.try_as_str().flatten(),
            _ => None,
        };
        let Some(name) = name else { return Ok(ExprSimplifyResult::Original(args)) };
        args[0] = Expr::Literal(ScalarValue::Binary(Some(self.models.bytes(name)?.to_vec())), None);
        let function = Arc::new(self.clone().into());
        Ok(ExprSimplifyResult::Simplified(Expr::ScalarFunction(
            datafusion::logical_expr::expr::ScalarFunction::new_udf(function, args),
        )))
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let n_rows = arguments.number_rows;
        let n_leading = self.n_leading();
        let arrays: Vec<ArrayRef> =
            arguments.args[1..].iter().map(|value| value.to_array(n_rows)).collect::<Result<_>>()?;
        let (classes, features) = arrays.split_at(n_leading - 1);
        let types: Vec<DataType> = features.iter().map(|array| array.data_type().clone()).collect();
        let names: Vec<&str> =
            arguments.arg_fields[n_leading..].iter().map(|field| field.name().as_str()).collect();
        let rows = Asked {
            question: self.question,
            arguments: Arguments::of(&types)?,
            names: &names,
            classes: classes.iter().map(texts).collect::<Result<_>>()?,
            features,
        };
        let mut answers = vec![Value::None; n_rows];
        match &arguments.args[0] {
            ColumnarValue::Scalar(model) => {
                if let Some(loaded) = self.constant(model)? {
                    answers = rows.answers(&loaded)?;
                }
            }
            ColumnarValue::Array(models) => Self::of_each_model(models, &rows, &mut answers)?,
        }
        Ok(ColumnarValue::Array(match self.question {
            Question::Label => values::labels(answers),
            Question::LogPosterior | Question::Posterior => values::numbers(answers),
            Question::LogPosteriors | Question::Posteriors => values::lists(&answers),
            Question::Explanation => values::terms(&answers),
        }))
    }
}

impl Answer {
    /// The model that all rows have.
    fn constant(&self, model: &ScalarValue) -> Result<Option<Arc<Loaded>>> {
        if let Some(name) = model.try_as_str().flatten() {
            return self.models.load(&self.models.bytes(name)?).map(Some);
        }
        bytes_of(model).map(|bytes| self.models.load(bytes)).transpose()
    }

    /// Answers with a model per row, each read once for all of its rows.
    fn of_each_model(models: &ArrayRef, rows: &Asked<'_>, answers: &mut [Value]) -> Result<()> {
        if models.data_type().is_string() {
            return Err(failed(
                "a column of names of models cannot be used; join a table of models, which are binary",
            ));
        }
        let models = cast(models, &DataType::Binary).map_err(failed)?;
        let mut of_model: BTreeMap<&[u8], Vec<u32>> = BTreeMap::new();
        for (row, bytes) in models.as_binary::<i32>().iter().enumerate() {
            if let Some(bytes) = bytes {
                of_model.entry(bytes).or_default().push(row as u32);
            }
        }
        for (bytes, own) in of_model {
            let loaded = Loaded::new(bytes)?;
            let numbers = UInt32Array::from(own);
            let picked = |array: &dyn Array| take(array, &numbers, None).map_err(failed);
            let features: Vec<ArrayRef> =
                rows.features.iter().map(|array| picked(array)).collect::<Result<_>>()?;
            let classes = rows.classes.iter().map(|class| texts(&picked(class)?)).collect::<Result<_>>()?;
            let asked = Asked { features: &features, classes, arguments: rows.arguments.clone(), ..*rows };
            for (&row, answer) in numbers.values().iter().zip(asked.answers(&loaded)?) {
                answers[row as usize] = answer;
            }
        }
        Ok(())
    }
}

/// Rows, and what is asked about them.
struct Asked<'a> {
    question: Question,
    arguments: Arguments,
    names: &'a [&'a str],
    classes: Vec<StringViewArray>,
    features: &'a [ArrayRef],
}

impl Asked<'_> {
    fn answers(&self, loaded: &Loaded) -> Result<Vec<Value>> {
        let classes =
            self.classes.iter().map(|classes| places(loaded, classes)).collect::<Result<Vec<_>>>()?;
        let mut answers = Vec::new();
        loaded.for_each_chunk(&self.arguments, self.names, self.features, |rows, first| {
            self.chunk(loaded, rows, first, &classes, &mut answers)
        })?;
        Ok(answers)
    }

    fn chunk(
        &self,
        loaded: &Loaded,
        rows: &Table,
        first: usize,
        classes: &[Vec<Option<usize>>],
        answers: &mut Vec<Value>,
    ) -> std::result::Result<(), PredictError> {
        let classifier = &loaded.classifier;
        let n_rows = nb_core::Rows::n_rows(rows);
        let number = |number: Option<f64>| number.map_or(Value::None, Value::Number);
        match self.question {
            Question::Label => {
                answers.extend(classifier.try_predict_each(rows)?.into_iter().map(Value::Label));
            }
            Question::LogPosterior => {
                let all = classifier.predict_log_proba(rows)?;
                answers.extend(
                    (0..n_rows).map(|row| number(classes[0][first + row].map(|class| all[(row, class)]))),
                );
            }
            Question::Posterior => {
                let all = classifier.predict_proba(rows)?;
                answers.extend(
                    (0..n_rows).map(|row| number(classes[0][first + row].map(|class| all[(row, class)]))),
                );
            }
            Question::LogPosteriors => {
                let all = classifier.predict_log_proba(rows)?;
                answers.extend(all.rows().into_iter().map(|row| Value::Numbers(row.to_vec())));
            }
            Question::Posteriors => {
                let all = classifier.predict_proba(rows)?;
                answers.extend(all.rows().into_iter().map(|row| Value::Numbers(row.to_vec())));
            }
            Question::Explanation => {
                for row in 0..n_rows {
                    let (Some(class), Some(against)) = (classes[0][first + row], classes[1][first + row])
                    else {
                        answers.push(Value::None);
                        continue;
                    };
                    let explanation = classifier.explain(rows, row)?;
                    let (prior, other) = (explanation.log_prior[class], explanation.log_prior[against]);
                    let prior = (None, if prior == other { 0.0 } else { prior - other });
                    let names = loaded.names.iter().cloned().map(Some);
                    let terms = names.zip(explanation.log_odds(class, against));
                    let interactions = explanation.interactions.iter();
                    let together =
                        interactions.map(|interaction| Some(loaded.schema.joint_name(&interaction.columns)));
                    let together = together.zip(explanation.interaction_log_odds(class, against));
                    let together = together.filter(|(_, log_odds)| *log_odds != 0.0);
                    let all = std::iter::once(prior).chain(terms).chain(together);
                    answers.push(Value::Terms(all.collect()));
                }
            }
        }
        Ok(())
    }
}

/// The places of the classes that rows are asked about.
fn places(loaded: &Loaded, classes: &StringViewArray) -> Result<Vec<Option<usize>>> {
    let mut last: Option<(&str, usize)> = None;
    classes
        .iter()
        .map(|class| {
            let Some(class) = class else { return Ok(None) };
            match last {
                Some((name, place)) if name == class => Ok(Some(place)),
                _ => {
                    let place = loaded.class(class)?;
                    last = Some((class, place));
                    Ok(Some(place))
                }
            }
        })
        .collect()
}
