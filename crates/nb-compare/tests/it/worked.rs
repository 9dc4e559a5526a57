//! The worked comparison of `docs/comparison`: some of its numbers, computed again.

use std::{num::NonZeroUsize, ops::ControlFlow, path::Path};

use nb_compare::{Analysis, Comparison, Design, Measure, Recorded, Set, Table};

/// Sets that take little time.
const QUICK: [&str; 5] = ["iris", "wine", "zoo", "promoters", "optdigits_01"];

fn read(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/comparison");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// The numbers of a row of the guide.
fn row(guide: &str, set: &str) -> Vec<String> {
    let line = guide.lines().find(|line| line.starts_with(&format!("| {set} "))).unwrap();
    let cells = line.trim_matches('|').split('|').skip(1);
    cells.map(|cell| cell.trim().trim_end_matches([' ', '◦', '•']).replace("**", "")).collect()
}

#[test]
fn the_tables_are_true() {
    let guide = read("README.md");
    let mut n_rows = 0;
    for mut design in [Design::suite("nb-2026").unwrap(), Design::from_toml(&read("counts.toml")).unwrap()] {
        design.sets.retain(|set| matches!(set, Set::Embedded(name) if QUICK.contains(&name.as_str())));
        let tables: Vec<Table> =
            design.set_names().iter().map(|name| Table::embedded(name).unwrap()).collect();
        let threads = NonZeroUsize::new(2).unwrap();
        let units = nb_compare::run(&design, &tables, Vec::new(), threads, |_| ControlFlow::Continue(()));
        let comparison = Comparison::new(design, &tables, units.unwrap());
        let analysis = Analysis::new(&comparison);
        for (set, cells) in comparison.design.set_names().iter().zip(&analysis.cells) {
            let means = cells.iter().map(|cell| format!("{:.4}", cell.mean(Measure::Accuracy).unwrap()));
            assert_eq!(means.collect::<Vec<_>>(), row(&guide, set), "{set}");
            n_rows += 1;
        }
    }
    assert_eq!(n_rows, QUICK.len());
}

#[test]
fn the_table_of_dependence_is_true() {
    let guide = read("README.md");
    let (_, section) = guide.split_once("## Dependence").unwrap();
    let mut design = Design::from_toml(&read("dependence.toml")).unwrap();
    design.sets.retain(|set| *set == Set::Embedded("titanic".into()));
    let tables = [Table::embedded("titanic").unwrap()];
    let threads = NonZeroUsize::new(2).unwrap();
    let units = nb_compare::run(&design, &tables, Vec::new(), threads, |_| ControlFlow::Continue(()));
    let comparison = Comparison::new(design, &tables, units.unwrap());
    let analysis = Analysis::new(&comparison);
    let means = analysis.cells[0].iter().map(|cell| format!("{:.4}", cell.mean(Measure::LogLoss).unwrap()));
    assert_eq!(means.collect::<Vec<_>>(), row(section, "titanic"));
}

#[test]
fn the_pages_are_of_these_designs() {
    let counts = Design::from_toml(&read("counts.toml")).unwrap();
    for (page, design) in [("tables.html", Design::suite("nb-2026").unwrap()), ("counts.html", counts)] {
        let page = read(page);
        for variant in &design.variants {
            assert!(page.contains(&variant.name), "{}", variant.name);
        }
        assert!(page.contains(&design.title));
        // The design that the page carries, which `--design` reads, of data that are still the same.
        let recorded = Recorded::from_html(&page).unwrap();
        assert_eq!(recorded.design, design);
        let tables: Vec<Table> =
            design.set_names().iter().map(|name| Table::embedded(name).unwrap()).collect();
        assert!(recorded.changed(&tables).is_empty());
        assert_eq!(nb_report::saved_text(&page, "design.toml"), Some(design.to_toml()));
    }
}

#[test]
fn no_page_is_large() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/comparison");
    let mut n_pages = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let file = file.unwrap();
        if file.path().extension().is_some_and(|extension| extension == "html") {
            let n_bytes = file.metadata().unwrap().len();
            assert!(n_bytes < 1_000_000, "{}: {n_bytes} bytes", file.path().display());
            n_pages += 1;
        }
    }
    assert_eq!(n_pages, 5);
}
