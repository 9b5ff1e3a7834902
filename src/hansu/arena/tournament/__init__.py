"""Tournaments: many players, results that survive anything, one table."""
