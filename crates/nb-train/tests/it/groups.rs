//! Rows that belong together.

use nb_io::{HeldOutMeasures, Schema};
use nb_train::{Effort, MemoryTable, Source, Trainer, TrainerError};
use ndarray::Array2;

/// 40 patients of 12 visits each; the columns tell patients apart, and hardly the label, which is that of the
/// patient.
fn visits() -> (Array2<f64>, Vec<String>, Vec<String>) {
    let noise = |number: usize| {
        let mut z = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((z ^ (z >> 27)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let rows = Array2::from_shape_fn((480, 6), |(row, column)| {
        20.0 * noise(row / 12 * 6 + column) + noise(1000 + row * 6 + column)
    });
    let labels = (0..480).map(|row| ["sick", "well"][usize::from(noise(row / 12 + 9000) < 0.5)].to_owned());
    let patients = (0..480).map(|row| format!("patient {}", row / 12));
    (rows, labels.collect(), patients.collect())
}

fn held_out(trainer: &Trainer, table: &impl Source<Error = TrainerError>) -> HeldOutMeasures {
    *trainer.train(table).expect("a table").model.held_out().expect("measures")
}

#[test]
fn measures_are_those_of_new_groups() {
    let (rows, labels, patients) = visits();
    let schema = Schema::numbered(6, "state");
    for effort in [Effort::Usual, Effort::Fast, Effort::Plain] {
        let trainer = Trainer::default().with_effort(effort);
        let table = MemoryTable::new(&schema, &rows, &labels).unwrap();
        let dealt_apart = held_out(&trainer, &table);
        let table = table.with_groups(&patients).unwrap();
        let whole = held_out(&trainer, &table);
        assert!(dealt_apart.log_loss + 0.05 < whole.log_loss, "{effort:?}: {dealt_apart:?} {whole:?}");
        if effort != Effort::Plain {
            assert!(whole.log_loss <= whole.log_loss_of_prior, "{effort:?}: {whole:?}");
        }
    }
}

#[test]
fn one_group_is_refused_and_rows_without_a_group_are_groups_of_their_own() {
    let (rows, labels, _) = visits();
    let schema = Schema::numbered(6, "state");
    let table =
        |groups: Vec<&str>| MemoryTable::new(&schema, &rows, &labels).unwrap().with_groups(&groups).unwrap();
    let error = Trainer::default().train(&table(vec!["all"; 480])).unwrap_err().to_string();
    assert!(error.contains("all rows are of one group"), "{error}");
    let alone = held_out(&Trainer::default(), &table(vec![""; 480]));
    assert!(alone.accuracy > 0.9, "{alone:?}");
}
