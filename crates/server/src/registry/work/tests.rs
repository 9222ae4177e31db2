use std::sync::mpsc;
use std::time::Duration;

use cardsharp_env::GAMES;
use serde_json::Value;

use super::*;
use crate::catalog::BotCatalog;
use crate::journal::{self, Opened};
use crate::limits::Limits;
use crate::start;

/// A table with people in all seats, so that no bot moves.
fn opened() -> Opened {
    let game = GAMES[0];
    let rules = game.rules(&Value::Null).unwrap();
    let opened = journal::tests::opened();
    let seats = vec![opened.seats[0].clone(); rules.seats()];
    Opened { game: game.name().to_owned(), rules: rules.json().clone(), seats, ..opened }
}

#[test]
fn who_waits_for_a_table_that_breaks_finds_none() {
    let catalog = BotCatalog::new(&GAMES, &[], 1).unwrap();
    let registry =
        Arc::new(TableRegistry::new(GAMES.to_vec(), catalog, Limits::default(), None, Duration::ZERO, None));
    start::runtime(2, 4).unwrap().block_on(async {
        let table = registry.open(GAMES[0], opened()).await.unwrap();
        let (go, wait) = mpsc::channel();
        let breaks = registry.look(&table, move |_, _| -> Result<(), Refusal> {
            wait.recv().unwrap();
            panic!("a fault");
        });
        let waits = registry.look(&table, |_, _| Ok(()));
        // `biased` keeps this order: the second job waits for the table before the first one continues.
        let (broke, waited, ()) = tokio::join!(biased; breaks, waits, async { go.send(()).unwrap() });
        assert_eq!((broke, waited), (Err(Refusal::Internal), Err(Refusal::NoTable(table.id.clone()))));
        assert!(registry.table(&table.id).await.is_err());
    });
}
