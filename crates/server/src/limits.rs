//! How much of everything there may be. Each limit is refused by a message that names it.

use std::time::Duration;

/// Bytes of a journal at which it is full, whatever a server's limits say: a longer one might not be read again.
pub(crate) const JOURNAL: usize = 32 << 20;

/// The limits of a server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes in the body of a request.
    pub body: usize,
    /// Time for a request's head, from when its connection is ready for one: also how long a connection may idle.
    pub head_time: Duration,
    /// Time for a request's body.
    pub body_time: Duration,
    /// Time in which a client that is being written to must take something.
    pub write_time: Duration,
    /// Connections at a time; others wait in the system's queue.
    pub connections: usize,
    /// Event streams at a time.
    pub streams: usize,
    /// Event streams of one table, and tickets for them.
    pub streams_of_table: usize,
    /// Live tables.
    pub tables: usize,
    /// Tables put aside.
    pub saves: usize,
    /// Time after which a table is dropped that was put aside.
    pub aside: Duration,
    /// Bytes of told lines that a table keeps; beyond that it takes no more moves.
    pub record: usize,
    /// Bytes of told lines that all tables keep together; beyond that none takes moves, and none is opened.
    pub records: usize,
    /// Bytes of a table's journal, at most 32 MiB; beyond that it takes no more moves. Moves that were taken back stay in
    /// it.
    pub journal: usize,
    /// Time after which a table is dropped that nobody asks for and nobody listens to.
    pub idle: Duration,
    /// The same for one whose session is over.
    pub idle_over: Duration,
    /// Positions in one request for advice.
    pub positions: usize,
    /// Tries of a search for one decision.
    pub tries: u32,
    /// Tries in one request for advice, all positions together.
    pub tries_of_request: u32,
    /// Requests that wait for a table or a bot; others are refused.
    pub waiting: usize,
    /// Requests that wait for one table: no fewer than its streams, whose listeners all ask for the trace at the end.
    pub waiting_of_table: usize,
    /// Threads on which bots think.
    pub thinkers: usize,
    /// How long a ticket opens a stream.
    pub ticket: Duration,
    /// Time between signs of life on a stream that has nothing to tell.
    pub sign_of_life: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            body: 1 << 20,
            head_time: seconds(10),
            body_time: seconds(10),
            write_time: seconds(30),
            connections: 4096,
            streams: 2048,
            streams_of_table: 64,
            tables: 2000,
            saves: 2000,
            aside: seconds(90 * 24 * 3600),
            record: 64 << 20,
            records: 1 << 30,
            journal: JOURNAL,
            idle: seconds(24 * 3600),
            idle_over: seconds(3600),
            positions: 64,
            tries: 2000,
            tries_of_request: 20_000,
            waiting: 1024,
            waiting_of_table: 64,
            thinkers: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            ticket: seconds(30),
            sign_of_life: seconds(15),
        }
    }
}
