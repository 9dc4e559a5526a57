//! Runs an experiment and writes `FILE.json` and `FILE.html`: `experiment NAME FILE [options as JSON]`. Where
//! the JSON is there already, its results are reported again.

use std::{fs, io::Write, num::NonZeroUsize, ops::ControlFlow, path::Path, time::Instant};

use nb_compare::experiment::{Experiment, Options, Results};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let experiment: Experiment = arguments.next().ok_or("which experiment?")?.parse()?;
    let file = arguments.next().ok_or("into which file?")?;
    let json = Path::new(&file).with_extension("json");
    let results: Results = if json.exists() {
        serde_json::from_slice(&fs::read(&json)?)?
    } else {
        let options: Options = serde_json::from_str(&arguments.next().unwrap_or("{}".to_owned()))?;
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let start = Instant::now();
        let results = experiment.run(&options, threads, &mut |_, _| ControlFlow::Continue(()))?;
        let seconds = start.elapsed().as_secs_f64();
        writeln!(std::io::stdout(), "{}: {seconds:.1} s", experiment.name())?;
        fs::write(&json, serde_json::to_string_pretty(&results)?)?;
        results
    };
    fs::write(Path::new(&file).with_extension("html"), results.report().to_html()?)?;
    Ok(())
}
