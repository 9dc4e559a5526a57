//! A refined model of parts that are never together: columns, bins and weights of a sample, sums of all
//! parts.

use crate::folder::Folder;

/// Rows of which each part has its own colour, in the order of their numbers.
fn rows(numbers: std::ops::Range<usize>) -> String {
    let row = |row: usize| {
        let colour = if row.is_multiple_of(50) {
            format!("of part {}", row / 300)
        } else {
            ["red", "blue"][row / 3 % 2].into()
        };
        format!("{}.5,{colour},{}\n", row * 7 % 23 + 6 * (row % 2), ["no", "yes"][row % 2])
    };
    numbers.map(row).fold("x,colour,y\n".to_owned(), |all, row| all + &row)
}

fn with_parts() -> Folder {
    let folder = Folder::new();
    folder.write("sample.csv", rows(1..200));
    folder.write("all.csv", rows(0..900));
    folder.ok("train sample.csv --label y -o sample.nb");
    for part in 0..3 {
        folder.write(&format!("part-{part}.csv"), rows(300 * part..300 * (part + 1)));
        folder.ok(&format!("update sample.nb part-{part}.csv --only-given -o part-{part}.nb"));
    }
    folder.ok("merge part-0.nb part-1.nb part-2.nb -o merged.nb");
    folder
}

#[test]
fn parts_with_the_weights_of_a_sample_are_merged_into_a_refined_model_of_all_rows() {
    let folder = with_parts();
    folder.ok("update sample.nb all.csv --only-given -o whole.nb");
    // Whoever adds up the rows, and in how many parts: byte for byte.
    assert_eq!(folder.read("merged.nb"), folder.read("whole.nb"));
    let inspected = folder.ok("inspect merged.nb");
    assert!(inspected.contains("900") && inspected.contains("199"), "{inspected}");
    // It is a model of all rows, with the weights of the sample.
    let measures = folder.ok("evaluate merged.nb all.csv");
    assert!(measures.contains("log-loss"), "{measures}");
}

#[test]
fn weights_of_merged_parts_are_learnt_again_from_a_sample() {
    let folder = with_parts();
    let error = folder.fails(1, "refit merged.nb sample.csv");
    assert!(error.contains("199 rows alone, and the model has 900"), "{error}");
    folder.write("other.csv", rows(400..700));
    folder.ok("refit merged.nb other.csv --only-given --force -o again.nb");
    let inspected = folder.ok("inspect again.nb");
    assert!(inspected.contains("900") && inspected.contains("300"), "{inspected}");
}

#[test]
fn a_part_has_the_rows_given_alone_and_needs_a_file_of_its_own() {
    let folder = with_parts();
    let error = folder.fails(2, "update sample.nb part-1.csv --only-given");
    assert!(error.contains("--output"), "{error}");
    let said = folder.ok("update sample.nb part-1.csv --only-given -o one.nb");
    assert!(said.contains("added 300 rows; the model has 300 now"), "{said}");
    // The same weights of another sample are others.
    folder.write("second.csv", rows(200..420));
    folder.ok("train second.csv --label y -o second.nb");
    folder.ok("update second.nb part-2.csv --only-given -o two.nb");
    let error = folder.fails(1, "merge one.nb two.nb -o both.nb");
    assert!(error.contains("two.nb cannot be merged with one.nb"), "{error}");
}
