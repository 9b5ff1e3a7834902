# A handful of verbs. Each sets up what it needs: a virtual environment in .venv, the package in it.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PLAYABLE := $(VENV)/.playable
READY := $(VENV)/.ready
PYTEST := $(BIN)/python -m pytest
LAWS := tests/games/test_laws.py
WITHOUT_EXTRAS := $(CURDIR)/scripts/without_extras

unexport PYTHONDONTWRITEBYTECODE  # tests start many processes: they need not translate all anew

.PHONY: play test check compiled slow bench docs dist programs clean

play: $(PLAYABLE)
	$(BIN)/hansu play microchess

test: $(READY) programs
	@$(MAKE) --no-print-directory -j 2 check compiled
	$(PYTEST) -n 4 --dist worksteal --durations 25  # more workers than cores: many tests wait
	NUMBA_BOUNDSCHECK=1 HANSU_CACHE_DIR=$(VENV)/bounds $(PYTEST) -n 2 -q $(LAWS)
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n 2 -q $(LAWS)
	PYTHONPATH=$(WITHOUT_EXTRAS):$(CURDIR) $(PYTEST) -q -k test_extras  # everything is imported

# What every worker of the tests would do at the same time: rewrite assertions, compile kernels.
compiled: $(READY)
	@$(PYTEST) --collect-only -qq >/dev/null
	@$(BIN)/python scripts/compile_kernels.py

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@scripts/check_page.sh

slow: $(READY) programs
	$(PYTEST) -m slow

bench: $(READY) programs
	$(BIN)/pip install --quiet -e '.[bench]'
	$(BIN)/python -m benchmarks.rules

# The site, in site/: look at it with  python3 -m http.server -d site
docs: $(PLAYABLE)
	$(BIN)/pip install --quiet -e '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet

# The source archive, and the wheel built from it. The wheel is then installed alone, without extras,
# and plays a game.
dist: $(PLAYABLE)
	rm -rf dist
	$(BIN)/pip install --quiet build
	$(BIN)/python -m build --outdir dist . >/dev/null
	$(BIN)/python -m venv --clear dist/trial
	dist/trial/bin/pip install --quiet dist/*.whl
	cd dist && trial/bin/hansu watch tictactoe minimax random --quiet
	rm -rf dist/trial

# Real engines to check the rules against, and what isolates agents. Without them, tests skip.
programs:
	@scripts/programs.sh

# To play, the package alone is enough: no test tools, no PyTorch.
$(PLAYABLE): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -e .
	touch $(PLAYABLE)

$(READY): $(PLAYABLE) constraints.txt
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev]'
	-$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[learn]'  # without it, tests skip
	-$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[cluster]'  # likewise
	touch $(READY)

clean:
	rm -rf $(VENV) node_modules dist site .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -exec rm -rf {} +
