//! Results of small contests, as JSON.

/// A name that would break a page without escaping.
pub(super) const EVIL: &str = "<script>alert('x')</script><img src=x onerror=\"y\"/> &amp; ]]> \u{1}%{}";

/// Metrics of a run: one opponent has a slash in its name, and one was never measured.
pub(super) const METRICS: &str = "\
iteration,decisions,policy/entropy,arena/a/b/place_score,arena/a/b/place_score_low,arena/a/b/place_score_high,\
arena/a/b/first_rate,arena/c/place_score,arena/c/place_score_low,arena/c/place_score_high,arena/c/first_rate
1,100,1.5,,,,,,,,
2,200,1.25,-0.5,-0.75,-0.25,0.125,,,,
3,310,1,0.25,0,0.5,0.5,,,,
";

/// Returns a contest of 1,200 deals of Kuhn poker that the first bot wins.
pub(super) fn contest(names: &[&str]) -> String {
    let bots: Vec<String> = names.iter().enumerate().map(|(i, name)| bot(i, name, "")).collect();
    report(&bots, "")
}

/// Returns a round robin in which every bot beats those named before it. The first two never met.
pub(super) fn round_robin(names: &[&str]) -> String {
    let rated = |(i, name): (usize, &&str)| {
        let of = 100.0 * i as f64;
        let (low, high) = (of - 20.0, of + 20.0);
        bot(i, name, &format!(r#", "deals": 600, "rating": {{"mean": {of}, "low": {low}, "high": {high}}}"#))
    };
    let bots: Vec<String> = names.iter().enumerate().map(rated).collect();
    let meeting = |row: usize, column: usize| {
        let of = (row as f64 - column as f64) / 10.0;
        let (low, high) = (of - 0.05, of + 0.05);
        match (row, column) {
            (row, column) if row == column => "null".to_owned(),
            (0, 1) | (1, 0) => "null".to_owned(),
            _ => format!(r#"{{"ahead": {{"mean": {of}, "low": {low}, "high": {high}}}, "deals": 400}}"#),
        }
    };
    let row = |row| {
        let cells: Vec<String> = (0..names.len()).map(|column| meeting(row, column)).collect();
        format!("[{}]", cells.join(", "))
    };
    let rows: Vec<String> = (0..names.len()).map(row).collect();
    report(
        &bots,
        &format!(
            r#", "round_robin": {{"tables": 3, "cross_play": [{}], "ratings":
            {{"anchor": "random", "orders": 32, "resamples": 400, "order_noise": 0.5}}}}"#,
            rows.join(", ")
        ),
    )
}

/// Adds a field to a report.
pub(super) fn with(report: &str, field: &str) -> String {
    let body = report.trim_end().strip_suffix('}').expect("an object");
    format!("{body}{field}}}")
}

fn report(bots: &[String], more: &str) -> String {
    let game = cardsharp_env::game("kuhn").expect("a game");
    let size = cardsharp_env::Size { players: None, rounds: Some(3) };
    let rules = game.default_rules().sized(size).expect("rules").json().clone();
    format!(
        r#"{{"game": "kuhn", "players": 2, "rules": {rules}, "deals": 1200, "rounds": 3, "seed": 9, "bots": [{}]{more}}}"#,
        bots.join(", ")
    )
}

/// Returns a bot: the first wins three of four rounds, and every other one loses three of four.
fn bot(number: usize, name: &str, more: &str) -> String {
    let (name, first) = (serde_json::json!(name), number == 0);
    let sign = if first { 1.0 } else { -1.0 };
    let interval = |mean: f64, half: f64| {
        let (low, high) = (mean - half, mean + half);
        format!(r#"{{"mean": {mean}, "low": {low:.3}, "high": {high:.3}}}"#)
    };
    let first_rate = interval(if first { 0.75 } else { 0.25 }, 0.05);
    let places = if first { "[0.75, 0.25]" } else { "[0.25, 0.75]" };
    let bluff = if first { 0.125 } else { 0.5 };
    format!(
        r#"{{"name": {name}, "place_score": {}, "first_rate": {first_rate}, "points": {}, "points_ahead": {},
        "places": {places}, "ms_per_move": {{"p50": 0.002, "p99": 1.5}},
        "contracts": [{{"name": "solo", "count": 30, "share": 0.025, "made": 0.5, "points": -1.25}}],
        "habits": {{"decisions": 4000, "per_round": 1.5, "kinds": [
            {{"name": "bluff", "count": 500, "share": {bluff}, "per_round": 0.2}},
            {{"name": "never", "count": 0, "share": 0.0, "per_round": 0.0}}]}}{more}}}"#,
        interval(sign * 0.5, 0.1),
        interval(sign, 0.25),
        interval(sign * 2.0, 0.5),
    )
}
