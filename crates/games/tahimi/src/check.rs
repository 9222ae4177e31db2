//! Invariants of a table, of a view and of a complete round, recomputed from scratch.

#[cfg(test)]
mod tests;

use cardsharp_climbing::check::{self, Gifts, PlayState, WildsAlone, with};
use cardsharp_climbing::{Memory, Trick, dealt};
use cardsharp_engine::game::{Check, Play, ViewError, ensure, some_deal};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::rules::{RosterChange, Rules as _};
use cardsharp_engine::{MAX_SEATS, Seat};

use super::deck::{self, Cards, JOKER, RANKS};
use super::determinize;
use super::roster::{self, JoinPolicy, Order, RoundRoster};
use super::rules::{Decree, Rules, Seating, Trim};
use super::state::{Ask, PrivateState, PublicState, Round, Stage, View, tribute};
use super::variant::{JokerOrder, Jokers};

impl Check for Round {
    fn check_view(view: View<'_>) -> Result<(), ViewError> {
        view.table.rules.check()?;
        check_table(view.table).map_err(ViewError::Impossible)?;
        check_own(view).map_err(ViewError::Impossible)?;
        some_deal(determinize::is_possible(view))
    }

    fn audit(&self) -> Result<(), String> {
        audit(self)
    }
}

// Checks of the public state.

/// Checks a table with valid rules.
fn check_table(table: &PublicState) -> Result<(), String> {
    session(table)?;
    check_roster(table)?;
    variant(table)?;
    cards(table)?;
    if table.stage == Stage::Play {
        let play_state = play_state(table);
        play_state.check_memory(table.players)?;
        held(table, &play_state.dealt)?;
        play_state.check_trick(table.players)?;
        return play_state.check_passes();
    }
    ensure!(
        table.memory == Memory::EMPTY && table.trick == Trick::new(table.players),
        "something was played before the play"
    );
    held(table, &all_dealt(table))
}

fn session(table: &PublicState) -> Result<(), String> {
    let rules = &table.rules;
    let rounds = rules.rounds();
    ensure!((1..=rounds).contains(&u32::from(table.round)), "round {} of a session of {rounds}", table.round);
    let most = Rules::PLAYERS;
    ensure!(most.contains(&table.players), "{} players at the table: expected {most:?}", table.players);
    ensure!(table.players <= rules.seats(), "{} players, but {} seats", table.players, rules.seats());
    check::seats(&table.order, |seat| table.position[seat].get(), (table.players, rules.seats()))
}

/// Checks that the options in force are those of the rules, with the decree applied.
fn variant(table: &PublicState) -> Result<(), String> {
    let rules = &table.rules;
    let by_rules = rules.variant();
    let expected = match (&rules.decree, table.decree, table.stage) {
        (Decree::Off, None, Stage::Taxes | Stage::Play) | (Decree::Menu(_), None, Stage::Decree) => by_rules,
        (Decree::Menu(menu), Some(entry), Stage::Taxes | Stage::Play) => {
            let bundle = menu.as_slice().get(usize::from(entry));
            by_rules.decreed(bundle.ok_or_else(|| format!("the menu has no decree {entry}"))?)
        }
        (_, decree, stage) => return Err(format!("decree {decree:?} in stage {stage:?} by these rules")),
    };
    ensure!(
        table.variant == expected,
        "`variant` does not match the rules and the decree: {:?} instead of {expected:?}",
        table.variant
    );
    ensure!(
        table.stage != Stage::Taxes || table.taxes(),
        "there are no taxes in a first round under this option"
    );
    Ok(())
}

fn cards(table: &PublicState) -> Result<(), String> {
    let expected = match table.stage {
        Stage::Decree => Cards::NONE,
        Stage::Taxes | Stage::Play => deck::composition(&table.rules, &table.variant, table.players),
    };
    ensure!(table.deck == expected, "the deck of the rules is not {}", deck::to_text(&table.deck));
    Ok(())
}

/// Number of cards dealt to each position; 0 beyond the players.
fn all_dealt(table: &PublicState) -> [u8; MAX_SEATS] {
    let mut all = [0; MAX_SEATS];
    let cards = table.deck.total();
    (0..table.players).for_each(|p| all[usize::from(p)] = dealt(cards, table.players, p));
    all
}

/// Checks that all players hold the cards dealt minus those played, and that `one_card` lists the players with one
/// card.
fn held(table: &PublicState, dealt: &[u8; MAX_SEATS]) -> Result<(), String> {
    let mut one_card = Positions(0);
    for (p, &dealt) in dealt.iter().enumerate() {
        let played = table.memory.total[p];
        let (cards, expected) = (table.cards[p], dealt - played);
        ensure!(cards == expected, "position {p} holds {expected} cards, not {cards}");
        if cards == 1 && played > 0 {
            one_card.insert(p as u8);
        }
    }
    ensure!(table.one_card == one_card, "`one_card_positions` does not name the players with one card");
    Ok(())
}

/// The input of the checks that all climbing games share.
fn play_state(table: &PublicState) -> PlayState<'_, RANKS> {
    let alone = match table.variant.jokers {
        Jokers::Wild => WildsAlone::Any(table.ladder().used),
        Jokers::None | Jokers::Low => WildsAlone::Lowest,
    };
    PlayState {
        trick_rules: table.trick_rules(),
        alone,
        deck: &table.deck,
        dealt: all_dealt(table),
        trick: &table.trick,
        memory: &table.memory,
        text: deck::to_text,
    }
}

// Checks of joining and leaving players, and of their points.

/// The best card that a new player can draw for their place: the ace.
const BEST_DRAW: u8 = 12;

/// Checks the players, joins and leaves, and the points of the rounds before.
///
/// # Errors
/// What contradicts the script.
fn check_roster(table: &PublicState) -> Result<(), String> {
    let rules = &table.rules;
    let mut most = [0; MAX_SEATS];
    let mut total = 0;
    // The random order of seats does not matter here, only which seats play.
    let mut rng = DealRng::new(0, 0);
    let mut seats = [Seat(0); MAX_SEATS];
    (0..rules.players).for_each(|seat| seats[usize::from(seat)] = Seat(seat));
    let order = Order { players: rules.players, seats };
    let mut now = RoundRoster { order, left: Positions(0), joined: Positions(0), redrawn: false };
    for round in 2..=table.round {
        let n = i32::from(now.order.players);
        let players = &now.order.seats[..usize::from(now.order.players)];
        players.iter().for_each(|seat| most[seat.index()] += n - 1);
        total += n * (n - 1) / 2;
        now = roster::apply(rules.roster_script.as_slice(), rules.join_policy, round, now.order, &mut rng);
    }
    let expected = now.order.players;
    ensure!(table.players == expected, "{} players, but the script says {expected}", table.players);
    let present = |order: &[Seat]| order.iter().fold(0u32, |all, seat| all | 1 << u32::from(seat.0).min(31));
    let n = usize::from(expected);
    ensure!(
        present(&table.order[..n]) == present(&now.order.seats[..n]),
        "`order` does not name the players of `roster_script`"
    );
    ensure!(
        table.left == now.left && table.joined == now.joined,
        "`joined` or `left` does not match `roster_script`"
    );
    let first = table.round == 1 || now.redrawn;
    ensure!(table.first == first, "`first` is {}, but no new draw for places was possible", table.first);
    let fixed = table.round > 1 || rules.seating != Seating::Fixed || table.order[..n] == seats[..n];
    ensure!(fixed, "the first seating is fixed, but `order` is another");
    newcomers(table, rules)?;
    let points = &table.points;
    for (seat, (&points, most)) in points.iter().zip(most).enumerate() {
        ensure!((0..=most).contains(&points), "{points} points for seat {seat}: expected 0..={most}");
    }
    let sum: i32 = points.iter().sum();
    ensure!(sum == total, "{sum} points in all: expected {total}");
    Ok(())
}

/// Checks that new players sit where the script and `join_policy` place them. Removes them again, the last one first.
///
/// # Errors
/// The new player who sits in the wrong place.
pub(crate) fn newcomers(table: &PublicState, rules: &Rules) -> Result<(), String> {
    let mut order = table.order;
    let mut players = usize::from(table.players);
    for event in rules.roster_script.as_slice().iter().rev().filter(|event| event.round == table.round) {
        let RosterChange::Join(seat) = event.change else { continue };
        let Some(position) = order[..players].iter().position(|&s| s == seat) else { continue };
        order.copy_within(position + 1..players, position);
        players -= 1;
        let fits = match rules.join_policy {
            JoinPolicy::Middle => position == players.div_ceil(2),
            JoinPolicy::Serf => position == players,
            JoinPolicy::Random => position >= usize::from(roster::drawn_place(players as u8, BEST_DRAW)),
            JoinPolicy::Redraw => true,
        };
        ensure!(fits, "seat {} is a newcomer and cannot be at its place in `order`", seat.0);
    }
    Ok(())
}

// Checks of one seat's private state. The table must be valid.

/// The part of a position in the taxes.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// Receives this many cards and gives as many back.
    High(u8),
    /// Pays this many cards.
    Low(u8),
    /// Neither pays nor receives in this round.
    None,
}

/// What the viewer's cards prove about the taxes.
struct Known {
    /// The cards dealt to the viewer.
    dealt: Cards,
    /// Whether the viewer's tribute (paid or received) has moved.
    paid: bool,
}

/// Checks the viewer's private state.
fn check_own(view: View<'_>) -> Result<Known, String> {
    let (table, own) = (view.table, view.own);
    let position = table.position.get(view.seat.index()).and_then(|position| position.get());
    let playing = position.filter(|&p| p < table.players);
    let me = playing.ok_or_else(|| format!("seat {} does not play this round", view.seat.0))?;
    let part = part(table, me);
    let partner = partner(table, me);
    ensure!(own.partner == partner, "the partner is {partner:?}, not {:?}", own.partner);
    if table.stage == Stage::Decree {
        let asked = if me == 0 { Ask::Decree } else { Ask::Nothing };
        let fresh = PrivateState { ask: asked, ..PrivateState::dealt(Cards::NONE) };
        ensure!(*own == fresh, "before the decree no player has cards, and position 0 must decide");
        return Ok(Known { dealt: Cards::NONE, paid: false });
    }
    let played = &table.memory.played[usize::from(me)];
    let seen = with(&own.hand, &table.memory.gone)?;
    without(&table.deck, &seen, "the deck does not have the cards in hand and played")?;
    let paid = has_paid(table, me, part, own);
    let moved = exchanged(table, part, own, paid)?;
    let held = with(&own.hand, played)?;
    let straight_back = matches!(part, Part::High(_));
    let dealt = check::dealt(&table.deck, &held, &moved, straight_back, deck::to_text)?;
    let size = all_dealt(table)[usize::from(me)];
    ensure!(dealt.total() == u32::from(size), "{} of the {size} cards dealt to the viewer", dealt.total());
    tributes(table, part, own, &dealt, paid)?;
    asked(table, me, part, own, paid)?;
    Ok(Known { dealt, paid })
}

/// The part of position `me` in the taxes.
pub(crate) fn part(table: &PublicState, me: u8) -> Part {
    if !table.taxes() || table.stage == Stage::Decree {
        return Part::None;
    }
    let mine = table.pairs().iter().find_map(|&(high, low, k)| match me {
        me if me == high => Some(Part::High(k)),
        me if me == low => Some(Part::Low(k)),
        _ => None,
    });
    mine.unwrap_or(Part::None)
}

/// The position that `me` exchanges cards with.
fn partner(table: &PublicState, me: u8) -> Option<u8> {
    match part(table, me) {
        Part::None => None,
        Part::High(_) | Part::Low(_) => Some(table.players - 1 - me),
    }
}

/// Whether tributes have moved, as far as the viewer's cards show.
pub(crate) fn has_paid(table: &PublicState, me: u8, part: Part, own: &PrivateState) -> bool {
    match part {
        Part::None => false,
        _ if table.stage == Stage::Play => true,
        Part::High(_) => own.received != Cards::NONE,
        Part::Low(_) => own.hand.total() != u32::from(table.held(me)),
    }
}

/// Whether payers decide how many jokers they pay in this round.
fn jokers_are_chosen(table: &PublicState) -> bool {
    table.variant.joker_order() == JokerOrder::Holder && table.deck.0[JOKER] > 0
}

/// Checks how many cards the viewer gave and received. Returns those of them that have moved.
fn exchanged(
    table: &PublicState,
    part: Part,
    own: &PrivateState,
    paid: bool,
) -> Result<Gifts<RANKS>, String> {
    let (given, received) = (own.given.total(), own.received.total());
    let (given_moved, received_moved) = match (part, table.stage) {
        (Part::None, _) => {
            ensure!(given == 0 && received == 0, "cards given or received without a partner");
            (false, false)
        }
        (Part::High(k) | Part::Low(k), Stage::Play) => {
            let k = u32::from(k);
            ensure!(given == k && received == k, "{given} cards given and {received} received, not {k} each");
            (true, true)
        }
        (Part::High(_), _) if !paid => {
            ensure!(jokers_are_chosen(table), "no cards received, but the tribute moves at once");
            ensure!(given == 0, "{given} cards picked for a tribute that has not come");
            (false, false)
        }
        (Part::High(k), _) => {
            let k = u32::from(k);
            ensure!(received == k, "{received} cards received so far, not {k}");
            ensure!(given <= k, "{given} cards picked, not {k}");
            without(&own.hand, &own.given, "cards picked to give must be in hand")?;
            (false, true)
        }
        (Part::Low(k), _) => {
            ensure!(received == 0, "{received} cards received before any are returned");
            if paid {
                ensure!(given == u32::from(k), "{given} cards paid so far, not {k}");
            } else {
                ensure!(jokers_are_chosen(table), "no cards paid, but the tribute moves at once");
                let jokers = own.given.0[JOKER];
                let chosen = given == u32::from(jokers) && jokers <= own.hand.0[JOKER].min(k);
                ensure!(chosen, "the jokers to pay cannot be {}", deck::to_text(&own.given));
            }
            (paid, false)
        }
    };
    Ok(Gifts {
        given: if given_moved { own.given } else { Cards::NONE },
        received: if received_moved { own.received } else { Cards::NONE },
    })
}

/// Checks that a tribute consists of the payer's best cards.
fn tributes(
    table: &PublicState,
    part: Part,
    own: &PrivateState,
    dealt: &Cards,
    paid: bool,
) -> Result<(), String> {
    let order = table.variant.joker_order();
    match part {
        Part::High(_) => {
            let possible = order != JokerOrder::Low || own.received.0[JOKER] == 0;
            ensure!(possible, "a joker is never paid by these rules");
        }
        Part::Low(k) if paid => {
            let due = tribute(dealt, k, order, own.given.0[JOKER].min(k));
            let [given, due_text] = [&own.given, &due].map(deck::to_text);
            ensure!(own.given == due, "the tribute is {due_text}, not {given}");
        }
        Part::Low(_) | Part::None => {}
    }
    Ok(())
}

/// Checks that the viewer may have the decision `own.ask`, or none, now.
fn asked(table: &PublicState, me: u8, part: Part, own: &PrivateState, paid: bool) -> Result<(), String> {
    let given = own.given.total();
    let possible: &[Ask] = match (table.stage, part) {
        (Stage::Taxes, Part::High(k)) if paid => match given {
            0 if me > 0 => &[Ask::Return, Ask::Nothing],
            given if given < u32::from(k) => &[Ask::Return],
            _ if usize::from(me) + 1 < table.pairs().len() => &[Ask::Nothing],
            _ => &[],
        },
        (Stage::Taxes, Part::Low(_)) if !paid && own.hand.0[JOKER] > 0 && given == 0 => {
            &[Ask::TaxJokers, Ask::Nothing]
        }
        _ => &[Ask::Nothing],
    };
    check::asked(&own.ask, possible)
}

/// Removes `part` from `all`; fails with the message `what` if cards are missing.
fn without(all: &Cards, part: &Cards, what: &str) -> Result<Cards, String> {
    check::without(all, part, what, deck::to_text)
}

// Checks of a complete round.

/// Checks every invariant of the rules on a round, from its cards alone.
///
/// # Errors
/// The position with the wrong state, or the fault.
fn audit(round: &Round) -> Result<(), String> {
    let table = &round.table;
    table.rules.check().map_err(|error| error.to_string())?;
    check_table(table)?;
    let players = usize::from(table.players);
    let even = table.rules.trim == Trim::None || table.deck.total().is_multiple_of(u32::from(table.players));
    ensure!(even, "a deck of {} cards for {players} players", table.deck.total());
    let mut dealt = [Cards::NONE; MAX_SEATS];
    let mut paid = [false; MAX_SEATS];
    let mut all = table.memory.gone;
    for (p, own) in round.own.iter().enumerate() {
        if p >= players {
            ensure!(*own == PrivateState::dealt(Cards::NONE), "position {p} has no player, but private data");
            continue;
        }
        let known =
            check_own(round.view(table.order[p])).map_err(|error| format!("position {p}: {error}"))?;
        (dealt[p], paid[p]) = (known.dealt, known.paid);
        all = with(&all, &own.hand)?;
    }
    ensure!(all == table.deck, "hands and cards played do not add up to the deck");
    taxes(round, &dealt, &paid)?;
    asking(round, &paid)
}

/// Checks that partners agree, that tributes are the best cards dealt, and that returned cards were in hand.
fn taxes(round: &Round, dealt: &[Cards; MAX_SEATS], paid: &[bool; MAX_SEATS]) -> Result<(), String> {
    let table = &round.table;
    if !table.taxes() || table.stage == Stage::Decree {
        return Ok(());
    }
    for &(high, low, k) in table.pairs() {
        let [upper, lower] = [high, low].map(|p| &round.own[usize::from(p)]);
        let moved = paid[0];
        ensure!(
            [high, low].iter().all(|&p| paid[usize::from(p)] == moved),
            "positions {high} and {low} disagree about their exchange, or with position 0"
        );
        if !moved {
            continue;
        }
        let order = table.variant.joker_order();
        let due = tribute(&dealt[usize::from(low)], k, order, lower.given.0[JOKER].min(k));
        let at_hand = with(&dealt[usize::from(high)], &due)?;
        let gifts = [upper, lower].map(|own| Gifts::<RANKS> { given: own.given, received: own.received });
        let done = table.stage == Stage::Play;
        check::pair([high, low], gifts.each_ref(), &due, &at_hand, done, deck::to_text)?;
    }
    Ok(())
}

/// Checks that exactly one player decides before the play, and that all earlier decisions are made.
fn asking(round: &Round, paid: &[bool; MAX_SEATS]) -> Result<(), String> {
    let table = &round.table;
    let in_play = table.stage == Stage::Play;
    check::asking(round.own.map(|own| own.ask != Ask::Nothing), round.asking, in_play)?;
    if in_play || table.stage == Stage::Decree {
        return Ok(());
    }
    let own = &round.own[usize::from(round.asking)];
    ensure!((own.ask == Ask::Return) == paid[0], "{:?} is asked, but tributes moved: {}", own.ask, paid[0]);
    for &(high, low, k) in table.pairs() {
        let given = |p: u8| round.own[usize::from(p)].given.total();
        let in_turn = match own.ask {
            Ask::Return if high < round.asking => given(high) == u32::from(k),
            Ask::Return if high > round.asking => given(high) == 0,
            Ask::Return => given(high) < u32::from(k),
            _ if low > round.asking => true,
            _ => given(low) == 0,
        };
        ensure!(in_turn, "positions {high} and {low} did not decide in turn");
    }
    let chooses = own.ask != Ask::TaxJokers || table.variant.joker_order() == JokerOrder::Holder;
    ensure!(chooses, "the payer may not choose the jokers by these rules");
    Ok(())
}
