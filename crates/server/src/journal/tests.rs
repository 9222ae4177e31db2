use super::*;
use crate::secret::Secret;

/// The opening of a table of Kuhn poker, with a person in each seat.
pub(crate) fn opened() -> Opened {
    let secret = Secret::new().unwrap().digest();
    let person = Sitter::Person { name: "Ann".to_owned(), secret };
    Opened {
        journal: VERSION,
        id: "0123456789abcdef".to_owned(),
        game: "kuhn".to_owned(),
        rules: Value::Null,
        seed: 7,
        bots: 8,
        seats: vec![person; 2],
        host: secret,
        watch: secret,
        spectators: Spectators::Public,
        open: false,
        deal: true,
        pace: 0,
        clock: None,
        no_undo: false,
        listed: false,
        secret: None,
        ready_check: false,
    }
}

/// The same with a bot in the second seat.
fn with_bot() -> Opened {
    let opened = opened();
    Opened { seats: vec![opened.seats[0].clone(), Sitter::Bot("scripted".to_owned())], ..opened }
}

fn entries() -> Vec<JournalLine> {
    let (seat, secret) = (Seat(0), Secret::new().unwrap().digest());
    vec![
        JournalLine::Move { seat, choice: "bet".to_owned() },
        JournalLine::Deal,
        JournalLine::Change(RosterChange::Join(Seat(4))),
        JournalLine::Undo(2),
        JournalLine::Sits { seat, sitter: Sitter::Person { name: "Eve".to_owned(), secret } },
        JournalLine::Wish(RosterChange::Leave(Seat(1))),
        JournalLine::WishesDone,
    ]
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.jsonl");
    for to in [None, Some(path.as_path())] {
        let opened = with_bot();
        let mut journal = Journal::open(to, &opened, JOURNAL).unwrap();
        journal.append(&entries()[..3]).unwrap();
        journal.append(&entries()[3..4]).unwrap();
        let kept = journal.read().unwrap();
        assert_eq!((kept.opened, kept.entries), (opened, entries()[..4].to_vec()));
    }
}

fn restored(path: &Path) -> Result<(Journal, Kept), JournalError> {
    Journal::restore(path, &with_bot().id, JOURNAL)
}

#[test]
fn a_torn_end_is_dropped_wherever_it_is_torn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.jsonl");
    let mut journal = Journal::open(Some(&path), &with_bot(), JOURNAL).unwrap();
    let first = std::fs::read(&path).unwrap().len();
    let all = entries();
    journal.append(&all).unwrap();
    let whole = std::fs::read(&path).unwrap();
    for length in first..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        let (mut journal, kept) = restored(&path).unwrap();
        let lines = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(kept.entries, all[..lines - 1]);
        // The next entry starts on a new line.
        journal.append(&[JournalLine::Deal]).unwrap();
        assert_eq!(restored(&path).unwrap().1.entries.last(), Some(&JournalLine::Deal));
    }
}

#[test]
fn a_changed_byte_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.jsonl");
    let mut journal = Journal::open(Some(&path), &with_bot(), JOURNAL).unwrap();
    journal.append(&entries()).unwrap();
    let whole = std::fs::read(&path).unwrap();
    // The last line break makes the last line a torn one.
    for at in 0..whole.len() - 1 {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        std::fs::write(&path, changed).unwrap();
        assert!(matches!(restored(&path), Err(JournalError::Line { .. })), "byte {at}");
    }
}

#[test]
fn what_is_no_journal_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.jsonl");
    let refused = |values: &[&str]| {
        let mut sum = Sum::default();
        let lines = values.iter().map(|value| {
            sum = sum.next(value.as_bytes());
            format!("[{value},\"{}\"]\n", sum.0)
        });
        std::fs::write(&path, lines.collect::<String>()).unwrap();
        restored(&path).map(|_| ()).unwrap_err().to_string()
    };
    let first = serde_json::to_string(&with_bot()).unwrap();
    assert_eq!(refused(&[]), "line 1: expected the first line of a table");
    assert!(refused(&[&first, "\"deal\"", "{\"fold\":1}"]).starts_with("line 3: unknown variant `fold`"));
    let later = first.replace("\"journal\":2", "\"journal\":3");
    assert_eq!(refused(&[&later]), "line 1: version 3 of journals, expected 2");
    let other = first.replace("0123456789abcdef", "fedcba9876543210");
    assert_eq!(refused(&[&other]), "line 1: the journal of the table `fedcba9876543210`");
    std::fs::write(&path, format!("{first}\n")).unwrap();
    assert_eq!(restored(&path).map(|_| ()).unwrap_err().to_string(), "line 1: not a line of a journal");
}

#[test]
fn a_line_that_the_disk_refused_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.jsonl");
    let mut journal = Journal::open(Some(&path), &with_bot(), JOURNAL).unwrap();
    journal.append(&[JournalLine::Deal]).unwrap();
    // Simulates an interrupted append.
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"[{\"undo\":1},\"0123456789abcdef\"]\n[{\"mo").unwrap();
    assert_eq!(journal.read().unwrap().entries, [JournalLine::Deal]);
    journal.append(&[JournalLine::WishesDone]).unwrap();
    assert_eq!(restored(&path).unwrap().1.entries, [JournalLine::Deal, JournalLine::WishesDone]);
    // A file that was cut is not continued.
    std::fs::write(&path, "").unwrap();
    assert_eq!(journal.append(&[JournalLine::Deal]), Err(Refusal::Disk));
}

#[test]
fn a_save_says_when_it_was_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.jsonl");
    let mut journal = Journal::open(Some(&path), &with_bot(), JOURNAL).unwrap();
    journal.append(&entries()).unwrap();
    assert!(Journal::saved_at(&path).is_err());
    let at = Duration::from_millis(1234);
    journal.seal(Secret::new().unwrap().digest(), at).unwrap();
    assert_eq!(Journal::saved_at(&path).unwrap(), at);
}

#[test]
fn a_file_that_somebody_removed_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let [path, other] = ["table.jsonl", "save.jsonl"].map(|name| folder.path().join(name));
    let mut journal = Journal::open(Some(&path), &with_bot(), JOURNAL).unwrap();
    journal.rename(Some(&other)).unwrap();
    journal.append(&[JournalLine::Deal]).unwrap();
    assert_eq!(journal.read().unwrap().entries, [JournalLine::Deal]);
    assert!(!path.exists());
    std::fs::remove_file(&other).unwrap();
    journal.remove().unwrap();
}

#[test]
fn a_full_journal_takes_no_more_and_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.jsonl");
    for to in [None, Some(path.as_path())] {
        let opened = with_bot();
        let most = Sum::default().line(&opened).unwrap().len() + 1;
        let mut journal = Journal::open(to, &opened, most).unwrap();
        journal.append(&[JournalLine::Deal]).unwrap();
        assert_eq!(journal.append(&[JournalLine::Deal]), Err(Refusal::LongRecord(most)));
        assert_eq!(journal.read().unwrap().entries, [JournalLine::Deal]);
    }
    let id = with_bot().id;
    let (mut journal, _) = Journal::restore(&path, &id, 1).unwrap();
    assert_eq!(journal.append(&[JournalLine::Deal]), Err(Refusal::LongRecord(1)), "also after a restart");
    // But it can be saved.
    journal.seal(Secret::new().unwrap().digest(), Duration::ZERO).unwrap();
    // The options of a server cannot raise the maximum.
    assert_eq!(Journal::restore(&path, &id, usize::MAX).unwrap().0.most, JOURNAL);
}

#[test]
fn entries_before_the_last_checkpoint_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.jsonl");
    let mut journal = Journal::open(Some(&path), &with_bot(), JOURNAL).unwrap();
    let [first, second] = ["first", "second"].map(|name| serde_json::json!({ "name": name }));
    journal.append(&entries()[..2]).unwrap();
    journal.mark(&first).unwrap();
    journal.append(&entries()[2..4]).unwrap();
    journal.mark(&second).unwrap();
    journal.append(&entries()[5..]).unwrap();
    let (_, kept) = restored(&path).unwrap();
    let checkpoints: Vec<Value> =
        kept.checkpoints.iter().map(|checkpoint| serde_json::from_slice(checkpoint).unwrap()).collect();
    assert_eq!((checkpoints, kept.entries.as_slice()), (vec![first, second.clone()], &entries()[5..]));
    let whole = journal.read().unwrap();
    let mark = JournalLine::Checkpoint(IgnoredAny);
    let marked = [
        &entries()[..2],
        std::slice::from_ref(&mark),
        &entries()[2..4],
        std::slice::from_ref(&mark),
        &entries()[5..],
    ]
    .concat();
    assert_eq!((whole.entries, whole.checkpoints.len()), (marked, 0));
    // Entries that are left out have checksums, too.
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("bet", "bit", 1)).unwrap();
    let error = restored(&path).map(|_| ()).unwrap_err().to_string();
    assert_eq!(error, "line 2: wrong checksum: the file was changed");
    // A full journal gets none.
    let most = text.len() + 10;
    std::fs::write(&path, text).unwrap();
    let (mut journal, _) = Journal::restore(&path, &with_bot().id, most).unwrap();
    assert_eq!(journal.mark(&second), Err(Refusal::LongRecord(most)));
    journal.append(&[JournalLine::Deal]).unwrap();
}
