use super::*;

/// Reads the events of a file by the definition of the record format: length, its checksum, data, its checksum.
fn read(bytes: &[u8]) -> Vec<Event> {
    use tensorboard_rs::masked_crc32c::masked_crc32c;
    let (mut rest, mut events) = (bytes, Vec::new());
    while !rest.is_empty() {
        let (length, tail) = rest.split_at(8);
        let (check, tail) = tail.split_at(4);
        assert_eq!(check, masked_crc32c(length).to_le_bytes());
        let (data, tail) = tail.split_at(u64::from_le_bytes(length.try_into().unwrap()) as usize);
        let (check, tail) = tail.split_at(4);
        assert_eq!(check, masked_crc32c(data).to_le_bytes());
        events.push(Event::parse_from_bytes(data).unwrap());
        rest = tail;
    }
    events
}

#[test]
fn events_hold_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut events = Events::open(folder.path(), 0);
    events.scalar("loss/policy", 0.25, 7);
    events.text("config", "`seed = 1`", 0);
    events.histogram("policy/logits", &[1.0, 1.0, f32::NAN, 4.0, f32::INFINITY], 7);
    events.histogram("same", &[2.0, 2.0], 7);
    events.histogram("none", &[f32::NAN], 7);
    events.flush();
    assert_eq!(events.take_trouble(), None);

    let file = folder.path().join("events.out.tfevents.0000000001.cardsharp");
    let read = read(&std::fs::read(file).unwrap());
    assert_eq!(read.len(), 6);
    assert_eq!(read[0].get_file_version(), "brain.Event:2");
    let value = |i: usize| &read[i + 1].get_summary().get_value()[0];
    assert_eq!((value(1).get_tag(), value(1).get_simple_value(), read[2].step), ("loss/policy", 0.25, 7));
    assert_eq!(value(2).get_tensor().get_string_val(), [b"`seed = 1`"]);
    assert_eq!(value(2).get_metadata().get_plugin_data().get_plugin_name(), "text");
    let histogram = value(3).get_histo();
    assert_eq!((histogram.min, histogram.max, histogram.num, histogram.sum), (1.0, 4.0, 3.0, 6.0));
    assert_eq!(histogram.sum_squares, 18.0);
    let counts: Vec<_> = histogram.bucket.iter().enumerate().filter(|(_, n)| **n > 0.0).collect();
    assert_eq!(counts, [(0, &2.0), (BUCKETS - 1, &1.0)]);
    assert_eq!(histogram.bucket_limit[BUCKETS - 1], 4.0);
    assert_eq!(value(4).get_histo().bucket[0], 2.0);
}

#[test]
fn settings_and_intervals_are_written_for_their_pages() {
    use tensorboard_proto::layout::Layout;
    use tensorboard_proto::plugin_hparams::HParamsPluginData;

    let folder = tempfile::tempdir().unwrap();
    let mut events = Events::open(folder.path(), 0);
    let metrics = [
        "loss/policy",
        "arena/scripted/place_score",
        "arena/scripted/place_score_low",
        "arena/scripted/place_score_high",
    ];
    let metrics = metrics.map(str::to_owned);
    let settings =
        serde_json::json!({ "seed": 3, "game": "kuhn", "ppo": { "clip": 0.5 }, "on": true, "list": [1, 2] });
    events.settings(&settings, &metrics, "runs/quick-3");
    events.layout(&metrics);
    events.flush();
    let read = read(&std::fs::read(&events.path).unwrap());
    let value = |i: usize| &read[i + 2].get_summary().get_value()[0];
    let summary = |i: usize| {
        let data = value(i).get_metadata().get_plugin_data();
        assert_eq!(data.get_plugin_name(), "hparams");
        HParamsPluginData::parse_from_bytes(data.get_content()).unwrap()
    };
    let experiment = summary(0).take_experiment();
    let metrics: Vec<_> =
        experiment.get_metric_infos().iter().map(|info| info.get_name().get_tag()).collect();
    assert_eq!(metrics, ["arena/scripted/place_score"]);
    let session = summary(1).take_session_start_info();
    let setting = |path: &str| &session.get_hparams()[path];
    assert_eq!((setting("seed").get_number_value(), setting("ppo.clip").get_number_value()), (3.0, 0.5));
    assert_eq!((setting("game").get_string_value(), setting("list").get_string_value()), ("kuhn", "[1,2]"));
    assert!(setting("on").get_bool_value());
    assert_eq!(experiment.get_hparam_infos().len(), session.get_hparams().len());

    assert_eq!(value(2).get_tag(), "custom_scalars__config__");
    let layout = Layout::parse_from_bytes(&value(2).get_tensor().get_string_val()[0]).unwrap();
    let series = &layout.get_category()[0].get_chart()[0].get_margin().get_series()[0];
    assert_eq!(series.get_value(), "arena/scripted/place_score");
    assert_eq!(series.get_upper(), "arena/scripted/place_score_high");
}

#[test]
fn a_resumed_run_writes_a_file_of_its_own_that_comes_later() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = Events::open(folder.path(), 0);
    first.scalar("a", 1.0, 10);
    first.flush();
    let before = std::fs::read(&first.path).unwrap();
    // A second writer of the same process in the same second.
    let second = Events::open(folder.path(), 11);
    assert_eq!(std::fs::read(&first.path).unwrap(), before);
    assert_eq!(second.path, folder.path().join("events.out.tfevents.0000000002.cardsharp"));
    let events = read(&std::fs::read(&second.path).unwrap());
    assert_eq!(events[1].get_session_log().status, SessionLog_SessionStatus::START);
    assert_eq!(events[1].step, 11);
}

/// A disk with room for a limited number of bytes.
struct Small(usize);

impl Write for Small {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 < bytes.len() {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        self.0 -= bytes.len();
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_ends_the_events_and_nothing_else() {
    for room in 0..200 {
        let mut events = Events::start("events".into(), Box::new(Small(room)), 0);
        for step in 0..20 {
            events.scalar("loss/policy", 0.5, step);
        }
        events.histogram("policy/logits", &[1.0, 2.0], 20);
        events.text("config", "text", 20);
        events.flush();
        let trouble = events.take_trouble().unwrap();
        assert!(trouble.starts_with("events: no further TensorBoard events are written: "), "{trouble}");
        assert_eq!(events.take_trouble(), None, "reported once");
    }
    #[cfg(target_os = "linux")]
    {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut events = Events::start("/dev/full".into(), Box::new(BufWriter::new(full)), 0);
        events.scalar("loss/policy", 0.5, 1);
        assert!(events.take_trouble().unwrap().contains("No space left"));
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut events = Events::open(&folder.path().join("absent"), 0);
    events.scalar("loss/policy", 0.5, 1);
    events.flush();
    assert!(events.take_trouble().unwrap().contains("absent: no further TensorBoard events"));
}
