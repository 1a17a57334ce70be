# A thin front over CMakePresets.json. Every target installs what is missing first (tools/setup).
PRESET ?= release
BUILD  := build/$(PRESET)
FUZZ_SECONDS ?= 300

# The benchmark files, where they are at hand; tests that need them are skipped otherwise.
ifndef ISTHMUS_DATA
  ifneq ($(wildcard ../shared/data/COIL_1.mat),)
    export ISTHMUS_DATA := $(abspath ../shared/data)
  endif
endif

# The release build has the Python package beside the library, and its tests; they need PyPI (tools/python-env).
ifeq ($(PRESET),release)
  PYTHON_PACKAGE := -DISTHMUS_BUILD_PYTHON=ON
endif

.PHONY: help setup build demo test asan tsan fuzz valgrind soak coverage format lint install wheel docs bench clean

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*##  *\(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup:
	@tools/setup

$(BUILD)/build.ninja: | setup
	@cmake --preset $(PRESET)

build: setup  ## build the library, the program, the Python package and the tests (PRESET=release)
	@cmake --preset $(PRESET) $(PYTHON_PACKAGE)
	@cmake --build --preset $(PRESET)

demo: setup $(BUILD)/build.ninja  ## adapt on the built-in data and show what each method gains
	@cmake --build --preset $(PRESET) --target isthmus_app
	@$(BUILD)/bin/isthmus demo --out demo-output

test: build  ## run every test, and tell which were skipped and why
	@status=0; ctest --preset $(PRESET) -j2 --output-junit $(abspath $(BUILD))/tests.xml \
	  --test-output-size-passed 10000 || status=$$?; tools/skipped $(BUILD)/tests.xml; exit $$status

asan:  ## run every test under AddressSanitizer and UndefinedBehaviorSanitizer
	@$(MAKE) --no-print-directory test PRESET=asan

tsan:  ## run every test under ThreadSanitizer
	@$(MAKE) --no-print-directory test PRESET=tsan

fuzz:  ## feed broken files to every reader, FUZZ_SECONDS=300 each, two at once
	@tools/setup --checks
	@cmake --preset fuzz
	@cmake --build --preset fuzz
	@tools/fuzz $(FUZZ_SECONDS)

valgrind: setup $(BUILD)/build.ninja  ## run a handful of commands under valgrind's memcheck
	@tools/setup --with valgrind
	@cmake --build --preset $(PRESET) --target isthmus_app
	@tests/reliability/valgrind $(BUILD)/bin/isthmus

soak: setup $(BUILD)/build.ninja  ## adapt, predict, save and load for SOAK_SECONDS (600): no drift, no growth
	@cmake --build --preset $(PRESET) --target soak
	@$(BUILD)/bin/soak $(or $(SOAK_SECONDS),600)

coverage:  ## run every test and tell which lines and branches of each room they reach
	@tools/setup --with gcovr
	@$(MAKE) --no-print-directory test PRESET=coverage
	@tools/coverage build/coverage

format: setup  ## rewrite the sources in the project's format
	@git ls-files '*.cpp' '*.h' | xargs clang-format -i

lint: build  ## clang-tidy over every source
	@tools/lint $(BUILD)

install: build  ## install under PREFIX (default /usr/local)
	@cmake --install $(BUILD) --prefix $(or $(PREFIX),/usr/local)

wheel: setup  ## build the Python package in dist/: a source archive and a wheel with all it needs
	@tools/python-wheel

docs:  ## build the documentation as a site, build/site/index.html; it opens and searches offline
	@tools/docs-site/build

bench:  ## measure everything (three hours; best on a quiet machine) and write docs/performance.md
	@tools/setup --bench
	@cmake --preset release -DISTHMUS_BUILD_BENCH=ON $(PYTHON_PACKAGE)
	@cmake --build --preset release
	@bench/measure

clean:  ## remove every build
	@rm -rf build dist demo-output
