# Needs make and Python 3.11 or later. Everything is set up in .venv, from pyproject.toml.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; exit; }; done; echo python3)
BIN := .venv/bin
PYTEST := $(BIN)/pytest

# Tests and benches start hundreds of processes: let Python keep what it has compiled, whatever the environment says.
export PYTHONDONTWRITEBYTECODE =

.PHONY: demo test lint docs check long bench fuzz storm machines simulate datc pins release clean
.DELETE_ON_ERROR:

demo: .venv/installed  ## watch seven correspondents play a whole game by mail against a server of their own
	$(BIN)/gm demo

# More at a time than there are cores: some tests wait for servers, those that take long most of their time.
TESTS := $(PYTEST) --dist loadscope --no-loadscope-reorder

test: .venv/installed-test  ## the tests that every change should pass; those whose servers are not installed are skipped and say so
	$(TESTS) -n 3 -m "not long"

lint: .venv/installed-test  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: .venv/installed-test  ## the pages as a searchable site, in build/site; a link that leads nowhere is an error
	$(BIN)/sphinx-build -q -n -W --keep-going -c docs -d build/doctrees . build/site

check: lint docs long  ## the rest of what a release must pass, which may be done side by side (make -j check)

long: .venv/installed-test  ## tests that take long: whole servers, browsers, months of play
	$(TESTS) -n 5 -m long

bench: .venv/installed-test  ## benchmarks of the judge, mails, deadlines, reports, maps and old servers, with a table of the goals
	$(BIN)/python -m bench.goals

fuzz: .venv/installed-test  ## the property tests with many more examples, and the judge against its reference
	$(PYTEST) -m hypothesis --hypothesis-profile=fuzz
	$(BIN)/python -m tests.judge.fuzz

datc: .venv/installed-test  ## how many of the Diplomacy Adjudicator Test Cases pass, by section and rulebook
	$(BIN)/python -m tests.judge.datc

storm: .venv/installed-test  ## two thousand mails, good and bad, through servers that are killed ten times
	$(BIN)/python -m tests.mail.transport.storm

machines: .venv/installed-test  ## 300 mails and 50 deadlines through servers on one PostgreSQL, each of which is killed
	$(BIN)/python -m tests.cli.machines

MINUTES ?= 10
DATABASE ?= sqlite
SEED ?= 1
simulate: .venv/installed-test  ## months of the whole server under a simulated clock and mail, with crashes everywhere: MINUTES=60 DATABASE=both SEED=1000
	$(BIN)/python -m tests.simulation --minutes $(MINUTES) --database $(DATABASE) --seed $(SEED)

# Wheels and archives of every platform and Python from 3.11; then what is in them, from an environment with exactly these.
pins: .venv/bin/pip  ## pin all dependencies with their hashes in deploy/requirements.txt, and list them in deploy/sbom.json (CycloneDX)
	$(PYTHON) -m venv --clear .venv/pinning && $(PYTHON) -m venv --clear .venv/pinned
	.venv/pinning/bin/pip install --quiet uv cyclonedx-bom
	.venv/pinning/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra postgresql --generate-hashes \
	    --no-header --no-emit-index-url -o deploy/requirements.txt pyproject.toml
	.venv/pinned/bin/pip install --quiet --no-deps --require-hashes -r deploy/requirements.txt
	.venv/pinning/bin/cyclonedx-py environment --pyproject pyproject.toml --mc-type application --output-reproducible \
	    -o deploy/sbom.json .venv/pinned/bin/python
	rm -rf .venv/pinning .venv/pinned

# Each build is in a folder and an environment of its own; the time of all files is that of the last commit. The licence
# of the font is meant to be twice in the wheel (W002): beside the font, and among the licences.
release: .venv/bin/pip  ## build wheel and sdist twice, byte for byte alike, and check them
	rm -rf .venv/release dist && $(PYTHON) -m venv .venv/release
	.venv/release/bin/pip install --quiet build twine check-wheel-contents
	for to in .venv/release/first .venv/release/second; do \
	    SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || echo 1767225600) .venv/release/bin/python -m build --outdir $$to . >/dev/null || exit 1; done
	diff -r .venv/release/first .venv/release/second
	.venv/release/bin/twine check --strict .venv/release/first/*
	.venv/release/bin/check-wheel-contents --ignore W002 .venv/release/first/*.whl
	mv .venv/release/first dist && rm -rf .venv/release && sha256sum dist/*

clean:  ## remove everything that was created here
	rm -rf .venv build dist demo .mypy_cache .pytest_cache .ruff_cache .hypothesis bench/.venv
	find gm tests bench migrations -name __pycache__ -type d -exec rm -rf {} +

.venv/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "gm needs Python 3.11 or later: make PYTHON=/path/to/python3")'
	@$(PYTHON) -m venv .venv || { rm -rf .venv; \
	echo "This Python cannot create virtual environments; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }

EXTRAS := [test,lint,docs]

# $(call install,WHAT): pip says much, of which the names of what it fetches are shown as progress; errors are shown whole.
define install
@echo "Installing gm in .venv, with:"
@rm -f .venv/failed
@{ $(BIN)/pip install --disable-pip-version-check --editable '$(1)' 2>.venv/errors || touch .venv/failed; } | \
	awk '/^Collecting / { printf "  %s\n", $$2; fflush() } /^Installing collected/ { print "  unpacking ..."; fflush() }'
@if [ -e .venv/failed ]; then cat .venv/errors >&2; exit 1; fi
endef

.venv/installed: pyproject.toml | .venv/bin/pip
	$(call install,.)
	@touch $@

.venv/installed-test: pyproject.toml | .venv/bin/pip
	$(call install,.$(EXTRAS))
	@touch .venv/installed $@
