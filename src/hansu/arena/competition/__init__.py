"""Competitions: people send in agents, and the arena finds out who is best."""
