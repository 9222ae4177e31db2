//! The groups of commands in the help of `cardsharp`.

use clap::Command;
use textwrap::Options;

/// Every command that help shows, by group.
pub(crate) const GROUPS: [(&str, &[&str]); 6] = [
    ("Play", &["play", "puzzle", "rules", "advise", "review"]),
    ("Measure", &["arena", "exploit", "solve", "report", "bench"]),
    ("Train", &["init", "train", "sweep", "watch", "levels", "beliefs", "export", "verify"]),
    ("Data", &["trace", "replay", "observe", "dataset"]),
    ("Serve", &["serve", "bot", "verify-deal"]),
    ("Inspect", &["games", "bots", "describe", "completions", "man"]),
];

/// Returns the command with a help text that lists its subcommands in groups, `width` columns wide.
pub(crate) fn with_groups(command: Command, width: usize) -> Command {
    let styles = command.get_styles().clone();
    let (header, literal) = (*styles.get_header(), *styles.get_literal());
    let longest =
        GROUPS.iter().flat_map(|(_, names)| *names).map(|name| name.len()).max().unwrap_or_default();
    let mut listed = String::new();
    for (group, names) in GROUPS {
        let found: Vec<&Command> = names.iter().filter_map(|name| command.find_subcommand(name)).collect();
        if found.is_empty() {
            continue;
        }
        listed += &format!("{header}{group}:{header:#}\n");
        for command in found {
            let (name, about) = (command.get_name(), command.get_about().map(ToString::to_string));
            let indent = " ".repeat(longest + 4);
            let options =
                Options::new(width).initial_indent(&indent).subsequent_indent(&indent).break_words(false);
            let text = textwrap::fill(&about.unwrap_or_default(), options);
            let space = " ".repeat(longest - name.len());
            listed += &format!("  {literal}{name}{literal:#}{space}  {}\n", text.trim_start());
        }
        listed.push('\n');
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{listed}\
         {header}Options:{header:#}\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};

    use super::{GROUPS, with_groups};
    use crate::Cli;
    use crate::args::RENAMED;

    #[test]
    fn every_command_is_in_exactly_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let command = Cli::command();
        let mut shown: Vec<&str> = command
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(Command::get_name)
            .collect();
        // A smaller build lacks some commands.
        grouped.retain(|name| {
            cfg!(all(feature = "train", feature = "serve", feature = "dataset")) || shown.contains(name)
        });
        grouped.sort_unstable();
        shown.sort_unstable();
        assert_eq!(grouped, shown);
    }

    #[test]
    fn help_lists_commands_by_group_within_the_width() {
        let text = with_groups(Cli::command(), 60).term_width(60).render_help().to_string();
        let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part} in {text}"));
        assert!(place("Play:\n  play ") < place("Measure:\n  arena "), "{text}");
        assert!(!text.contains('{'), "{text}");
        let commands = &text[place("Play:")..place("Options:")];
        assert!(commands.lines().all(|line| line.chars().count() <= 60), "{commands}");
    }

    #[test]
    fn renamed_options_have_a_new_name_and_no_old_one() {
        let command = Cli::command();
        let options: Vec<&str> = command
            .get_subcommands()
            .flat_map(Command::get_opts)
            .filter_map(|option| option.get_long())
            .collect();
        for (old, new) in RENAMED {
            assert!(options.contains(&&new[2..]) && !options.contains(&&old[2..]), "{old} → {new}");
        }
    }

    #[test]
    fn help_names_pages_of_the_documentation_and_no_files_of_the_project() {
        let mut texts = vec![Cli::command().render_long_help().to_string()];
        texts.extend(Cli::command().get_subcommands().cloned().map(|mut c| c.render_long_help().to_string()));
        let mut pages = 0;
        for text in texts {
            assert!(!text.contains(".md") || text.contains("describe dalmuti --markdown"), "{text}");
            for rest in text.split(docs!("")).skip(1) {
                let page: String =
                    rest.chars().take_while(|c| c.is_ascii_alphanumeric() || "-.".contains(*c)).collect();
                let Some(name) = page.strip_suffix(".html") else {
                    assert!(page.is_empty(), "{page}: {text}");
                    continue;
                };
                let file = format!("{}/../../docs/{name}.md", env!("CARGO_MANIFEST_DIR"));
                assert!(std::path::Path::new(&file).is_file(), "{page}: {text}");
                pages += 1;
            }
        }
        assert!(pages > 10, "{pages}");
    }
}
