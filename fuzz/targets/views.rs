//! A view of any game, as text: refused, or everything that takes a view works on it.

#![no_main]

use cardsharp_env::blocks::width;
use cardsharp_env::{AnyView, GAMES, mask};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for game in GAMES {
        let mut again = None;
        let read = game.with_view(text, &mut |view: &dyn AnyView| {
            let mut row = vec![0; width(game.observation())];
            view.row(&mut row);
            for block in game.observation() {
                assert!(block.of(&row).iter().all(|cell| *cell <= block.max), "{}", block.name);
            }
            let mut legal = vec![0; game.words()];
            if view.legal(&mut legal) > 0 {
                assert!(mask::contains(&legal, view.scripted()));
            }
            mask::actions(&legal).for_each(|action| assert!(!view.label(action).is_empty()));
            assert!(!view.picture().is_empty());
            again = Some(view.json());
        });
        // What was read is written so that it reads back.
        if let Some(again) = again {
            assert!(read.is_ok());
            game.with_view(&again.to_string(), &mut |view| assert_eq!(view.json(), again))
                .expect("it was accepted before");
        }
    }
});
