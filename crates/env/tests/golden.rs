//! Playthroughs and counts of legal sequences, as they were when they were last looked at. After a
//! change that is meant, `UPDATE_GOLDEN=1 cargo test -p cardsharp-env --test golden` writes them anew.

use std::fmt::Write as _;
use std::path::PathBuf;

use cardsharp_env::blocks::width;
use cardsharp_env::game::Label;
use cardsharp_env::games::dalmuti::Round;
use cardsharp_env::games::dalmuti::rules::{
    HandCountView, MerchantExchange, Reward, Rules, Scoring, Seating, Strip, TaxVisibility,
};
use cardsharp_env::games::dalmuti::table::{ExposedFate, Revolution, Stage, Table};
use cardsharp_env::{Block, Draw, Game, Seat, Session, Turn, mask};
use serde_json::json;

/// Compares with a file of the game's golden folder, or writes it.
fn golden(name: &str, found: &str) {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "src/games/dalmuti/golden", name].iter().collect();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().expect("it has a folder"))
            .expect("the golden folder can be made");
        std::fs::write(&path, found).expect("the golden file can be written");
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (mut old, mut new) = (expected.lines(), found.lines());
    for number in 1.. {
        match (old.next(), new.next()) {
            (None, None) => break,
            (old, new) if old == new => {}
            (old, new) => panic!(
                "{name}, line {number}:\n  was {}\n  is  {}\nUPDATE_GOLDEN=1 writes it anew if that is meant.",
                old.unwrap_or("(the end)"),
                new.unwrap_or("(the end)")
            ),
        }
    }
}

/// A random session of these rules in which `wanted` holds of the first hand's play.
struct Variant {
    name: &'static str,
    rules: Rules,
    wanted: fn(&Table) -> bool,
}

fn variants() -> Vec<Variant> {
    let any = |_: &Table| true;
    let rules = Rules { hands: 1, ..Rules::default() };
    vec![
        Variant { name: "standard-5", rules: Rules { hands: 2, ..rules }, wanted: any },
        Variant {
            name: "stripped-4",
            rules: Rules { players: 4, strip: Strip::Recommended, seating: Seating::Fixed, ..rules },
            wanted: any,
        },
        Variant {
            name: "seen-taxes-blind-choice-6",
            rules: Rules {
                players: 6,
                tax_visibility: TaxVisibility::Seen,
                merchant_exchange: MerchantExchange::BlindChoice,
                scoring: Scoring::Philanthropic,
                reward: Reward::Score,
                ..rules
            },
            wanted: |table| table.exchange.is_some(),
        },
        Variant {
            name: "misdeal-blind-random-7",
            rules: Rules {
                players: 7,
                merchant_exchange: MerchantExchange::BlindRandom,
                misdeal_prob: 1.0,
                hand_count_view: HandCountView::Hidden,
                ..rules
            },
            wanted: |table| {
                table.exchange.is_some()
                    && table.exposed.is_some_and(|exposed| exposed.fate == ExposedFate::ToPeon)
            },
        },
        Variant {
            name: "revolution-5",
            rules: Rules { strip: Strip::Recommended, ..rules },
            wanted: |table| table.revolution == Revolution::Revolution,
        },
        Variant {
            name: "first-deal-greater-revolution-6",
            rules: Rules { players: 6, first_deal_revolution: true, ..rules },
            wanted: |table| table.revolution == Revolution::Greater,
        },
        Variant {
            name: "few-ranks-8",
            rules: Rules {
                players: 8,
                strip: Strip::Ranks(1 << 1 | 1 << 4 | 1 << 12),
                scoring: Scoring::None,
                ..rules
            },
            wanted: any,
        },
        Variant { name: "standard-12", rules: Rules { players: 12, ..rules }, wanted: any },
    ]
}

fn step(round: &mut Round, draw: &mut Draw) {
    let Turn::Decide(seat) = round.turn() else { return };
    let legal = Round::legal(round.view(seat));
    round.play(mask::nth(&legal.0, draw.below(mask::count(&legal.0))).expect("there is a legal action"));
}

/// The first seed whose first hand begins as the variant wants it.
fn seed(variant: &Variant) -> u64 {
    let begins = |&seed: &u64| {
        let mut session = Session::<Round>::new(variant.rules, seed);
        let mut draw = Draw::new(seed, u64::MAX);
        while session.round().table().stage != Stage::Play {
            step(session.round_mut(), &mut draw);
        }
        (variant.wanted)(session.round().table())
    };
    (0..100_000).find(begins).expect("such a hand is among them")
}

/// The cells of a block that are not 0: those of a single cell as its value, flags as their places,
/// others as `place:value`.
fn cells(block: &Block, row: &[u8]) -> Option<String> {
    let set: Vec<String> = (block.of(row).iter().enumerate().filter(|(_, value)| **value != 0))
        .map(|(i, value)| match block {
            Block { len: 1, .. } => value.to_string(),
            Block { max: 1, .. } => i.to_string(),
            _ => format!("{i}:{value}"),
        })
        .collect();
    (!set.is_empty()).then(|| format!("{}={}", block.name, set.join(",")))
}

fn playthrough(variant: &Variant) -> String {
    let seed = seed(variant);
    let mut text = format!("# {} by random play, seed {seed}\n# {}\n", Round::TITLE, json!(variant.rules));
    let mut session = Session::<Round>::new(variant.rules, seed);
    let mut draw = Draw::new(seed, u64::MAX);
    let mut row = vec![0; width(Round::OBSERVATION)];
    // Writing to a String cannot fail.
    loop {
        let _ = writeln!(
            text,
            "\n== Hand {} ==\ndeal {}",
            session.number(),
            json!(session.round().describe_deal())
        );
        for event in Round::events(None, session.round()) {
            let _ = writeln!(text, "event {event}");
        }
        while let Turn::Decide(seat) = session.round().turn() {
            let view = session.round().view(seat);
            // The whole view before the play and at every lead; replies only as a line.
            if view.table.stage != Stage::Play || view.table.trick.size == 0 {
                let _ = write!(
                    text,
                    "\n-- seat {}, {} --\n{}",
                    seat.0,
                    session.round().phase(),
                    Round::picture(view)
                );
                Round::observe(view, &mut row);
                let blocks: Vec<String> =
                    Round::OBSERVATION.iter().filter_map(|block| cells(block, &row)).collect();
                let _ = writeln!(text, "row {}", blocks.join(" "));
            }
            let legal = Round::legal(view);
            let labels: Vec<String> =
                mask::actions(&legal.0).map(|id| Label::<Round>::of(id).to_string()).collect();
            let action =
                mask::nth(&legal.0, draw.below(mask::count(&legal.0))).expect("there is a legal action");
            let _ =
                writeln!(text, "seat {:<2} {} | {}", seat.0, Label::<Round>::of(action), labels.join(", "));
            let before = *session.round();
            session.round_mut().play(action);
            for event in Round::events(Some(&before), session.round()) {
                let _ = writeln!(text, "event {event}");
            }
        }
        let payoff = session.settle();
        let _ = writeln!(text, "\nseat place points reward");
        for seat in (0..variant.rules.players).map(Seat) {
            let i = seat.index();
            let _ = writeln!(
                text,
                "{:>4} {:>5} {:>6} {:>6.3}",
                seat.0, payoff.place[i], payoff.points[i], payoff.reward[i]
            );
        }
        let _ = writeln!(text, "standing {}", json!(session.standing()));
        if session.is_last() {
            return text;
        }
        session.deal_next();
    }
}

#[test]
fn playthroughs_are_as_they_were() {
    for variant in variants() {
        golden(&format!("{}.txt", variant.name), &playthrough(&variant));
    }
}

/// Legal sequences of `depth` actions; a sequence that ends the hand early counts once.
fn sequences(round: &Round, depth: u32) -> u64 {
    let Turn::Decide(seat) = round.turn() else { return 1 };
    let legal = Round::legal(round.view(seat));
    if depth == 1 {
        return u64::from(mask::count(&legal.0));
    }
    let after = mask::actions(&legal.0).map(|action| {
        let mut next = *round;
        next.play(action);
        sequences(&next, depth - 1)
    });
    after.sum()
}

/// The same from the naive answer alone.
fn sequences_by_the_words(round: &Round, depth: u32) -> u64 {
    let Turn::Decide(seat) = round.turn() else { return 1 };
    if depth == 0 {
        return 1;
    }
    let ids = (0..width(Round::ACTIONS) as u16).map(cardsharp_env::ActionId);
    let after = ids.filter(|&id| Round::is_legal(round.view(seat), id)).map(|action| {
        let mut next = *round;
        next.play(action);
        sequences_by_the_words(&next, depth - 1)
    });
    after.sum()
}

#[test]
fn legal_sequences_are_as_many_as_they_were() {
    // So many sequences at most are counted for a deal.
    const MOST: u64 = 200_000;
    let mut text = String::from(
        "# Legal sequences of 1, 2, 3, … actions from the deal (players, seed, options: counts)\n",
    );
    let options = |players: u8| {
        let rules = Rules { players, ..Rules::default() };
        [
            ("standard", rules),
            ("recommended strip", Rules { strip: Strip::Recommended, ..rules }),
            ("only ranks 6 to 12", Rules { strip: Strip::Ranks(0b11_1110), ..rules }),
            ("first deal without taxes", Rules { first_deal_revolution: true, ..rules }),
            (
                "seen, blind choice",
                Rules {
                    tax_visibility: TaxVisibility::Seen,
                    merchant_exchange: MerchantExchange::BlindChoice,
                    ..rules
                },
            ),
            (
                "misdeal, blind random",
                Rules { misdeal_prob: 1.0, merchant_exchange: MerchantExchange::BlindRandom, ..rules },
            ),
        ]
    };
    for players in [4, 5, 6, 8, 12] {
        for (name, rules) in options(players) {
            for seed in 0..2 {
                let session = Session::<Round>::new(rules, seed);
                let mut counts = Vec::new();
                for depth in 1.. {
                    counts.push(sequences(session.round(), depth));
                    if depth < 4 && counts[depth as usize - 1] < 5_000 {
                        assert_eq!(
                            counts[depth as usize - 1],
                            sequences_by_the_words(session.round(), depth)
                        );
                    }
                    // The next one has at most as many branches again as the last step brought, and some.
                    let last = counts.iter().rev().take(2).copied().collect::<Vec<_>>();
                    let growth = last[0] / last.get(1).copied().unwrap_or(1).max(1);
                    if last[0] * growth.max(12) > MOST || depth == 10 {
                        break;
                    }
                }
                let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
                // Writing to a String cannot fail.
                let _ = writeln!(text, "{players:>2} players, seed {seed}, {name}: {}", counts.join(" "));
            }
        }
    }
    golden("sequences.txt", &text);
}
