use super::*;

fn shape() -> Shape {
    Shape { inputs: 300, hidden: vec![64, 48], heads: vec![100, 1] }
}

#[test]
fn weights_survive_the_way_through_a_plain_network() {
    let shape = shape();
    let weights = shape.draw(&[0.01, 1.0], &mut Draw::new(1, 0));
    assert_eq!(weights.len(), 301 * 64 + 65 * 48 + 49 * 101);
    let net = to_net(&shape, &weights, &vec![1.0; 300]).expect("the shape of a policy and value network");
    assert_eq!(from_net(&net), (shape, weights));
}

#[test]
fn initial_weights_have_the_variance_that_was_asked_for() {
    let shape = Shape { inputs: 400, hidden: vec![100], heads: vec![200, 1] };
    let weights = shape.draw(&[0.1, 1.0], &mut Draw::new(2, 0));
    let variance = |range: Range<usize>| {
        let n = range.len() as f32;
        weights[range].iter().map(|w| w * w).sum::<f32>() / n
    };
    let ranges: Vec<_> = shape.ranges().collect();
    for ((weight, bias), expected) in ranges.into_iter().zip([2.0 / 400.0, 0.01 / 100.0, 1.0 / 100.0]) {
        let found = variance(weight);
        assert!((found / expected - 1.0).abs() < 0.2, "{found} instead of {expected}");
        assert!(weights[bias].iter().all(|&b| b == 0.0));
    }
}
