"""Agents, from ``random`` upwards."""
