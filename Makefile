# make help lists the targets. Another Python: make setup PYTHON=python3.12
# Options for a program: make run ARGS="--port 9000", make requirements ARGS=--upgrade

BIN := .venv/bin
INSTALLED := .venv/.ready
READY := .venv/.ready-to-test
CODE := $(wildcard slidewise webapp tests benchmarks)
LINTED := $(CODE) docs examples hatch_build.py
# In the order of the folders, so that the browser tests, which take longest, come first. Many
# processes are started: what Python compiles is kept, even where PYTHONDONTWRITEBYTECODE is set.
PYTHON_FOR_TESTS := PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(CURDIR)/.venv/pycache $(BIN)/python
IN_PARALLEL := --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder
# Chromium sometimes crashes as it ends a page's worker. The end of a run lists what passed at the
# second attempt, with the first failure. Three failures at most are repeated.
AGAIN := -p pytest_rerunfailures --reruns 1 --max-suite-reruns 3 --rerun-show-tracebacks
PYTEST := $(PYTHON_FOR_TESTS) -m pytest $(IN_PARALLEL) $(AGAIN)
COVERAGE := $(PYTHON_FOR_TESTS) -m coverage
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make requirements"

# uv where it is installed; once .venv is built it has one of its own.
export PATH := $(PATH):$(CURDIR)/$(BIN)

# Not when its Python has gone, the project was moved, or the first installation did not end.
USABLE := $(shell test -x $(BIN)/python && test "`cat $(INSTALLED) 2>/dev/null`" = "`pwd -P`" && echo yes)

.PHONY: help setup run test check soak coverage mutants browser programs prepared lint kernels compiled docs static bench requirements release images clean \
	prepared-with-browser leftovers venv

help: ## list the targets
	@sed -n 's/^\([a-z]*\):[^#]*## /\1	/p' Makefile

setup: $(READY) ## build .venv for development, where something it is built from has changed

run: $(INSTALLED) ## serve the app on this machine
	@$(BIN)/slidewise serve $(ARGS)

test: prepared-with-browser ## lint, types and all tests
	$(PYTEST) $(ARGS)

check: prepared ## the same without the browser tests and the slow ones
	$(PYTEST) -m "not browser and not slow" $(ARGS)

# One at a time where answers are timed; then all boards in the tests of searches, and many more
# texts, moves and games in those of the puzzle. No test is ended for its length.
LONG := -o faulthandler_timeout=0 $(ARGS)
soak: prepared-with-browser ## the tests that take long
	SLIDEWISE_SOAK=1 $(PYTEST) -m soak --ignore tests/web/serve $(LONG)
	SLIDEWISE_SOAK=1 $(PYTEST) -m soak --numprocesses 0 tests/web/serve -rA $(LONG)
	SLIDEWISE_SWEEP=1 $(PYTEST) tests/solver tests/puzzle tests/research $(LONG)

# What is compiled is not seen, so that linear-space searches run once more without the compiler.
# Others cannot: a record of the node store has named fields in compiled code alone.
coverage: prepared-with-browser ## which branches of the Python code the tests take (see CONTRIBUTING.md)
	$(COVERAGE) erase
	NUMBA_DISABLE_JIT=1 $(COVERAGE) run -m pytest $(IN_PARALLEL) -k "iddfs or idastar or rbfs" \
		tests/solver/algorithms/test_order.py
	$(COVERAGE) run -m pytest $(IN_PARALLEL) $(ARGS)
	$(COVERAGE) combine --quiet
	$(COVERAGE) report

# No file is changed: each mutant is compiled in a process of its own.
mutants: $(READY) kernels ## change the lines that differ from main and list what no test notices
	$(PYTHON_FOR_TESTS) -m tests.mutants $(ARGS)

# Beside one another, as each waits for discs or for one core.
prepared: $(READY) leftovers
	@$(MAKE) --no-print-directory --jobs=3 programs lint kernels compiled

prepared-with-browser: $(READY) leftovers
	@$(MAKE) --no-print-directory --jobs=4 browser lint kernels compiled

# What a package that has gone leaves behind, folders of compiled files, could still be imported.
leftovers:
	@find $(CODE) -name __pycache__ -type d -prune -exec sh -c \
		'for made; do ls "$${made%/*}" | grep -qv "^__pycache__$$" || rm -rf "$$made"; done' - {} +
	@find $(CODE) -type d -empty -delete

# After one another, as both may install packages.
browser: programs
	$(BIN)/python -m tests.browser.chromium

programs: $(READY)
	$(BIN)/python -m tests.system_programs

lint: $(READY)
	$(BIN)/ruff check $(LINTED)
	$(BIN)/ruff format --check $(LINTED)
	$(BIN)/mypy

# Beside the checks of types, once: else several processes of the tests do it at the same time.
kernels: $(READY)
	@$(BIN)/slidewise warm >/dev/null

# In a first run all packages and tests are compiled: by one process, else each of several does it.
compiled: $(READY)
	@test -d .venv/pycache || $(PYTHON_FOR_TESTS) -m pytest --collect-only --quiet >/dev/null 2>&1 || true

docs: $(READY) ## the manual as a site, in build/site
	$(BIN)/python docs/build.py

static: $(INSTALLED) ## the pages that need no server as files, in build/static
	rm -rf build/static
	$(BIN)/slidewise static build/static $(ARGS)

bench: $(READY) ## the benchmarks
	$(BIN)/python -m benchmarks $(ARGS)

requirements: $(READY) ## pin what pyproject.toml asks for
	$(COMPILE) pyproject.toml --extra web --output-file requirements.txt $(ARGS)
	$(COMPILE) pyproject.toml --extra redis --constraints requirements.txt --output-file requirements-server.txt $(ARGS)
	$(COMPILE) pyproject.toml --all-extras --group dev --constraints requirements-server.txt \
		--output-file requirements-dev.txt $(ARGS)
	$(COMPILE) --group build --constraints requirements-dev.txt --output-file requirements-build.txt $(ARGS)
	$(COMPILE) --group release --constraints requirements-dev.txt --output-file requirements-release.txt $(ARGS)

release: $(READY) ## build and check the files for a package index; nothing is uploaded
	@$(INSTALL) --require-hashes --requirement requirements-release.txt
	$(BIN)/python -m tests.release.check $(ARGS)

images: ## pin the images of deploy/ by their digests, as the registries have them now
	sh deploy/pin-images.sh

clean: ## remove .venv and all that was built, but no secret key or saved state
	rm -rf .venv benchmarks/.venv dist build test-results .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +

# What running needs, and what builds the editable install: that needs no network of its own then.
$(INSTALLED): pyproject.toml requirements.txt requirements-build.txt $(if $(USABLE),,venv)
	@echo "Installing into .venv"
	@$(INSTALL) --require-hashes --requirement requirements.txt --requirement requirements-build.txt
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@pwd -P >$@

# requirements-dev.txt holds all of the other two, at the same versions.
$(READY): $(INSTALLED) requirements-dev.txt
	@echo "Installing what tests need into .venv"
	@$(INSTALL) --require-hashes --requirement requirements-dev.txt
	@touch $@

INSTALL = \
	if command -v uv >/dev/null; then install="uv pip install --quiet --python $(BIN)/python"; \
	else install="$(BIN)/python -m pip install --quiet --disable-pip-version-check"; fi; $$install

venv:
	@echo "Making an environment in .venv, once; with downloads this can take minutes"
	@rm -rf .venv
	@if test -z "$(PYTHON)" && command -v uv >/dev/null; then uv venv --quiet .venv; \
	else $(VENV); fi

# Debian and Ubuntu leave ensurepip, which venv needs, to a package of its own.
PYTHON3 = $(or $(PYTHON),python3)
VENV = \
	$(PYTHON3) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Slidewise needs Python 3.11 or newer; $(PYTHON3) is: $$($(PYTHON3) -V 2>&1)." \
			"Install one and name it: make setup PYTHON=python3.12" >&2; exit 1; }; \
	$(PYTHON3) -c 'import ensurepip' 2>/dev/null || { \
		echo "$(PYTHON3) cannot make virtual environments. On Debian and Ubuntu, install what" \
			"it lacks: apt-get install python3-venv" >&2; exit 1; }; \
	$(PYTHON3) -m venv .venv
