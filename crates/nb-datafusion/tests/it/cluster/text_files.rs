//! Cells of text files mean what they mean to `nbayes`.

use datafusion::{arrow::datatypes::DataType, prelude::SessionContext};
use nb_datafusion::{Design, fit_frame};
use nb_io::Model;

use super::processes::{Cluster, run};

/// Missing cells in all spellings, quoted line breaks, names with capitals and spaces, spaces around cells,
/// texts and numbers.
const TEXT: &str =
    " Y,x 1 ,Kind\n a,1.5, u\na , NA,\"two\nlines\"\nb,?,NA\nb,2,w\nb,,u\na,1e3,null\nb,NaN,01\n";

/// The same in words.
const ROWS: &str = "SELECT column1 AS \"Y\", column2 AS \"x 1\", column3 AS \"Kind\" FROM (VALUES ('a', 1.5, 'u'), \
                    ('a', NULL, 'two\nlines'), ('b', NULL, NULL), ('b', 2.0, 'w'), ('b', NULL, 'u'), ('a', 1000.0, NULL), \
                    ('b', NULL, '01'))";

#[tokio::test]
async fn missing_cells_and_quotes_are_read_as_nb_does() -> Result<(), Box<dyn std::error::Error>> {
    let columns = [("x 1", &DataType::Float64), ("Kind", &DataType::Utf8)];
    let template = Design::default().template("Y", &columns)?;
    let reference = fit_frame(SessionContext::new().sql(ROWS).await?, None, &template).await?;
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (file, output) = (path("t.csv"), path("model.nb"));
    std::fs::write(&file, TEXT)?;
    let cluster = Cluster::start(1);
    for options in [Vec::new(), cluster.options()] {
        let train = ["train", &file, "--label", "Y", "-o", &output].map(String::from);
        let ended = run(&[&train[..], &options].concat(), folder.path());
        assert!(ended.status.success(), "{}", ended.said);
        assert!(Model::load(&output)? == reference, "another model");
        std::fs::remove_file(&output)?;
    }
    Ok(())
}
