//! Which card gives the turn to which player.

use serde_json::json;

use super::situation::{Inspect as _, setup};

#[test]
fn stop_skips_the_next_player() {
    let s = setup(json!({}), &["Rstop R1 R3", "R4", "R6", "R7"], "R5");
    assert_eq!(s.after("Rstop").turn(), Some(2));
    // With two players, the same player moves again.
    let s = setup(json!({}), &["Rstop R1 R3", "R4"], "R5");
    assert_eq!(s.after("Rstop").turn(), Some(0));
}

#[test]
fn change_direction_turns_around() {
    let s = setup(json!({}), &["Rdir R1 R3", "R4 Rstop R8", "R6", "R7 Rdir R9"], "R5").after("Rdir");
    assert_eq!(s.turn(), Some(3));
    let s = s.after("Rdir");
    assert_eq!(s.turn(), Some(0));
    // Stop also works counterclockwise.
    let s = setup(json!({}), &["Rdir R1 R3", "R4", "R6", "R7 Rstop R9"], "R5").after("Rdir, Rstop");
    assert_eq!(s.turn(), Some(1), "from seat 3 past seat 2");
}

#[test]
fn change_direction_between_two_players_passes_or_acts_as_stop() {
    let hands = ["Rdir R1 R3", "R4 R6"];
    assert_eq!(setup(json!({}), &hands, "R5").after("Rdir").turn(), Some(1));
    let stop = json!({"two_player_direction": "acts_as_stop"});
    assert_eq!(setup(stop.clone(), &hands, "R5").after("Rdir").turn(), Some(0));
    // With more players the option changes nothing.
    assert_eq!(setup(stop, &["Rdir R1 R3", "R4", "R6"], "R5").after("Rdir").turn(), Some(2));
}

#[test]
fn every_colored_card_leads_with_color_and_symbol() {
    for (card, leading) in
        [("R1", "red 1"), ("Bdir", "blue direction"), ("Gstop", "green stop"), ("Y+2", "yellow +2")]
    {
        let top = format!("{}9", &card[..1]);
        let s = setup(json!({}), &[&format!("{card} king"), "B1", "B3"], &top).after(card);
        assert_eq!(s.leading(), leading.replace("direction", "dir"));
    }
}
