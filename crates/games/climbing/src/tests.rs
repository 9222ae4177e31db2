//! Tricks under the rules of both games, and the table's memory.

use cardsharp_engine::hands::{Positions, RankCounts};

use super::{EqualRank, LeadAfterOut, Memory, REMEMBERED_SIZES, Trick, TrickRules};

const CLOCKWISE: TrickRules = TrickRules::PLAIN;
const PRIVILEGE: TrickRules = TrickRules { lead_after_out: LeadAfterOut::HighestRank, ..CLOCKWISE };
const PASSABLE: TrickRules = TrickRules { pass_on_lead: true, ..CLOCKWISE };
const FINAL: TrickRules = TrickRules { pass_is_final: true, ..CLOCKWISE };
const SKIPS: TrickRules = TrickRules { equal_rank: EqualRank::Skips, ..CLOCKWISE };
const BURNS: TrickRules = TrickRules { equal_rank: EqualRank::Burns, ..CLOCKWISE };

/// A move of the player to act.
#[derive(Copy, Clone)]
enum Act {
    /// Plays a set of this strength.
    Play(u8),
    /// Plays the last cards in hand, as a set of this strength.
    Last(u8),
    Pass,
}
use Act::{Last, Pass, Play};

fn trick(players: u8, trick_rules: TrickRules, acts: &[Act]) -> Trick {
    let mut trick = Trick::new(players);
    for act in acts {
        match *act {
            Play(strength) => trick.play(strength, 2, 1, false, trick_rules),
            Last(strength) => trick.play(strength, 2, 1, true, trick_rules),
            Pass => trick.pass(trick_rules),
        }
    }
    trick
}

#[test]
fn position_0_leads_and_the_turn_goes_clockwise() {
    let start = trick(4, CLOCKWISE, &[]);
    assert_eq!((start.turn, start.size, start.still_in.len()), (0, 0, 4));
    for (acts, turn) in [(1, 1), (2, 2), (3, 3), (4, 0)] {
        let played: Vec<Act> = (1..=acts).map(Play).collect();
        assert_eq!(trick(4, CLOCKWISE, &played).turn, turn);
    }
}

#[test]
fn the_set_to_beat_is_the_last_one_played() {
    let t = trick(4, CLOCKWISE, &[Play(3), Pass, Play(7)]);
    assert_eq!((t.strength, t.size, t.wilds, t.last), (7, 2, 1, 2));
    assert!(t.passed.is_empty(), "a play clears the passes");
}

#[test]
fn a_trick_is_taken_when_all_others_have_passed_since() {
    let t = trick(4, CLOCKWISE, &[Play(3), Pass, Play(7), Pass, Pass]);
    assert_eq!((t.size, t.turn), (2, 1), "position 1 passed before the play, and is asked again");
    let t = trick(4, CLOCKWISE, &[Play(3), Pass, Play(7), Pass, Pass, Pass]);
    assert_eq!((t.size, t.strength, t.wilds, t.turn, t.last), (0, 0, 0, 2, 2));
    assert!(t.passed.is_empty());
}

#[test]
fn who_leads_after_the_taker_went_out_is_a_custom() {
    // Position 2 goes out; 3, 0 and 1 pass.
    let acts = [Play(1), Play(2), Last(5), Pass, Pass, Pass];
    assert_eq!(trick(4, CLOCKWISE, &acts).turn, 3);
    assert_eq!(trick(4, PRIVILEGE, &acts).turn, 0);
    // Position 3 topped the set, so it leads in both games.
    let acts = [Play(1), Play(2), Last(5), Play(6), Pass, Pass];
    for trick_rules in [CLOCKWISE, PRIVILEGE] {
        assert_eq!(trick(4, trick_rules, &acts).turn, 3);
    }
    // The highest player has gone out, so the next highest leads.
    let acts = [Last(1), Play(2), Last(5), Pass, Pass];
    assert_eq!(trick(5, PRIVILEGE, &[acts.as_slice(), &[Pass]].concat()).turn, 1);
    assert_eq!(trick(5, CLOCKWISE, &[acts.as_slice(), &[Pass]].concat()).turn, 3);
}

#[test]
fn all_who_are_left_pass_on_a_play_that_went_out() {
    let t = trick(4, CLOCKWISE, &[Last(1), Pass, Pass]);
    assert_eq!((t.size, t.turn), (2, 3));
    assert_eq!(trick(4, CLOCKWISE, &[Last(1), Pass, Pass, Pass]).turn, 1);
}

#[test]
fn the_round_is_over_when_one_player_is_left() {
    let t = trick(4, CLOCKWISE, &[Last(1), Last(2)]);
    assert!(!t.is_over());
    let t = trick(4, CLOCKWISE, &[Last(1), Play(2), Last(3), Pass, Last(4)]);
    assert!(t.is_over());
    assert_eq!(t.out[..4], [0, 2, 1, 3]);
    let places: Vec<u8> = (0..4).map(|p| t.place(p)).collect();
    assert_eq!(places, [1, 3, 2, 4]);
}

#[test]
fn places_are_open_until_a_player_is_out() {
    let t = trick(5, CLOCKWISE, &[Play(1), Last(2)]);
    let places: Vec<u8> = (0..5).map(|p| t.place(p)).collect();
    assert_eq!(places, [0, 1, 0, 0, 0]);
}

#[test]
fn leaders_pass_only_where_it_is_the_custom() {
    assert!(!trick(4, CLOCKWISE, &[]).may_pass(CLOCKWISE));
    assert!(trick(4, CLOCKWISE, &[Play(1)]).may_pass(CLOCKWISE));
    assert!(trick(4, PASSABLE, &[]).may_pass(PASSABLE));
    let t = trick(4, PASSABLE, &[Pass, Pass]);
    assert_eq!(t.turn, 2);
    assert!(t.may_pass(PASSABLE));
    let t = trick(4, PASSABLE, &[Pass, Pass, Pass]);
    assert_eq!(t.turn, 3);
    assert!(!t.may_pass(PASSABLE), "the last one the lead reaches must play");
    let t = trick(4, PASSABLE, &[Pass, Pass, Pass, Play(1)]);
    assert_eq!((t.turn, t.last), (0, 3));
    assert!(t.passed.is_empty(), "who passed the lead may still top");
}

#[test]
fn the_lead_is_passed_on_among_those_still_in() {
    // Position 0 has gone out and took the trick. Position 1 leads; 3 and 4 have gone out, too.
    let acts = [Last(1), Play(2), Play(3), Last(4), Last(5), Pass, Pass];
    let t = trick(5, PASSABLE, &acts);
    assert_eq!((t.size, t.turn, t.still_in.len()), (0, 1, 2));
    assert!(t.may_pass(PASSABLE));
    let t = trick(5, PASSABLE, &[acts.as_slice(), &[Pass]].concat());
    assert_eq!(t.turn, 2);
    assert!(!t.may_pass(PASSABLE));
}

#[test]
fn a_final_pass_is_for_the_whole_trick() {
    let acts = [Play(1), Pass, Play(3), Play(4), Play(5)];
    let t = trick(4, FINAL, &acts);
    assert_eq!((t.turn, t.passed), (2, Positions(0b10)), "position 1 passed, and is not asked again");
    assert_eq!(trick(4, CLOCKWISE, &acts).turn, 1);
    let t = trick(4, FINAL, &[acts.as_slice(), &[Pass, Pass]].concat());
    assert_eq!((t.size, t.turn, t.last), (0, 0, 0));
    assert!(t.passed.is_empty(), "the next trick is open to all");
}

#[test]
fn a_play_takes_the_trick_when_all_others_have_passed_finally() {
    let t = trick(3, FINAL, &[Play(1), Pass, Play(2), Play(3), Pass]);
    assert_eq!((t.size, t.turn), (0, 0));
    // Position 0 goes out, and 2 tops the set after 1 has passed: no player is left to answer.
    let acts = [Play(1), Pass, Play(2), Last(3), Play(4)];
    let t = trick(3, FINAL, &acts);
    assert_eq!((t.size, t.turn, t.last, t.passed), (0, 2, 2, Positions(0)));
    // The player of the last set goes out with it. The next in line leads, although that player has passed.
    let acts = [Play(1), Pass, Pass, Play(2), Pass, Last(3), Last(4)];
    let t = trick(5, FINAL, &acts);
    assert_eq!((t.size, t.turn), (0, 4));
    let privilege = TrickRules { lead_after_out: LeadAfterOut::HighestRank, ..FINAL };
    let t = trick(5, privilege, &acts);
    assert_eq!((t.size, t.turn), (0, 1));
}

#[test]
fn the_last_play_of_all_clears_final_passes() {
    let t = trick(3, FINAL, &[Play(1), Pass, Last(2), Last(3)]);
    assert!(t.is_over() && t.passed.is_empty() && t.size == 2);
    assert_eq!(t.out[..3], [2, 0, 1]);
}

#[test]
fn passing_the_lead_on_is_not_final() {
    let trick_rules = TrickRules { pass_on_lead: true, ..FINAL };
    let t = trick(4, trick_rules, &[Pass, Play(1)]);
    assert_eq!((t.turn, t.passed), (2, Positions(0)));
    assert_eq!(trick(4, trick_rules, &[Pass, Play(1), Pass, Pass]).turn, 0);
}

#[test]
fn a_set_of_equal_rank_skips_the_next_player() {
    let t = trick(4, SKIPS, &[Play(3), Play(3)]);
    assert_eq!((t.turn, t.last, t.skipped), (3, 1, Positions(0b100)));
    // The skip counts as a pass on this set, but not on the next one.
    let t = trick(4, SKIPS, &[Play(3), Play(3), Pass, Pass]);
    assert_eq!((t.size, t.turn), (0, 1));
    assert!(t.skipped.is_empty() && t.passed.is_empty());
    let t = trick(4, SKIPS, &[Play(3), Play(3), Play(4)]);
    assert_eq!((t.turn, t.skipped), (0, Positions(0)));
    assert_eq!(trick(4, SKIPS, &[Play(3), Play(3), Play(4), Pass, Pass]).turn, 2);
    // An equal set may be answered with another equal set.
    let t = trick(4, SKIPS, &[Play(3), Play(3), Play(3)]);
    assert_eq!((t.turn, t.skipped), (1, Positions(0b1)));
}

#[test]
fn with_two_players_left_a_skip_takes_the_trick() {
    let acts = [Last(1), Last(2), Play(3), Play(3)];
    let t = trick(4, SKIPS, &acts);
    assert_eq!((t.size, t.turn, t.last), (0, 3, 3));
    assert!(t.skipped.is_empty());
}

#[test]
fn a_last_set_of_equal_rank_skips_too() {
    let t = trick(4, SKIPS, &[Play(3), Last(3)]);
    assert_eq!((t.turn, t.last, t.skipped), (3, 1, Positions(0b100)));
    assert_eq!(trick(4, SKIPS, &[Play(3), Last(3), Pass, Pass]).turn, 2, "whoever is next in line leads");
    let t = trick(3, SKIPS, &[Last(2), Play(3), Last(3)]);
    assert!(t.is_over() && t.skipped.is_empty());
}

#[test]
fn a_skip_passes_over_those_who_are_out_of_the_trick() {
    let trick_rules = TrickRules { pass_is_final: true, ..SKIPS };
    let acts = [Play(1), Play(2), Pass, Play(3), Play(4), Play(4)];
    let t = trick(4, trick_rules, &acts);
    // Position 2 passed, so that 3 is skipped.
    assert_eq!((t.turn, t.skipped, t.passed), (0, Positions(0b1000), Positions(0b100)));
    // A skip is not final: after the next set position 3 may play again.
    let t = trick(4, trick_rules, &[acts.as_slice(), &[Play(5), Pass]].concat());
    assert_eq!((t.turn, t.last, t.passed), (3, 0, Positions(0b110)));
    // All others have passed or are skipped.
    let t = trick(3, trick_rules, &[Play(1), Pass, Play(2), Play(2)]);
    assert_eq!((t.size, t.turn, t.last), (0, 0, 0));
}

#[test]
fn a_set_of_equal_rank_burns_the_trick() {
    let t = trick(4, BURNS, &[Play(3), Pass, Play(3)]);
    assert_eq!((t.size, t.strength, t.turn, t.last), (0, 0, 2, 2));
    assert!(t.passed.is_empty() && t.skipped.is_empty());
    assert_eq!(trick(4, BURNS, &[Play(3), Play(4)]).size, 2, "better ranks top as ever");
    // The player goes out with the set that ends the trick. The lead passes on as after any trick.
    assert_eq!(trick(4, BURNS, &[Play(3), Pass, Last(3)]).turn, 3);
    let privilege = TrickRules { lead_after_out: LeadAfterOut::HighestRank, ..BURNS };
    assert_eq!(trick(4, privilege, &[Play(3), Pass, Last(3)]).turn, 0);
    let t = trick(3, BURNS, &[Last(2), Play(3), Last(3)]);
    assert!(t.is_over() && t.size == 2, "the last set stays on the table");
}

#[test]
fn a_lead_equals_nothing() {
    for trick_rules in [SKIPS, BURNS] {
        let t = trick(4, trick_rules, &[Play(0)]);
        assert_eq!((t.size, t.turn), (2, 1), "the lowest set of all is no equal of an empty table");
    }
}

#[test]
fn cards_played_are_counted_by_player_and_altogether() {
    let mut memory = Memory::<5>::EMPTY;
    memory.record_play(1, 3, 2);
    memory.record_play(1, 4, 1);
    memory.record_play(2, 3, 1);
    assert_eq!(memory.played[1], RankCounts([0, 0, 0, 2, 1]));
    assert_eq!(memory.played[2], RankCounts([0, 0, 0, 1, 0]));
    assert_eq!(memory.gone, RankCounts([0, 0, 0, 3, 1]));
    assert_eq!(memory.total[..4], [0, 3, 1, 0]);
}

#[test]
fn the_lowest_strength_passed_on_is_remembered_for_each_size() {
    let mut memory = Memory::<5>::EMPTY;
    for (size, strength) in [(1, 4), (1, 2), (1, 3), (2, 0), (6, 9), (7, 1)] {
        memory.record_pass(3, size, strength);
    }
    assert_eq!(REMEMBERED_SIZES, 6);
    assert_eq!(memory.passed_on[3], [3, 1, 0, 0, 0, 10]);
    assert!((0..12).filter(|&p| p != 3).all(|p| memory.passed_on[p] == [0; 6]));
    // A pass on an empty table is not recorded.
    memory.record_pass(4, 0, 0);
    assert_eq!(memory.passed_on[4], [0; 6]);
}
