//! What `nbayes` says of itself: its commands by what they are for.

/// The commands of each purpose, with a line on each.
pub(crate) const COMMANDS: [(&str, &[(&str, &str)]); 5] = [
    (
        "Learn",
        &[
            ("profile", "what the columns hold, and what is wrong with them"),
            ("split", "a training set and a test set"),
            ("train", "a model from data files"),
            ("schema", "the family of each column, as a file to edit"),
            ("datasets", "embedded data sets to try, such as @spam"),
        ],
    ),
    (
        "Use",
        &[
            ("predict", "labels and probabilities of new rows"),
            ("evaluate", "how good a model is on rows that it has not seen"),
            ("monitor", "whether new rows are like those of a model: drift"),
            ("explain", "why a row has its label"),
            ("decide", "class weights, costs, thresholds, abstention, prediction sets"),
            ("calibrate", "probabilities as sure as they are right"),
        ],
    ),
    (
        "Keep",
        &[
            ("update", "add rows"),
            ("forget", "take rows out"),
            ("decay", "let old rows count less"),
            ("merge", "models of different rows as one"),
            ("refit", "weights and corrections from the rows of now"),
        ],
    ),
    (
        "Study",
        &[
            ("inspect", "what is in a model"),
            ("plot", "densities, contributions, decision regions"),
            ("importance", "how much a model relies on each column"),
            ("report", "all of it as one page; without rows a model card"),
            ("compare", "variants of naive Bayes and logistic regression, by cross-validation"),
        ],
    ),
    (
        "Move",
        &[
            ("convert", "JSON, ONNX"),
            ("sql", "a query that predicts, or one that fits"),
            ("import-stats", "a model from the result of such a query"),
            ("sample", "rows drawn from a model"),
            ("completions", "for a shell"),
            ("man", "manual pages"),
        ],
    ),
];

const EXAMPLES: &str = "\
Examples:
  nbayes train data.csv --label diagnosis -o model.nb
  nbayes predict model.nb new.csv --proba
  nbayes evaluate model.nb test.csv
  nbayes train @spam

Files may be CSV, TSV, Excel, Parquet, Arrow, JSON lines, ARFF, svmlight, NumPy or mbox files, compressed by gzip or zstd where
they are text, folders of mails (.eml) or texts (.txt), `-` for standard input, or `@name` for an embedded data set.
`nbayes COMMAND --help` says more of a command.";

/// The text of `nbayes --help`, as clap takes it.
pub(crate) fn template() -> String {
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (purpose, commands) in COMMANDS {
        text.push_str(&format!("\n{purpose}:\n"));
        for (name, about) in commands {
            text.push_str(&format!("  {name:<14}{about}\n"));
        }
    }
    text + "\nOptions:\n{options}\n\n" + EXAMPLES
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;

    #[test]
    fn every_command_has_one_line() {
        let command = crate::cli::Cli::command();
        let shown: Vec<&str> =
            command.get_subcommands().filter(|own| !own.is_hide_set()).map(clap::Command::get_name).collect();
        let listed: Vec<&str> =
            COMMANDS.iter().flat_map(|(_, commands)| commands.iter().map(|(name, _)| *name)).collect();
        assert_eq!(shown.len(), listed.len());
        assert_eq!(shown.iter().collect::<BTreeSet<_>>(), listed.iter().collect::<BTreeSet<_>>());
        let help = crate::cli::Cli::command().render_help().to_string();
        assert!(help.lines().count() < 60 && help.lines().all(|line| line.len() <= 130), "{help}");
    }
}
