use super::*;
use crate::secret::Secret;

fn opened() -> Opened {
    let secret = Secret::new().unwrap().digest();
    let seats = vec![Sitter::Person { name: "Ann".to_owned(), secret }, Sitter::Bot("scripted".to_owned())];
    Opened {
        journal: VERSION,
        id: "0123456789abcdef".to_owned(),
        game: "kuhn".to_owned(),
        rules: Value::Null,
        seed: 7,
        bots: 8,
        seats,
        host: secret,
        watch: secret,
        spectators: Spectators::Public,
        open: false,
        deal: true,
        pace: 0,
    }
}

fn entries() -> Vec<Entry> {
    let (seat, secret) = (Seat(0), Secret::new().unwrap().digest());
    vec![
        Entry::Move { seat, choice: "bet".to_owned() },
        Entry::Deal,
        Entry::Change(RosterChange::Join(Seat(4))),
        Entry::Undo(2),
        Entry::Sits { seat, sitter: Sitter::Person { name: "Eve".to_owned(), secret } },
        Entry::Wish(RosterChange::Leave(Seat(1))),
        Entry::WishesDone,
    ]
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.jsonl");
    for to in [None, Some(path.as_path())] {
        let opened = opened();
        let mut journal = Journal::open(to, &opened, JOURNAL).unwrap();
        journal.append(&entries()[..3]).unwrap();
        journal.append(&entries()[3..4]).unwrap();
        let kept = journal.read().unwrap();
        assert_eq!((kept.opened, kept.entries), (opened, entries()[..4].to_vec()));
    }
}

#[test]
fn a_torn_end_is_dropped_wherever_it_is_torn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.jsonl");
    let mut journal = Journal::open(Some(&path), &opened(), JOURNAL).unwrap();
    let first = std::fs::read(&path).unwrap().len();
    let all = entries();
    journal.append(&all).unwrap();
    let whole = std::fs::read(&path).unwrap();
    for length in first..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        let (mut journal, kept) = Journal::restore(&path, JOURNAL).unwrap();
        let lines = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(kept.entries, all[..lines - 1]);
        // The next entry starts on a new line.
        journal.append(&[Entry::Deal]).unwrap();
        assert_eq!(Journal::restore(&path, JOURNAL).unwrap().1.entries.last(), Some(&Entry::Deal));
    }
}

#[test]
fn what_is_no_journal_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.jsonl");
    let refused = |text: &str| {
        std::fs::write(&path, text).unwrap();
        Journal::restore(&path, JOURNAL).map(|_| ()).unwrap_err().to_string()
    };
    let first = serde_json::to_string(&opened()).unwrap();
    assert!(refused("").ends_with("line 1: expected the first line of a table"));
    assert!(
        refused(&format!("{first}\n\"deal\"\n{{\"fold\":1}}\n")).contains("line 3: unknown variant `fold`")
    );
    let later = first.replace("\"journal\":1", "\"journal\":2");
    assert!(refused(&format!("{later}\n")).ends_with("line 1: version 2 of journals, expected 1"));
}

#[test]
fn a_line_that_the_disk_refused_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.jsonl");
    let mut journal = Journal::open(Some(&path), &opened(), JOURNAL).unwrap();
    journal.append(&[Entry::Deal]).unwrap();
    // Simulates an interrupted append.
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"{\"undo\":1}\n{\"mo").unwrap();
    assert_eq!(journal.read().unwrap().entries, [Entry::Deal]);
    journal.append(&[Entry::WishesDone]).unwrap();
    assert_eq!(Journal::restore(&path, JOURNAL).unwrap().1.entries, [Entry::Deal, Entry::WishesDone]);
}

#[test]
fn a_file_that_somebody_removed_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let [path, other] = ["table.jsonl", "save.jsonl"].map(|name| folder.path().join(name));
    let mut journal = Journal::open(Some(&path), &opened(), JOURNAL).unwrap();
    journal.rename(Some(&other)).unwrap();
    journal.append(&[Entry::Deal]).unwrap();
    assert_eq!(journal.read().unwrap().entries, [Entry::Deal]);
    assert!(!path.exists());
    std::fs::remove_file(&other).unwrap();
    journal.remove().unwrap();
}

#[test]
fn a_full_journal_takes_no_more_and_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.jsonl");
    for to in [None, Some(path.as_path())] {
        let opened = opened();
        let most = line(&opened).unwrap().len() + 1;
        let mut journal = Journal::open(to, &opened, most).unwrap();
        journal.append(&[Entry::Deal]).unwrap();
        assert_eq!(journal.append(&[Entry::Deal]), Err(Refusal::LongRecord(most)));
        assert_eq!(journal.read().unwrap().entries, [Entry::Deal]);
    }
    let (mut journal, _) = Journal::restore(&path, 1).unwrap();
    assert_eq!(journal.append(&[Entry::Deal]), Err(Refusal::LongRecord(1)), "also after a restart");
    // The options of a server cannot raise the maximum.
    assert_eq!(Journal::restore(&path, usize::MAX).unwrap().0.most, JOURNAL);
}
