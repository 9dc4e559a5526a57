//! The page in a real browser: sorting, the readout, files, colours, and that nothing is loaded.

use std::collections::BTreeMap;

use nb_report::{
    Axis, Block, Cell, Column, Document, Download, Figure, Lines, Plot, Point, Section, Series, Table, Text,
};

use crate::{
    chromium::{Opened, chromium, open, open_with_results},
    gallery::gallery,
};

/// Does what a reader does, and writes down what comes of it.
const READER: &str = include_str!("reader.js");

/// The page of the gallery with a script behind its own.
fn page(script: &str) -> String {
    let page = gallery().to_html().expect("a document that can be rendered");
    page.replace("</body>", &format!("<script>{script}</script></body>"))
}

/// What the script wrote: names and values.
fn results(opened: &Opened) -> BTreeMap<String, String> {
    let begin = opened
        .dom
        .rfind("<pre id=\"results\">")
        .unwrap_or_else(|| panic!("no results: {:?}", opened.console));
    let text = &opened.dom[begin..];
    let text = text.split_once('>').and_then(|(_, rest)| rest.split_once("</pre>")).expect("results").0;
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let lines = text.lines().filter_map(|line| line.split_once('='));
    lines.map(|(name, value)| (name.into(), value.into())).collect()
}

#[test]
fn readers_sort_point_save_and_switch() {
    let Some(program) = chromium() else { return };
    let opened = open_with_results(&program, &page(READER), (1100, 900));
    let results = results(&opened);
    let is = |name: &str, expected: &str| {
        assert_eq!(results.get(name).map(String::as_str), Some(expected), "{name}; {:?}", opened.console);
    };

    // The rows of the data sets are 10, 150, 1100, 10150, 100200, 260, 400, 1350, 10400.
    is("rows rising", "10 150 260 400 1100 1350 10150 10400 100200 | ascending");
    is("rows falling", "100200 10400 10150 1350 1100 400 260 150 10 | descending");
    is("rows again", "10 150 1100 10150 100200 260 400 1350 10400 | none");
    is("missing last, rising", "–");
    is("missing last, falling", "–");
    is(
        "names rising",
        "\"quoted\" & 'escaped'|<script>alert(1)</script>|a_very_long_name_of_a_data_set_with_underscores",
    );
    is("footer", "average rank");
    is("a header takes the focus", "true");

    let [first, second] = first_readouts();
    is("first mark", &first);
    is("second mark", &second);
    is("last mark by its label", "m* = 60: 60");
    is("pointed at", "logistic regression");
    is("a finger beside a mark", "logistic regression");
    is("left", "hidden");
    is("a cell", "0.620, with more digits");
    is("titles left", "0");
    is("one stop per picture", "true");

    is("file 1", "{\"folds\": 10, \"name\": \"</script>\"}|plan.json|application/json");
    is("file 2", "set,accuracy|irîs,0.95|\"</script>\",0.5|results.csv|text/csv");
    is("file 3", "256 bytes, 0 to 255");
    is("table as CSV", "data set,rows,Gaussian,kernel,discretised,AODE,logistic regression");

    let tables = tables(&gallery().sections);
    let csv: Vec<String> = tables.iter().map(|table| table.to_csv().expect("a table")).collect();
    is("tables as CSV", &csv.join("~").trim().replace('\n', "|"));

    is("colours at first", "rgb(255, 255, 255)");
    is("colours dark", "rgb(20, 24, 28)");
    is("colours light", "rgb(255, 255, 255)");

    is("alerts", "0");
    is("ids given twice", "");
    is("links that lead nowhere", "");
    is("loaded before", "0");
    is("refused", "connect-src img-src");
}

/// All tables, in reading order.
fn tables(sections: &[Section]) -> Vec<Table> {
    let mut found = Vec::new();
    for section in sections {
        for block in &section.blocks {
            if let Block::Table(table) = block {
                found.push(table.clone());
            }
        }
        found.extend(tables(&section.sections));
    }
    found
}

/// What is to be read at the first two points of the first figure.
fn first_readouts() -> [String; 2] {
    let document = gallery();
    let Block::Figure(Figure { plot: Plot::Lines(lines), .. }) = &document.sections[2].sections[0].blocks[0]
    else {
        panic!("another figure")
    };
    [0, 1].map(|i| {
        let Point { x, y, interval } = lines.series[0].points[i];
        let (low, high) = interval.expect("an interval");
        format!("naive Bayes|size of the training set, m: {x}|error: {y}|interval: {low} to {high}")
    })
}

#[test]
fn nothing_is_said_on_the_console() {
    let Some(program) = chromium() else { return };
    let opened = open(&program, &page(""), (1100, 900));
    assert!(opened.dom.contains("class=\"scripted ready\""), "{}", opened.dom.len());
    assert_eq!(opened.console, Vec::<String>::new());
}

#[test]
fn small_screens_do_not_scroll_sideways() {
    let Some(program) = chromium() else { return };
    let script = "const root = document.documentElement;
        document.body.insertAdjacentHTML('beforeend', `<pre id=\"results\">sideways=${root.scrollWidth - root.clientWidth}
width=${root.clientWidth}</pre>`);";
    for width in [360, 390, 800, 1400] {
        let results = results(&open_with_results(&program, &page(script), (width, 800)));
        assert_eq!(results["sideways"], "0", "{width}");
    }
}

/// A table of this number of rows, in no order.
fn rows(id: &str, n: usize) -> Table {
    let columns = [Column::text("row"), Column::number("square"), Column::number("third")];
    let mut table = Table::new(format!("Squares, {id}"), columns).with_id(id);
    for row in 0..n {
        let x = ((row * 7919) % n) as f64;
        table.push([Cell::text(format!("row {row}")), Cell::number(x * x, 0), Cell::number(x / 3.0, 2)]);
    }
    table
}

/// A page of more than LARGE bytes: its beginning is plain, and the script shows the rest, with all that
/// tables and figures do.
#[test]
fn large_pages_are_packed() {
    let mut document = Document::new("Squares");
    let mut section = Section::new("squares", "Squares");
    section.push(rows("small", 20));
    for number in 0..4 {
        section.push(rows(&format!("large-{number}"), 6000));
    }
    section.push(Text::new("See ").link("curve", "the curve").plain("."));
    let mut lines = Lines::new(Axis::linear("x"), Axis::linear("y"));
    lines.series.push(Series::new("s", [Point::new(1.0, 1.0), Point::new(2.0, 4.0)]));
    section.push(Figure::new("A curve", lines).with_id("curve"));
    section.push(Download {
        file_name: "a.txt".into(),
        media_type: "text/plain".into(),
        bytes: b"saved".to_vec(),
        label: String::new(),
    });
    document.push(section);
    let page = document.to_html().expect("a page");
    let mut alone = Document::new("Squares");
    let mut section = Section::new("squares", "Squares");
    section.push(rows("large-0", 6000));
    alone.push(section);
    let plain = alone.to_html().expect("a page").len();
    assert!(2 * page.len() < 4 * plain, "{} bytes, and {plain} with one of the tables", page.len());
    // Readers without scripts have what is small, the figure with its table, and the names of what else there is.
    assert_eq!((page.matches("<table").count(), page.matches("class=\"note missing\"").count()), (2, 4));
    assert!(page.contains("Table 5.</strong> Squares, large-3") && page.contains("id=\"curve\""));
    assert_eq!(nb_report::saved_text(&page, "a.txt").as_deref(), Some("saved"));

    let Some(program) = chromium() else { return };
    let script = "(async () => {
        const all = (selector) => Array.from(document.querySelectorAll(selector));
        for (let i = 0; i < 500 && !document.documentElement.matches('.ready'); i += 1)
          await new Promise((done) => setTimeout(done, 20));
        let text = '';
        URL.createObjectURL = (blob) => (blob.text().then((found) => (text = found)), 'blob:none');
        HTMLAnchorElement.prototype.click = () => {};
        const table = document.querySelector('#large-3 table');
        table.querySelectorAll('thead th button')[1].click();
        const sorted = table.tBodies[0].rows[5999].cells[1].textContent;
        document.querySelector('#large-3 [data-csv]').click();
        for (let i = 0; i < 100 && !text; i += 1) await new Promise((done) => setTimeout(done, 20));
        const lines = [`tables=${all('table').length}`, `rows=${all('tbody tr').length}`, `marks=${all('.mark[role=img]').length}`,
          `missing=${all('.missing').length}`, `sorted=${sorted}`, `csv=${text.split('\\n').slice(0, 3).join('/')}`, `ids=${all('[id=curve]').length}`];
        const results = document.createElement('pre');
        results.id = 'results';
        results.textContent = lines.join('\\n');
        document.body.append(results);
      })();";
    let page = page.replace("</body>", &format!("<script>{script}</script></body>"));
    let opened = open_with_results(&program, &page, (1100, 900));
    let found = results(&opened);
    assert_eq!(found["tables"], "6");
    assert_eq!(found["rows"], (20 + 4 * 6000 + 2).to_string());
    assert_eq!((&*found["marks"], &*found["missing"], &*found["ids"]), ("2", "0", "1"));
    assert_eq!(found["sorted"], "35988001");
    assert_eq!(found["csv"], "row,square,third/row 0,0,0/row 1,3682561,639.6666666666666");
    assert_eq!(opened.console, Vec::<String>::new());
}

/// A report of a real comparison, as the repository carries it.
#[test]
fn the_worked_comparison_opens() {
    let Some(program) = chromium() else { return };
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/comparison/counts.html");
    let page = std::fs::read_to_string(path).expect("the page");
    let script = "<script>(async () => {
        const root = document.documentElement;
        for (let i = 0; i < 500 && !root.matches('.ready'); i += 1) await new Promise((done) => setTimeout(done, 20));
        document.body.insertAdjacentHTML('beforeend', `<pre id=\"results\">sideways=${root.scrollWidth - root.clientWidth}
figures=${document.querySelectorAll('figure svg').length}
sorted=${document.querySelectorAll('th[aria-sort]').length > 0}</pre>`);
        })();</script>";
    for width in [390, 1400] {
        let opened =
            open_with_results(&program, &page.replace("</body>", &format!("{script}</body>")), (width, 900));
        let results = results(&opened);
        assert_eq!(results["sideways"], "0", "{width}");
        assert!(results["figures"].parse::<usize>().is_ok_and(|figures| figures >= 10), "{results:?}");
        assert_eq!(opened.console, Vec::<String>::new());
    }
}
