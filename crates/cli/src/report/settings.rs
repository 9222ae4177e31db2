//! Settings that differ between runs of one game.

use std::collections::BTreeMap;

use super::html::{Html, Table, text};
use super::source::Run;
use super::{Section, title_of};

/// Returns a table for each game with several runs whose settings differ.
pub(super) fn sections(runs: &[&Run]) -> Vec<Section> {
    let mut games: Vec<&str> = Vec::new();
    for run in runs {
        if !games.contains(&run.asked.game.as_str()) {
            games.push(&run.asked.game);
        }
    }
    let of_game = |game: &str| {
        let runs: Vec<&Run> = runs.iter().copied().filter(|run| run.asked.game == game).collect();
        let settings: Vec<_> = runs.iter().map(|run| &run.asked.settings).collect();
        let differing = differing(&settings);
        (!differing.is_empty()).then(|| {
            let heads: Vec<&str> =
                std::iter::once("setting").chain(runs.iter().map(|run| run.name.as_str())).collect();
            let mut table = Table::new("All other settings are equal", &heads);
            for (setting, values) in differing {
                let mut head = Html::default();
                head.setting(setting);
                table.row_under(&head, &values.into_iter().map(cell).collect::<Vec<_>>());
            }
            Section { title: format!("{}: settings that differ", title_of(game)), body: table.finish() }
        })
    };
    games.into_iter().filter_map(of_game).collect()
}

fn cell(value: Option<&str>) -> Html {
    text(value.unwrap_or("—"))
}

/// Returns the settings that differ, with the value of each run.
fn differing<'a>(all: &[&'a BTreeMap<String, String>]) -> Vec<(&'a str, Vec<Option<&'a str>>)> {
    let names: BTreeMap<&str, ()> =
        all.iter().flat_map(|settings| settings.keys()).map(|name| (name.as_str(), ())).collect();
    let values = |name: &'a str| -> Vec<Option<&'a str>> {
        all.iter().map(|settings| settings.get(name).map(String::as_str)).collect()
    };
    let rows = names.into_keys().map(|name| (name, values(name)));
    rows.filter(|(_, values)| values.iter().any(|value| *value != values[0])).collect()
}

#[cfg(test)]
mod tests {
    use super::differing;
    use crate::report::asked::settings;

    #[test]
    fn only_what_differs_is_listed_and_what_one_lacks_is_told() {
        let [one, two] = [
            "seed = 1\n[ppo]\nclip = 0.2\nepochs = 2\n[[rollout.tables]]\nrules = { players = 4 }\n[evaluate]\nopponents = [\"random\"]",
            "seed = 1\n[ppo]\nclip = 0.1\nepochs = 2\n[[rollout.tables]]\nrules = { players = 4 }\n[[rollout.tables]]\nrules = { players = 5 }\n\
             [evaluate]\nopponents = [\"random\", \"scripted\"]",
        ]
        .map(|text| settings(text).expect("TOML"));
        let found = differing(&[&one, &two, &one]);
        assert_eq!(
            found,
            [
                (
                    "evaluate.opponents",
                    vec![Some("[\"random\"]"), Some("[\"random\",\"scripted\"]"), Some("[\"random\"]")]
                ),
                ("ppo.clip", vec![Some("0.2"), Some("0.1"), Some("0.2")]),
                ("rollout.tables.1.rules.players", vec![None, Some("5"), None]),
            ]
        );
        assert_eq!(differing(&[&one, &one]), []);
        assert_eq!(differing(&[]), []);
    }
}
