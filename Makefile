# Every command that a developer needs; `make help` lists them.
BIN := .venv/bin
N ?= 2000

.DEFAULT_GOAL := help
.PHONY: help demo test gpu lint types stubs language fuzz mutants page site docs clean

help: ## list the commands
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:[^#]*## /\t/' | expand -t 10

demo: .venv/.ready ## set up and run the main job: one kernel from its source to its checked result
	@mkdir -p out
	$(BIN)/tilewright demo permute --emit-cuda out/permute.cu --svg out/permute.svg --force

test: .venv/.ready-dev ## set up and pass every test: laws, kernels, doctests, README, examples
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n 2  # many tests start an interpreter, which else compiles the package anew

gpu: .venv/.ready-dev ## on a machine with a GPU: the tests that take it, times beside a copy, counters against the models
	$(BIN)/pytest tests/targets tests/runtime tests/variants
	$(BIN)/python benchmarks/gpu.py
	$(BIN)/python benchmarks/gpu_counters.py

lint: .venv/.ready-dev ## check the style (ruff)
	$(BIN)/ruff check .

types: .venv/.ready-dev ## check the types (mypy --strict)
	$(BIN)/mypy

stubs: .venv/.ready ## write the .pyi files again from the table of operations
	$(BIN)/python scripts/stubs.py

language: .venv/.ready ## write docs/language.md again from the table of functions
	$(BIN)/python scripts/language.py

fuzz: .venv/.ready-dev ## run the fuzzers and the property tests with N=2000 cases each
	@for file in tests/fuzz/fuzz_*.py; do echo "$$file $(N)"; $(BIN)/python "$$file" $(N) || exit 1; done
	TILEWRIGHT_EXAMPLES=$(N) $(BIN)/pytest -n 2 -m hypothesis --hypothesis-profile=fuzz

mutants: .venv/.ready-dev ## edit the package wrongly, place by place, and see that the tests notice (WORDS=chain for some files, SAMPLE=300)
	PYTHONPATH=tests/support $(BIN)/python -m mutations $(WORDS) $(SAMPLE:%=--sample %) --jobs 2

page: .venv/.ready-dev ## build the explorer's page from web/ into the package
	$(BIN)/python scripts/page

site: .venv/.ready-dev ## build the explorer as a static site into out/site: Python runs in the browser, any web server serves it
	$(BIN)/python scripts/site out/site

docs: .venv/.ready ## draw the pictures in docs/ again
	$(BIN)/python docs/draw.py
	$(BIN)/python scripts/gallery > /dev/null

clean: ## remove what setup and the tools have made
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis out

.venv/.ready: pyproject.toml scripts/setup
	@scripts/setup

.venv/.ready-dev: pyproject.toml scripts/setup scripts/page web/package-lock.json
	@scripts/setup dev
