//! The parts of the engine that play any game, with the games of the list.

mod enumerate;
mod playouts;
mod speed;
