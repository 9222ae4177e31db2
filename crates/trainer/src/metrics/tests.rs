use std::fs;

use super::*;

fn columns() -> ColumnNames {
    let names = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect();
    ColumnNames {
        metrics: names(&["loss/policy", "arena/scripted"]),
        timing: names(&["throughput/decisions"]),
    }
}

fn row(iteration: u64) -> MetricsRow {
    let mut row = MetricsRow::new(iteration, iteration * 100);
    row.set("loss/policy", 1.0 / iteration as f64);
    if iteration.is_multiple_of(2) {
        row.set("arena/scripted", -0.5);
    }
    row.set("throughput/decisions", 1e6);
    row
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn rows_are_in_the_files_as_soon_as_they_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut metrics = Metrics::open(folder.path(), columns(), 0, None, false).unwrap();
    assert_eq!(read(folder.path(), "metrics.csv"), "iteration,decisions,loss/policy,arena/scripted\n");
    metrics.write(&row(1)).unwrap();
    metrics.write(&row(2)).unwrap();
    metrics.sync().unwrap();
    let expected = "iteration,decisions,loss/policy,arena/scripted\n1,100,1,\n2,200,0.5,-0.5\n";
    assert_eq!(read(folder.path(), "metrics.csv"), expected);
    assert_eq!(read(folder.path(), "timing.csv"), "iteration,throughput/decisions\n1,1000000\n2,1000000\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no events were asked for");
    assert_eq!(metrics.warning(), None);
}

#[test]
fn a_resumed_record_is_the_bytes_of_an_uninterrupted_one() {
    let whole = tempfile::tempdir().unwrap();
    let mut metrics = Metrics::open(whole.path(), columns(), 0, None, true).unwrap();
    (1..=9).for_each(|i| metrics.write(&row(i)).unwrap());

    for (written, checkpoint) in (0..9).flat_map(|written| (0..=written).map(move |c| (written, c))) {
        for torn in ["", "9,", "7,700,0.1"] {
            let folder = tempfile::tempdir().unwrap();
            let mut metrics = Metrics::open(folder.path(), columns(), 0, None, true).unwrap();
            (1..=written).for_each(|i| metrics.write(&row(i)).unwrap());
            drop(metrics);
            for name in ["metrics.csv", "timing.csv"] {
                fs::write(folder.path().join(name), read(folder.path(), name) + torn).unwrap();
            }
            let mut metrics = Metrics::open(folder.path(), columns(), checkpoint, None, true).unwrap();
            (checkpoint + 1..=9).for_each(|i| metrics.write(&row(i)).unwrap());
            for name in ["metrics.csv", "timing.csv"] {
                assert_eq!(read(folder.path(), name), read(whole.path(), name));
            }
        }
    }
}

#[test]
fn a_record_of_another_run_is_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let mut metrics = Metrics::open(folder.path(), columns(), 0, None, false).unwrap();
    (1..=3).for_each(|i| metrics.write(&row(i)).unwrap());
    let refusal = |iteration: u64, columns: ColumnNames| {
        let error = Metrics::open(folder.path(), columns, iteration, None, false).unwrap_err().to_string();
        error.replace(&format!("{}/", folder.path().display()), "")
    };
    assert_eq!(refusal(4, columns()), "metrics.csv:5: the file ends before the row of iteration 4");
    let mut fewer = columns();
    fewer.metrics.pop();
    assert_eq!(
        refusal(2, fewer),
        "metrics.csv:1: the columns are `iteration,decisions,loss/policy,arena/scripted`, expected \
         `iteration,decisions,loss/policy`"
    );
    let gap = read(folder.path(), "metrics.csv").replace("\n2,200", "\n5,200");
    fs::write(folder.path().join("metrics.csv"), &gap).unwrap();
    assert_eq!(
        refusal(3, columns()),
        "metrics.csv:3: expected the row of iteration 2, found `5,200,0.5,-0.5`"
    );
    assert_eq!(read(folder.path(), "metrics.csv"), gap, "a refused file is left as it is");
    fs::write(folder.path().join("metrics.csv"), gap.replace("1,100", "1,1.5")).unwrap();
    assert_eq!(refusal(1, columns()), "metrics.csv:2: expected a count of decisions, found `1.5`");
    fs::remove_file(folder.path().join("metrics.csv")).unwrap();
    assert!(refusal(1, columns()).starts_with("metrics.csv: "));
}

#[test]
fn rows_that_do_not_fit_are_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut metrics = Metrics::open(folder.path(), columns(), 0, None, false).unwrap();
    let before = read(folder.path(), "metrics.csv");
    let mut refusal = |row: MetricsRow| metrics.write(&row).unwrap_err().to_string();
    assert_eq!(refusal(MetricsRow::new(2, 0)), "expected iteration 1, found 2");
    let mut unknown = row(1);
    unknown.set("loss/polcy", 0.0);
    assert_eq!(refusal(unknown), "`loss/polcy` is no column of this run");
    let mut twice = row(1);
    twice.set("loss/policy", 0.0);
    assert_eq!(refusal(twice), "`loss/policy` is set twice in one row");
    assert_eq!(read(folder.path(), "metrics.csv"), before);
    metrics.write(&row(1)).unwrap();

    for (name, problem) in [
        ("a,b", "no name for a column: expected letters, digits and signs other than commas and quotes"),
        ("", "no name for a column: expected letters, digits and signs other than commas and quotes"),
        ("loss/policy", "the name of two columns"),
        ("decisions", "the name of two columns"),
    ] {
        let mut columns = columns();
        columns.timing.push(name.to_owned());
        let error = Metrics::open(folder.path(), columns, 0, None, false).unwrap_err().to_string();
        assert_eq!(error, format!("`{name}` is {problem}"));
    }
}

#[test]
fn histograms_are_in_the_events_as_soon_as_they_are_added() {
    let folder = tempfile::tempdir().unwrap();
    let mut metrics = Metrics::open(folder.path(), columns(), 0, None, true).unwrap();
    metrics.write(&row(1)).unwrap();
    metrics.histogram("policy/weights", &[1.0, 2.0]);
    // A process that is killed here writes nothing more.
    let events = std::fs::read(folder.path().join("events.out.tfevents.0000000001.cardsharp")).unwrap();
    assert!(events.windows(14).any(|bytes| bytes == b"policy/weights"));
}

#[test]
fn a_damaged_row_of_the_record_is_named_and_one_of_the_times_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut metrics = Metrics::open(folder.path(), columns(), 0, None, false).unwrap();
    (1..=4).for_each(|i| metrics.write(&row(i)).unwrap());
    let (record, times) = (folder.path().join("metrics.csv"), folder.path().join("timing.csv"));
    let whole = fs::read(&record).unwrap();
    let cases: [(&[u8], &str); 5] = [
        (b"2,200,0.5", ":3: the row has 3 cells, expected 4"),
        (b"2,200,0.5,-0.5,1", ":3: the row has 5 cells, expected 4"),
        (b"2,200,half,-0.5", ":3: cell 3 is `half`, expected a number"),
        (b"2,200,0.50,-0.5", ":3: cell 3 is `0.50`, expected a number"),
        (b"2,200,\xff,-0.5", ":3: the row is not UTF-8"),
    ];
    for (row, expected) in cases {
        let lines: Vec<&[u8]> = whole.split(|byte| *byte == b'\n').collect();
        fs::write(&record, [lines[0], lines[1], row, lines[3], lines[4], b""].join(&b'\n')).unwrap();
        let error = Metrics::open(folder.path(), columns(), 4, None, false).unwrap_err().to_string();
        assert_eq!(error.strip_prefix(&record.display().to_string()).unwrap(), expected);
    }
    fs::write(&record, &whole).unwrap();

    let name = "iteration,throughput/decisions\n";
    for (text, kept) in [
        ("1,10\n2,20\n3,30\n4,40\n", "1,10\n2,20\n3,30\n4,40\n"),
        ("1,10\n2,\n4,40\n5,50\n", "1,10\n2,\n4,40\n"),
        ("1,10\n2,x\n\n3,30\n3,31\n2,20\n4", "1,10\n3,30\n"),
    ] {
        fs::write(&times, format!("{name}{text}")).unwrap();
        let mut metrics = Metrics::open(folder.path(), columns(), 4, None, false).unwrap();
        assert_eq!(read(folder.path(), "timing.csv"), format!("{name}{kept}"));
        assert_eq!(metrics.warning().is_some(), text != kept, "{text:?}");
        metrics.write(&row(5)).unwrap();
        assert!(read(folder.path(), "timing.csv").ends_with("\n5,1000000\n"));
        fs::write(&record, &whole).unwrap();
    }
}

#[test]
fn times_are_mended_in_a_temporary_file_unless_they_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let open = || Metrics::open(folder.path(), columns(), 4, None, false);
    let mut metrics = Metrics::open(folder.path(), columns(), 0, None, false).unwrap();
    (1..=4).for_each(|i| metrics.write(&row(i)).unwrap());
    drop(metrics);
    let (times, before) = (folder.path().join("timing.csv"), folder.path().join("before"));
    let damaged = "iteration,throughput/decisions\n1,10\n2,x\n4,40\n";
    fs::write(&times, damaged).unwrap();
    fs::hard_link(&times, &before).unwrap();
    assert!(open().unwrap().warning().is_some());
    assert_eq!(read(folder.path(), "timing.csv"), "iteration,throughput/decisions\n1,10\n4,40\n");
    assert_eq!(
        fs::read_to_string(&before).unwrap(),
        damaged,
        "whoever is stopped in between has lost nothing"
    );

    fs::remove_file(&times).unwrap();
    fs::create_dir(&times).unwrap();
    let error = open().unwrap_err();
    assert!(matches!(&error, MetricsError::Io { path, .. } if *path == times), "{error}");
}

#[test]
fn a_record_of_another_hash_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut metrics = Metrics::open(folder.path(), columns(), 0, None, false).unwrap();
    (1..=2).for_each(|i| metrics.write(&row(i)).unwrap());
    let hash = metrics.hash();
    metrics.write(&row(3)).unwrap();
    let record = read(folder.path(), "metrics.csv");
    let changed = record.replace(",0.5,", ",0.6,");
    fs::write(folder.path().join("metrics.csv"), &changed).unwrap();
    let said = Metrics::open(folder.path(), columns(), 2, Some(&hash), false).unwrap_err().to_string();
    assert_eq!(read(folder.path(), "metrics.csv"), changed, "a refused file is left as it is");
    fs::write(folder.path().join("metrics.csv"), &record).unwrap();
    assert_eq!(Metrics::open(folder.path(), columns(), 2, Some(&hash), false).unwrap().hash(), hash);
    assert!(said.contains("metrics.csv: lines 1 to 3 were edited after the run wrote them (hash "), "{said}");
}

#[test]
fn events_that_cannot_be_written_leave_the_record_complete() {
    let folder = tempfile::tempdir().unwrap();
    let mut metrics = Metrics::open(folder.path(), columns(), 0, None, true).unwrap();
    metrics.events = Some(Events::open(&folder.path().join("absent"), 0));
    metrics.write(&row(1)).unwrap();
    metrics.histogram("policy/logits", &[1.0]);
    metrics.text("config", "text");
    assert_eq!(read(folder.path(), "metrics.csv").lines().count(), 2);
    assert!(metrics.warning().unwrap().contains("no further TensorBoard events"));
    assert_eq!(metrics.warning(), None);
}
