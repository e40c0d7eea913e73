//! The next call of each shape.
