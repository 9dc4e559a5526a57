//! Writes a page with every block and every figure: `cargo run -p nb-report --example gallery --
//! gallery.html`. A name that ends in `.md` gives Markdown. A second name is a folder for the figures as SVG,
//! and with `--features png` as PNG.

mod document;

use nb_report::{Block, Picture};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("name the file to write, such as gallery.html")?;
    let path = std::path::PathBuf::from(path);
    let document = document::gallery();
    let page = if path.extension().is_some_and(|extension| extension == "md") {
        document.to_markdown()?
    } else {
        document.to_html()?
    };
    std::fs::write(path, page)?;
    let Some(folder) = std::env::args_os().nth(2).map(std::path::PathBuf::from) else { return Ok(()) };
    let figures = document.sections.iter().flat_map(|section| &section.sections);
    let figures = figures.flat_map(|section| section.blocks.iter().map(move |block| (&section.id, block)));
    for (number, (id, block)) in figures.enumerate() {
        let Block::Figure(figure) = block else { continue };
        let picture = Picture::new(&figure.caption.words(), id, "The numbers are made up.", &figure.plot);
        let file = folder.join(format!("{number}-{id}.svg"));
        std::fs::write(&file, picture.svg())?;
        #[cfg(feature = "png")]
        std::fs::write(file.with_extension("png"), picture.png())?;
    }
    Ok(())
}
