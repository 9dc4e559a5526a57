//! `nbayes man`: manual pages.

use std::io::Write;

use anyhow::Result;
use clap_mangen::Man as Page;

use crate::failure::usage;

/// Print a manual page, such as `nbayes man train > /usr/local/share/man/man1/nbayes-train.1`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  nbayes man > nbayes.1\n  nbayes man train | man -l -")]
pub(crate) struct Man {
    /// The command [default: the program as a whole].
    command: Option<String>,
}

impl Man {
    pub(crate) fn run(&self, program: &mut clap::Command) -> Result<()> {
        program.build();
        let page = match &self.command {
            None => Page::new(program.clone()),
            Some(name) => {
                let Some(command) = program.find_subcommand(name) else {
                    let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
                    return Err(usage(format!(
                        "there is no command {name:?}; the commands are {}",
                        names.join(", ")
                    )));
                };
                let title = format!("nbayes-{name}");
                Page::new(command.clone().name(title.clone())).title(title)
            }
        };
        let mut text = Vec::new();
        let version = format!("nbayes {}", env!("CARGO_PKG_VERSION"));
        page.source(version).manual("Naive Bayes").render(&mut text)?;
        let mut out = std::io::stdout().lock();
        Ok(out.write_all(&text).and_then(|()| out.flush())?)
    }
}
