PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
BASE := $(VENV)/.base
STAMP := $(VENV)/.installed

.PHONY: demo serve test test-slow lint bench audit docs clean

demo: $(BASE)
	$(BIN)/ibr prove examples/access.txt "May Dana enter the server room?" \
	  "Lee may enter the server room." "Priya may enter the server room."

serve: $(BASE)
	$(BIN)/ibr serve

test: $(STAMP) lint
	$(BIN)/pytest -n 2 --dist loadfile

test-slow: $(STAMP)
	$(BIN)/pytest -m slow -n 2

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(STAMP)
	$(BIN)/python -m benchmarks

audit: $(BASE)
	$(BIN)/python scripts/supply_chain.py

docs: $(STAMP)
	$(BIN)/python scripts/check_docs.py
	$(BIN)/zensical build --clean --strict

# The demo and the page install what requirements.lock lists, each file checked by its hash.
# Tests and training need torch and more: pinned in constraints.txt.
$(BASE): pyproject.toml requirements.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) --require-hashes --only-binary :all: -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation -e .
	touch $(BASE)

$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	PIP_CONSTRAINT=constraints.txt $(INSTALL) -e '.[dev]'
	touch $(STAMP) $(BASE)

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache
