use cardsharp_env::Draw;
use ndarray::{Array2, Axis, Slice};

use super::*;

fn dense(draw: &mut Draw, inputs: usize, outputs: usize) -> Dense {
    let mut number = |scale: f32| (draw.unit() - 0.5) * scale;
    let weight = (0..inputs * outputs).map(|_| number(0.5)).collect();
    let bias = (0..outputs).map(|_| number(0.1)).collect();
    Dense { inputs, outputs, weight, bias }
}

fn weights(seed: u64, layers: &[usize]) -> Weights {
    let draw = &mut Draw::new(seed, 0);
    let (cells, hidden, actions) = (layers[0], layers[layers.len() - 2], layers[layers.len() - 1]);
    Weights {
        scale: (0..cells).map(|_| 1.0 / (1 + draw.below(20)) as f32).collect(),
        trunk: layers[..layers.len() - 1].windows(2).map(|w| dense(draw, w[0], w[1])).collect(),
        policy: dense(draw, hidden, actions),
        value: dense(draw, hidden, 1),
    }
}

/// Creates rows with few nonzero cells, and masks with a few actions.
fn positions(seed: u64, rows: usize, cells: usize, actions: usize) -> (Array2<u8>, Array2<u64>) {
    let draw = &mut Draw::new(seed, 1);
    let row = Array2::from_shape_simple_fn((rows, cells), || {
        if draw.below(7) == 0 { draw.below(20) as u8 } else { 0 }
    });
    let mut legal = Array2::zeros((rows, actions.div_ceil(64)));
    for mut words in legal.rows_mut() {
        for _ in 0..=draw.below(6) {
            let action = draw.below(actions as u32) as usize;
            words[action / 64] |= 1 << (action % 64);
        }
    }
    (row, legal)
}

/// Computes every layer in double precision, directly from the formula.
fn naive(net: &Net, row: &[u8]) -> (Vec<f64>, f64) {
    let (weights, activation) = (&net.weights, net.activation());
    let bent = |v: f64| match activation {
        Activation::Relu => v.max(0.0),
        Activation::Tanh => v.tanh(),
    };
    let affine = |layer: &Dense, x: &[f64]| -> Vec<f64> {
        let output =
            |o| (0..layer.inputs).map(|i| x[i] * f64::from(layer.weight[i * layer.outputs + o])).sum::<f64>();
        (0..layer.outputs).map(|o| f64::from(layer.bias[o]) + output(o)).collect()
    };
    let mut x: Vec<f64> =
        row.iter().zip(&weights.scale).map(|(&c, &s)| f64::from(c) * f64::from(s)).collect();
    for layer in &weights.trunk {
        x = affine(layer, &x).into_iter().map(bent).collect();
    }
    (affine(&weights.policy, &x), affine(&weights.value, &x)[0])
}

#[test]
fn logits_and_values_follow_the_formula() {
    for (seed, layers, activation) in [
        (1, vec![37, 5, 70], Activation::Relu),
        (2, vec![100, 64, 33, 130], Activation::Relu),
        (3, vec![650, 96, 40, 32, 262], Activation::Relu),
        (4, vec![100, 64, 33, 130], Activation::Tanh),
    ] {
        let net = Net::with_activation(weights(seed, &layers), activation).unwrap();
        assert_eq!(net.layers(), layers);
        let actions = layers[layers.len() - 1];
        let (rows, legal) = positions(seed, 50, layers[0], actions);
        let mut logits = vec![0.0; actions];
        for (row, legal) in rows.rows().into_iter().zip(legal.rows()) {
            let words = legal.as_slice().unwrap();
            let value = net.forward(row.as_slice().unwrap(), words, &mut Scratch::default(), &mut logits);
            let expected = naive(&net, row.as_slice().unwrap());
            assert!((f64::from(value) - expected.1).abs() < 1e-5, "{value} {}", expected.1);
            for (action, &logit) in logits.iter().enumerate() {
                if words[action / 64] >> (action % 64) & 1 == 1 {
                    assert!((f64::from(logit) - expected.0[action]).abs() < 1e-5, "{action}: {logit}");
                } else {
                    assert_eq!(logit, f32::NEG_INFINITY, "{action} is not legal");
                }
            }
        }
    }
}

fn bits(values: impl IntoIterator<Item = f32>) -> Vec<u32> {
    values.into_iter().map(f32::to_bits).collect()
}

#[test]
fn a_row_gives_the_same_bits_alone_and_in_any_batch() {
    let net = Net::new(weights(4, &[203, 70, 50, 90])).unwrap();
    let (rows, legal) = positions(4, 100, 203, 90);
    let mut scratch = Scratch::default();
    let mut single = Vec::new();
    for (row, legal) in rows.rows().into_iter().zip(legal.rows()) {
        let mut logits = vec![0.0; 90];
        let value =
            net.forward(row.as_slice().unwrap(), legal.as_slice().unwrap(), &mut scratch, &mut logits);
        single.push((bits(logits), value.to_bits()));
    }
    for size in [1, 2, 31, 32, 33, 100] {
        for start in (0..=100 - size).step_by(size) {
            let (mut logits, mut values) = (Array2::zeros((size, 90)), vec![0.0; size]);
            let range = Slice::from(start..start + size);
            let (rows, legal) = (rows.slice_axis(Axis(0), range), legal.slice_axis(Axis(0), range));
            net.forward_batch(rows, legal, &mut scratch, &mut logits, &mut values);
            for k in 0..size {
                let row = (bits(logits.row(k).iter().copied()), values[k].to_bits());
                assert_eq!(row, single[start + k], "row {} in a batch of {size}", start + k);
            }
        }
    }
    let lanes = [99, 3, 3, 50];
    let (mut logits, mut values) = (Array2::zeros((6, 90)), vec![0.0; 5]);
    // Rows that are not contiguous in memory.
    let (turned, masks) =
        (rows.t().as_standard_layout().into_owned(), legal.t().as_standard_layout().into_owned());
    net.forward_lanes(turned.t(), masks.t(), &lanes, &mut scratch, &mut logits, &mut values);
    for (k, &lane) in lanes.iter().enumerate() {
        assert_eq!((bits(logits.row(k).iter().copied()), values[k].to_bits()), single[lane]);
    }
}

#[test]
fn bits_are_pinned() {
    // A fused multiplication or another order of the sums would change these bits, on any CPU and in any build.
    let net = Net::new(weights(5, &[650, 128, 128, 262])).unwrap();
    let (rows, legal) = positions(5, 3, 650, 262);
    let (mut logits, mut values) = (Array2::zeros((3, 262)), vec![0.0; 3]);
    net.forward_batch(rows.view(), legal.view(), &mut Scratch::default(), &mut logits, &mut values);
    assert_eq!(bits(values), [1_077_799_712, 3_183_255_544, 1_060_986_761]);
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let size = |layer: &str, what, given, expected| {
        Some(ShapeError::Size { layer: layer.to_owned(), what, given, expected })
    };
    let refused = |change: &dyn Fn(&mut Weights)| {
        let mut weights = weights(6, &[10, 4, 6, 3]);
        change(&mut weights);
        Net::new(weights).err()
    };
    assert_eq!(refused(&|_| ()), None);
    assert_eq!(refused(&|w| w.trunk.clear()), Some(ShapeError::NoTrunk));
    assert_eq!(refused(&|w| w.scale.push(1.0)), size("trunk.0", "inputs", 10, 11));
    assert_eq!(refused(&|w| w.trunk[1].inputs = 5), size("trunk.1", "inputs", 5, 4));
    assert_eq!(refused(&|w| w.trunk[1].weight.truncate(20)), size("trunk.1", "weights", 20, 24));
    assert_eq!(refused(&|w| w.policy.bias.push(0.0)), size("policy", "biases", 4, 3));
    assert_eq!(refused(&|w| w.value = w.policy.clone()), size("value", "outputs", 3, 1));
    let empty = Dense { inputs: 6, ..Dense::default() };
    assert_eq!(
        refused(&|w| w.policy = empty.clone()),
        Some(ShapeError::Empty { layer: "policy".to_owned() })
    );
}
