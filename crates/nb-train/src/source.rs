//! Where rows come from, and what happens on the way.

use nb_io::{
    Family, Schema,
    read::{Chunk, Inference, Inferred, Overrides, ReadChunks},
};

use crate::{Choice, TrainerError};

/// A table with a label column that can be read again and again, such as files, or the result of a query. Rows in memory need
/// none: [`Trainer::fit`](crate::Trainer::fit) takes them.
///
/// ```
/// use nb_io::read::{Csv, Inferred, Overrides, ReadChunks};
/// use nb_train::{Source, Trainer, TrainerError};
///
/// struct File(&'static str);
///
/// impl Source for File {
///     type Error = TrainerError;
///
///     fn infer(&self, overrides: &Overrides) -> Result<Inferred, TrainerError> {
///         Ok(Csv::default().infer_from(|| Ok(self.0.as_bytes()), "pets.csv", "pet", overrides)?)
///     }
///
///     fn open(
///         &self,
///         _part: usize,
///         inferred: &Inferred,
///         _classes: Vec<String>,
///     ) -> Result<Box<dyn ReadChunks + '_>, TrainerError> {
///         Ok(Box::new(Csv::default().read_from(self.0.as_bytes(), "pets.csv", &inferred.schema)?))
///     }
/// }
///
/// let trained = Trainer::default().train(&File("weight,pet\n3.5,cat\n4,cat\n20,dog\n32,dog\n"))?;
/// assert_eq!(trained.n_rows, 4);
/// # Ok::<(), TrainerError>(())
/// ```
pub trait Source {
    /// What can go wrong.
    type Error: From<TrainerError> + std::fmt::Display;

    /// Looks at all columns but the label.
    ///
    /// # Errors
    /// If the table cannot be read.
    fn infer(&self, overrides: &Overrides) -> Result<Inferred, Self::Error>;

    /// The number of parts, such as files, that are read one after another. By default one.
    fn n_parts(&self) -> usize {
        1
    }

    /// Reads the rows of a part, with these classes known. Rows are the same, in the same order, each time. If they have texts
    /// beside their cells ([`Chunk::ids`]), the first ones are their groups: rows of a group, such as visits of a patient, are held
    /// out together.
    ///
    /// # Errors
    /// If the table cannot be read.
    fn open(
        &self,
        part: usize,
        inferred: &Inferred,
        classes: Vec<String>,
    ) -> Result<Box<dyn ReadChunks + '_>, Self::Error>;

    /// Takes note of what was decided while the model is being made. By default it is not.
    fn note(&self, note: &Note<'_>) {
        let _ = note;
    }

    /// The error in the words of the caller, about rows of columns with this schema. By default those of this crate.
    fn explain(&self, error: TrainerError, schema: &Schema) -> Self::Error {
        let _ = schema;
        error.into()
    }
}

/// What is decided while a model is being made, before it is known whether there will be one.
///
/// ```
/// use nb_io::read::{Inferred, Overrides, ReadChunks};
/// use nb_train::{Note, Source, TrainerError};
///
/// struct Loud<S>(S);
///
/// impl<S: Source> Source for Loud<S> {
///     type Error = S::Error;
///
///     fn infer(&self, overrides: &Overrides) -> Result<Inferred, S::Error> {
///         self.0.infer(overrides)
///     }
///
///     fn open(
///         &self,
///         part: usize,
///         inferred: &Inferred,
///         classes: Vec<String>,
///     ) -> Result<Box<dyn ReadChunks + '_>, S::Error> {
///         self.0.open(part, inferred, classes)
///     }
///
///     fn note(&self, note: &Note<'_>) {
///         if let Note::CopyLeftOut { column, .. } = note {
///             println!("{} repeats the label", column.column);
///         }
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Note<'a> {
    /// A column repeats the label, and is left out.
    CopyLeftOut {
        /// The column.
        column: &'a Inference,
        /// What it would have been.
        choice: Choice,
    },
    /// Cut points, grids and powers are learnt from some of many rows.
    PreparedFromSome {
        /// How many.
        n_rows: usize,
    },
    /// Cut points, grids and powers are learnt.
    Prepared {
        /// The family with them.
        family: &'a Family,
        /// The features whose power is cut off where doubles end.
        cut_off: &'a [usize],
        /// The columns.
        schema: &'a Schema,
    },
    /// A class has rows in one fold only: hyper-parameters are tuned without it.
    ClassNotTuned {
        /// The class.
        class: &'a str,
    },
}

/// The groups of the rows of a chunk, if they have groups.
pub(crate) fn groups(chunk: &Chunk) -> Option<&[String]> {
    chunk.ids.first().map(Vec::as_slice)
}

/// Where a chunk is from.
pub(crate) struct Place<'a> {
    pub(crate) part: usize,
    pub(crate) name: &'a str,
    /// The columns so far, as categories may have been added.
    pub(crate) schema: &'a Schema,
}

/// Reads all rows, with the classes that the state has.
pub(crate) fn for_each_chunk<S: Source, T>(
    source: &S,
    inferred: &Inferred,
    state: &mut T,
    classes: impl Fn(&T) -> Vec<String>,
    mut visit: impl FnMut(&mut T, Chunk, &Place<'_>) -> Result<(), TrainerError>,
) -> Result<(), S::Error> {
    let explain = |error| source.explain(error, &inferred.schema);
    for part in 0..source.n_parts() {
        let mut reader = source.open(part, inferred, classes(state))?;
        while let Some(chunk) = reader.next_chunk().map_err(|error| explain(error.into()))? {
            let place = Place { part, name: reader.name(), schema: reader.schema() };
            visit(state, chunk, &place).map_err(explain)?;
        }
    }
    Ok(())
}
