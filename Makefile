# Targets use the environment in .venv, which they create.
#   make test PYTHON=python3.12          another interpreter for a new .venv
#   make test PYTEST_ARGS="-k harvest"   more arguments for pytest
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Modules are compiled to bytecode on first import, as compiling all of torch takes pip half a minute. Tests start many
# processes, so bytecode is always written.
export PYTHONDONTWRITEBYTECODE =
PIP := $(BIN)/python -m pip install --no-compile $(if $(CI),-qq) --disable-pip-version-check -c constraints.txt
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal $(PYTEST_ARGS)
# Commands that `make wheel-test` runs with the installed wheel, without and with the extra `analysis`.
WHEEL_EVALUATION := evaluate policy:champion --opponents heuristic --players 3 --games 6 --seed 1
WHEEL_TOURNAMENT ?= tournament random heuristic policy:champion --players 3 --games 6 --seed 1

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test quick test-web pictures kernels wasm test-wasm page test-page test-cuda lint types bench mutation fuzz soak test-kill test-versions test-integrations \
	test-cluster wheel-test docs site release-check install install-train clean distclean FORCE

help:
	@echo "make demo           the champion, self-play, a tournament, a plot: five minutes"
	@echo "make test           ruff, mypy and the tests"
	@echo "make quick          tests of rules and cards, interpreted: seconds; K=organizer selects some of them"
	@echo "make test-slow      the long tests, including those in a browser and in Node if installed"
	@echo "make soak           random and search play with checks of every state, for MINUTES=15"
	@echo "make mutation       mutation testing of the rules; resumes from build/mutation.csv"
	@echo "make test-kill      training, tournament, ladder and campaign, killed fifty times each and resumed"
	@echo "make test-web       whole games in a browser (needs chromium)"
	@echo "make pictures       docs/table.png and docs/phone.png (needs chromium)"
	@echo "make kernels        prebuilt kernels in vitienv/kernels, for this checkout and its wheels (needs cc)"
	@echo "make wasm           games and bots as WebAssembly in build/wasm (docs/wasm.md)"
	@echo "make page           static page against bots in build/page (needs lld, npm)"
	@echo "make test-page      whole games on the static page in a browser (needs chromium)"
	@echo "make test-wasm      WebAssembly in Node compared with the native kernels (needs lld and Node)"
	@echo "make test-cuda      games for NVIDIA GPUs: assembled, simulated, and run on a GPU if available"
	@echo "make test-versions  the engine with the lowest and the highest supported Numba, and with Python 3.12 and 3.13"
	@echo "make test-integrations  examples for TorchRL, Tianshou, RLlib, OpenSpiel, OpenEnv"
	@echo "make test-cluster   games on several nodes of a Ray cluster, some of which are killed"
	@echo "make bench          speed of the environment"
	@echo "make wheel-test     a wheel in an empty environment, with and without extras"
	@echo "make release-check  build, check, install and run wheel and source archive; nothing is uploaded"
	@echo "make docs           generated tables of the documentation"
	@echo "make site           the documentation as a site in build/site"
	@echo "make clean          remove files of builds and tests (distclean: .venv too)"

demo: install-train
	$(BIN)/python -m tools.demo

# Two workers on two cores, with one thread each in the libraries of NumPy and torch. Numba's threads are not limited, as
# tests set their number.
test test-slow: export OMP_NUM_THREADS = 1
test test-slow: export OPENBLAS_NUM_THREADS = 1
test test-slow: export MKL_NUM_THREADS = 1
test test-slow: export MPLBACKEND = Agg

# Kernels are compiled before the tests, on both cores, in parallel with ruff and mypy.
WARM := $(BIN)/vitienv cache warm
test: install
	@$(WARM) --game world & world=$$!; \
	$(MAKE) --no-print-directory lint types && $(WARM) && $(WARM) --game toscana; status=$$?; wait $$world && exit $$status
	$(PYTEST)

# Interpreted, so that an edited rule needs no compilation.
quick: export NUMBA_DISABLE_JIT = 1
quick: install
	$(PYTEST) -q tests/rules tests/cards $(if $(K),-n 0 -k "$(K)")

test-slow: install
	$(PYTEST) -m slow

# Compiled with bounds checks, in a separate cache.
MINUTES ?= 15
soak: export OMP_NUM_THREADS = 1
soak: export NUMBA_BOUNDSCHECK = 1
soak: export VITIENV_CACHE = build/soak/cache
soak: install
	$(BIN)/python -m tests.soak.play --minutes $(MINUTES)

# Mutants of all games by default: make mutation MUTATION_ARGS="--game world --jobs 2 --sample 0"
mutation: install
	$(BIN)/python -m tests.mutation $(MUTATION_ARGS)

test-kill: export OMP_NUM_THREADS = 1
test-kill: install
	$(BIN)/python -m pytest -m slow tests/training/test_killed.py

# The lowest and the highest supported Numba, in separate environments: the published signature, and all tests of the
# engine.
ENGINE_TESTS := tests/engine/test_determinism.py tests/engine/test_signature.py tests/engine/test_numba_pipelines.py \
	tests/engine/test_golden.py tests/engine/compiling/test_code_cache.py
test-versions: export OMP_NUM_THREADS = 1
test-versions:
	@set -e; signature=$$(sed -n 's/.*,vitienv bench --signature,signature,hash,\([^,]*\),.*/\1/p' training/evaluation/published.csv); \
	for version in "$(PYTHON) constraints-lowest.txt" "$(PYTHON) constraints.txt" $(foreach n,12 13,"python3.$(n) constraints-newest.txt"); do \
		set -- $$version; venv=build/versions/$${1##*/}-$${2%.txt}; python=$$venv/bin/python; \
		"$$1" -c '' || { echo "$$1 is not installed; skipped" >&2; continue; }; \
		"$$1" -m venv $$venv; \
		$$python -m pip install -qq --disable-pip-version-check -c $$2 -e ".[rules]" pytest; \
		$$python -c "import numba, numpy, sys; print('Python', sys.version.split()[0], 'Numba', numba.__version__, 'NumPy', numpy.__version__)"; \
		actual=$$($$python -m vitienv.cli bench --signature | tail -n 1); \
		test "$$actual" = "$$signature" || { echo "signature must be $$signature, got $$actual" >&2; exit 1; }; \
		$$python -m pytest -q -p no:cacheprovider -m "" $(ENGINE_TESTS); \
	done

# Large libraries with pinned dependencies, in a separate environment.
INTEGRATIONS := build/integrations/bin/python
test-integrations: export OMP_NUM_THREADS = 1
test-integrations:
	$(PYTHON) -m venv build/integrations
	$(INTEGRATIONS) -m pip install -qq --disable-pip-version-check -c constraints-integrations.txt -e ".[rules,analysis]" pytest torch \
		torchrl tianshou "ray[rllib]" supersuit open_spiel openenv mcp
	$(INTEGRATIONS) -m pytest -q -p no:cacheprovider -m "" tests/integrations

# Several nodes of a Ray cluster on this machine, in a separate environment.
CLUSTER := build/cluster/bin/python
test-cluster: export OMP_NUM_THREADS = 1
test-cluster:
	$(PYTHON) -m venv build/cluster
	$(CLUSTER) -m pip install -qq --disable-pip-version-check -c constraints.txt -e ".[rules,cluster,train]" pytest
	$(CLUSTER) -m pytest -q -p no:cacheprovider -m "" tests/cluster tests/training/test_executor.py

# Debian's chromium, driven by Playwright.
test-web: export OMP_NUM_THREADS = 1
test-web: install
	@command -v chromium || command -v chromium-browser || command -v google-chrome \
		|| { echo "make test-web needs Chromium (apt-get install chromium)" >&2; exit 1; }
	$(BIN)/python -m pytest -q -m "" tests/web/test_browser_*.py $(PYTEST_ARGS)

pictures: install
	$(BIN)/python -m tests.web.pictures

# Current libraries are not rebuilt.
kernels: install
	@$(BIN)/python -m tools.kernels

wasm: install
	@$(BIN)/python -m tools.wasm.build

page: install
	@$(BIN)/python -m tools.page.build

test-page: export OMP_NUM_THREADS = 1
test-page: page
	$(BIN)/python -m pytest -q -m "" tests/page $(PYTEST_ARGS)

test-wasm: export OMP_NUM_THREADS = 1
test-wasm: install
	$(BIN)/python -m pytest -q -m "" tests/wasm $(PYTEST_ARGS)

# NVIDIA's assembler, and CuPy if there is a GPU, in a separate environment.
CUDA := build/cuda/bin/python
CUDA_EXTRAS = $(if $(shell command -v nvidia-smi),[analysis,cuda],[analysis])
test-cuda: export OMP_NUM_THREADS = 1
test-cuda:
	$(PYTHON) -m venv build/cuda
	$(CUDA) -m pip install -qq --disable-pip-version-check -c constraints.txt -e ".$(CUDA_EXTRAS)" pytest nvidia-cuda-nvcc torch
	$(CUDA) -m tools.cuda --folder build/cuda/kernels
	$(CUDA) -m pytest -v -s -p no:cacheprovider -m "" tests/cuda $(PYTEST_ARGS)

lint: install
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .

types: install
	$(BIN)/python -m mypy -p vitienv -p studies -p tools

bench: install-train
	$(BIN)/vitienv bench

docs: install-train
	$(BIN)/python -m tools.docs

site: docs install
	$(BIN)/python -m tools.site build/pages
	$(BIN)/python -m mkdocs build --config-file build/pages/mkdocs.yml --site-dir ../site

wheel-test: kernels
	@rm -rf build/wheel-test && mkdir -p build/wheel-test
	$(BIN)/python -m build --no-isolation --sdist --wheel --outdir build/wheel-test . > build/wheel-test/build.log \
		|| { tail -n 20 build/wheel-test/build.log; exit 1; }
	@set -e; folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; \
	echo "installing the wheel alone into $$folder"; \
	$(PYTHON) -m venv "$$folder/venv"; \
	"$$folder/venv/bin/python" -m pip install -qq -c constraints.txt build/wheel-test/*.whl; \
	(cd "$$folder"; \
	venv/bin/python -c "import vitienv.agents, importlib.util as u; assert not any(map(u.find_spec, ['agents', 'training', 'pandas', 'numba']))"; \
	for game in viticulture toscana world; do venv/bin/vitienv bench --signature --game $$game | tail -n 1; done; \
	venv/bin/vitienv $(WHEEL_EVALUATION)); \
	"$$folder/venv/bin/python" -m pip install -qq -c constraints.txt "$$(ls build/wheel-test/*.whl)[analysis]"; \
	cd "$$folder"; venv/bin/vitienv $(WHEEL_TOURNAMENT)

# A release without the upload. pipx and uv install the wheel into separate environments.
RELEASE := $(CURDIR)/build/release
release-check: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct 2>/dev/null || echo 1700000000)
release-check: wheel-test
	@rm -rf build/lib build/wheel-again
	$(BIN)/python -m build --no-isolation --sdist --wheel --outdir build/wheel-again . > build/wheel-test/again.log \
		|| { tail -n 20 build/wheel-test/again.log; exit 1; }
	@cd build/wheel-again && for file in *.whl *.tar.gz; do cmp "$$file" "../wheel-test/$$file" && sha256sum "$$file" || exit 1; done
	$(PYTHON) -m venv $(RELEASE)
	$(RELEASE)/bin/python -m pip install -qq --disable-pip-version-check twine==7.0.0 pipx==1.18.4 uv==0.13.9
	@# Local wheels may hide that the pins contradict the requirements of torch on PyPI.
	$(RELEASE)/bin/uv pip compile -q --no-config --python-platform linux --python-version 3.12 -c constraints.txt --all-extras \
		pyproject.toml > build/wheel-test/resolved.txt
	$(RELEASE)/bin/twine check --strict build/wheel-test/*.whl build/wheel-test/*.tar.gz
	VITIENV_RUNNERS=$(RELEASE)/bin $(BIN)/python -m pytest -q -m "" tests/test_wheel.py tests/test_project.py
	@$(BIN)/python -c "import vitienv; print('checked: vitienv', vitienv.__version__)"

# A stamp per set of packages contains the directory of the environment: a copied or moved repository installs again.
install: $(VENV)/.installed-dev
install-train: $(VENV)/.installed-train

ifneq ($(shell cat $(VENV)/.installed-dev 2>/dev/null),$(CURDIR))
$(VENV)/.installed-dev: FORCE
endif
ifneq ($(shell cat $(VENV)/.installed-train 2>/dev/null),$(CURDIR))
$(VENV)/.installed-train: FORCE
endif

PROJECT := pyproject.toml setup.py constraints.txt

$(VENV)/.installed-train: $(PROJECT)
	@$(MAKE_VENV)
	$(PIP) setuptools
	$(PIP) --no-build-isolation -e ".[rules,train]"
	@echo "$(CURDIR)" > $@

$(VENV)/.installed-dev: $(PROJECT)
	@$(MAKE_VENV)
	$(PIP) setuptools
	$(PIP) --no-build-isolation -e ".[rules,play,train,docs,dev]"
	@echo "$(CURDIR)" > $@
	@cp $@ $(VENV)/.installed-train

define MAKE_VENV
python=$(BIN)/python; $$python -m pip --version >/dev/null 2>&1 || python=$(PYTHON); \
$$python -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null \
	|| { echo "vitienv needs Python 3.11 or later, but $$python is $$($$python --version 2>&1); try: make PYTHON=python3.12 ..." >&2; exit 1; }; \
test $$python = $(BIN)/python \
	|| { echo "creating $(VENV): this takes some minutes"; $$python -m venv --clear $(VENV); }
endef

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -path ./$(VENV) -prune -o -type d \( -name __pycache__ -o -name .ipynb_checkpoints \) -prune \
		-exec rm -rf {} +

distclean: clean
	rm -rf $(VENV)
