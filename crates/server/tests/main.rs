//! Tests of the server over HTTP. They are one program, because separate ones would take minutes to compile.

mod absent;
mod clients;
mod common;
mod deals;
mod doors;
mod limits;
mod lobby;
mod openapi;
mod operation;
mod people;
mod restart;
mod retries;
mod seats;
mod secrecy;
mod sessions;
mod site;
mod thinking;
mod undo;
