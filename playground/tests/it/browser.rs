//! The page as people use it.

use serde_json::json;

use crate::{
    chromium::{Said, open},
    support::{numbers, well, with_table},
};

const HANDS: &str = include_str!("hands.js");

/// Runs a test script behind the common functions.
fn run(script: &str, hash: &str, size: (u32, u32)) -> Option<Said> {
    let said = open(&format!("{HANDS}\nawait within(async () => {{\n{script}\n}});\n"), hash, size)?;
    assert_eq!(said.value("problems"), &json!([]), "{said:?}");
    // What the policy stops is among the problems, unless the script tries it.
    let others = said.console.iter().filter(|line| !line.contains("Content Security Policy"));
    assert_eq!(others.collect::<Vec<_>>(), Vec::<&String>::new(), "the console says more");
    Some(said)
}

#[test]
fn every_control_changes_what_it_says() {
    let Some(said) = run(include_str!("controls.js"), "", (1300, 1000)) else { return };
    let unchanged: Vec<&String> = said
        .values
        .iter()
        .filter(|(name, value)| name.starts_with("control") && value == &json!(false))
        .map(|(name, _)| name)
        .collect();
    assert!(unchanged.is_empty(), "nothing changed: {unchanged:?}");
    assert!(said.values.iter().filter(|(name, _)| name.starts_with("control")).count() >= 25);
}

#[test]
fn lessons_say_what_the_library_says() {
    let Some(said) = run(include_str!("lessons.js"), "#scene=truncation", (1300, 1000)) else { return };
    let mut spam = with_table("spam", "type");
    let truncation = well(&mut spam, &json!({"do": "truncation", "row": 176}));
    let shown = numbers(said.value("truncation"));
    assert_eq!(shown, [numbers(&truncation["klar"]), numbers(&truncation["exact"])].concat());

    let mut iris = with_table("iris", "species");
    well(&mut iris, &json!({"do": "fit"}));
    let forget = well(&mut iris, &json!({"do": "forget", "row": 118}));
    assert_eq!(said.value("forget"), &json!([forget["whole"], forget["removed"], forget["never"]]));

    well(&mut iris, &json!({"do": "fit", "shared_variance": true}));
    let boundary = well(&mut iris, &json!({"do": "boundary", "class": 2, "against": 1}));
    let terms = boundary["terms"].as_array().unwrap();
    let weights = terms.iter().map(|term| term["linear"].as_f64().unwrap());
    let expected: Vec<f64> = weights.chain(boundary["constant"].as_f64()).collect();
    assert_eq!(numbers(said.value("equation")), expected);

    let row: Vec<f64> = nb_datasets::load("iris").unwrap().x().row(0).to_vec();
    let explanation = well(&mut iris, &json!({"do": "explain", "row": row}));
    let mut posteriors = numbers(&explanation["posteriors"]);
    posteriors.sort_by(|a, b| b.total_cmp(a));
    assert_eq!(numbers(said.value("posteriors")), posteriors);
    let mut measured = with_table("iris", "species");
    let measures = well(&mut measured, &json!({"do": "measure", "shared_variance": true}));
    let expected = ["accuracy", "log_loss", "brier", "auc", "calibration_error"];
    assert_eq!(
        numbers(said.value("measures")),
        expected.map(|name| measures["model"][name].as_f64().unwrap())
    );
    // Every lesson has words, a figure, and no message of an error.
    for name in [
        "underflow",
        "truncation",
        "line",
        "smoothing",
        "words",
        "learning",
        "sampling",
        "cloud",
        "forget",
        "copies",
    ] {
        assert_eq!(said.value(&format!("lesson-{name}")), &json!([true, true, ""]), "{name}");
    }
}

#[test]
fn hostile_tables_run_no_script_and_nothing_leaves() {
    let Some(said) = run(include_str!("hostile.js"), "", (390, 844)) else { return };
    assert_eq!(said.value("ran"), &json!(false));
    assert_eq!(said.value("markup"), &json!(0));
    assert_eq!(said.value("names"), &json!(true));
    assert_eq!(said.value("address"), &json!("iris"));
    assert_eq!(said.value("requests"), &json!(0));
    assert_eq!(said.value("too-wide"), &json!(false), "the page is wider than a phone");
    // The policy itself, tried at the end: each of these was stopped by it.
    assert_eq!(said.value("fetched"), &json!("stopped"));
    assert!(said.value("stopped").as_u64().unwrap() >= 2, "{said:?}");
}

#[test]
fn a_model_goes_out_and_comes_in_again() {
    let Some(said) = run(include_str!("model.js"), "", (1300, 1000)) else { return };
    let mut iris = with_table("iris", "species");
    well(&mut iris, &json!({"do": "fit"}));
    let saved = iris.answer(r#"{"do": "save"}"#, b"").bytes;
    let on_page: Vec<u8> = numbers(said.value("file")).into_iter().map(|byte| byte as u8).collect();
    // Settings are given by the page, and are those that the library takes by itself.
    let [ours, theirs] = [&saved, &on_page].map(|bytes| nb_io::Model::from_bytes(bytes).unwrap());
    assert_eq!(ours.stats(), theirs.stats());
    assert_eq!(ours.family(), theirs.family());
    assert_eq!(said.value("name"), &json!("iris.nb"));
    assert_eq!(said.value("same"), &json!(true));
    assert_eq!(said.value("damaged"), &json!(true));
}

#[test]
#[expect(clippy::print_stderr, reason = "how fast it is depends on the machine")]
fn a_thousand_changes_take_no_memory_and_little_time() {
    let Some(said) = run(include_str!("endurance.js"), "", (1300, 1000)) else { return };
    let of = |name: &str| said.value(name).as_f64().unwrap();
    let (before, after) = (of("memory-before"), of("memory-after"));
    assert!(after <= before * 1.02 + 65536.0, "WebAssembly memory grew from {before} to {after}");
    let (before, after) = (of("heap-before"), of("heap-after"));
    assert!(after <= before + 8e6, "the heap grew from {before} to {after}");
    eprintln!(
        "first picture after {} ms; 10,000 points: {} ms a frame under the pointer, {} ms while a Gaussian is dragged",
        of("started"),
        of("hover"),
        of("drag")
    );
    assert!(of("hover") < 50.0, "{} ms a frame", of("hover"));
    assert_eq!(said.value("moved"), &json!(1));
}
