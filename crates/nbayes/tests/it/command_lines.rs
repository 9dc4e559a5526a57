//! Random command lines: whatever is asked of the program, it answers or says what is wrong.
//!
//! `NB_FUZZ_SECONDS` says how long to go on, and `NB_FUZZ_SEED` where to start.

use std::time::{Duration, Instant};

use crate::folder::Folder;

/// `SplitMix64` (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn one_of(&mut self, items: &[&str]) -> String {
        items[self.below(items.len())].to_owned()
    }
}

const COMMANDS: [&str; 21] = [
    "train",
    "schema",
    "predict",
    "evaluate",
    "explain",
    "inspect",
    "plot",
    "importance",
    "report",
    "update",
    "merge",
    "forget",
    "decay",
    "refit",
    "sample",
    "convert",
    "sql",
    "import-stats",
    "datasets",
    "compare",
    "monitor",
];

const FILES: [&str; 16] = [
    "rows.csv",
    "more.csv",
    "words.tsv",
    "odd.csv",
    "empty.csv",
    "binary.bin",
    "model.nb",
    "text.nb",
    "damaged.nb",
    "schema.toml",
    "@iris",
    "@nothing",
    "missing.csv",
    "out.nb",
    "out.csv",
    ".",
];

const OPTIONS: [&str; 40] = [
    "--label",
    "y",
    "--weights",
    "w",
    "--proba",
    "--log-proba",
    "--id",
    "x",
    "--json",
    "--quiet",
    "-o",
    "out.nb",
    "out.csv",
    "out.svg",
    "out.json",
    "out.onnx",
    "--categorical",
    "c,x",
    "--multinomial",
    "x",
    "--text",
    "t",
    "--all",
    "poisson",
    "--ignore",
    "c",
    "--prior",
    "a=0.5,b=0.5",
    "--tune",
    "--folds",
    "3",
    "--row",
    "2",
    "--feature",
    "--factor",
    "0.5",
    "--smoothing",
    "0",
    "--schema",
    "--top",
];

const VALUES: [&str; 16] = [
    "0",
    "1",
    "-1",
    "5e-324",
    "nan",
    "1e400",
    "",
    ",",
    "a,b",
    "uniform",
    "ä",
    "\u{202e}",
    "--",
    "-n",
    "2",
    "99999999999999999999",
];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write(
        "rows.csv",
        "x,c,t,w,y\n1,u,free prize,1,a\n2.5,v,see you,2,b\n,u,prize,1,a\n4,w,,0.5,b\n5,u,you,1,a\n",
    );
    folder.write("more.csv", "x,c,t,w,y\n7,z,new words,1,b\n1e308,u,free,1,a\n");
    folder.write("words.tsv", "t\ty\nfree prize\tspam\nsee you\tham\n");
    folder.write("odd.csv", "x;y\n\"1,5;a\n\u{feff}\0;b\n");
    folder.write("empty.csv", "");
    folder.write("binary.bin", (0..=255_u8).cycle().take(2000).collect::<Vec<_>>());
    folder.ok("train rows.csv --label y --weights w --text t -o model.nb");
    folder.ok("train words.tsv --label y --text t -o text.nb");
    let mut damaged = folder.read("model.nb");
    let place = damaged.len() / 2;
    damaged[place] ^= 0x55;
    folder.write("damaged.nb", damaged);
    folder.ok("schema rows.csv --label y -o schema.toml");
    folder
}

#[test]
fn every_command_line_has_an_answer() {
    let variable =
        |name: &str, default| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (seconds, seed) = (variable("NB_FUZZ_SECONDS", 10), variable("NB_FUZZ_SEED", 1));
    let (folder, start) = (folder(), Instant::now());
    let (models, mut random) = (["model.nb", "text.nb"].map(|name| folder.read(name)), Random(seed));
    let mut n_lines = 0;
    while start.elapsed() < Duration::from_secs(seconds) {
        let mut line = vec![random.one_of(&COMMANDS)];
        for _ in 0..=random.below(3) {
            line.push(random.one_of(&FILES));
        }
        for _ in 0..random.below(6) {
            line.push(if random.below(4) == 0 { random.one_of(&VALUES) } else { random.one_of(&OPTIONS) });
        }
        let run = folder.nbayes_with_words(&line, "x,c,t,w,y\n1,u,free,1,a\n");
        let is_alarm = run.code == 4 && line[0] == "monitor";
        assert!(
            is_alarm || [0, 1, 2].contains(&run.code),
            "{line:?} ended with {}: {}",
            run.code,
            run.stderr
        );
        assert!(!run.stderr.contains("panicked"), "{line:?}: {}", run.stderr);
        assert!(run.code == 0 || is_alarm || !run.stderr.is_empty(), "{line:?} does not say what is wrong");
        assert!(!run.stdout.contains('\u{202e}'), "{line:?} prints a control character");
        // What is an input keeps its bytes, unless the command changes models.
        if !["update", "forget", "decay", "merge", "refit"].contains(&line[0].as_str())
            && !line.contains(&"-o".into())
        {
            let now = ["model.nb", "text.nb"].map(|name| folder.read(name));
            assert!(now == models || ["convert"].contains(&line[0].as_str()), "{line:?} has changed a model");
        }
        ["model.nb", "text.nb"].iter().zip(&models).for_each(|(name, bytes)| folder.write(name, bytes));
        n_lines += 1;
    }
    assert!(n_lines > 20, "{n_lines} lines");
}
