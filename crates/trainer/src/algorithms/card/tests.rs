use std::sync::atomic::AtomicBool;

use cardsharp_bot::net::Scratch;
use cardsharp_env::Draw;

use super::*;
use crate::net::to_net;

/// The gradients of a loss's mean over decisions, for each network, and its sums.
pub(in super::super) fn differentiated(
    learner: &Learner,
    device: &Device,
    told: Told<'_>,
    ids: &[u32],
    judge: impl Fn(Seen) -> Judged,
) -> (Vec<Vec<f32>>, Vec<f32>) {
    let networks = Networks::new(learner, device);
    let actions = learner.policy.shape.heads[0];
    let held = Held::new(told, actions, device, 1, &AtomicBool::new(false)).expect("nobody stops it");
    let minibatches = held.find(std::iter::once(ids));
    let Found { gradients, sums } = networks.judge(held.pick(&minibatches[0]), judge);
    (gradients.into_iter().map(numbers).collect(), numbers(sums))
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
    let shape = Shape { inputs: 300, hidden: vec![64, 48], heads: vec![100, 1] };
    let mut draw = Draw::new(3, 0);
    let weights = shape.draw(&[1.0, 1.0], &mut draw);
    let scale = vec![0.25; shape.inputs];
    let (cells, mut legal) = rows(&shape, &mut draw);
    legal.iter_mut().skip(1).step_by(2).for_each(|word| *word &= (1 << 36) - 1);
    let floats: Vec<f32> = cells.iter().map(|&cell| f32::from(cell) * 0.25).collect();
    let device = Device::flex();
    let inputs = Tensor::from_data(TensorData::new(floats, [1000, shape.inputs]), &device);
    let heads = Layers::new(&shape, &flat(&weights, &device)).forward(inputs);
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
fn rows_are_added_up_whatever_their_number() {
    let mut draw = Draw::new(8, 0);
    for (device, _) in crate::device::by_burn() {
        for rows in [1, 2, 63, 64, 65, 5000, 300_000] {
            // Whole numbers, so that no order of adding them changes a bit.
            let cells: Vec<f32> = (0..rows * 3).map(|_| draw.below(20) as f32).collect();
            let expected: Vec<f32> =
                (0..3).map(|column| cells.iter().skip(column).step_by(3).sum::<f32>()).collect();
            let tensor = Tensor::from_data(TensorData::new(cells, [rows, 3]), &device);
            assert_eq!(numbers(over_rows(tensor)), expected, "{rows} rows");
        }
    }
}
