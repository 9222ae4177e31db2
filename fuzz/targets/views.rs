//! A view of any game, as text: refused, or everything that takes a view works on it.

#![no_main]

use cardsharp_env::{DealRng, GAMES, mask};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for game in GAMES.iter() {
        let Ok(read) = game.view(text) else { continue };
        let view = read.view();
        let mut row = vec![0; view.cells()];
        view.row(&mut row);
        for block in game.observation() {
            assert!(block.of(&row).iter().all(|cell| *cell <= block.max), "{}", block.name);
        }
        let legal = view.legal_words();
        if mask::count(&legal) > 0 {
            assert!(mask::contains(&legal, view.scripted()));
        }
        mask::actions(&legal).for_each(|action| assert!(!view.label(action).is_empty()));
        assert!(!view.picture().is_empty());
        // A round can be dealt that looks like it.
        assert!(view.determinize(DealRng::new(1, 1), &mut None).is_some());
        // What was read is written so that it reads back.
        let again = game.view(&view.json().to_string()).expect("it was accepted before");
        assert_eq!(again.view().json(), view.json());
    }
});
