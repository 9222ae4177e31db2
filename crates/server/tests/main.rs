//! Tests of the server, over the wire. One program has all of them: each for itself they would take minutes to compile.

mod common;
mod doors;
mod limits;
mod openapi;
mod restart;
mod seats;
mod sessions;
mod site;
mod undo;
