//! Formulas between dollars, as `MathML`, which browsers draw without scripts or fonts from elsewhere.

use anyhow::{Result, anyhow};
use mdbook_markdown::pulldown_cmark::{Event, Options, Parser as Markdown};
use pulldown_latex::{
    Parser, Storage,
    config::{DisplayMode, RenderConfig},
    push_mathml,
};

/// The text of a chapter with its formulas as `MathML`.
///
/// # Errors
/// Which formula is wrong, and how.
pub(crate) fn render(markdown: &str) -> Result<String> {
    let options = Options::ENABLE_MATH | Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
    let mut rendered = String::new();
    let mut done = 0;
    for (event, range) in Markdown::new_ext(markdown, options).into_offset_iter() {
        let (formula, mode) = match event {
            Event::InlineMath(formula) => (formula, DisplayMode::Inline),
            Event::DisplayMath(formula) => (formula, DisplayMode::Block),
            _ => continue,
        };
        rendered.push_str(&markdown[done..range.start]);
        rendered.push_str(&mathml(&formula, mode)?);
        done = range.end;
    }
    rendered.push_str(&markdown[done..]);
    Ok(rendered)
}

/// A formula as one line of `MathML`, in which nothing looks like Markdown.
fn mathml(formula: &str, display_mode: DisplayMode) -> Result<String> {
    let storage = Storage::new();
    let config = RenderConfig { display_mode, ..RenderConfig::default() };
    let mut events = Vec::new();
    for event in Parser::new(formula, &storage) {
        events.push(Ok::<_, pulldown_latex::ParserError>(
            event.map_err(|error| anyhow!("the formula {formula:?}: {error}"))?,
        ));
    }
    let mut mathml = String::new();
    push_mathml(&mut mathml, events.into_iter(), config)?;
    let mathml = repaired(&mathml);
    let mut line = String::with_capacity(mathml.len());
    let mut in_tag = false;
    for character in mathml.chars() {
        match character {
            '<' => in_tag = true,
            '>' => in_tag = false,
            // pulldown-latex writes the micro sign, which is no letter and never italic.
            'µ' => {
                line.push('μ');
                continue;
            }
            '\n' => {
                line.push(' ');
                continue;
            }
            '*' | '_' | '[' | ']' | '`' | '\\' | '~' | '|' | '!' | '{' | '}' if !in_tag => {
                line.extend(["&#", &u32::from(character).to_string(), ";"]);
                continue;
            }
            _ => {}
        }
        line.push(character);
    }
    Ok(line)
}

/// What pulldown-latex 0.8 writes and browsers do not understand: the name of a space that is escaped once
/// too often, two attributes without a space between them, and accents as letters.
fn repaired(mathml: &str) -> String {
    mathml
        .replace("&amp;nbsp;", "\u{a0}")
        .replace("&nbsp;", "\u{a0}")
        .replace("\"minsize=", "\" minsize=")
        .replace("<mi>^</mi></mover>", "<mo stretchy=\"false\">^</mo></mover>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_mathml_and_code_stays() {
        let text =
            render("The mean $\\mu_k$ costs `$5`.\n\n$$\\sum_i x_i$$\n\n```sh\n$ ls $HOME\n```\n").unwrap();
        assert!(text.contains("<math display=\"inline\">"), "{text}");
        assert!(text.contains("<math display=\"block\">"), "{text}");
        assert!(text.contains("`$5`") && text.contains("$ ls $HOME"), "{text}");
        assert_eq!(text.lines().count(), 7, "{text}");
    }

    #[test]
    fn spaces_brackets_and_accents_are_mathml() {
        let text = render("$\\hat c = \\max\\ \\Bigl( x \\Bigr)$").unwrap();
        assert!(!text.contains("nbsp") && text.contains("\" minsize=") && text.contains(">^</mo>"), "{text}");
    }

    #[test]
    fn a_wrong_formula_is_named() {
        let error = render("$\\nosuch x$").unwrap_err().to_string();
        assert!(error.contains("nosuch"), "{error}");
    }
}
