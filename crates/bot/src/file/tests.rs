use std::collections::HashMap;

use cardsharp_env::{Draw, GAMES};
use safetensors::tensor::TensorView;
use serde_json::json;

use super::write::{Precision, Tensor as Written, write};
use super::*;

fn dense(draw: &mut Draw, inputs: usize, outputs: usize) -> Dense {
    let weight = (0..inputs * outputs).map(|_| draw.unit() - 0.5).collect();
    let bias = (0..outputs).map(|_| draw.unit() - 0.5).collect();
    Dense { inputs, outputs, weight, bias }
}

fn bot() -> (Header, Net) {
    let draw = &mut Draw::new(1, 0);
    let weights = Weights {
        scale: vec![1.0, 0.5, 0.25, 1.0, 0.2],
        trunk: vec![dense(draw, 5, 4), dense(draw, 4, 3)],
        policy: dense(draw, 3, 7),
        value: dense(draw, 3, 1),
    };
    let header = Header {
        format: FORMAT,
        game: "toy".to_owned(),
        encoding: 3,
        rules: vec![json!({"players": 4}), json!({"players": 5, "strip": "none"})],
        random_rules: 0.0,
        layers: vec![5, 4, 3, 7],
        outputs: Outputs::Logits,
        activation: Default::default(),
        training: json!({"steps": 12, "config": "quick"}),
    };
    (header, Net::new(weights).unwrap())
}

/// The name, the shape and the numbers of a tensor.
type Tensor = (String, Vec<usize>, Vec<f32>);

/// Returns the file of [`bot`] with its tensors changed, and a matching hash.
fn with_tensors(change: impl FnOnce(&mut Vec<Tensor>)) -> Vec<u8> {
    let (header, net) = bot();
    let mut tensors = vec![("scale".to_owned(), vec![5], net.scale.clone())];
    for (name, layer) in net.named() {
        tensors.push((format!("{name}.weight"), vec![layer.inputs, layer.outputs], layer.weight.clone()));
        tensors.push((format!("{name}.bias"), vec![layer.outputs], layer.bias.clone()));
    }
    change(&mut tensors);
    let written =
        tensors.iter().map(|(name, shape, values)| Written::new(name, Precision::Single, shape, values));
    write(&header, written.collect()).unwrap()
}

fn refused(bytes: &[u8]) -> String {
    from_bytes(bytes).expect_err("must be refused").to_string()
}

/// Returns a file with an unchecked header.
fn with_header(change: impl FnOnce(&mut Header)) -> Vec<u8> {
    let (mut header, net) = bot();
    change(&mut header);
    write(&header, vec![Written::new("scale", Precision::Single, &[5], &net.scale)]).unwrap()
}

#[test]
fn only_action_values_are_named_in_a_file() {
    let (header, net) = bot();
    let named = |outputs| {
        let header = Header { outputs, ..header.clone() };
        let bytes = to_bytes(&header, &net).expect("a file");
        assert_eq!(from_bytes(&bytes).expect("a bot").0, header);
        String::from_utf8_lossy(&bytes).contains("outputs")
    };
    assert_eq!([named(Outputs::Logits), named(Outputs::ActionValues)], [false, true]);
}

#[test]
fn a_bot_comes_back_as_it_was_and_in_the_same_bytes() {
    let (header, net) = bot();
    let bytes = to_bytes(&header, &net).unwrap();
    assert_eq!(from_bytes(&bytes).unwrap(), (header.clone(), net.clone()));
    assert_eq!(to_bytes(&header, &net).unwrap(), bytes);
    assert_eq!(with_tensors(|_| ()), bytes, "the order of the tensors does not matter");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bot.safetensors");
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(read(&path).unwrap(), (header, net));
    let missing = read(&folder.path().join("none")).unwrap_err();
    assert!(matches!(&missing, FileError::Io { path, .. } if path.ends_with("none")), "{missing}");
}

#[test]
fn half_precision_rounds_weights_and_nothing_else() {
    let (header, net) = bot();
    let bytes = to_half_bytes(&header, &net).unwrap();
    let (read, halved) = from_bytes(&bytes).unwrap();
    assert_eq!((read, &halved.scale), (header.clone(), &net.scale));
    for ((_, half), (name, full)) in halved.named().zip(net.named()) {
        assert_eq!(half.bias, full.bias);
        let close = |(half, full): (&f32, &f32)| (half - full).abs() <= full.abs() / 2048.0;
        assert!(half.weight.iter().zip(&full.weight).all(close), "{name}");
    }
    assert_ne!(halved, net);
    // Rounded weights do not change when they are rounded again.
    assert_eq!(to_half_bytes(&header, &halved).unwrap(), bytes);
    let weights = 2 * (20 + 12 + 21 + 3);
    let saved = to_bytes(&header, &net).unwrap().len() - bytes.len();
    assert!(
        saved.abs_diff(weights) < 16,
        "{saved} bytes less, of {weights}; the header is as long but for places"
    );
    for at in bytes.len() - weights..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(matches!(from_bytes(&damaged), Err(FileError::Checksum { .. })), "byte {at}");
    }
    let mut weights = Weights::clone(&net);
    weights.policy.weight[3] = 70_000.0;
    let refused = to_half_bytes(&header, &Net::new(weights).unwrap()).unwrap_err().to_string();
    assert_eq!(refused, "tensor `policy.weight` holds 70000 at place 3, too large for half precision");
}

#[test]
fn every_cut_and_every_flipped_bit_is_refused() {
    let (header, net) = bot();
    let bytes = to_bytes(&header, &net).unwrap();
    for length in 0..bytes.len() {
        assert!(from_bytes(&bytes[..length]).is_err(), "cut to {length} bytes");
    }
    assert_eq!(refused(&bytes[..bytes.len() - 4]), FileError::Truncated.to_string());
    assert_eq!(refused(&bytes[..100]), FileError::Truncated.to_string());
    assert_eq!(refused(&[bytes.as_slice(), &[0; 4]].concat()), FileError::Truncated.to_string());
    let tensors = bytes.len() - 4 * (5 + 24 + 15 + 28 + 4);
    for at in tensors..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(matches!(from_bytes(&damaged), Err(FileError::Checksum { .. })), "byte {at}");
    }
}

#[test]
fn files_that_are_no_bots_are_refused_with_a_reason() {
    assert_eq!(refused(b""), "not a safetensors file: it has only 0 bytes");
    assert_eq!(refused(b"# A model card\n"), "not a safetensors file: its header does not begin with `{`");
    let claim = [&u64::to_le_bytes(MAX_HEADER + 1), b"{}".as_slice()].concat();
    assert_eq!(refused(&claim), "the safetensors header claims 1048577 bytes; at most 1048576 are read");
    let garbage = [&u64::to_le_bytes(3), b"{{}".as_slice()].concat();
    assert!(refused(&garbage).starts_with("not a safetensors file: invalid JSON"), "{}", refused(&garbage));
    let foreign = safetensors::serialize(Vec::<(String, TensorView<'_>)>::new(), None).unwrap();
    assert_eq!(refused(&foreign), "not a cardsharp bot: the metadata has no key `cardsharp`");
    let other = Some(HashMap::from([(KEY.to_owned(), "{\"header\":{\"format\":1}}".to_owned())]));
    let other = safetensors::serialize(Vec::<(String, TensorView<'_>)>::new(), other).unwrap();
    assert!(
        refused(&other).starts_with("the metadata `cardsharp` is damaged: missing field"),
        "{}",
        refused(&other)
    );
}

#[test]
fn headers_that_make_no_network_are_refused() {
    assert_eq!(
        refused(&with_header(|h| h.format = 2)),
        "the file has format 2, which a newer version of cardsharp writes; this program reads format 1"
    );
    assert_eq!(refused(&with_header(|h| h.format = 0)), "the file has format 0; this program reads format 1");
    for layers in [vec![], vec![5, 7], vec![5, 0, 7]] {
        let bytes = with_header(|h| h.layers = layers.clone());
        assert!(matches!(from_bytes(&bytes), Err(FileError::Layers { given }) if given == layers));
    }
    let (mut header, net) = bot();
    header.layers[1] = 5;
    assert!(matches!(to_bytes(&header, &net), Err(FileError::Layers { .. })));
}

#[test]
fn tensors_must_be_exactly_those_of_the_layers() {
    let position = |tensors: &[Tensor], name: &str| tensors.iter().position(|t| t.0 == name).unwrap();
    let missing = with_tensors(|tensors| _ = tensors.remove(position(tensors, "trunk.1.bias")));
    assert_eq!(refused(&missing), "tensor `trunk.1.bias` is missing");
    let extra = with_tensors(|tensors| tensors.push(("trunk.2.bias".to_owned(), vec![2], vec![1.0, 2.0])));
    assert_eq!(refused(&extra), "tensor `trunk.2.bias` belongs to no layer");
    let turned = with_tensors(|tensors| {
        let at = position(tensors, "policy.weight");
        tensors[at].1.reverse();
    });
    assert_eq!(refused(&turned), "tensor `policy.weight` has shape [7, 3]; the layers ask for [3, 7]");
    let many =
        with_tensors(|tensors| tensors.extend((0..MAX_TENSORS).map(|n| (format!("x{n}"), vec![0], vec![]))));
    assert_eq!(refused(&many), "the file has 1033 tensors; at most 1024 are read");
    for (value, shown) in [(f32::NAN, "NaN"), (f32::NEG_INFINITY, "-inf")] {
        let bytes = with_tensors(|tensors| {
            let at = position(tensors, "trunk.0.weight");
            tensors[at].2[6] = value;
        });
        let message =
            format!("tensor `trunk.0.weight` holds {shown} at place 6; every weight must be finite");
        assert_eq!(refused(&bytes), message);
        let (header, net) = bot();
        let mut weights = Weights::clone(&net);
        weights.trunk[0].weight[6] = value;
        assert_eq!(to_bytes(&header, &Net::new(weights).unwrap()).unwrap_err().to_string(), message);
    }
}

#[test]
fn numbers_of_another_type_are_refused() {
    let bytes = with_tensors(|_| ());
    let at = bytes.windows(5).position(|w| w == b"\"F32\"").unwrap();
    let mut other = bytes.clone();
    other[at + 1..at + 4].copy_from_slice(b"I32");
    assert!(
        refused(&other).contains("holds I32; expected F32, or U8 for half precision"),
        "{}",
        refused(&other)
    );
}

#[test]
fn only_tanh_is_named_in_a_file_and_must_be_the_networks() {
    let (header, net) = bot();
    let bent = Header { activation: Activation::Tanh, ..header.clone() };
    let refused = to_bytes(&bent, &net).expect_err("must be refused").to_string();
    assert_eq!(refused, "the header names tanh after the hidden layers; expected ReLU");
    assert!(!String::from_utf8_lossy(&to_bytes(&header, &net).unwrap()).contains("activation"));
    let other = Net::with_activation(Weights::clone(&net), Activation::Tanh).unwrap();
    let read = from_bytes(&to_bytes(&bent, &other).unwrap()).unwrap();
    assert_eq!((&read.0, &read.1, read.1 == net), (&bent, &other, false));
}

#[test]
fn bots_of_other_games_and_encodings_do_not_fit() {
    let game = GAMES[0];
    let (cells, actions) = (width(game.observation()), width(game.actions()));
    let header = Header {
        game: game.name().to_owned(),
        encoding: game.encoding(),
        layers: vec![cells, 16, actions],
        ..bot().0
    };
    assert!(header.fits(game).is_ok());
    let refused = |header: Header| header.fits(game).expect_err("must be refused").to_string();
    let foreign = Header { game: "bridge".to_owned(), ..header.clone() };
    assert_eq!(refused(foreign), format!("the bot plays `bridge`, not `{}`", game.name()));
    let newer = Header { encoding: game.encoding() + 1, ..header.clone() };
    assert!(refused(newer).contains(&format!("this program has version {}", game.encoding())));
    let bent = Header { activation: Activation::Tanh, ..header.clone() };
    assert!(bent.fits(game).is_ok());
    let refused_to_train = bent.fits_whole(game).expect_err("must be refused").to_string();
    assert_eq!(refused_to_train, "the header names tanh after the hidden layers; expected ReLU");
    let narrow = Header { layers: vec![cells - 1, 16, actions], ..header };
    assert!(refused(narrow).contains(&format!("({}, {actions}) cells and actions", cells - 1)));
}

#[test]
fn rules_are_strange_by_values_that_were_never_met_but_for_the_length_of_a_session() {
    let game = cardsharp_env::game("dalmuti").expect("one of the games");
    let rules = |given: serde_json::Value| game.rules(&given).expect("rules of the game");
    let (four, five) = (json!({"players": 4, "hands": 1}), json!({"players": 5, "strip": "recommended"}));
    let header = Header { game: "dalmuti".to_owned(), rules: vec![four, five], ..bot().0 };
    assert_eq!(header.strange(&rules(json!({"players": 4, "strip": "recommended", "hands": 20}))), []);
    let strange = header.strange(&rules(json!({"players": 9, "hand_count_view": "hidden", "hands": 3})));
    let messages: Vec<String> = strange.iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        ["hand_count_view = \"hidden\" (trained: \"public\")", "players = 9 (trained: 4, 5)"]
    );
    let general = Header { random_rules: 0.5, ..header };
    assert_eq!(general.strange(&rules(json!({"players": 9}))), []);
}
