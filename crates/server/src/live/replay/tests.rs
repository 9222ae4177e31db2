use cardsharp_env::GAMES;

use super::*;
use crate::journal::Opened;
use crate::journal::tests::opened;

fn refused(opened: Opened, entries: &[JournalLine]) -> String {
    let kept = Kept { opened, checkpoints: Vec::new(), entries: entries.to_vec() };
    replay(&GAMES, &kept).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn lines_that_do_not_fit_are_refused() {
    let table = GAMES.iter().find(|game| game.name() == "kuhn").unwrap().default_rules().table(7);
    let seat = table.turn().unwrap();
    let choice = table.label(table.legal()[0]);
    let entries = vec![JournalLine::Move { seat, choice: choice.clone() }];
    let kept = Kept { opened: opened(), checkpoints: Vec::new(), entries };
    assert_eq!(replay(&GAMES, &kept).unwrap().course.steps, 1);
    let other = Seat(1 - seat.0);
    let wrong = JournalLine::Move { seat: other, choice };
    assert_eq!(refused(opened(), &[wrong]), format!("line 2: seat {} has no decision to make", other.0));
    let one = Opened { seats: opened().seats[..1].to_vec(), ..opened() };
    assert_eq!(refused(one, &[]), "line 1: 1 players for 2 seats");
    let sits = JournalLine::Sits { seat: Seat(7), sitter: Sitter::Bot("scripted".to_owned()) };
    assert_eq!(refused(opened(), &[sits]), "line 2: there is no seat 7");
    assert_eq!(refused(opened(), &[JournalLine::Deal]), "line 2: no round can be dealt here");
    assert_eq!(refused(opened(), &[JournalLine::Undo(3)]), "line 2: there are no 3 steps to take back");
    let unknown = Opened { game: "chess".to_owned(), ..opened() };
    assert_eq!(refused(unknown, &[]), "there is no game `chess`");
}
