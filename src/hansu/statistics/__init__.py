"""Strength from game results: counts that add up, Elo, and confidence."""
