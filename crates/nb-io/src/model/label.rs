//! Labels of models: texts in the file, any type with an order outside.

use std::{borrow::Cow, rc::Rc, sync::Arc};

/// What rows may be labelled with: it has a text, under which the model keeps it.
///
/// Texts, whole numbers, truth values and characters are such; a type of one's own is with one method.
/// Different labels must have different texts.
pub trait ToLabel {
    /// The text that the model keeps.
    fn to_label(&self) -> Cow<'_, str>;

    /// The texts of many labels.
    #[doc(hidden)]
    fn to_labels(labels: &[Self]) -> Cow<'_, [String]>
    where
        Self: Sized,
    {
        labels.iter().map(|label| label.to_label().into_owned()).collect()
    }
}

/// A type of labels that [`Model::classifier_of`](crate::Model::classifier_of) can answer with: its texts can
/// be read back.
///
/// ```
/// use std::borrow::Cow;
///
/// use nb_core::{Gaussian, Prior};
/// use nb_io::{Family, Label, Model, Schema, ToLabel};
/// use ndarray::array;
///
/// #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
/// enum Risk {
///     Low,
///     High,
/// }
///
/// impl ToLabel for Risk {
///     fn to_label(&self) -> Cow<'_, str> {
///         match self {
///             Self::Low => "low".into(),
///             Self::High => "high".into(),
///         }
///     }
/// }
///
/// impl Label for Risk {
///     fn from_label(text: &str) -> Option<Self> {
///         [Self::Low, Self::High].into_iter().find(|risk| risk.to_label() == text)
///     }
/// }
///
/// let schema = Schema::numeric(["age"], "risk");
/// let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
/// model.update(&array![[20.0], [30.0], [70.0], [80.0]], &[Risk::Low, Risk::Low, Risk::High, Risk::High])?;
/// assert_eq!(model.classifier_of::<Risk>()?.predict(&array![[75.0]])?, [Risk::High]);
/// # Ok::<(), nb_io::Error>(())
/// ```
pub trait Label: ToLabel + Clone + Ord {
    /// The label with this text; none if there is no such label.
    fn from_label(text: &str) -> Option<Self>;
}

/// A class of a model is not a label of the type requested.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LabelError {
    /// The text of the class is not that of a label.
    #[error("class {label:?} of the model is not of the type {expected}; ask for another type, or for texts")]
    NotOfType {
        /// The class as the model has it.
        label: String,
        /// The name of the type.
        expected: &'static str,
    },
    /// Two classes are one label.
    #[error("classes {first:?} and {second:?} of the model are the same label of the type {expected}")]
    Same {
        /// One of the classes.
        first: String,
        /// The other.
        second: String,
        /// The name of the type.
        expected: &'static str,
    },
    /// The sums are not those of a model.
    #[error(transparent)]
    Stats(#[from] nb_core::error::StatsError),
    /// The model does not determine a classifier.
    #[error(transparent)]
    Fit(#[from] nb_core::error::FitError),
}

impl ToLabel for String {
    fn to_label(&self) -> Cow<'_, str> {
        self.as_str().into()
    }

    fn to_labels(labels: &[Self]) -> Cow<'_, [String]> {
        Cow::Borrowed(labels)
    }
}

impl<T: ToLabel + ?Sized> ToLabel for &T {
    fn to_label(&self) -> Cow<'_, str> {
        (**self).to_label()
    }
}

impl ToLabel for str {
    fn to_label(&self) -> Cow<'_, str> {
        self.into()
    }
}

impl ToLabel for Cow<'_, str> {
    fn to_label(&self) -> Cow<'_, str> {
        (**self).into()
    }
}

impl Label for String {
    fn from_label(text: &str) -> Option<Self> {
        Some(text.into())
    }
}

macro_rules! texts {
    ($($type:ty),*) => {
        $(impl ToLabel for $type {
            fn to_label(&self) -> Cow<'_, str> {
                (&**self).into()
            }
        }

        impl Label for $type {
            fn from_label(text: &str) -> Option<Self> {
                Some(text.into())
            }
        })*
    };
}
texts!(Box<str>, Arc<str>, Rc<str>);

macro_rules! displayed {
    ($($type:ty),*) => {
        $(impl ToLabel for $type {
            fn to_label(&self) -> Cow<'_, str> {
                self.to_string().into()
            }
        }

        impl Label for $type {
            fn from_label(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        })*
    };
}
displayed!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, bool, char);

/// The labels of classes whose texts are these, with the place of each text, in the order of the labels.
pub(crate) fn in_order<'a, L: Label>(
    texts: impl Iterator<Item = &'a String>,
) -> Result<Vec<(L, usize)>, LabelError> {
    let expected = std::any::type_name::<L>();
    let texts: Vec<&String> = texts.collect();
    let mut labels = Vec::with_capacity(texts.len());
    for (place, text) in texts.iter().enumerate() {
        // What is read as the same and written in another way would be its own class as soon as rows are
        // added.
        let label = L::from_label(text).filter(|label| label.to_label() == text.as_str());
        let label = label.ok_or_else(|| LabelError::NotOfType { label: (*text).clone(), expected })?;
        labels.push((label, place));
    }
    labels.sort_by(|(a, _), (b, _)| a.cmp(b));
    if let Some(pair) = labels.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let [first, second] = [pair[0].1, pair[1].1].map(|place| texts[place].clone());
        return Err(LabelError::Same { first, second, expected });
    }
    Ok(labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order<L: Label>(texts: &[&str]) -> Result<Vec<(L, usize)>, LabelError> {
        let texts: Vec<String> = texts.iter().map(|&text| text.into()).collect();
        in_order(texts.iter())
    }

    #[test]
    fn labels_come_in_their_own_order() {
        assert_eq!(order::<i32>(&["-1", "10", "9"]), Ok(vec![(-1, 0), (9, 2), (10, 1)]));
        assert_eq!(order::<bool>(&["false", "true"]), Ok(vec![(false, 0), (true, 1)]));
        assert_eq!(order::<Box<str>>(&["a"]), Ok(vec![("a".into(), 0)]));
    }

    #[test]
    fn texts_that_are_no_labels_are_named() {
        for text in ["x", "007", "+7", "7.0", ""] {
            let error = order::<u8>(&["7", text]).unwrap_err();
            assert_eq!(error, LabelError::NotOfType { label: text.into(), expected: "u8" });
        }
    }

    #[test]
    fn texts_are_not_copied() {
        assert!(matches!(ToLabel::to_labels(&[String::from("a")]), Cow::Borrowed(_)));
        assert_eq!(*ToLabel::to_labels(&["a", "b"]), ["a", "b"]);
        assert_eq!(*ToLabel::to_labels(&[true, false]), ["true", "false"]);
    }
}
