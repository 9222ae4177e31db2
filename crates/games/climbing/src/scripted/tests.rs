//! The odds against a single opponent, who holds all unseen cards, are known exactly.

use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::hands::RankCounts;
use cardsharp_engine::rng::Draw;

use super::{
    Count, LeadWeights, MoveWeights, ScriptedWeights, SetWeights, Situation, WholeWeights, WildRank,
};
use crate::{Memory, Trick, TrickRules};

const N: usize = 6;
const WILD: usize = N - 1;
const NO_SET: SetWeights =
    SetWeights { each: 0.0, stands: 0.0, stands2: 0.0, wait: 0.0, beaten: 0.0, beaten2: 0.0, rank2: 0.0 };
const NOTHING: ScriptedWeights = ScriptedWeights {
    sets: [NO_SET; 4],
    whole: WholeWeights {
        deficit: 0.0,
        longest_wait: 0.0,
        hurry: 0.0,
        run: 0.0,
        wilds: 0.0,
        mean_rank: 0.0,
        worst_rank: 0.0,
        best_rank: 0.0,
        beaten: 0.0,
    },
    lead: LeadWeights {
        always: 0.0,
        certain: 0.0,
        weakest: 0.0,
        run: 0.0,
        few_sets: 0.0,
        hurry: 0.0,
        winners: 0.0,
        beaten: 0.0,
    },
    r#move: MoveWeights { topping: 0.0, split: 0.0, wild: 0.0, high: 0.0, size: 0.0 },
    inherits: false,
    finishes: false,
};

/// Whether a hand has a set of `size` cards better than `rank`, straight from the rules.
fn tops(hand: &RankCounts<N>, lone: WildRank, rank: usize, size: u8) -> bool {
    let wilds = hand.0[WILD];
    (0..rank.min(WILD)).any(|better| {
        let naturals = hand.0[better];
        (naturals != 0 || lone == WildRank::Any) && (0..=naturals).any(|n| size >= n && size - n <= wilds)
    })
}

#[test]
fn a_single_rival_tops_what_his_cards_top() {
    let trick_rules = TrickRules::PLAIN;
    let mut draw = Draw::new(1, 0);
    for _ in 0..2000 {
        let mut cards = |copies: u32, wilds: u32| {
            let mut hand = RankCounts::<N>::NONE;
            hand.0[..WILD].iter_mut().for_each(|n| *n = draw.below(copies + 1) as u8);
            hand.0[WILD] = draw.below(wilds + 1) as u8;
            hand
        };
        let (mine, rival) = (cards(3, 0), cards(4, 2));
        let mut deck = mine;
        deck.add(&rival);
        let mut held = [0; MAX_SEATS];
        (held[0], held[1]) = (mine.total() as u8, rival.total() as u8);
        if held[1] == 0 {
            continue;
        }
        for lone in [WildRank::Lowest, WildRank::Any] {
            let situation = Situation {
                hand: &mine,
                deck: &deck,
                memory: &Memory::EMPTY,
                trick: &Trick::new(2),
                position: 0,
                held,
                places: &[0.0; N],
                lone,
                trick_rules,
                weights: &NOTHING,
            };
            let mut count = Count::new(&situation);
            for rank in 0..N {
                for size in 1..=7 {
                    let expected = if tops(&rival, lone, rank, size) { 0.0 } else { 1.0 };
                    let found = count.stands(rank, usize::from(size));
                    assert_eq!(found, expected, "{size} of {rank}, {lone:?}, against {rival:?}");
                }
            }
        }
    }
}
