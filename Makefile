PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check
BASE := $(VENV)/.base
SERVE := $(VENV)/.serve
STAMP := $(VENV)/.installed

.PHONY: demo serve test test-slow lint bench docs clean

demo: $(BASE)
	$(BIN)/ibr prove examples/access.txt "May Dana enter the server room?" \
	  "Lee may enter the server room." "Priya may enter the server room."

serve: $(SERVE)
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

docs: $(BASE)
	rm -rf build/docs
	$(BIN)/python scripts/make_docs.py build/docs

# Everything is pinned in constraints.txt; a change of either file installs again.
# The demo needs the package alone, the page two packages more; tests and training need torch and more.
$(BASE): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) -e .
	touch $(BASE)

$(SERVE): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) -e '.[serve]'
	touch $(SERVE) $(BASE)

$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) -e '.[dev]'
	touch $(STAMP) $(SERVE) $(BASE)

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache
