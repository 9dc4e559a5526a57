//! The font of PNG pictures, and how wide its texts are. Browsers draw SVG texts with a font of their own, which is
//! rarely as wide as this one.

use std::sync::OnceLock;

use ab_glyph::{Font, FontRef, ScaleFont};

/// A part of `DejaVu Sans`; see `fonts/README.md`.
pub(super) const BYTES: &[u8] = include_bytes!("../../fonts/DejaVuSans-subset.ttf");

fn font() -> Option<&'static FontRef<'static>> {
    static FONT: OnceLock<Option<FontRef<'static>>> = OnceLock::new();
    FONT.get_or_init(|| FontRef::try_from_slice(BYTES).ok()).as_ref()
}

/// The height from the lowest to the highest line of the font, in units of its size.
pub(super) fn line_height() -> f64 {
    font().map_or(1.2, |font| {
        f64::from(font.height_unscaled()) / f64::from(font.units_per_em().unwrap_or(2048.0))
    })
}

/// How far a character takes the pen, and how far right of the pen its outline starts, in whole units, if the size is
/// in such units.
pub(super) fn advance(character: char, size: f64) -> (f64, i32) {
    let Some(font) = font() else { return (0.6 * size, 0) };
    let scaled = font.as_scaled((size * line_height()) as f32);
    let glyph = scaled.scaled_glyph(character);
    let advance = f64::from(scaled.h_advance(glyph.id));
    let bearing = scaled.outline_glyph(glyph).map_or(0.0, |outline| outline.px_bounds().min.x);
    (advance, bearing as i32)
}

/// How wide a text is.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let Some(font) = font() else { return 0.6 * size * text.chars().count() as f64 };
    let units = f64::from(font.units_per_em().unwrap_or(2048.0));
    let advances = text.chars().map(|c| f64::from(font.h_advance_unscaled(font.glyph_id(c))));
    // `fold`: the sum of nothing would be a negative zero.
    advances.fold(0.0, |sum, advance| sum + advance) * size / units
}

/// The text, or as much of it as fits with an ellipsis. What cannot be seen or stored as XML becomes a sign that can.
pub(crate) fn fit(text: &str, size: f64, most: f64) -> String {
    let visible =
        |c: char| if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') { '\u{FFFD}' } else { c };
    let text: String = text.chars().map(visible).collect();
    if width(&text, size) <= most {
        return text;
    }
    let room = most - width("…", size);
    let mut used = 0.0;
    let kept: String = text
        .chars()
        .take_while(|&c| {
            used += width(c.encode_utf8(&mut [0; 4]), size);
            used <= room
        })
        .collect();
    format!("{}…", kept.trim_end())
}

/// The words of a text in lines that are no wider than this.
pub(crate) fn wrap(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(fit(word, size, most)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_shortened_to_fit() {
        assert_eq!(fit("short", 12.0, 100.0), "short");
        let long = "a name that goes on and on and on";
        let fitted = fit(long, 12.0, 100.0);
        assert!(fitted.ends_with('…') && fitted.len() > 8, "{fitted}");
        assert!(width(&fitted, 12.0) <= 100.0);
        assert_eq!(fit("a\u{1}b\n", 12.0, 100.0), "a\u{FFFD}b\u{FFFD}");
    }

    #[test]
    fn the_font_has_letters_of_several_scripts() {
        let nothing = width("\u{FFFE}", 100.0);
        for c in "aÄœλЖ−…×→⁶".chars() {
            assert!(font().unwrap().glyph_id(c).0 != 0, "{c}");
        }
        assert!(width("mm", 100.0) > 1.9 * width("i", 100.0) && nothing > 0.0);
    }

    #[test]
    fn lines_are_filled() {
        let lines = wrap("one two three four five six", 12.0, 90.0);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, 12.0) <= 90.0), "{lines:?}");
        assert_eq!(lines.join(" "), "one two three four five six");
    }
}
