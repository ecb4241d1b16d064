# Every target does its own set-up in .venv; `make help` lists them.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
unexport PYTHONDONTWRITEBYTECODE
unexport PYTHONPATH

.PHONY: help run test check lock bench ui readme baselines clean
.DEFAULT_GOAL := help

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

run: .venv/ready ## the main job: hybrid_rerank on the smoke set, held against its accepted baseline
	$(BIN)/python -m harness run +experiment=hybrid_rerank

test: .venv/ready ## all tests, with coverage
	$(BIN)/python -m pytest -q -n 2 --dist loadfile --cov --cov-report=term $(ARGS)

check: .venv/ready ## style, types, direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PYTHONPATH=. $(BIN)/lint-imports

lock: .venv/ready ## pin every dependency again, with hashes
	$(BIN)/uv pip compile --quiet --upgrade --universal --generate-hashes --no-emit-index-url --no-annotate --no-header \
	  --python-version 3.11 --extra local --extra code --extra dev pyproject.toml -o requirements.lock

bench: .venv/ready ## speed and memory, as ratios against rivals in the same run
	$(BIN)/python -m benchmarks

ui: .venv/ready ## MLflow on http://127.0.0.1:5000
	$(BIN)/python -m harness ui

readme: .venv/ready ## write the tables of both READMEs from the accepted baselines
	$(BIN)/python -m harness readme
	$(BIN)/python -m harness readme golden_sets/README.md

clean: ## remove environment, caches and runs
	rm -rf .venv .harness_cache reports/runs mlflow.db mlruns .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .coverage*

.venv/ready: requirements.lock .ci/uv.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 2; }
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r .ci/uv.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes --compile-bytecode -r requirements.lock
	@touch $@
