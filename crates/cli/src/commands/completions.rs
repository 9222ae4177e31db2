use clap_complete::Shell;
use serde_json::json;

use crate::error::CliError;
use crate::output::Output;

/// Print the completion script for a shell.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp completions bash > ~/.local/share/bash-completion/completions/cardsharp
  cardsharp completions zsh > ~/.zfunc/_cardsharp
  cardsharp completions fish > ~/.config/fish/completions/cardsharp.fish")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Prints the script that completes `command`.
    pub(crate) fn run(self, mut command: clap::Command, out: &mut Output) -> Result<(), CliError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "cardsharp", &mut script);
        let script = String::from_utf8_lossy(&script);
        if out.json {
            return out.json_page(&json!({ "shell": self.shell.to_string(), "script": script }));
        }
        out.text(script)
    }
}
