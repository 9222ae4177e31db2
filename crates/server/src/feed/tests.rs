use super::*;

fn lines(texts: &[&str]) -> Vec<Arc<str>> {
    texts.iter().map(|text| (*text).into()).collect()
}

/// Returns a feed with the event logs of seat 0 and of delayed spectators, after the first deal.
fn feed() -> TableFeed {
    let listeners = [Listener::Seat(Seat(0)), Listener::Delayed];
    let logs = listeners.map(|listener| {
        let mut log = ListenerLog::new("header".into());
        log.push(lines(&["deal 1"]));
        if listener != Listener::Delayed {
            log.show_all();
        }
        (listener, log)
    });
    let bot = Sitter::Bot("scripted".to_owned());
    let about = TableInfo {
        game: "kuhn",
        open: false,
        clock: None,
        spectators: Spectators::Public,
        no_undo: false,
        listed: false,
        secret: None,
    };
    TableFeed::new(about, Players::new(vec![bot]), logs.into(), 0, Stand::default(), &Arc::default())
}

fn new_lines(texts: &[&str]) -> NewLines {
    vec![(Listener::Seat(Seat(0)), lines(texts)), (Listener::Delayed, lines(texts))]
}

fn telling(steps: Vec<NewLines>, dealt: Option<usize>, over: bool) -> Telling {
    let stand = Stand { over, ..Stand::default() };
    Telling { steps, dealt, newcomers: Vec::new(), refuses: false, used: None, stand }
}

/// Returns the events that a listener gets after the event with this id.
fn heard(feed: &TableFeed, listener: Listener, last: Option<&str>) -> String {
    let inner = feed.lock();
    let mut cursor = inner.cursor(listener, last).unwrap();
    let text = inner.read(listener, &mut cursor, usize::MAX).unwrap_or_default();
    let events = text.split("\n\n").filter(|event| !event.starts_with("event: table") && !event.is_empty());
    events.map(|event| event.replace("\ndata: ", " ")).collect::<Vec<_>>().join("; ")
}

const OWN: Listener = Listener::Seat(Seat(0));

#[test]
fn a_listener_goes_on_after_the_last_event() {
    let feed = feed();
    feed.tell(telling(vec![new_lines(&["a", "b"]), new_lines(&[])], None, false));
    assert_eq!(heard(&feed, OWN, None), "id: 0-0 header; id: 0-1 deal 1; id: 0-2 a; id: 0-3 b");
    assert_eq!(heard(&feed, OWN, Some("0-2")), "id: 0-3 b");
    assert_eq!(heard(&feed, OWN, Some("0-3")), "");
    // An unknown id, as after an undo: the stream starts again.
    assert!(heard(&feed, OWN, Some("0-4")).starts_with("event: reset {}; id: 0-0 header"));
    for nonsense in ["", "3", "x-1", "0-", "-1", "0--1"] {
        assert!(feed.lock().cursor(OWN, Some(nonsense)).is_err(), "{nonsense}");
    }
}

#[test]
fn steps_are_taken_back_from_every_record() {
    let feed = feed();
    feed.tell(telling(vec![new_lines(&["a", "b"]), new_lines(&["c"])], None, false));
    feed.take_back_to(1, Stand::default());
    assert_eq!(
        heard(&feed, OWN, Some("0-3")),
        "event: reset {}; id: 1-0 header; id: 1-1 deal 1; id: 1-2 a; id: 1-3 b"
    );
    feed.take_back_to(0, Stand::default());
    assert_eq!(heard(&feed, OWN, Some("2-0")), "id: 2-1 deal 1");
}

#[test]
fn spectators_with_delay_see_a_round_once_the_next_is_dealt() {
    let feed = feed();
    assert_eq!(heard(&feed, Listener::Delayed, None), "id: 0-0 header");
    feed.tell(telling(vec![new_lines(&["a", "payoff 1"]), new_lines(&["deal 2", "b"])], Some(1), false));
    let first = "id: 0-0 header; id: 0-1 deal 1; id: 0-2 a; id: 0-3 payoff 1";
    assert_eq!(heard(&feed, Listener::Delayed, None), first);
    feed.tell(telling(vec![new_lines(&["end"])], None, true));
    assert_eq!(
        heard(&feed, Listener::Delayed, None),
        format!("{first}; id: 0-4 deal 2; id: 0-5 b; id: 0-6 end")
    );
}

#[test]
fn only_the_seat_that_must_decide_is_told_what_is_legal() {
    let feed = feed();
    let due = Some(Due { seat: Seat(0), legal: "{}".into() });
    let stand = Stand { due, ..Stand::default() };
    feed.tell(Telling { stand, ..telling(vec![new_lines(&["turn"])], None, false) });
    assert!(heard(&feed, OWN, None).ends_with("turn; event: legal {}"));
    assert!(heard(&feed, OWN, Some("0-2")).ends_with("event: legal {}"), "whoever comes back is told again");
    assert!(!heard(&feed, Listener::Delayed, None).contains("legal"));
    assert!(feed.lock().is_due(Seat(0)) && !feed.lock().is_due(Seat(1)));
}

#[test]
fn a_step_without_lines_is_nothing_to_hear() {
    let feed = feed();
    let mut cursor = feed.lock().cursor(OWN, None).unwrap();
    feed.lock().read(OWN, &mut cursor, usize::MAX).unwrap();
    feed.tell(telling(vec![new_lines(&[])], None, false));
    assert_eq!(feed.lock().read(OWN, &mut cursor, usize::MAX).as_deref(), Some(""));
}
