"""Algorithms written once for all games, specialised and compiled per game."""
