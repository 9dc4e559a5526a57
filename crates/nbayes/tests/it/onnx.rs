//! Graphs of `nbayes convert` answer raw cells in onnxruntime as `nbayes predict` does.

use crate::{folder::Folder, python::python};

/// Feeds the cells that `nbayes predict --keep --proba` has copied to a graph, by the names of its inputs,
/// and compares the answers with those behind them: labels exactly, probabilities within 1e-9. Rows with
/// texts that the graph does not split, of a column `message`, must have no answer.
const SCRIPT: &str = r#"
import csv, re, sys, numpy, onnxruntime
session = onnxruntime.InferenceSession(sys.argv[1])
header, *rows = csv.reader(open(sys.argv[2], encoding="utf-8"))
outputs = [output.name for output in session.get_outputs()]
n_classes = session.get_outputs()[1].shape[1]
feed = {}
for column in session.get_inputs():
    place = header.index(column.name)
    cells = [row[place] for row in rows]
    if column.type == "tensor(double)":
        cells = numpy.array([float(cell) if cell not in ("", "?", "NA") else numpy.nan for cell in cells])
    else:
        assert column.type == "tensor(string)", column.type
        cells = numpy.array(cells, dtype=object)
    feed[column.name] = cells.reshape(-1, 1)
labels, probabilities, logs = session.run(outputs[:3], feed)
known = re.compile("[\\t\\n\\r -~ß-öø-ÿ£€¥¢§«»¡¿“”„–—…]*")
message = header.index("message") if "message" in header else None
answered = [i for i, row in enumerate(rows) if message is None or known.fullmatch(row[message])]
assert [i for i, label in enumerate(labels) if message is not None and label == ""] == [
    i for i in range(len(rows)) if i not in set(answered)]
n_rows = len(rows)
rows = [rows[i] for i in answered]
labels, probabilities, logs = labels[answered], probabilities[answered], logs[answered]
expected = [row[-n_classes - 1] for row in rows]
wrong = [i for i, (a, b) in enumerate(zip(labels, expected)) if a != b]
numbers = numpy.array([[float(cell or "nan") for cell in row[-n_classes:]] for row in rows])
# Probabilities, and their logarithms where they are doubles of full precision.
with numpy.errstate(divide="ignore"):
    tiny = numbers < 1e-300
    differences = numpy.abs(probabilities - numbers)
    ratios = numpy.where(tiny, 0, numpy.abs(logs - numpy.log(numbers)) / (1 + numpy.abs(logs)))
assert numpy.array_equal(numpy.isnan(probabilities), numpy.isnan(numbers))
print(n_rows, len(wrong), wrong[:5], numpy.nanmax(differences) < 1e-9, numpy.nanmax(ratios) < 1e-9)
"#;

/// Compares the answers to the rows of a file.
fn compare(folder: &Folder, options: &str, data: &str) {
    let Some(python) = python("numpy, onnxruntime") else { return };
    folder.ok(&format!("convert {options} m.nb m.onnx"));
    let answers = folder.ok(&format!("predict m.nb {data} --keep --proba --quiet"));
    folder.write("answers.csv", &answers);
    let output = std::process::Command::new(python)
        .args(["-c", SCRIPT])
        .args([folder.path("m.onnx"), folder.path("answers.csv")])
        .output()
        .unwrap();
    assert!(output.status.success(), "{data}: {}", String::from_utf8_lossy(&output.stderr));
    let n_rows = csv::Reader::from_reader(answers.as_bytes()).records().count();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{n_rows} 0 [] True True\n"), "{data}");
}

#[test]
fn graphs_decide_as_the_model_does() {
    let folder = Folder::new();
    folder.ok("train @soybean -o plain.nb --quiet");
    for rule in [
        "--weights brown-spot=9,anthracnose=0.1",
        "--costs brown-spot|alternarialeaf-spot=7,frog-eye-leaf-spot|brown-spot=0.5",
        "--positive brown-spot --threshold 0.01",
        "--positive brown-spot --threshold 0.99 --min-probability 0.97 --abstain unsure",
        "--min-probability 0.9",
    ] {
        folder.ok(&format!("decide plain.nb {rule} -o m.nb"));
        compare(&folder, "", "@soybean");
        compare(&folder, "--inputs columns", "@soybean");
    }
    folder.ok("decide plain.nb @soybean --coverage 0.9 -o m.nb");
    assert!(folder.fails(1, "convert m.nb m.onnx").contains("prediction sets; remove them"));
}

/// Compares the answers to a part of the rows of a data set, as the runtime takes long for all of them.
fn compare_some(folder: &Folder, set: &str, share: f64) {
    folder.ok(&format!("split {set} --test {share} --train-file others.csv --test-file some.csv --quiet"));
    compare(folder, "", "some.csv");
}

#[test]
fn graphs_take_raw_cells() {
    for (data, options) in [
        ("@iris", ""),
        ("@titanic", ""),
        ("@housevotes84", ""),
        ("@soybean", ""),
        ("@mushroom", "--smoothing 0.5"),
        ("@sick", ""),
        ("@adult", "--plain --poisson education-num"),
        ("@breast_cancer_ljubljana", "--prior uniform"),
        ("@many_categories", ""),
        ("@spam", "--all shared-gaussian"),
        ("@wine", "--all power"),
        ("@sick", "--power age,TSH --binned FTI --bins modl"),
        ("@iris", "--all power --transform log"),
        ("@pima", "--power age --transform box-cox --binned mass"),
    ] {
        let folder = Folder::new();
        folder.ok(&format!("train {data} {options} -o m.nb --quiet"));
        if data == "@adult" {
            compare_some(&folder, data, 0.1);
        } else {
            compare(&folder, "", data);
        }
    }
}

/// Categories that programs write in other ways, those that training did not have, markers of missing cells,
/// and cells with values that prediction refuses.
#[test]
fn unusual_cells_are_read_as_by_predict() {
    let training = (0..60).map(|row| {
        let (code, flag) = ([0, 1, 2, -3][row % 4], ["true", "false"][row % 2]);
        let colour = ["red", "blue", "07"][row % 3];
        let label = ["yes", "no"][usize::from(row % 5 < 2)];
        format!("{code},{flag},{colour},{}.5,{},{label}\n", row * 7 % 11, row % 6)
    });
    let training = format!("code,flag,colour,size,events,label\n{}", training.collect::<String>());
    let new = "code,flag,colour,size,events,label\n1.0,True,red,1.5,2,\n-3.00,FALSE,blue,NA,0,\n-0.0,TRUE,green,2,,\n\
               9,maybe,7,3,1,\n9.0,NA,07,3,1,\n2.50,?,07.0,1,1,\n,,,,,\nNA,false,n/a,0,5,\n01,true,red,0,5,\n";
    for options in ["", "--unseen other", "--missing blue", "--no-missing"] {
        let folder = Folder::new();
        folder.write("train.csv", &training);
        folder
            .write("new.csv", new.replace("NA,0,", if options == "--no-missing" { ",0," } else { "NA,0," }));
        folder.ok(&format!(
            "train train.csv --label label --categorical code --poisson events -o m.nb --quiet {options}"
        ));
        compare(&folder, "", "new.csv");
    }
}

#[test]
fn graphs_split_texts_into_the_same_words() {
    for options in [
        "",
        "--plain --words alphanumeric --min-chars 2 --n-grams 1-2 --max-terms 3000",
        "--plain --stop-words english --log-tf --idf --normalize-length --max-terms 2000",
        "--plain --n-grams 1-3 --max-terms 3000 --stop-words english --min-chars 3 --normalization none",
    ] {
        let folder = Folder::new();
        folder.ok(&format!("train @sms {options} -o m.nb --quiet"));
        if options.is_empty() {
            compare(&folder, "", "@sms");
        } else {
            compare_some(&folder, "@sms", 0.3);
        }
    }
}

/// Signs in every order around letters, digits, underscores and spaces, beside a column of numbers.
#[test]
fn signs_are_in_words_or_between_them() {
    const PARTS: [&str; 22] = [
        "a", "b", "A", "1", "2", "_", ".", "'", ":", ",", ";", " ", " ", "\t", "\n", "-", "!", "é", "£", "a",
        "1", "…",
    ];
    let mut state = 7_u64;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut rows = |n: usize| {
        let rows = (0..n).map(|row| {
            let text: String = (0..draw(24)).map(|_| PARTS[draw(PARTS.len())]).collect();
            format!("{}.5,\"{text}\",{}\n", draw(9), ["p", "q"][row % 2])
        });
        rows.collect::<String>()
    };
    let (training, new) = (rows(300), rows(2000));
    for options in
        ["", "--words alphanumeric", "--min-chars 3", "--n-grams 1-2", "--n-grams 2-3 --words alphanumeric"]
    {
        let folder = Folder::new();
        folder.write("a.csv", format!("x,message,label\n{training}"));
        folder.write("b.csv", format!("x,message,label\n{new}1.5,\"Ü £5\",p\n2.5,\"a b’s 👍\",q\n,,p\n"));
        folder.ok(&format!("train a.csv --label label --text message {options} -o m.nb --quiet"));
        compare(&folder, "", "b.csv");
    }
}

#[test]
fn inputs_that_cannot_be_made_are_refused() {
    let folder = Folder::new();
    folder.ok("train @sms -o m.nb --quiet --hash 64");
    let error = folder.fails(1, "convert m.nb m.onnx");
    assert!(error.contains("\"message\"") && error.contains("--inputs matrix"), "{error}");
    folder.ok("convert m.nb m.onnx --inputs matrix");
    let error = folder.fails(2, "convert m.nb m.json --inputs columns");
    assert!(error.contains("--inputs"), "{error}");
    folder.write("t.csv", "a,label\nx,p\ny,q\nx,p\ny,q\n");
    folder.ok("train t.csv --label label --smoothing 0 -o m.nb --quiet");
    let error = folder.fails(1, "convert m.nb m.onnx");
    assert!(error.contains("column \"a\"") && error.contains("smoothing above 0"), "{error}");
}

/// Names that the graph has for itself.
#[test]
fn columns_may_be_called_as_outputs_are() {
    let folder = Folder::new();
    let rows = "label,log_proba,Concat_2,class\n1.5,a,1,p\n2.5,b,2,p\n3.5,a,3,q\n4.5,b,4.5,q\n";
    folder.write("t.csv", rows);
    folder.ok("train t.csv --label class --gaussian Concat_2,label --categorical log_proba -o m.nb --quiet");
    compare(&folder, "", "t.csv");
}
