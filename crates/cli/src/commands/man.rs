//! `cardsharp man --to DIR`.

use std::path::PathBuf;

use clap_mangen::Man as Page;
use serde_json::json;

use crate::error::CliError;
use crate::files;
use crate::output::Output;

/// Write manual pages: one for the program and one for each command.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp man --to ~/.local/share/man/man1
  man cardsharp-arena")]
pub(crate) struct Man {
    /// Folder for the pages, created if it does not exist; existing pages are replaced
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
}

impl Man {
    /// Writes the pages of `command`, of its subcommands, and of theirs.
    pub(crate) fn run(self, command: clap::Command, out: &mut Output) -> Result<(), CliError> {
        std::fs::create_dir_all(&self.to).map_err(files::refused(&self.to))?;
        let mut command = command.disable_help_subcommand(true);
        command.build();
        let commands = command.get_subcommands().filter(|command| !command.is_hide_set());
        let commands = commands.flat_map(|command| [command].into_iter().chain(command.get_subcommands()));
        let commands = commands.filter(|command| command.get_name() != "help");
        let mut files = Vec::new();
        for command in [&command].into_iter().chain(commands) {
            let page = Page::new(command.clone());
            let path = self.to.join(page.get_filename());
            let mut text = Vec::new();
            page.render(&mut text).map_err(files::refused(&path))?;
            files::write(&path, &text)?;
            files.push(page.get_filename());
        }
        let to = self.to.display().to_string();
        if out.json {
            return out.json_page(&json!({ "to": to, "files": files }));
        }
        out.line(format!("Wrote {} manual pages to {to}.", files.len()))
    }
}
