//! The limits of a server. The error for each limit names it.

use std::time::Duration;

/// The maximum of [`Limits::journal`] in bytes, because the server does not read much longer journals.
pub(crate) const JOURNAL: usize = 64 << 20;

/// The limits of a server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Maximum size of a request's body, in bytes.
    pub body: usize,
    /// Timeout for a request's head, from when the connection is ready for a request. So it is also the idle timeout of
    /// a connection.
    pub head_time: Duration,
    /// Timeout for a request's body.
    pub body_time: Duration,
    /// Timeout for writes: within this time a client must accept some bytes.
    pub write_time: Duration,
    /// Connections at a time; others are refused. There may be fewer if the process may open few files.
    pub connections: usize,
    /// Connections at a time from one address, or from one /64 network of IPv6. Behind a trusted proxy these are the
    /// requests of the client that are being answered, streams included.
    pub connections_of_address: usize,
    /// Requests in a second from one address. An address that sent none for some time may send those of ten seconds at
    /// once.
    pub requests_of_address: u32,
    /// Whether the limits of an address also hold for clients on this machine that use no proxy.
    pub counts_this_machine: bool,
    /// Event streams at a time. Spectators can take three quarters of them.
    pub streams: usize,
    /// Event streams of the spectators of one table, and tickets for them.
    pub streams_of_table: usize,
    /// Event streams of one seat, and tickets for them. A newer stream ends the oldest.
    pub streams_of_seat: usize,
    /// Live tables.
    pub tables: usize,
    /// Saved tables.
    pub saves: usize,
    /// Time after which a saved table is deleted. Only time counts in which a server uses the data folder.
    pub aside: Duration,
    /// Bytes of the event logs of one table. Beyond that it accepts no more moves.
    pub record: usize,
    /// Bytes of the event logs of all tables together. Beyond that no table accepts moves, and none can be opened.
    pub records: usize,
    /// Bytes of a table's journal, at most 64 MiB. Beyond that the table accepts no more moves. Moves that were taken
    /// back stay in the journal.
    pub journal: usize,
    /// Steps of a session after which its journal gets a checkpoint at the next deal. A table is read from its last
    /// checkpoint on.
    pub checkpoint: usize,
    /// Time after which a table without requests and streams is deleted.
    pub idle: Duration,
    /// The same for a table whose session is over.
    pub idle_over: Duration,
    /// Time after which a table without requests, streams and bots that play leaves the memory, if its journal is on
    /// disk. The next request reads it again.
    pub asleep: Duration,
    /// Positions in one request for advice.
    pub positions: usize,
    /// Playouts of a search for one decision.
    pub tries: u32,
    /// Playouts in one request for advice, all positions together.
    pub tries_of_request: u32,
    /// Requests that wait for a table or a bot, or are being answered there; others are refused.
    pub waiting: usize,
    /// Requests that wait for one table. Allow at least as many as streams, because all listeners may request the trace
    /// at the end.
    pub waiting_of_table: usize,
    /// Threads for bots that search, and as many for other bots.
    pub thinkers: usize,
    /// How long a bot searches for one decision. Then it decides by what it has found.
    pub think: Duration,
    /// How long a ticket is valid.
    pub ticket: Duration,
    /// Time between keep-alive comments on a stream without new events.
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
            connections_of_address: 256,
            requests_of_address: 50,
            counts_this_machine: false,
            streams: 2048,
            streams_of_table: 64,
            streams_of_seat: 4,
            tables: 2000,
            saves: 2000,
            aside: seconds(90 * 24 * 3600),
            record: 64 << 20,
            records: 1 << 30,
            journal: JOURNAL,
            checkpoint: 2000,
            idle: seconds(24 * 3600),
            idle_over: seconds(3600),
            asleep: seconds(600),
            positions: 64,
            tries: 2000,
            tries_of_request: 20_000,
            waiting: 1024,
            waiting_of_table: 64,
            thinkers: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            think: seconds(30),
            ticket: seconds(30),
            sign_of_life: seconds(15),
        }
    }
}
