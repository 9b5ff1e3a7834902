"""The fake engine is a program of its own, not a module to look for tests in."""

collect_ignore = ["fake_engine.py"]
