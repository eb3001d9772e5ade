# make run · make test — the other commands are in CONTRIBUTING.md

SHELL := /bin/sh
VENV := .venv
PY := $(VENV)/bin/python
PORT ?= 8000
export PORT
# Where this is set, each process compiles every module anew: some five seconds each.
unexport PYTHONDONTWRITEBYTECODE

PYTEST := $(PY) -m pytest
UV_COMPILE := $(VENV)/bin/uv pip compile -q --universal --python-version 3.11 \
	--generate-hashes --no-header --no-annotate

.DEFAULT_GOAL := run
.NOTPARALLEL:
.PHONY: run dev demo test test-fast test-long test-engine format bench lighthouse shot lock browser clean

run: $(VENV)/.base
	@exec $(PY) -m scorekeeper.serve

dev: $(VENV)/.base
	@export DEBUG=true; $(PY) manage.py migrate --verbosity 0 && exec $(PY) manage.py runserver 0.0.0.0:$(PORT)

demo: export DATABASE_URL = sqlite:///$(CURDIR)/demo.sqlite3
demo: $(VENV)/.base
	@$(PY) manage.py migrate --verbosity 0
	@$(PY) manage.py demo --site http://127.0.0.1:$(PORT)
	@exec $(PY) -m scorekeeper.serve

# Without a database, or with one that they name themselves: the same on PostgreSQL.
OWN_DATABASE := tests/engine tests/test_serve.py tests/test_settings.py
# What they ask of the database other tests ask of PostgreSQL too; theirs are shapes, words and forms. A game's
# pages ask for it as services, API and files do; a club's have questions of their own, and accounts their library.
ANY_DATABASE := tests/api/test_schema.py tests/api/test_odd_rounds.py \
	tests/test_check_record.py tests/test_demo.py \
	$(filter-out tests/web/test_club% tests/web/test_account.py tests/web/test_sign_in.py,$(wildcard tests/web/test_*.py))

# How many processes share the tests: whoever is done first takes over from another.
SHARED := --dist worksteal -n

# mypy takes one core; beside it pytest compiles the tests, which else each of its processes would.
# A browser waits for the board to ask and a test for its browser: three of them keep two cores at work.
test: $(VENV)/.test browser
	{ $(PY) -m ruff check . && $(PY) -m ruff format --check . && $(VENV)/bin/lint-imports --no-logo \
		&& $(PY) manage.py makemigrations --check --dry-run \
		&& { $(PYTEST) -q --collect-only >/dev/null || true; }; } & beside=$$!; \
		$(PY) -m mypy && wait $$beside
	$(PYTEST) $(SHARED) 2 --cov --cov-report= -m "not browser and not any_database and not long"
	$(PY) -m coverage report --skip-covered >coverage.txt & beside=$$!; \
		$(PYTEST) $(SHARED) 3 -m "browser or any_database or long" && wait $$beside && cat coverage.txt
	$(PYTEST) $(SHARED) 2 -p tests.postgres $(patsubst %,--ignore %,$(OWN_DATABASE) $(ANY_DATABASE)) -m "not browser and not any_database or whole_game"

test-fast: $(VENV)/.test
	$(PYTEST) -n 2 -m "not browser"

# At full size what `make test` tries in short form, and on PostgreSQL all that asks a database; prints what was counted.
LONG := $(PYTEST) --long --timeout 3600 --durations-min=60
test-long: $(VENV)/.test browser
	$(LONG) -n 2 -m "long and not browser"
	$(LONG) -n 2 -p tests.postgres $(patsubst %,--ignore %,$(OWN_DATABASE)) -m "not browser"
	$(LONG) -n 2 -m "long and browser"

# The rule book alone, without Django or any of pytest's settings.
test-engine: $(VENV)/.test
	$(PYTEST) -c /dev/null --rootdir . -p no:django -p no:cacheprovider -W error -q tests/engine

format: $(VENV)/.test
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

bench: $(VENV)/.test $(VENV)/.bench
	@exec $(PY) -m tests.bench

lighthouse: $(VENV)/.test browser
	@exec $(PY) -m tests.lighthouse

shot: $(VENV)/.test browser
	@exec $(PY) -m tests.shot

browser: $(VENV)/.test
	@$(PY) -m tests.chromium

lock: $(VENV)/.test
	$(UV_COMPILE) requirements/install.in -o requirements/install.txt
	$(UV_COMPILE) requirements/base.in -o requirements/base.txt
	$(UV_COMPILE) requirements/test.in -c requirements/base.txt -o requirements/test.txt
	$(UV_COMPILE) requirements/bench.in -o requirements/bench.txt

# The databases and the secret key stay.
clean:
	rm -rf $(VENV) staticfiles .coverage .coverage.* coverage.txt htmlcov .hypothesis .mypy_cache .pytest_cache \
		.ruff_cache .import_linter_cache .schemathesis test-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# uv where it can be had, since it takes a second where pip takes half a minute.
define install
	@$(PY) -m pip install -qq --disable-pip-version-check --require-hashes -r requirements/install.txt \
		|| echo "uv cannot be had here; pip installs alone."
	@{ [ -x $(VENV)/bin/uv ] && $(VENV)/bin/uv pip install -q --python $(PY) --require-hashes -r $(1); } \
		|| $(PY) -m pip install -q --disable-pip-version-check --require-hashes -r $(1)
	@touch $@
endef

$(VENV)/.base: requirements/base.txt requirements/install.txt $(VENV)/.made
	$(call install,requirements/base.txt)

$(VENV)/.test: requirements/test.txt requirements/install.txt $(VENV)/.made
	$(call install,requirements/test.txt)
	@touch $(VENV)/.base

$(VENV)/.bench: requirements/bench.txt requirements/install.txt $(VENV)/.made
	$(call install,requirements/bench.txt)

# The first Python from 3.11 on that can make a virtual environment, else the first one at all:
# Debian keeps ensurepip in a package of its own.
$(VENV)/.made:
	@new=""; able=""; \
	for name in python3.11 python3.12 python3.13 python3.14 python3; do \
		$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
		[ -n "$$new" ] || new=$$name; \
		if $$name -c 'import ensurepip' 2>/dev/null; then able=$$name; break; fi; \
	done; \
	if [ -z "$$new" ]; then echo "Python 3.11 or newer is needed." >&2; exit 1; fi; \
	if [ -z "$$able" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing python3-venv."; \
		{ apt-get update -qq; apt-get install -y -qq --no-install-recommends python3-venv; } >/dev/null 2>&1; \
		if $$new -c 'import ensurepip' 2>/dev/null; then able=$$new; fi; \
	fi; \
	if [ -z "$$able" ]; then echo "Please install the package python3-venv, then try again." >&2; exit 1; fi; \
	$$able -m venv --clear $(VENV)
	@touch $@
