//! The titles of the positions.

/// All titles, from the highest to the lowest.
pub const TITLES: [&str; 8] = [
    "Tahimi",
    "Vice Tahimi",
    "Senior Vice Tahimi",
    "Junior Vice Tahimi",
    "Merchant",
    "master serf",
    "junior assistant to the master serf",
    "serf",
];

/// The index into [`TITLES`] of a position's title. `progressive` is the tax schedule.
#[inline]
pub fn title_index(position: u8, players: u8, progressive: bool) -> usize {
    let from_bottom = players - 1 - position;
    let large = players == 8 && progressive;
    match (position, from_bottom) {
        (0, _) => 0,
        (_, 0) => 7,
        (1, 1) => 4,
        (1, _) => 1 + usize::from(large),
        (2, _) if large => 3,
        (_, 1) => 5 + usize::from(large),
        (_, 2) if large => 5,
        _ => 4,
    }
}

/// The title of a position.
pub fn title(position: u8, players: u8, progressive: bool) -> &'static str {
    TITLES[title_index(position, players, progressive)]
}
