//! `nbayes completions`: completions for a shell.

use std::{collections::BTreeSet, io::Write};

use anyhow::Result;
use clap_complete::Shell;

/// Print completions for a shell, such as `nbayes completions bash > /etc/bash_completion.d/nbayes`. Those
/// for bash also complete the names of columns, from the first file on the command line.
#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, command: &mut clap::Command) -> Result<()> {
        let options = column_options(command);
        let mut script = Vec::new();
        clap_complete::generate(self.shell, command, "nbayes", &mut script);
        if self.shell == Shell::Bash {
            script.extend(COLUMNS_IN_BASH.replace("{OPTIONS}", &options.join("|")).into_bytes());
        }
        let mut out = std::io::stdout().lock();
        Ok(out.write_all(&script).and_then(|()| out.flush())?)
    }
}

/// The options of all commands whose values are columns.
fn column_options(command: &clap::Command) -> Vec<String> {
    let arguments = command.get_subcommands().flat_map(clap::Command::get_arguments);
    let of_columns = arguments.filter(|argument| {
        let names = argument.get_value_names().unwrap_or_default();
        names.iter().any(|name| ["COLUMN", "COLUMNS"].contains(&name.as_str()))
    });
    let options: BTreeSet<&str> = of_columns.filter_map(clap::Arg::get_long).collect();
    options.into_iter().map(|option| format!("--{option}")).collect()
}

/// The last name of a list is completed. Names are never expanded by the shell.
const COLUMNS_IN_BASH: &str = r#"
_nbayes_columns() {
    local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" start="" word name
    case "$before" in
        {OPTIONS})
            [[ $current == *,* ]] && start="${current%,*},"
            for word in "${COMP_WORDS[@]:2}"; do
                if [[ -f $word ]]; then
                    COMPREPLY=()
                    while IFS= read -r name; do
                        [[ $name == "${current#"$start"}"* ]] && COMPREPLY+=("$start$(printf %q "$name")")
                    done < <("${COMP_WORDS[0]}" column-names "$word" 2> /dev/null)
                    return 0
                fi
            done
            ;;
    esac
    _nbayes "$@"
}
complete -F _nbayes_columns -o bashdefault -o default nbayes
"#;
