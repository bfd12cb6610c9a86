//! All integration tests: one file an area.
