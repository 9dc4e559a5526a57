//! The order of rows.

use nb_train::{Effort, MemoryTable, Source, Trainer, TrainerError};
use ndarray::Axis;

use crate::sets::load;

fn bytes(trainer: &Trainer, table: &impl Source<Error = TrainerError>) -> Vec<u8> {
    trainer.train(table).expect("a table").model.to_bytes().expect("a model")
}

#[test]
fn a_table_in_another_order_has_the_same_model_byte_for_byte() {
    for name in ["iris", "titanic", "pima", "zoo"] {
        let set = load(name);
        let n_rows = set.labels.len();
        // 7919 is prime, so that all rows are there.
        let order: Vec<usize> = (0..n_rows).map(|row| (row * 7919 + 5) % n_rows).collect();
        let rows = set.rows.select(Axis(0), &order);
        let labels: Vec<&String> = order.iter().map(|&row| &set.labels[row]).collect();
        let groups: Vec<String> = (0..n_rows).map(|row| (row / 3).to_string()).collect();
        let dealt: Vec<&String> = order.iter().map(|&row| &groups[row]).collect();
        for effort in [Effort::Usual, Effort::Plain] {
            let trainer = Trainer::default().with_effort(effort);
            let first = MemoryTable::new(&set.schema, &set.rows, &set.labels).unwrap();
            let second = MemoryTable::new(&set.schema, &rows, &labels).unwrap();
            assert_eq!(bytes(&trainer, &first), bytes(&trainer, &second), "{name} {effort:?}");
            let (first, second) = (first.with_groups(&groups).unwrap(), second.with_groups(&dealt).unwrap());
            assert_eq!(bytes(&trainer, &first), bytes(&trainer, &second), "{name} in groups, {effort:?}");
        }
    }
}
