//! Design: which family each column gets, and the hyper-parameters of the families.

mod choice;
mod families;
mod prior;
mod reading_file;
mod registry;
mod schema_file;
mod selector;
mod stop_words;
mod text;

pub(crate) use choice::{Choice, ChoiceArgs, Choices};
pub(crate) use families::{FamilyArgs, families_error, family_name};
pub(crate) use prior::{PriorArg, pairs, prior_error};
pub(crate) use reading_file::{ReadingFile, ReadingLine};
pub(crate) use schema_file::{SchemaFile, quoted as toml_quoted, schema_text};
pub(crate) use selector::{Selected, Selector};
pub(crate) use stop_words::is_built_in;
pub(crate) use text::TextArgs;
