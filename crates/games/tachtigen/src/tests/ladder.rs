//! The ladder of bids.

use super::super::bids::{Bid, BidKind, RUNGS, up_to};

#[test]
fn the_ladder_is_in_the_order_of_the_rules() {
    let mut names: Vec<String> = [80, 90, 100, 110, 120, 130, 140, 150].map(|p| p.to_string()).to_vec();
    names.push("misere".into());
    names.extend([160, 170, 180, 190].map(|p| p.to_string()));
    names.push("zwabber".into());
    names.extend([200, 210].map(|p| p.to_string()));
    names.push("ouverte".into());
    names.extend((22..=71).map(|tens| (10 * tens).to_string()));
    names.extend(["praatje", "prive", "praatje uit de hand", "prive uit de hand"].map(str::to_owned));
    let ladder: Vec<String> = Bid::all().map(|bid| bid.to_string()).collect();
    assert_eq!(ladder, names);
    assert_eq!(ladder.len(), RUNGS);
    assert_eq!(Bid::points(710).map(Bid::rung), Some(66));
}

#[test]
fn bids_of_points_are_multiples_of_ten() {
    for points in 0..1000 {
        let bid = Bid::points(points);
        assert_eq!(bid.is_some(), (80..=710).contains(&points) && points % 10 == 0, "{points}");
        assert!(bid.is_none_or(|bid| bid.kind() == BidKind::Points(points)));
    }
}

#[test]
fn a_lower_cap_leaves_the_special_bids() {
    let allowed =
        |most| Bid::all().filter(move |bid| up_to(most) >> bid.rung() & 1 == 1).map(|b| b.to_string());
    let names: Vec<String> = allowed(230).collect();
    assert_eq!(names[16..].join(" "), "ouverte 220 230 praatje prive praatje uit de hand prive uit de hand");
    assert_eq!(allowed(710).count(), 71);
}

#[test]
fn fixed_contracts_have_their_worth() {
    let worth = |bid: Bid| bid.kind().worth();
    let specials = [
        Bid::MISERE,
        Bid::ZWABBER,
        Bid::OUVERTE,
        Bid::PRAATJE,
        Bid::PRIVE,
        Bid::PRAATJE_HAND,
        Bid::PRIVE_HAND,
    ];
    assert_eq!(specials.map(worth), [50, 60, 80, 100, 120, 150, 180]);
}
