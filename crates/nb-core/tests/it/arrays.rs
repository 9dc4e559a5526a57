//! Arrays, vectors and slices are the rows that ndarray would make of them.

use nb_core::{CsrView, Gaussian, NaiveBayes, Rows, error::RowLengthError, rows::RowSlices};
use ndarray::{Array2, arr2};

const ROWS: [[f64; 2]; 5] = [[1.0, 5.0], [2.5, 6.0], [8.0, 1.0], [9.0, 2.0], [4.0, 3.0]];
const LABELS: [char; 5] = ['a', 'a', 'b', 'b', 'a'];

/// What a model of these rows says of them.
fn answers(rows: &(impl Rows + ?Sized)) -> Array2<f64> {
    assert_eq!((rows.n_rows(), rows.n_columns()), (5, 2));
    let classifier = NaiveBayes::new(Gaussian::default()).fit(rows, &LABELS).expect("fits");
    classifier.joint_log_likelihood(rows).expect("scores")
}

#[test]
fn they_give_the_same_bits() {
    let expected = answers(&arr2(&ROWS));
    assert_eq!(answers(&ROWS), expected);
    assert_eq!(answers(&ROWS[..]), expected);
    assert_eq!(answers(&ROWS.to_vec()), expected);
    assert_eq!(answers(&ROWS.map(|row| row.map(|cell| cell as f32))), expected);
    let vectors = ROWS.map(|row| row.to_vec());
    assert_eq!(answers(&RowSlices::new(&vectors).expect("of one length")), expected);
    let slices = vectors.each_ref().map(Vec::as_slice);
    assert_eq!(answers(&RowSlices::new(&slices).expect("of one length")), expected);
    let narrow = ROWS.map(|row| row.map(|cell| cell as u8));
    assert_eq!(answers(&narrow), answers(&arr2(&narrow)));
    assert_eq!(answers(&narrow), answers(&RowSlices::new(&narrow).expect("of one length")));
}

#[test]
fn rows_of_other_lengths_are_named() {
    let rows = [vec![1.0, 2.0], vec![3.0, 4.0], vec![5.0]];
    let error = RowSlices::new(&rows).expect_err("one is shorter");
    assert_eq!((error.row, error.expected, error.found), (2, 2, 1));
    let _: RowLengthError = error;
}

#[test]
fn no_rows_are_a_table() {
    let none: [[f64; 3]; 0] = [];
    assert_eq!((none.n_rows(), none.n_columns(), Rows::block(&none, 0..0).is_some()), (0, 3, true));
    let none = RowSlices::<Vec<f64>>::new(&[]).expect("of one length");
    assert_eq!((none.n_rows(), none.n_columns()), (0, 0));
    assert!(CsrView::<f64>::new(0, &[0], &[], &[]).is_ok());
    assert!(Rows::block(&ROWS, 3..6).is_none());
}
