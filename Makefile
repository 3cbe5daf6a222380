# Two commands matter: `make course` and `make test`. Each one first makes .venv ready
# (tools/venv.sh), which needs a package index once and nothing afterwards.
# To choose the interpreter: make PYTHON=python3.12 course

SHELL := /bin/sh
.DEFAULT_GOAL := help
PYTHON ?=
export PYTHON
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV
PY := .venv/bin/python
LANG_OPTION := $(if $(COURSE_LANG),--lang $(COURSE_LANG))
# In a container one is root, where JupyterLab wants to be told that this is meant.
LAB_OPTIONS ?= $(if $(filter 0,$(shell id -u)),--allow-root)

.PHONY: help course test test-long check bench lab labs notebooks clean

help: ## say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

course: ## run every notebook here and say which pitfalls were reproduced
	@sh tools/venv.sh grade
	@.venv/bin/mini-letta $(LANG_OPTION) course

test: check ## everything that must hold: lint, types, tests, notebooks rebuilt byte for byte
	@$(PY) -m pytest -n 2 --dist loadfile -m "not long"

test-long: ## the tests that do not fit into `make test`
	@sh tools/venv.sh grade,dev
	@$(PY) -m pytest -n 2 --dist loadfile -m long || [ $$? = 5 ] # 5: there are none

check: ## ruff and mypy only
	@sh tools/venv.sh grade,dev
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy

bench: ## the benchmarks of tests/bench
	@sh tools/venv.sh grade,dev
	@for file in tests/bench/*.py; do echo "$$file"; $(PY) "$$file" || exit 1; done

lab: ## open JupyterLab on the notebooks and on your labs
	@sh tools/venv.sh grade,course
	@$(PY) -m jupyterlab $(LAB_OPTIONS) .

notebooks: ## rebuild the notebooks from notebooks/src, and the copies in chapters and README
	@sh tools/venv.sh grade
	@.venv/bin/mini-letta notebooks build
	@.venv/bin/mini-letta course weave

labs: ## rebuild the labs from labs/src
	@sh tools/venv.sh grade
	@.venv/bin/mini-letta labs build

clean: ## remove .venv and the caches
	@rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
