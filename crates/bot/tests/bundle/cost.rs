//! Tests of the training cost in bundles.

use cardsharp_bot::bundle::Cost;

use super::*;

#[test]
fn a_bundle_has_the_cost_of_training_on_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let (to, again) = (folder.path().join("bundle"), folder.path().join("again"));
    let (header, net) = sample();
    let cost = Some(Cost { core_seconds: 5400.0, processor: Some("a Zen 5".to_owned()) });
    let extras = Extras { contests: vec![contest()], cost, seed: 3, ..Extras::default() };
    assert_eq!(extras.files().collect::<Vec<_>>(), ["cost.json"]);
    export(&Games::shipped(), &header, &net, &extras, &to).expect("it can be written");
    verify(&Games::shipped(), &to).expect("in order");
    let card = fs::read_to_string(to.join("card.md")).expect("text");
    assert!(card.contains("Training took 1.50 core hours of a Zen 5: "), "{card}");
    assert!(card.contains("In contest 1 that is a place score of +0.082 for each core hour."), "{card}");
    // A new export keeps the cost, and invalid costs are refused.
    let renewed = Extras { seed: 3, ..Extras::of(&to).expect("read") };
    export(&Games::shipped(), &header, &net, &renewed, &again).expect("it can be written");
    assert_same(&to, &again);
    fs::remove_file(to.join(MANIFEST)).expect("removed");
    fs::write(to.join("cost.json"), "{\"core_seconds\": -1.0}").expect("written");
    let said = Extras::of(&to).expect_err("refused").to_string();
    assert!(said.contains("cost.json: not what a bundle holds here: "), "{said}");
    assert!(said.contains("expected a number above 0"), "{said}");
}
