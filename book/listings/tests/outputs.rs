//! What the book shows is what its code computes, and every number in the text of a
//! chapter is among what was computed.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use book_listings::{LISTINGS, Output};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn computed(name: &str) -> Output {
    let (_, listing) = LISTINGS.iter().find(|(known, _)| *known == name).unwrap();
    let mut output = Output::default();
    listing(&mut output).unwrap_or_else(|error| panic!("{name}: {error}"));
    output.end();
    output
}

#[test]
fn the_book_shows_what_its_code_computes() {
    let update = std::env::var_os("NB_UPDATE_BOOK").is_some();
    let (mut written, mut there) = (BTreeSet::new(), BTreeSet::new());
    let mut differing = Vec::new();
    for (name, _) in LISTINGS {
        let (part, chapter) = name.split_once('/').unwrap();
        let output = computed(name);
        let files = output
            .pictures
            .into_iter()
            .chain([(format!("{chapter}.txt"), output.text)]);
        let folder = docs().join(part).join("output");
        for (file, content) in files {
            let path = folder.join(&file);
            if update {
                fs::create_dir_all(&folder).unwrap();
                fs::write(&path, &content).unwrap();
            } else if fs::read_to_string(&path).ok().as_ref() != Some(&content) {
                differing.push(file);
            }
            assert!(written.insert(path), "two outputs have one name");
        }
        there.extend(
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()),
        );
    }
    assert!(
        differing.is_empty(),
        "{differing:?} differ from what is computed; NB_UPDATE_BOOK=1 writes them"
    );
    assert_eq!(there, written, "there are files that no listing writes");
}

#[test]
fn numbers_in_the_text_are_among_those_computed() {
    let (mut n_numbers, mut unknown) = (0, Vec::new());
    for (name, _) in LISTINGS {
        let chapter =
            fs::read_to_string(docs().join(format!("{name}.md"))).unwrap();
        let output = docs().join(name.replace('/', "/output/") + ".txt");
        let output = fs::read_to_string(output).unwrap();
        let mut computed: BTreeSet<String> = numbers(&output).into_iter().collect();
        let (text, by_hand) = without_comments(&chapter);
        computed.extend(numbers(&by_hand));
        for number in
            numbers(&prose(&text)).into_iter().filter(|number| is_measured(number))
        {
            n_numbers += 1;
            if !computed.contains(&number) {
                unknown.push(format!("{name}.md: {number}"));
            }
        }
    }
    assert!(unknown.is_empty(), "numbers that no listing prints: {unknown:?}");
    assert!(n_numbers > 60, "{n_numbers}");
}

/// The text without comments, and the numbers in comments such as `<!-- by hand:
/// 0.693 -->`.
fn without_comments(chapter: &str) -> (String, String) {
    let (mut text, mut by_hand) = (String::new(), String::new());
    for (number, part) in chapter.split("<!-- ").enumerate() {
        if number == 0 {
            text.push_str(part);
            continue;
        }
        let (comment, rest) = part.split_once("-->").unwrap_or((part, ""));
        if let Some(numbers) = comment.strip_prefix("by hand: ") {
            by_hand.extend([numbers, " "]);
        }
        text.push_str(rest);
    }
    (text, by_hand)
}

/// The text without blocks of code and addresses.
fn prose(chapter: &str) -> String {
    let mut text = String::new();
    let mut in_code = false;
    for line in chapter.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            // What is in parentheses after a bracket is an address.
            for (number, part) in line.split("](").enumerate() {
                let words = if number == 0 {
                    part
                } else {
                    part.split_once(')').map_or("", |(_, rest)| rest)
                };
                text.extend([words, " "]);
            }
        }
    }
    text
}

/// The numbers in a text, without the commas between thousands and the spaces and
/// brackets that formulas put there.
fn numbers(text: &str) -> Vec<String> {
    let text = text.replace("{,}", "");
    let characters: Vec<char> = text.chars().collect();
    let (mut numbers, mut at) = (Vec::new(), 0);
    let digit = |at: usize| characters.get(at).is_some_and(char::is_ascii_digit);
    while at < characters.len() {
        if !digit(at)
            || (at > 0
                && (characters[at - 1].is_alphanumeric()
                    || characters[at - 1] == '_'))
        {
            at += 1;
            continue;
        }
        let mut number = String::new();
        loop {
            match characters.get(at) {
                Some(c) if c.is_ascii_digit() => number.push(*c),
                Some('.') if digit(at + 1) => number.push('.'),
                Some(',') if (1..=3).all(|i| digit(at + i)) && !digit(at + 4) => {}
                Some('e')
                    if digit(at + 1)
                        || (characters.get(at + 1) == Some(&'-')
                            && digit(at + 2)) =>
                {
                    number.push('e');
                    if characters[at + 1] == '-' {
                        number.push('-');
                        at += 1;
                    }
                }
                _ => break,
            }
            at += 1;
        }
        numbers.push(number);
    }
    numbers
}

/// Whether a number looks like a result: decimals with three digits, or a large
/// whole number that is no year.
fn is_measured(number: &str) -> bool {
    let n_digits = number.chars().filter(char::is_ascii_digit).count();
    match number.parse::<f64>() {
        _ if number.contains(['.', 'e']) => n_digits >= 3,
        Ok(value) => value >= 200.0 && !(1700.0..=2100.0).contains(&value),
        Err(_) => false,
    }
}

#[test]
fn numbers_are_found_in_texts() {
    let text = "of 4,601 rows 0.795, $10{,}000$ and 1e-320; x_2, 3.5 and 1997";
    assert_eq!(numbers(text), ["4601", "0.795", "10000", "1e-320", "3.5", "1997"]);
    let measured: Vec<&str> = ["4601", "0.795", "3.5", "1997", "12"]
        .into_iter()
        .filter(|n| is_measured(n))
        .collect();
    assert_eq!(measured, ["4601", "0.795"]);
    assert_eq!(
        without_comments("a <!-- by hand: 7 -->b"),
        ("a b".into(), "7  ".into())
    );
    assert_eq!(prose("a [b](c/1000.md) d\n```\n1234\n```\n"), "a [b  d ");
}
