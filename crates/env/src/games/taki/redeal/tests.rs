//! Deals from views.
