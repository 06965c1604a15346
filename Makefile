# Everything one does daily. `make serve` and `make test` need only python3 (3.11 or newer) and make:
# each sets up what it needs once and starts at once after that.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
UV     := $(shell command -v uv 2>/dev/null)
READY  := $(VENV)/.ready
BROWSERS := chromium chromium-browser google-chrome

.DEFAULT_GOAL := help
.PHONY: help setup serve play test browser check format bench benchlobby chaos seekers golden schema \
  screenshots lock clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 13

setup: $(READY) ## make the virtual environment with the locked dependencies

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "towerhall needs Python 3.11 or newer; $(PYTHON) is older. Name another: make PYTHON=python3.12 …" >&2; exit 1; }
ifneq ($(UV),)
	@$(UV) venv --quiet --clear --python $(PYTHON) $(VENV)
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
else
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
endif
	@touch $@

serve: $(READY) ## open a hall (ARGS='--port 8000' for its settings)
	@$(BIN)/towerhall-server $(ARGS)

play: $(READY) ## play in this terminal (ARGS='duel --new --server 192.168.1.20')
	@$(BIN)/towerhall play $(ARGS)

# Most tests wait for something: two at a time, a file each, take little more than half as long. In
# their own order the slow files come first, and neither of the two waits for the other at the end.
test: $(READY) browser ## run all tests (ARGS='-k duel' for some)
	$(BIN)/pytest $(or $(ARGS),-n 2 --dist loadfile --no-loadscope-reorder)

browser: ## a Chromium for the tests of the page, where there is none and one can be installed
	@for name in $(BROWSERS); do command -v $$name >/dev/null && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
	  apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core >/dev/null; \
	else echo "There is no Chromium: the tests of the page are left out." >&2; fi

check: $(READY) ## lint, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY) ## rewrite the code as the linter wants it
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY) ## durable moves a CPU-second, beside a plain websockets echo
	PYTHONPATH=tests $(BIN)/python -m load.bench $(ARGS)

benchlobby: $(READY) ## what a seek and a lobby update cost, by how many there are
	PYTHONPATH=tests $(BIN)/python -m load.lobby $(ARGS)

chaos: $(READY) ## kill nodes and store under many games (ARGS='--games 50 --kills 100')
	PYTHONPATH=tests $(BIN)/python -m faults.chaos $(ARGS)

seekers: $(READY) ## pair 10,000 seekers over 4 nodes, killing two (ARGS='--seekers 2000')
	PYTHONPATH=tests $(BIN)/python -m faults.seekers $(ARGS)

golden: $(READY) ## replay the playthroughs of the games, and invent those that are missing
	PYTHONPATH=tests $(BIN)/python -m games.playthrough

schema: $(READY) ## write the JSON Schema of the wire anew
	$(BIN)/python -m towerhall_protocol.schema > docs/protocol.schema.json

screenshots: $(READY) browser ## play games in terminals and in a browser for docs/screens anew
	PYTHONPATH=tests $(BIN)/python -m client.screens docs/screens
	PYTHONPATH=tests $(BIN)/python -m page.screens

lock: $(READY) ## resolve the dependencies anew into requirements.lock
	$(if $(UV),,$(BIN)/pip install --quiet uv)
	$(or $(UV),$(BIN)/uv) pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-emit-find-links --no-header --upgrade --extra server --group dev --quiet -o requirements.lock pyproject.toml

clean: ## remove what the targets made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
