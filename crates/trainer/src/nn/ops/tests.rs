use burn::tensor::{TensorData, activation};
use cardsharp_bot::net::Scratch;
use cardsharp_env::{ActionId, Draw};

use super::super::{CpuNet, Inputs, OutputSet, Rows, numbers, requested_outputs};
use super::*;
use crate::net::{Shape, to_net};
use crate::rollout::Decisions;

/// The widths of layers that are tested: some fill registers, some do not.
const WIDTHS: [usize; 4] = [20, 33, 64, 256];

fn random<const D: usize>(shape: [usize; D], draw: &mut Draw) -> Tensor<D> {
    let count = shape.iter().product();
    let numbers: Vec<f32> = (0..count).map(|_| 2.0 * draw.unit() - 1.0).collect();
    Tensor::from_data(TensorData::new(numbers, shape), &Device::flex())
}

/// Rows of cells with a fifth of them set.
fn cells(rows: usize, cells: usize, draw: &mut Draw) -> (Inputs, Tensor<2>) {
    let mut decisions = Decisions { actions: vec![ActionId(0); rows], ..Decisions::default() };
    let all = (0..rows * cells).map(|_| if draw.chance(0.2) { draw.below(5) as u8 } else { 0 });
    decisions.rows = all.collect();
    let ids: Vec<u32> = (0..rows as u32).collect();
    let floats: Vec<f32> = decisions.rows.iter().map(|&cell| f32::from(cell) * 0.5).collect();
    let floats = Tensor::from_data(TensorData::new(floats, [rows, cells]), &Device::flex());
    (Inputs::cells(&decisions, &ids, &vec![0.5; cells]), floats)
}

/// A function with its arguments, each flat with its shape.
type Arguments = Vec<(Vec<f32>, Vec<usize>)>;

/// The value and the gradients of `of`, contracted with fixed random numbers.
fn gradients(arguments: &Arguments, of: &dyn Fn(&[Tensor<1>]) -> Tensor<1>) -> (f64, Vec<Vec<f32>>) {
    let leaf = |(list, _): &(Vec<f32>, Vec<usize>)| {
        Tensor::<1>::from_floats(&list[..], &Device::flex()).autodiff().require_grad()
    };
    let leaves: Vec<Tensor<1>> = arguments.iter().map(leaf).collect();
    let result = of(&leaves);
    let mut draw = Draw::new(99, 0);
    let with = random(result.dims(), &mut draw);
    let contracted = result * with;
    let value = numbers(contracted.clone().inner()).into_iter().map(f64::from).sum();
    let mut found = contracted.backward();
    let of =
        |leaf: &Tensor<1>| numbers(leaf.grad_remove(&mut found).expect("every argument has an influence"));
    (value, leaves.iter().map(of).collect())
}

/// Compares the gradients of an operation with those of burn's own operations, and some of them with finite
/// differences.
fn compare(
    what: &str,
    arguments: &Arguments,
    ours: &dyn Fn(&[Tensor<1>]) -> Tensor<1>,
    burns: &dyn Fn(&[Tensor<1>]) -> Tensor<1>,
) {
    let ((value, found), (other, expected)) = (gradients(arguments, ours), gradients(arguments, burns));
    assert!((value - other).abs() < 1e-4 * (1.0 + value.abs()), "{what}: {value} and {other}");
    let mut draw = Draw::new(7, 1);
    for (argument, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let largest = expected.iter().fold(0.0f32, |most, number| most.max(number.abs()));
        assert_eq!(found.len(), expected.len());
        for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
            let off = (found - expected).abs();
            assert!(off <= 2e-5 * largest.max(1.0), "{what}, {argument}, {place}: {found} and {expected}");
        }
        for _ in 0..6 {
            let place = draw.below(found.len() as u32) as usize;
            let at = |by: f32| {
                let mut moved = arguments.clone();
                moved[argument].0[place] += by;
                gradients(&moved, ours).0
            };
            let slope = (at(1e-3) - at(-1e-3)) / 2e-3;
            let off = (slope - f64::from(found[place])).abs();
            assert!(
                off < 2e-2 * f64::from(largest.max(1.0)),
                "{what}, {argument}, {place}: {slope}, {}",
                found[place]
            );
        }
    }
}

fn argument<const D: usize>(shape: [usize; D], draw: &mut Draw) -> (Vec<f32>, Vec<usize>) {
    (numbers(random(shape, draw)), shape.to_vec())
}

#[test]
fn first_layers_have_the_gradients_of_burn_and_of_finite_differences() {
    let mut draw = Draw::new(1, 0);
    for width in WIDTHS {
        let (inputs, floats) = cells(19, 70, &mut draw);
        let Inputs::Cells(rows) = inputs else { unreachable!("cells") };
        let arguments = vec![argument([70, width], &mut draw), argument([width], &mut draw)];
        let weight = |of: &[Tensor<1>]| of[0].clone().reshape([70, width]);
        let ours = |of: &[Tensor<1>]| sparse_relu(weight(of), of[1].clone(), &rows).flatten(0, 1);
        let burns = |of: &[Tensor<1>]| {
            let sum = floats.clone().matmul(weight(of)) + of[1].clone().unsqueeze();
            activation::relu(sum).flatten(0, 1)
        };
        compare(&format!("first layer of {width}"), &arguments, &ours, &burns);
    }
}

#[test]
fn hidden_layers_have_the_gradients_of_burn_and_of_finite_differences() {
    let mut draw = Draw::new(2, 0);
    for (before, width) in WIDTHS.into_iter().zip([33, 64, 256, 20]) {
        let arguments = vec![
            argument([13, before], &mut draw),
            argument([before, width], &mut draw),
            argument([width], &mut draw),
        ];
        let of = |of: &[Tensor<1>]| {
            (of[0].clone().reshape([13, before]), of[1].clone().reshape([before, width]), of[2].clone())
        };
        let ours = |all: &[Tensor<1>]| {
            let (rows, weight, bias) = of(all);
            dense_relu(rows, weight, bias).flatten(0, 1)
        };
        let burns = |all: &[Tensor<1>]| {
            let (rows, weight, bias) = of(all);
            activation::relu(rows.matmul(weight) + bias.unsqueeze()).flatten(0, 1)
        };
        compare(&format!("layer of {before} to {width}"), &arguments, &ours, &burns);
    }
}

/// Some outputs of 11 for each of 13 rows, a row of none among them.
fn some_requested(draw: &mut Draw) -> RequestedOutputs {
    let mut requested = RequestedOutputs::default();
    let mut ends = Vec::new();
    for row in 0..13 {
        requested.outputs.extend((0..11).filter(|_| row != 4 && draw.chance(0.4)));
        ends.push(requested.outputs.len() as u32);
    }
    requested.rows = Arc::new(Groups { at: None, ends });
    requested
}

#[test]
fn heads_have_the_gradients_of_burn_and_of_finite_differences() {
    let mut draw = Draw::new(3, 0);
    for width in WIDTHS {
        let requested = Arc::new(some_requested(&mut draw));
        let arguments = vec![
            argument([13, width], &mut draw),
            argument([12, width], &mut draw),
            argument([12], &mut draw),
        ];
        let of = |of: &[Tensor<1>]| {
            (of[0].clone().reshape([13, width]), of[1].clone().reshape([12, width]), of[2].clone())
        };
        let places: Vec<i32> = requested
            .rows
            .ranges()
            .enumerate()
            .flat_map(|(row, range)| {
                requested.outputs[range].iter().map(move |&output| (row * 12) as i32 + i32::from(output))
            })
            .chain((0..13).map(|row| row * 12 + 11))
            .collect();
        let ours = |all: &[Tensor<1>]| {
            let (features, weight, bias) = of(all);
            let (actions, value) = heads(features, weight, bias, &requested, Some(11));
            Tensor::cat(vec![actions, value.expect("values were requested")], 0)
        };
        let burns = |all: &[Tensor<1>]| {
            let (features, weight, bias) = of(all);
            let outputs = (features.matmul(weight.transpose()) + bias.unsqueeze()).flatten::<1>(0, 1);
            outputs.select(0, Tensor::from_ints(&places[..], &Device::flex()))
        };
        compare(&format!("heads of {width}"), &arguments, &ours, &burns);
    }
}

#[test]
fn operations_on_groups_have_the_gradients_of_burn_and_of_finite_differences() {
    let mut draw = Draw::new(4, 0);
    let groups = Arc::new(Groups { at: None, ends: vec![1, 5, 12, 14] });
    let arguments = vec![argument([14], &mut draw)];
    let ranges: Vec<_> = groups.ranges().collect();
    let softmax = |of: &[Tensor<1>]| {
        let own =
            |range: &std::ops::Range<usize>| activation::log_softmax(of[0].clone().slice([range.clone()]), 0);
        Tensor::cat(ranges.iter().map(own).collect(), 0)
    };
    compare("log-softmax", &arguments, &|of| log_softmax(of[0].clone(), &groups), &softmax);
    let sum = |of: &[Tensor<1>]| {
        Tensor::cat(ranges.iter().map(|range| of[0].clone().slice([range.clone()]).sum()).collect(), 0)
    };
    compare("sums", &arguments, &|of| sums(of[0].clone(), &groups), &sum);
    // Some places more than once, and all of them at least once.
    let at = vec![3, 0, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 3];
    let chosen = Arc::new(Groups { at: Some(at.clone()), ends: vec![2, 2, 9, 16] });
    let sum = |of: &[Tensor<1>]| {
        let parts = chosen.ranges().map(|range| match range.is_empty() {
            true => Tensor::zeros([1], &Device::flex()).autodiff(),
            false => {
                let places: Vec<i32> = at[range].iter().map(|&place| place as i32).collect();
                of[0].clone().select(0, Tensor::from_ints(&places[..], &Device::flex())).sum()
            }
        });
        Tensor::cat(parts.collect(), 0)
    };
    compare("sums of chosen numbers", &arguments, &|of| sums(of[0].clone(), &chosen), &sum);
}

#[test]
fn exponentials_and_logarithms_are_those_of_libm_with_their_gradients() {
    let mut draw = Draw::new(5, 0);
    let arguments = vec![argument([50], &mut draw)];
    compare("exp", &arguments, &|of| exp(of[0].clone()), &|of| of[0].clone().exp());
    let positive = |of: &[Tensor<1>]| of[0].clone().add_scalar(1.5);
    compare("ln", &arguments, &|of| ln(positive(of)), &|of| positive(of).log());
    let list = [0.3, -2.0, 11.0];
    let found = numbers(exp(Tensor::<1>::from_floats(list, &Device::flex())));
    assert_eq!(found, list.map(libm::expf));
    let list = [0.3, 2.0, 1e-30];
    assert_eq!(numbers(ln(Tensor::<1>::from_floats(list, &Device::flex()))), list.map(libm::logf));
}

/// The policy of the learner and that of the actors agree except for rounding: the first ratio of probabilities is 1.
#[test]
fn networks_compute_what_actors_and_burn_do() {
    for hidden in [vec![64], vec![40, 70], vec![1, 17, 130]] {
        let shape = Shape { inputs: 300, hidden, heads: vec![100, 1] };
        let mut draw = Draw::new(3, 0);
        let weights = shape.draw(&[1.0, 1.0], &mut draw);
        let scale = vec![0.25; shape.inputs];
        let actor = to_net(&shape, &weights, &scale).expect("the shape of a policy and value network");
        let mut cell = || if draw.chance(0.2) { draw.below(5) as u8 } else { 0 };
        let rows: Vec<Vec<u8>> = (0..50).map(|_| (0..shape.inputs).map(|_| cell()).collect()).collect();
        let legal = [u64::MAX, (1 << 36) - 1];
        let actions = vec![ActionId(7); rows.len()];
        let all = Decisions {
            rows: rows.concat(),
            legal: legal.repeat(rows.len()),
            actions,
            ..Decisions::default()
        };
        let ids: Vec<u32> = (0..rows.len() as u32).collect();
        let all_legal = Rows { decisions: &all, columns: &[], targets: &[], outputs: OutputSet::Legal };
        let (requested, played, _) = requested_outputs(all_legal, &ids);
        assert_eq!(played.at, Some((0..50).map(|row| row * 100 + 7).collect()));
        let net = CpuNet::new(&shape, &weights).net;
        let floats: Vec<f32> = all.rows.iter().map(|&cell| f32::from(cell) * 0.25).collect();
        let floats = Tensor::from_data(TensorData::new(floats, [rows.len(), shape.inputs]), &Device::flex());
        for inputs in [Inputs::cells(&all, &ids, &scale), Inputs::numbers(floats)] {
            let outputs = net.outputs(&inputs, &Arc::new(requested.clone()), Some(100));
            let (found, values) =
                (numbers(outputs.actions), numbers(outputs.value.expect("a head of values")));
            let (mut scratch, mut logits) = (Scratch::default(), vec![0.0; 100]);
            for (row, cells) in rows.iter().enumerate() {
                let value = actor.forward(cells, &legal, &mut scratch, &mut logits);
                let found = found[row * 100..][..100].iter().chain([&values[row]]);
                for (found, said) in found.zip(logits.iter().chain([&value])) {
                    assert!((found - said).abs() <= 1e-5 * (1.0 + said.abs()), "{found} and {said}");
                }
            }
        }
    }
}
