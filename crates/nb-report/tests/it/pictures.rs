//! Figures as files.

use nb_report::{Block, Figure, Picture};

use crate::gallery::gallery;

/// Every figure of the gallery with its place.
fn figures() -> Vec<Figure> {
    let sections = gallery().sections.into_iter().flat_map(|section| section.sections);
    let blocks = sections.flat_map(|section| section.blocks);
    blocks.filter_map(|block| if let Block::Figure(figure) = block { Some(figure) } else { None }).collect()
}

fn picture(figure: &Figure) -> Picture {
    Picture::new(&figure.caption.words(), "a subtitle", "A caption. ".repeat(30).trim(), &figure.plot)
}

/// The number of an attribute.
fn number(tag: &str, name: &str) -> Option<f64> {
    tag.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0.parse().ok()
}

#[test]
fn every_figure_is_a_file_with_all_its_names() {
    assert_eq!(figures().len(), 14);
    for figure in figures() {
        let picture = picture(&figure);
        let (svg, size) = (picture.svg(), picture.size());
        assert!(svg.starts_with("<svg width=") && svg.ends_with("</svg>\n"), "{svg}");
        assert!(svg.contains("a subtitle") && svg.contains("A caption."), "{svg}");
        assert!(!svg.contains("class=") && !svg.contains("NaN") && !svg.contains("=\"inf"), "{svg}");
        assert!(size.0 <= 1600.0 && size.1 <= 1200.0, "{size:?}");
        // Nothing begins outside of the picture.
        for tag in svg.split('<').filter(|tag| tag.starts_with("text") || tag.starts_with("rect")) {
            let (x, y) = (number(tag, "x").unwrap(), number(tag, "y").unwrap());
            assert!((0.0..=size.0).contains(&x) && (0.0..=size.1).contains(&y), "{size:?} {tag}");
        }
    }
}

#[test]
fn a_line_that_goes_on_has_an_arrow_and_names_are_known() {
    let all = figures();
    let densities = picture(&all[12]).svg();
    assert_eq!(densities.matches("<polygon").count(), 1, "an arrow where the narrow curve goes on");
    let regions = picture(&all[13]);
    for name in ["class 9", "border", "wrong", "iris"] {
        assert!(regions.svg().contains(&format!(">{name}</text>")), "{name}");
    }
    let area = regions.area().unwrap();
    assert!(area.left < area.right && area.top < area.bottom && area.right < regions.size().0);
}

#[cfg(feature = "png")]
#[test]
fn dots_have_the_colours_of_shapes() {
    use nb_report::{Axis, Ink, Layer, Mark, Plane};

    let axis = || Axis::linear("").between(0.0, 1.0);
    let mut plane = Plane::new(axis(), axis());
    let half = vec![(0.0, 0.0), (0.5, 0.0), (0.5, 1.0), (0.0, 1.0)];
    plane.push(Layer::unnamed(Ink::Series(0), Mark::Region(half)));
    let bars = vec![(0.5, 1.0, 0.0, 0.5)];
    plane.push(Layer::unnamed(Ink::Series(1), Mark::Bars { bars, share: 1.0 }));
    let picture = Picture::new("", "", "", &plane.into());
    let file = picture.png();
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(
        (f64::from(info.width), f64::from(info.height)),
        (2.0 * picture.size().0, 2.0 * picture.size().1)
    );
    let area = picture.area().unwrap();
    let at = |x: f64, y: f64| {
        let (x, y) = (area.left + x * (area.right - area.left), area.bottom - y * (area.bottom - area.top));
        let place = 3 * ((2.0 * y) as usize * info.width as usize + (2.0 * x) as usize);
        format!("#{:02x}{:02x}{:02x}", bytes[place], bytes[place + 1], bytes[place + 2])
    };
    assert_eq!(at(0.2, 0.3), Ink::Series(0).region());
    assert_eq!(at(0.8, 0.3), Ink::Series(1).colour());
    assert_eq!(at(0.83, 0.77), "#ffffff");
}
