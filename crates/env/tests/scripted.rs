//! Pins the moves of the scripted player, because everything measured against `scripted` depends on them.

use cardsharp_env::games::{dalmuti, tachtigen, tahimi, taki};
use cardsharp_env::mask::{self, Mask};
use cardsharp_env::{Draw, Game, Rules, Session, Turn};

/// Returns the number and a checksum (FNV-1a, 64 bits) of the moves that the scripted player chooses in `sessions`
/// sessions by random rules. One move in four that is played is random, so that the player is also asked in
/// positions that it would not reach itself.
fn moves<G: Game>(sessions: u64) -> (u64, u64) {
    let (mut count, mut sum) = (0, 0xcbf2_9ce4_8422_2325u64);
    let mut draw = Draw::new(80, 4);
    for seed in 0..sessions {
        let mut session = Session::<G>::new(G::Rules::random(&mut draw), seed);
        loop {
            while let Turn::Decide(seat) = session.round().turn() {
                let view = session.round().view(seat);
                let own = G::scripted(view);
                count += 1;
                sum = own
                    .0
                    .to_le_bytes()
                    .iter()
                    .fold(sum, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
                let legal = G::legal(view);
                let random = mask::nth(legal.words(), draw.below(4 * mask::count(legal.words())));
                session.round_mut().play(random.unwrap_or(own));
            }
            session.settle();
            if session.is_last() {
                break;
            }
            session.deal_next();
        }
    }
    (count, sum)
}

#[test]
fn the_yardstick_chooses_the_moves_it_always_chose() {
    let chosen = [
        moves::<dalmuti::Round>(40),
        moves::<tahimi::Round>(40),
        moves::<taki::Round>(40),
        moves::<tachtigen::Round>(40),
    ];
    let always = [
        (11_226, 2_766_898_970_069_386_947),
        (9_192, 10_248_834_451_639_601_029),
        (10_168, 9_678_769_931_847_453_776),
        (2_802, 864_292_498_522_507_836),
    ];
    assert_eq!(chosen, always);
}
