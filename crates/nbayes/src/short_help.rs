//! What `-h` leaves to `--help`: options that a first look does not need.

use clap::{Arg, Command};

/// Options of the groups below that a first look needs.
const KEPT: [&str; 4] = ["categorical", "text", "ignore", "missing"];

/// The same commands, whose `-h` names the groups of options and shows the most used of each.
pub(crate) fn shortened(command: Command) -> Command {
    command.mut_subcommands(|command| {
        let mut groups: Vec<String> = Vec::new();
        for group in command.get_arguments().filter_map(Arg::get_help_heading) {
            let name = group.split(',').next().unwrap_or(group).to_lowercase();
            if !groups.contains(&name) {
                groups.push(name);
            }
        }
        if groups.is_empty() {
            return command;
        }
        let more = format!("More with --help: {}.", groups.join(", "));
        let examples = command.get_after_help().map(ToString::to_string);
        let short = examples.iter().fold(more, |more, examples| format!("{more}\n\n{examples}"));
        let command = command.after_help(short).mut_args(|argument| {
            let is_more =
                argument.get_help_heading().is_some() && !KEPT.contains(&argument.get_id().as_str());
            argument.hide_short_help(is_more)
        });
        command.after_long_help(examples.unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_help_fits_a_screen_or_two_and_the_long_one_has_everything() {
        let mut command = shortened(<crate::cli::Cli as clap::CommandFactory>::command());
        command.build();
        for command in command.get_subcommands_mut() {
            let (short, long) = (command.render_help().to_string(), command.render_long_help().to_string());
            assert!(short.lines().count() <= 80, "{}: {} lines", command.get_name(), short.lines().count());
            for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
                let Some(name) = argument.get_long() else { continue };
                assert!(long.contains(&format!("--{name}")), "{}: --{name}", command.get_name());
            }
            assert_eq!(short.contains("Examples"), long.contains("Examples"), "{}", command.get_name());
        }
    }
}
