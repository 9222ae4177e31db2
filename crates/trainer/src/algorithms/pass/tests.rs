use cardsharp_bot::net::Scratch;
use cardsharp_env::Draw;

use super::*;
use crate::net::to_net;

/// What the learner says of a decision is what the actor said, but for how often it rounds: the first ratio of probabilities is 1.
#[test]
fn the_learner_computes_what_the_actor_did() {
    for hidden in [vec![64], vec![40, 70], vec![1, 17, 130]] {
        let shape = Shape { inputs: 300, hidden, heads: vec![100, 1] };
        let mut draw = Draw::new(3, 0);
        let weights = shape.draw(&[1.0, 1.0], &mut draw);
        let scale = vec![0.25; shape.inputs];
        let net = to_net(&shape, &weights, &scale).expect("the shape of a policy and value network");
        let mut cells = || if draw.chance(0.2) { draw.below(5) as u8 } else { 0 };
        let rows: Vec<Vec<u8>> = (0..50).map(|_| (0..shape.inputs).map(|_| cells()).collect()).collect();
        let mut room = Room::default();
        let actions = vec![ActionId(0); rows.len()];
        let decisions = Decisions { rows: rows.concat(), actions, ..Decisions::default() };
        let ids: Vec<u32> = (0..rows.len() as u32).collect();
        let told = Inputs { decisions: &decisions, ids: &ids, scale: &scale };
        let (legal, asked) = ([u64::MAX, (1 << 36) - 1], 0..101);
        let mut found = Vec::new();
        let network = Network { shape: &shape, weights: &weights };
        let ask = |_, outputs: &mut Vec<u16>| outputs.extend(asked.clone());
        room.outputs(network, told, ask, |outputs| found.push(outputs.to_vec()));
        let (mut scratch, mut logits) = (Scratch::default(), vec![0.0; 100]);
        for (row, found) in rows.iter().zip(&found) {
            let value = net.forward(row, &legal, &mut scratch, &mut logits);
            for (found, said) in found.iter().zip(logits.iter().chain([&value])) {
                assert!((found - said).abs() <= 1e-6 * (1.0 + said.abs()), "{found} and {said}");
            }
        }
    }
}
