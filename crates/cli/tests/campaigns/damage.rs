//! Damage as it happens to bytes on disks, in networks and in editors.

use cardsharp_env::Draw;

/// Bytes with a meaning in text formats.
const MARKS: &[u8] = b"\"{}[]:,.=-+0199eE\\\n\r\t #'_\0\x1b\xff\xc3";

/// Damages `bytes` in one way or in a few, chosen by `draw`. Foreign bytes come from `others`.
pub fn damaged(bytes: &[u8], others: &[u8], draw: &mut Draw) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let before = bytes.clone();
    while bytes == before {
        for _ in 0..=draw.below(2) * draw.below(4) {
            damage(&mut bytes, others, draw);
        }
    }
    bytes
}

fn damage(bytes: &mut Vec<u8>, others: &[u8], draw: &mut Draw) {
    let (from, to) = part(bytes.len(), draw);
    match draw.below(9) {
        // A bit flips.
        0 | 1 if from < bytes.len() => bytes[from] ^= 1 << draw.below(8),
        // The end is lost.
        2 => bytes.truncate(from),
        // A part is lost, is repeated, or becomes zeros, like a block that was never written.
        3 => drop(bytes.drain(from..to)),
        4 => {
            let twice = bytes[from..to].to_vec();
            bytes.splice(from..from, twice);
        }
        5 => bytes[from..to].fill(0),
        // Foreign bytes replace a part.
        6 => {
            let (first, last) = part(others.len(), draw);
            bytes.splice(from..to, others[first..last].iter().copied());
        }
        // A typing error.
        7 if from < bytes.len() => bytes[from] = draw.pick(MARKS),
        _ => bytes.insert(from, draw.pick(MARKS)),
    }
}

/// Returns a part of `len` bytes: usually a short one, sometimes one of any length.
fn part(len: usize, draw: &mut Draw) -> (usize, usize) {
    let mut below = |most: usize| draw.below(u32::try_from(most).expect("no file is so long") + 1) as usize;
    let from = below(len);
    let longest = if below(3) == 0 { len - from } else { (len - from).min(16) };
    (from, from + below(longest))
}

#[test]
fn damage_follows_from_the_stream_and_leaves_nothing_as_it_was() {
    let text = b"{\"seat\": 3}";
    for seed in 0..500 {
        let [one, other] = [1, 1].map(|stream| damaged(text, b"[]", &mut Draw::new(seed, stream)));
        assert!(one == other && one != text);
    }
    // Empty input can still grow.
    assert!(!damaged(b"", b"", &mut Draw::new(0, 0)).is_empty());
}
