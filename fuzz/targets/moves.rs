//! A session as a trace records it: a game, rules, a seed, moves. What is not legal is refused and changes
//! nothing, what is legal has a name, and taken back move by move it was never played.

#![no_main]

use cardsharp_env::{ActionId, AnyTable, GAMES, Seat};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

fuzz_target!(|session: (u8, u16, u8, Vec<u16>)| {
    let (game, rules, seed, moves) = session;
    let game = GAMES[usize::from(game) % GAMES.len()];
    let rules = game.random_rules(rules.into());
    let mut table = rules.table(seed.into());
    let dealt = seen(table.as_ref());
    let mut steps = 0;
    for number in moves {
        steps += u32::from(table.deal_next());
        let legal = table.legal();
        let before = seen(table.as_ref());
        // Half of the numbers count legal moves: few others would get far.
        let action = match legal.get(usize::from(number / 2) % legal.len().max(1)) {
            Some(action) if number % 2 == 0 => *action,
            _ => ActionId(number / 2),
        };
        if legal.contains(&action) {
            assert_eq!(table.parse(&table.label(action)), Some(action));
            table.try_play(action).expect("it is legal");
            steps += 1;
        } else {
            assert!(table.try_play(action).is_err());
            assert_eq!(seen(table.as_ref()), before);
        }
    }
    for _ in 0..steps {
        assert!(table.undo().is_some());
    }
    assert!(table.undo().is_none());
    assert_eq!(seen(table.as_ref()), dealt);
});

/// What all players see.
fn seen(table: &dyn AnyTable) -> Value {
    let views: Vec<Value> =
        table.present().iter().filter_map(|seat| Some(table.view(Seat(seat))?.json())).collect();
    json!([views, table.standing(), table.round()])
}
