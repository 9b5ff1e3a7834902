# A handful of verbs. Each sets up what it needs: a virtual environment in .venv, the package in it.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PYTEST := $(BIN)/python -m pytest

.PHONY: play test check slow bench engines clean

play: $(READY)
	$(BIN)/hansu play microchess --terminal

test: $(READY) engines check
	$(PYTEST) -n 2 --dist loadfile
	NUMBA_BOUNDSCHECK=1 HANSU_CACHE_DIR=$(VENV)/bounds $(PYTEST) -n 2 --dist loadfile -q -m "rules and not slow"
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n 2 --dist loadfile -q -m "plain and not slow"

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

slow: $(READY) engines
	$(PYTEST) -m slow

bench: $(READY) engines
	$(BIN)/pip install --quiet -e '.[bench]'
	$(BIN)/python -m benchmarks.rules

# Real engines that the rules are checked against. Where they cannot be had, those tests skip.
engines:
	@scripts/engines.sh

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e '.[dev]'
	touch $(READY)

clean:
	rm -rf $(VENV) dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -exec rm -rf {} +
