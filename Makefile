PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check
BASE := $(VENV)/.base
STAMP := $(VENV)/.installed

.PHONY: demo test test-slow lint bench clean

demo: $(BASE)
	$(BIN)/ibr prove examples/access.txt "May Dana enter the server room?" \
	  "Lee may enter the server room." "Priya may enter the server room."

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

# Everything is pinned in constraints.txt; a change of either file installs again.
# The demo needs the package alone; tests and training need torch and more.
$(BASE): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) -e .
	touch $(BASE)

$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) -e '.[dev]'
	touch $(STAMP) $(BASE)

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache
