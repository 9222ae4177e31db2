//! Whole sessions of The Great Dalmuti: length and payoffs of hands, and the standing between them.

use cardsharp_env::Actions;
use cardsharp_env::Play;
use cardsharp_env::games::dalmuti::{Revolution, Reward, Round, Rules, Scoring};
use cardsharp_env::mask::Mask;
use cardsharp_env::{Draw, Seat, Session, Turn};

#[test]
fn hands_end_score_and_carry_on() {
    let mut draw = Draw::new(31, 0);
    let mut bonuses = [0u32; 3];
    for seed in 0..600 {
        let rules = <Rules as cardsharp_env::Rules>::random(&mut draw);
        let n = i32::from(rules.players);
        let mut session = Session::<Round>::new(rules, seed);
        loop {
            let mut decisions = 0;
            while let Turn::Decide(seat) = session.round().turn() {
                let legal = Round::legal(session.round().view(seat));
                let action = legal.random(&mut draw);
                session.round_mut().play(action.expect("there is a legal action"));
                decisions += 1;
            }
            assert!(decisions <= 79 * n + 8, "{decisions} decisions of {n} players");

            let before = *session.standing();
            let table = *session.round().table();
            let payoff = session.settle();
            let seats = || 0..usize::from(rules.players);
            let points: i32 = payoff.points.iter().sum();
            let standard = n * (n - 1) / 2;
            match rules.scoring {
                Scoring::None => assert_eq!(points, 0),
                Scoring::Standard => assert_eq!(points, standard),
                Scoring::Philanthropic => {
                    bonuses[usize::try_from(points - standard).expect("no fewer points")] += 1
                }
            }
            for seat in seats() {
                let place = i32::from(payoff.place[seat]);
                let reward = match rules.shaping.reward {
                    Reward::RankLinear => 1.0 - 2.0 * (place - 1) as f32 / (n - 1) as f32,
                    Reward::Score => payoff.points[seat] as f32,
                };
                assert_eq!(payoff.reward[seat], reward);
                assert_eq!(session.standing().points[seat], before.points[seat] + payoff.points[seat]);
                // The first player out is the next Greater Dalmuti, and so on.
                assert_eq!(session.standing().order[place as usize - 1], Seat(seat as u8));
            }
            assert_eq!(session.standing().hands, before.hands + 1);
            for p in seats() {
                let then = if table.revolution == Revolution::Greater { seats().len() - 1 - p } else { p };
                assert_eq!(
                    table.order[p], before.order[then],
                    "positions turn around in a greater revolution only"
                );
            }
            if session.is_last() {
                break;
            }
            session.deal_next();
            assert_eq!(session.round().table().points, session.standing().points);
            assert_eq!(session.round().table().order, session.standing().order);
            assert_eq!(session.round().table().hand, session.standing().hands + 1);
        }
    }
    assert!(
        bonuses.iter().all(|&hands| hands > 10),
        "{bonuses:?} hands with 0, 1 and 2 points for rising Peons"
    );
}
