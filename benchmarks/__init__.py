"""Benchmarks: each runs with one command and compares with peers in the same run."""
