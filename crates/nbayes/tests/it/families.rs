//! Every family of the list goes through every command, and its hyper-parameters are options.

use nb_core::{Dispersion, Missing, description::Columns};
use nb_io::{Family, Model, Registry};

use crate::folder::Folder;

/// Rates are not pulled towards one event per row, whatever the unit of the counts.
#[test]
fn poisson_rates_are_shrunk_towards_the_column() {
    let folder = Folder::new();
    let visits = "visits,size\n98,small\n101,small\n101,small\n150,big\n";
    folder.write("visits.csv", visits);
    folder.ok("train --plain visits.csv --label size --poisson visits -o column.nb");
    let predicted = |model: &str| {
        let text = folder.ok(&format!("predict {model} visits.csv"));
        text.lines().skip(1).map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(predicted("column.nb"), ["small", "small", "small", "big"]);
    // One event per row makes the rates 75.25 and 75.5.
    folder.ok("train --plain visits.csv --label size --poisson visits --rate-prior unit -o unit.nb");
    assert_eq!(predicted("unit.nb"), ["small"; 4]);
}

/// Whole numbers with many zeros, more of them in one class, and varying more than their mean.
fn rows(from: u64, to: u64) -> String {
    let rows = (from..to).map(|row| {
        let class = row % 2;
        let hash = row.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let x = if hash % (3 - class) == 0 { 0 } else { 1 + hash % 7 * (1 + class) };
        let y = (hash / 64) % 5;
        format!("{x},{y},{}\n", ["few", "many"][class as usize])
    });
    ["x,y,class\n".to_owned()].into_iter().chain(rows).collect()
}

#[test]
fn every_family_goes_through_every_command() {
    for description in Registry::default().descriptions() {
        let option = description.name.replace('_', "-");
        let folder = Folder::new();
        folder.write("all.csv", rows(0, 90));
        folder.write("first.csv", rows(0, 60));
        folder.write("last.csv", rows(60, 90));
        for file in ["all", "first", "last"] {
            folder.ok(&format!("train --sums-only {file}.csv --label class --{option} x,y -o {file}.nb"));
        }
        // The other commands take the rows of the other file in, or out again, and give the same model.
        folder.ok("merge first.nb last.nb -o merged.nb");
        assert_eq!(folder.read("merged.nb"), folder.read("all.nb"), "{option}");
        folder.ok("update first.nb last.csv -o updated.nb");
        assert_eq!(folder.read("updated.nb"), folder.read("all.nb"), "{option}");
        folder.ok("forget updated.nb last.csv");
        let stats = |name: &str| Model::load(folder.path(name)).unwrap().stats().clone();
        // Categories that are not seen any more keep their names.
        if description.columns != Columns::Categories {
            assert!(stats("updated.nb") == stats("first.nb"), "{option}");
        }
        folder.ok("convert all.nb all.json");
        folder.ok("convert all.json again.nb");
        assert_eq!(folder.read("again.nb"), folder.read("all.nb"), "{option}");
        let model = Model::load(folder.path("all.nb")).unwrap();
        assert_eq!(model.family().description().name, description.name);
        let labels = folder.ok("predict all.nb all.csv --proba");
        assert_eq!(labels.lines().count(), 91, "{option}: {labels}");
        assert!(folder.ok("evaluate all.nb all.csv").contains("accuracy"), "{option}");
        assert!(folder.ok("explain all.nb all.csv --row 2").contains(" x "), "{option}");
        let inspected = folder.ok("inspect all.nb");
        assert!(inspected.contains(&description.title.to_lowercase()), "{option}: {inspected}");
        folder.ok("plot all.nb all.csv --feature x -o x.svg");
        if model.family().density().is_some() {
            assert_eq!(folder.ok("sample all.nb -n 5 --seed 1").lines().count(), 6, "{option}");
        } else {
            folder.fails(1, "sample all.nb -n 5");
        }
        folder
            .ok(&format!("train --plain all.csv --label class --{option} x,y --tune --folds 3 -o tuned.nb"));
        assert!(folder.ok("schema all.csv --label class").contains(&option), "{option}");
    }
}

#[test]
fn hyper_parameters_are_options() {
    let folder = Folder::new();
    folder.write("a.csv", rows(0, 40));
    folder.ok(
        "train --sums-only a.csv --label class --negative-binomial x --zero-inflated-gaussian y --dispersion shared \
         --inflated-value 2 --smoothing 0.25 --unbiased --missing-cells error -o a.nb",
    );
    let model = Model::load(folder.path("a.nb")).unwrap();
    let Family::Blocks(blocks) = model.family() else { panic!("{:?}", model.family()) };
    let families: Vec<&Family> = blocks.iter().map(|(_, family)| family).collect();
    let [Family::NegativeBinomial(counts), Family::ZeroInflatedGaussian(numbers)] = families[..] else {
        panic!("{families:?}")
    };
    assert_eq!((counts.dispersion, counts.missing), (Dispersion::Shared, Missing::Error));
    assert_eq!((numbers.value, numbers.smoothing.get(0)), (2.0, 0.25));
    let inspected = folder.ok("inspect a.nb");
    assert!(inspected.contains("format version 2") && inspected.contains("dispersion shared"), "{inspected}");
    let error = folder.fails(2, "train --plain a.csv --label class --dispersion wide -o b.nb");
    assert!(error.contains("per-class"), "{error}");
    let error = folder.fails(2, "train --plain a.csv --label class --smoothing much -o b.nb");
    assert!(error.contains("much"), "{error}");
}
