//! quick
use super::*;
use crate::session::Session;
#[test]
fn plays() {
    let mut n = 0u64;
    let mut draw = Draw::new(1, 0);
    for i in 0..300 {
        let rules = <Rules as crate::rules::Rules>::random(&mut draw);
        let mut s = Session::<Round>::new(rules, i);
        loop {
            match s.round().turn() {
                Turn::Decide(seat) => {
                    let v = s.round().view(seat);
                    let legal = Round::legal(v);
                    for a in 0..262 {
                        assert_eq!(crate::mask::Mask::contains(&legal, ActionId(a)), Round::is_legal(v, ActionId(a)));
                    }
                    let c = crate::mask::count(&legal.0);
                    assert!(c > 0);
                    let a = crate::mask::nth(&legal.0, draw.below(c)).unwrap();
                    s.round_mut().play(a);
                    n += 1;
                }
                Turn::RoundOver => {
                    s.settle();
                    if s.is_last() { break; }
                    s.deal_next();
                }
            }
        }
    }
    assert!(n > 1000);
}
