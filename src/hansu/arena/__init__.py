"""The arena: brings players together, keeps the clock, counts."""
