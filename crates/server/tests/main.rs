//! Tests of the server over HTTP. They are one program, because separate ones would take minutes to compile.

mod common;
mod doors;
mod limits;
mod openapi;
mod operation;
mod restart;
mod retries;
mod seats;
mod sessions;
mod site;
mod thinking;
mod undo;
