use cardsharp_bot::net::Scratch;

use super::*;

fn shape() -> Shape {
    Shape { inputs: 300, hidden: vec![64, 48], heads: vec![100, 1] }
}

/// A thousand rows with a fifth of the cells set, and masks that allow a third of the actions.
fn rows(shape: &Shape, draw: &mut Draw) -> (Vec<u8>, Vec<u64>) {
    let cells = (0..1000 * shape.inputs).map(|_| if draw.chance(0.2) { draw.below(5) as u8 } else { 0 });
    let cells = cells.collect();
    let legal = (0..2000).map(|_| draw.bits() & draw.bits()).map(|word| word | 1).collect();
    (cells, legal)
}

#[test]
fn burn_and_the_plain_network_agree_on_a_thousand_rows() {
    let shape = shape();
    let mut draw = Draw::new(3, 0);
    let weights = shape.draw(&[1.0, 1.0], &mut draw);
    let scale = vec![0.25; shape.inputs];
    let (cells, mut legal) = rows(&shape, &mut draw);
    legal.iter_mut().skip(1).step_by(2).for_each(|word| *word &= (1 << 36) - 1);
    let floats: Vec<f32> = cells.iter().map(|&cell| f32::from(cell) * 0.25).collect();
    let device = Device::flex();
    let inputs = Tensor::from_data(TensorData::new(floats, [1000, shape.inputs]), &device);
    let heads = Layers::new(&shape, &weights, &device).forward(inputs);
    let [logits, values] = [numbers(heads[0].clone()), numbers(heads[1].clone())];

    let net = to_net(&shape, &weights, &scale).expect("the shape of a policy and value network");
    let (mut scratch, mut own) = (Scratch::default(), vec![0.0; 100]);
    let mut compared = 0;
    for row in 0..1000 {
        let cells = &cells[row * shape.inputs..][..shape.inputs];
        let value = net.forward(cells, &legal[row * 2..][..2], &mut scratch, &mut own);
        assert!((value - values[row]).abs() < 1e-5, "value of row {row}: {value} and {}", values[row]);
        for (action, &logit) in own.iter().enumerate().filter(|(_, logit)| logit.is_finite()) {
            let burn = logits[row * 100 + action];
            assert!((logit - burn).abs() < 1e-5, "logit {action} of row {row}: {logit} and {burn}");
            compared += 1;
        }
    }
    assert!(compared > 20_000, "{compared}");
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
