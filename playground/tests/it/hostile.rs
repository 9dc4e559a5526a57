//! Whatever is asked, there is an answer.

use playground::Playground;
use serde_json::json;

use crate::support::{ask, well, with_table};

fn error(playground: &mut Playground, request: &serde_json::Value, bytes: &[u8]) -> String {
    let (value, _) = ask(playground, request, bytes);
    value["error"].as_str().unwrap_or_else(|| panic!("{request}: {value}")).to_owned()
}

#[test]
fn requests_without_sense_are_refused() {
    let mut playground = Playground::default();
    for request in ["", "{", "[]", "null", r#"{"do": "nothing"}"#, r#"{"do": 5}"#, "\u{0}"] {
        assert!(playground.answer(request, b"").text.starts_with(r#"{"error":"#), "{request}");
    }
    for request in [json!({"do": "fit"}), json!({"do": "measure"}), json!({"do": "components"})] {
        assert_eq!(error(&mut playground, &request, b""), "there is no table yet");
    }
    for request in [json!({"do": "save"}), json!({"do": "explain", "row": []}), json!({"do": "predict"})] {
        assert_eq!(error(&mut playground, &request, b""), "there is no model yet");
    }
    assert!(error(&mut playground, &json!({"do": "load"}), b"no model file").contains("not a"));
    let mut playground = with_table("iris", "species");
    for request in [
        json!({"do": "fit", "families": {"no such column": "gaussian"}}),
        json!({"do": "fit", "families": {"petal_length_cm": "no such family"}}),
        json!({"do": "fit", "families": {"petal_length_cm": "binned"}, "settings": {"smoothing": "-1"}}),
        json!({"do": "fit", "settings": {"variance_floor": "much"}}),
        json!({"do": "fit", "bins": "width:0"}),
        json!({"do": "truncation", "row": 150}),
        json!({"do": "forget", "row": 1_000_000}),
    ] {
        error(&mut playground, &request, b"");
    }
    well(&mut playground, &json!({"do": "fit"}));
    let axis = |n_cells: usize| json!({"column": 0, "from": 0.0, "to": 1.0, "n_cells": n_cells});
    for request in [
        json!({"do": "picture", "x": axis(0), "y": axis(5), "row": [1, 1, 1, 1]}),
        json!({"do": "picture", "x": axis(usize::MAX / 2), "y": axis(5), "row": [1, 1, 1, 1]}),
        json!({"do": "picture", "x": axis(5), "y": axis(5), "row": [1]}),
        json!({"do": "boundary", "class": 3, "against": 0}),
        json!({"do": "boundary", "class": 0, "against": 0}),
        json!({"do": "densities", "column": 9, "from": 0.0, "to": 1.0, "n_points": 3}),
        json!({"do": "explain", "row": [1.0, 2.0]}),
        json!({"do": "cells"}),
    ] {
        let bytes: &[u8] = if request["do"] == "cells" { b"123" } else { b"" };
        error(&mut playground, &request, bytes);
    }
    well(&mut playground, &json!({"do": "predict"}));
}

#[test]
fn tables_without_sense_are_refused_and_others_are_read() {
    let mut playground = Playground::default();
    let table = json!({"do": "table", "name": "the file"});
    for text in ["", "a", "a,b\n", "\u{0}\u{1}\u{2}", "x,y\n1\n2,3,4\n", "y\na\nb\n", "same,y\n1,a\n1,b\n"] {
        error(&mut playground, &table, text.as_bytes());
    }
    let hostile = "<script>alert(1)</script>,\"<img src=x onerror=alert(1)>\",y\n1,=1+1,<b>a</b>\n2,'); drop,<b>b</b>\n\
                   3,=1+1,<b>a</b>\n4,'); drop,<b>b</b>\n";
    let (value, _) = ask(&mut playground, &table, hostile.as_bytes());
    assert_eq!(value["columns"][0]["name"], "<script>alert(1)</script>");
    assert_eq!(value["classes"], json!(["<b>a</b>", "<b>b</b>"]));
    well(&mut playground, &json!({"do": "fit"}));
    let (value, _) = ask(&mut playground, &table, "x;y\n1,5;ä\n2,5;b\n3,0;b\n".as_bytes());
    assert_eq!(value["classes"], json!(["b", "ä"]), "{value}");
    let points = json!({"do": "points", "columns": ["x", "y"], "label": "c", "classes": ["a", "b"]});
    for cells in
        [&[1.0, 2.0, 2.0][..], &[1.0, 2.0, -1.0], &[1.0, 2.0, f64::NAN], &[f64::INFINITY, 2.0, 0.0], &[1.0]]
    {
        let bytes: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
        error(&mut playground, &points, &bytes);
    }
    let (value, _) = ask(&mut playground, &points, b"");
    assert_eq!(value["n_rows"], 0);
    error(&mut playground, &json!({"do": "fit"}), b"");
}
