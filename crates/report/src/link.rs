//! Links that contain a whole game.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// The characters of URL-safe base64 (RFC 4648, section 5).
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Returns the address at which the table in the browser shows a trace. The fragment after `#` is the trace in raw
/// DEFLATE and base64. Browsers do not send fragments to servers.
pub(crate) fn replay(page: &str, trace: &str) -> String {
    let mut deflated = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let bytes = deflated.write_all(trace.as_bytes()).and_then(|()| deflated.finish()).unwrap_or_default();
    format!("{page}#replay={}", base64(&bytes))
}

fn base64(bytes: &[u8]) -> String {
    let group = |group: &[u8]| {
        let bits = [0, 1, 2].map(|i| u32::from(group.get(i).copied().unwrap_or_default()));
        let bits = bits[0] << 16 | bits[1] << 8 | bits[2];
        let letter = move |i: usize| char::from(LETTERS[(bits >> (18 - 6 * i)) as usize & 63]);
        (0..=group.len()).map(letter)
    };
    bytes.chunks(3).flat_map(group).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::DeflateDecoder;

    use super::{LETTERS, base64, replay};

    #[test]
    fn letters_are_those_of_the_standard() {
        let of = |text: &str| base64(text.as_bytes());
        assert_eq!([of(""), of("f"), of("fo"), of("foo"), of("foob")], ["", "Zg", "Zm8", "Zm9v", "Zm9vYg"]);
        assert_eq!(base64(&[0xfb, 0xff, 0xfe]), "-__-");
    }

    #[test]
    fn a_link_holds_the_trace() {
        let trace = "{\"line\": \"header\"}\n".repeat(300);
        let link = replay("http://127.0.0.1:8038/", &trace);
        let data = link.strip_prefix("http://127.0.0.1:8038/#replay=").unwrap();
        let bits = data.bytes().map(|byte| LETTERS.iter().position(|&letter| letter == byte).unwrap() as u32);
        let bits: Vec<u32> = bits.collect();
        let bytes = bits.chunks(4).flat_map(|group| {
            let all = group.iter().enumerate().fold(0, |all, (i, six)| all | six << (18 - 6 * i));
            (0..group.len() - 1).map(move |i| (all >> (16 - 8 * i)) as u8)
        });
        let bytes: Vec<u8> = bytes.collect();
        let mut text = String::new();
        DeflateDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
        assert_eq!(text, trace);
        assert!(data.len() < 200, "{}", data.len());
    }
}
