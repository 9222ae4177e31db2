use super::situation::{setup, special};

#[test]
fn moves_tell_how_somebody_plays() {
    let table = setup(special(3), &["8c 9h 5d Qh 9c", "2s 4c", "Kd Ks"], "5h", "2d 3d 7d ...");
    for (label, told) in [
        ("draw", vec!["draw or pass, though able to lay a card"]),
        ("8c", vec!["lay an eight", "lay an eight, though able to lay another card"]),
        ("9h", vec![]),
        ("5d", vec!["change the suit by rank"]),
        ("Qh", vec!["lay a two, queen or ace that acts"]),
    ] {
        assert_eq!(table.habits(label), told, "{label}");
    }
    let table = setup(special(2), &["2h 9h", "2s 4c"], "5h", "2d 3d ...").after("2h");
    assert_eq!(table.habits("draw"), ["take the cards owed, though able to lay a two"]);
    let table = setup(special(2), &["8h 9c", "2s 4c"], "5h", "2d 3d ...");
    assert_eq!(table.habits("8h"), ["lay an eight"]);
}
