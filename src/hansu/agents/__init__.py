"""Agents: the players, from random upwards."""
