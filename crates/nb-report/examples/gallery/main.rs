//! Writes a page with every block and every figure: `cargo run -p nb-report --example gallery -- gallery.html`.
//! A name that ends in `.md` gives Markdown.

mod document;

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
    Ok(())
}
