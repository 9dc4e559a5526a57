//! Where rows come from, and what happens on the way.

use nb_io::{
    Family, Model, Schema,
    read::{Chunk, Inference, Inferred, Overrides, ReadChunks},
};

use crate::{Choice, TrainerError};

/// A table with a label column that can be read again and again, such as files, or the result of a query.
/// Rows in memory need none: [`Trainer::fit`](crate::Trainer::fit) takes them.
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

    /// Reads the rows of a part, with these classes known. Rows are the same, in the same order, each time.
    /// If they have texts beside their cells ([`Chunk::ids`]), the first ones are their groups: rows of a
    /// group, such as visits of a patient, are held out together.
    ///
    /// # Errors
    /// If the table cannot be read.
    fn open(
        &self,
        part: usize,
        inferred: &Inferred,
        classes: Vec<String>,
    ) -> Result<Box<dyn ReadChunks + '_>, Self::Error>;

    /// The sums of all rows, in a model like this one, which has no rows, and how many rows there are. By
    /// default `None`: the rows that are read here are all.
    ///
    /// A table that is too large, or too far away, is read here as a sample, from which columns, bins,
    /// weights and corrections are learnt; what the table is kept in adds up its rows. The sums may have
    /// categories that the sample does not have.
    ///
    /// ```
    /// use nb_io::{Model, Schema, read::{Inferred, Overrides, ReadChunks}};
    /// use nb_train::{MemoryTable, Source, Trainer, TrainerError};
    /// use ndarray::{Array2, ArrayView2, s};
    ///
    /// /// Rows of which only some are read.
    /// struct Far<'a>(MemoryTable<'a, ArrayView2<'a, f64>, &'a str>, &'a Array2<f64>, &'a [&'a str]);
    ///
    /// impl Source for Far<'_> {
    ///     type Error = TrainerError;
    ///
    ///     fn infer(&self, overrides: &Overrides) -> Result<Inferred, TrainerError> {
    ///         self.0.infer(overrides)
    ///     }
    ///
    ///     fn open(
    ///         &self,
    ///         part: usize,
    ///         inferred: &Inferred,
    ///         classes: Vec<String>,
    ///     ) -> Result<Box<dyn ReadChunks + '_>, TrainerError> {
    ///         self.0.open(part, inferred, classes)
    ///     }
    ///
    ///     fn sums(&self, template: &Model) -> Result<Option<(Model, usize)>, TrainerError> {
    ///         let mut model = template.clone();
    ///         model.update(self.1, self.2)?;
    ///         Ok(Some((model, self.2.len())))
    ///     }
    /// }
    ///
    /// let rows = Array2::from_shape_fn((900, 1), |(row, _)| (row % 2 * 3 + row % 5) as f64 + 0.5);
    /// let labels: Vec<&str> = (0..900).map(|row| ["a", "b"][row % 2]).collect();
    /// let (schema, some) = (Schema::numeric(["x"], "class"), rows.slice(s![..90, ..]));
    /// let sample = MemoryTable::new(&schema, &some, &labels[..90])?;
    /// let trained = Trainer::default().train(&Far(sample, &rows, &labels))?;
    /// assert_eq!((trained.n_rows, trained.refined.unwrap().n_rows), (900, 90));
    /// # Ok::<(), TrainerError>(())
    /// ```
    ///
    /// # Errors
    /// If the rows cannot be added up.
    fn sums(&self, template: &Model) -> Result<Option<(Model, usize)>, Self::Error> {
        let _ = template;
        Ok(None)
    }

    /// Takes note of what was decided while the model is being made. By default it is not.
    fn note(&self, note: &Note<'_>) {
        let _ = note;
    }

    /// The error in the words of the caller, about rows of columns with this schema. By default those of this
    /// crate.
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
        /// The features whose cut points may not be the best ones ([`Family::inexact_columns`]).
        inexact: &'a [usize],
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
