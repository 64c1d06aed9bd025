# SPDX-License-Identifier: Apache-2.0

# Pinna: build, test, demo. Everything a target needs beyond Swift is installed by it, only when it
# is missing (Debian/Ubuntu; root or sudo. With Homebrew on macOS, untested).

SHELL := /bin/bash
PREFIX ?= /usr/local
BUILD := .build/release
CHECKED := --explicit-target-dependency-import-check error
# The program, its tests and what measures it are built with the same flags, so that each file is compiled once; what is
# installed is the same program, linked once more. -enable-testing costs nothing that can be measured: the CPU time of a render
# to headphones and of one in stereo, of that without it, was 0.998 and 1.003 (medians of 40 pairs on 27 November 2026).
# The driver emits a module in a second pass over its files, a third of the work, though SwiftPM waits for both passes:
# -no-emit-module-separately-wmo makes it one.
BUILDFLAGS := -c release -Xswiftc -enable-testing -Xswiftc -no-emit-module-separately-wmo --disable-index-store $(CHECKED)
# Without --disable-testable-imports, swift test would add the same flag once more, and compile all again. Tests/XCTMain.swift
# starts the tests, for which Swift Testing has to be asked for.
TESTFLAGS := $(BUILDFLAGS) --disable-testable-imports --disable-xctest --enable-swift-testing
# The host of LV2 plugins is built where lilv is. This is asked anew for each command, because setup-test installs it.
export PINNA_LILV = $(shell pkg-config --exists lilv-0 2>/dev/null && echo 1)
SADIE := ../shared/hrtf/sadie-ku100-dfc-48k.sofa ../../shared/hrtf/sadie-ku100-dfc-48k.sofa
CLUSTER_VENV := .build/cluster-venv
TEST_VENV := .build/test-venv
EAR_VENV := .build/ear-venv
LINT_VENV := .build/lint-venv
# Drivers in Python are tests of pytest; ONLY picks some, by -k.
PYTEST = python -m pytest -q --no-header -p no:cacheprovider $(if $(ONLY),-k '$(ONLY)')
# The system's own Python makes virtual environments.
venv = [ -x $(1)/bin/pip ] || { .ci/setup venv && /usr/bin/python3 -m venv $(1); }
DEMO := Golden/Media/channel-walk.mkv

.PHONY: help docs docs-try example swift setup setup-test setup-clients setup-lint build demo test test-fast test-times soak nightly flags coverage lint check reference reference-check golden quality clients bad-inputs strangers faults crash-consistency robust trust scale lv2-survey cluster-test distro-test portability sanitize races mutants same house fuzz fuzz-all fuzz-seeds bench bench-meter \
  linked install uninstall deb tarball release packed clean

help:
	@echo "make demo     render the bundled 5.1 programme to out/demo.wav"
	@echo "make test     run all tests, or those that FILTER names, e.g. FILTER=ADMTests"
	@echo "make test-fast  only those that start no other program and are quick"
	@echo "make test-times  all tests one after the other: which are slowest, and whether one takes too long"
	@echo "make soak     all tests, with many more rounds of those that search at random"
	@echo "make nightly  all long searches and measurements, or those that JOBS names ($$(sed -nE 's/^([a-z-]+) .*/\1/p' .ci/nightly | xargs))"
	@echo "make coverage  which code the tests execute, per module, and the functions that none does"
	@echo "make example  build and run a client package of the library"
	@echo "make docs     make the library's documentation with docc"
	@echo "make docs-try  run every command of README and guides, and compare its output with the page's; WRITE=1 writes it, ONLY names pages"
	@echo "make check    lint, build with warnings as errors, tests, reference pages, goldens"
	@echo "make reference  write the pages under docs/reference from the program"
	@echo "make golden   verify what pinna makes of 30 inputs against what was recorded"
	@echo "make same BASE=COMMIT  make some 640 outputs, plans, pages and messages as that commit does, and say what differs; ONLY"
	@echo "make house    the figures of the source beside their goals; LIST=NUMBER prints what a row counts"
	@echo "make quality  the goals of the virtualisation, and what is reached"
	@echo "make clients  play the MP4 and HLS output in ffmpeg, PyAV, GStreamer and Chromium; ONLY"
	@echo "make bad-inputs  give it broken and hostile files, and compare what it makes of each"
	@echo "make strangers DIR=FOLDER  try all files below a folder, and compare with FFmpeg and with what each says of itself; ONLY"
	@echo "make faults   let each system call of ten short jobs fail once, and judge what becomes of it"
	@echo "make crash-consistency  kill jobs at 500 moments, and replay the order of their writes"
	@echo "make robust   a short share of both"
	@echo "make trust    print the figures of what ran last of tests, fuzzing, faults and crashes"
	@echo "make cluster-test  run a batch on Slurm, Snakemake and GNU parallel on this machine"
	@echo "make scale    very many items, hours, channels, chapters and cues; ITEMS ($(ITEMS)), HOURS ($(HOURS)), ONLY"
	@echo "make lv2-survey  send a test signal through every LV2 effect of Debian's packages"
	@echo "make distro-test  build and test it in bare roots of SUITES ($(SUITES))"
	@echo "make portability  compile and type-check for macOS, aarch64 and musl what can be, without running it"
	@echo "make fuzz TARGET=NAME  libFuzzer on one reader of bytes that can't be trusted, for SECONDS ($(SECONDS))"
	@echo "make fuzz-all  libFuzzer on all of them, each for SECONDS"
	@echo "make fuzz-seeds  make the fuzzer's seeds anew"
	@echo "make sanitize  tests of what owns C memory or reads by pointers, under the address sanitizer"
	@echo "make races    jobs with threads, workers and pipes, under the thread sanitizer"
	@echo "make mutants  put COUNT ($(COUNT)) defects into a copy, from SEED ($(SEED)), and say which ones no test notices"
	@echo "make bench    compare cost with ffmpeg, and the meter's with libebur128"
	@echo "make install  put pinna, its man page and completions under PREFIX ($(PREFIX))"
	@echo "make deb      put the same into a Debian package for this distribution, under out"
	@echo "make tarball  put the same into an archive with all libraries, and list its parts, under out"
	@echo "make release  all files of a release under out/release, each tried in bare roots of Debian 12 and 13 and Ubuntu 24.04"

swift:
	@command -v swift >/dev/null 2>&1 || { \
	  echo "Pinna needs Swift 6.1 or later on PATH: get it from https://www.swift.org/install/linux/" >&2; exit 1; }

setup: swift
	@.ci/setup product

# What JSON schemas are judged by, and what makes synthetic IAMF and timelines, goes into a virtual environment.
setup-test: setup
	@.ci/setup test
	@$(call venv,$(TEST_VENV))
	@$(TEST_VENV)/bin/python -c 'import jsonschema, pytest' 2>/dev/null || \
	  $(TEST_VENV)/bin/pip install -q jsonschema $$(grep ^pytest .ci/lint_tools)
	@$(TEST_VENV)/bin/python -c 'import av, numpy, h5py' 2>/dev/null || \
	  $(TEST_VENV)/bin/pip install -q --only-binary :all: av numpy h5py || \
	  echo "PyAV, numpy and h5py can't be installed here; the tests that need them will be skipped"
	@$(TEST_VENV)/bin/python -c 'import opentimelineio' 2>/dev/null || \
	  $(TEST_VENV)/bin/pip install -q --only-binary :all: opentimelineio || \
	  echo "OpenTimelineIO can't be installed here; made timelines stand in for those of the run"
	@$(TEST_VENV)/bin/python -c 'import mutagen' 2>/dev/null || \
	  $(TEST_VENV)/bin/pip install -q mutagen || \
	  echo "mutagen can't be installed here; the test that reads tags with it will be skipped"
	@$(call venv,$(EAR_VENV))
	@$(EAR_VENV)/bin/python -c 'import ear.fileio' 2>/dev/null || \
	  $(EAR_VENV)/bin/pip install -q ear || \
	  echo "The EBU ADM Renderer can't be installed here; the test that needs it will be skipped"

# PyAV and numpy are in the tests' virtual environment; GStreamer is driven by Debian's own python3. The package with axe-core,
# the accessibility checker, wants Playwright; the script in it doesn't.
setup-clients: setup-test
	@.ci/setup clients
	@[ -d $(TEST_VENV)/lib/python3*/site-packages/axe_playwright_python ] || \
	  $(TEST_VENV)/bin/pip install -q --no-deps axe-playwright-python==0.1.8 || \
	  echo "axe-core can't be installed here; the test of accessibility will be skipped"

# Tools of lint, in the versions that .ci/lint_tools states; pip runs when these have changed.
setup-lint:
	@.ci/setup lint
	@$(call venv,$(LINT_VENV))
	@cmp -s .ci/lint_tools $(LINT_VENV)/lint_tools || { $(LINT_VENV)/bin/pip install -q --only-binary :all: -r .ci/lint_tools \
	  && cp .ci/lint_tools $(LINT_VENV); }

build: setup
	swift build $(BUILDFLAGS) --product pinna
	[ -z "$(PINNA_LILV)" ] || swift build $(BUILDFLAGS) --product pinna-lv2

demo: build
	@mkdir -p out
	$(BUILD)/pinna render $(DEMO) -o out/demo.wav --also speakers:out/demo-speakers.wav -y \
	  --report out/demo.json

# FILTER is a regular expression: TARGET, SUITE or TARGET.SUITE/TEST.
FILTER ?=
FILTERFLAGS = $(if $(FILTER),--filter '$(FILTER)')
test: setup-test
	.ci/run_tests.py $(BUILDFLAGS) $(FILTERFLAGS)

# What starts other programs or takes long is left out.
test-fast: setup-test
	.ci/run_tests.py --fast $(BUILDFLAGS) $(FILTERFLAGS)

# Tests one after the other, so that each has a time of its own, which has to be within the budget.
test-times: setup-test
	.ci/run_tests.py $(BUILDFLAGS) --no-parallel

# All tests, with many more rounds of those that search at random.
soak: setup-test
	PINNA_SOAK=1 .ci/run_tests.py $(BUILDFLAGS) $(FILTERFLAGS)

# Long searches and measurements: JOBS of .ci/nightly, or all of them.
JOBS ?=
nightly:
	@.ci/nightly.py $(JOBS)

# Flags of swift build, for scripts that build a copy themselves.
flags:
	@echo $(BUILDFLAGS)

# Which code the tests execute: per module, and the functions that none does. Counters are put in before code is optimised.
coverage: setup-test
	.ci/coverage.py $(BUILDFLAGS) $(FILTERFLAGS)

lint: swift setup-lint
	swift format lint --strict --parallel --recursive Sources Tests Package.swift
	.ci/lint

# The reference pages are made from the program and its source; reference-check fails when they aren't.
reference: build
	.ci/reference $(BUILD)/pinna

reference-check: build
	.ci/reference $(BUILD)/pinna --check

# A package of its own that knows nothing but `import Pinna`: built, and run on the demo's programme.
EXAMPLE_FLAGS := --package-path Tests/Examples --scratch-path .build-examples --disable-index-store -debug-info-format none
# A build folder of another day can name files that have moved since; then it is made anew.
EXAMPLE_BUILD = swift build $(EXAMPLE_FLAGS) || { rm -rf .build-examples && swift build $(EXAMPLE_FLAGS); }
example: setup
	@mkdir -p out
	$(EXAMPLE_BUILD)
	.build-examples/debug/RenderExample $(DEMO) out/example.wav

# The library's documentation, from its catalogue and from what `import Pinna` gives.
docs: setup
	$(EXAMPLE_BUILD)
	.ci/docs

# Inputs are made by ffmpeg and the tests' Python. A command whose program, plugin or media aren't here is skipped and named.
docs-try: setup-test build
	@.ci/setup docs
	@.ci/docs_try $(if $(WRITE),--write) $(BUILD)/pinna $(ONLY)

check: export PINNA_WERROR = 1
check: lint test reference-check golden

golden: setup-test build
	.ci/golden $(BUILD)/pinna

# Digests of the base and what differs lie in out/same, with the worktree that the base is built in. Finished programs may take
# the place of either: SAME_BASE_BINARY and SAME_BINARY.
BASE ?=
SAME_BASE_BINARY ?=
SAME_BINARY ?=
same: $(if $(SAME_BINARY),,build)
	@Tests/Same/same.py $(or $(SAME_BINARY),$(BUILD)/pinna --built) $(if $(BASE),--base '$(BASE)') \
	  $(if $(SAME_BASE_BINARY),--base-program '$(SAME_BASE_BINARY)') $(if $(ONLY),--only '$(ONLY)')

# LIST is the number of a row.
LIST ?=
house:
	@.ci/house_table.py $(if $(LIST),--list '$(LIST)')

# The figures are those of the tests; a failing test doesn't keep the table from being printed.
quality: setup-test
	@mkdir -p out && rm -f out/quality.jsonl && touch out/quality.jsonl
	@PINNA_QUALITY="$(CURDIR)/out/quality.jsonl" swift test $(TESTFLAGS) --filter SpatialTests \
	  > out/quality.log 2>&1; tests=$$?; \
	python3 Tests/Benchmarks/quality.py out/quality.jsonl \
	  $(if $(wildcard $(SADIE)),,--without-sadie); table=$$?; \
	[ $$tests -eq 0 ] || echo "quality: a test or the build failed; see out/quality.log" >&2; \
	exit $$((tests || table))

# A client that isn't installed is skipped and said so; setup-clients installs it. The table of a part isn't kept.
clients: setup-test build
	@$(TEST_VENV)/bin/$(PYTEST) -rfEsx -o tmp_path_retention_policy=failed Tests/Clients --pinna $(BUILD)/pinna \
	  $(if $(ONLY),,--json out/clients.json) --junit-xml out/clients.xml

# The corpus is made anew each time; where its maker isn't beside the checkout, this is skipped.
bad-inputs: setup-test build
	@.ci/setup traces
	@$(TEST_VENV)/bin/$(PYTEST) Tests/BadInputs --pinna $(BUILD)/pinna --junit-xml out/bad-inputs.xml

# Differences that were judged stand in Tests/Strangers/judged.csv. Of a part of the files no table is kept.
strangers: setup-test build
	@[ -d "$(DIR)" ] || { echo "give DIR=FOLDER, a folder of media files" >&2; exit 1; }
	@mkdir -p out
	@$(TEST_VENV)/bin/$(PYTEST) Tests/Strangers --pinna $(BUILD)/pinna --media "$(DIR)" $(if $(ONLY),,--csv out/strangers.csv) \
	  --junit-xml out/strangers.xml

# A preloaded library lets one call fail in each run. SEED chooses the share and the moments; ONLY=hls:read picks points.
SEED ?= 24
KILLS ?= 500
FAULTS := $(TEST_VENV)/bin/$(PYTEST) -rfEs --pinna $(BUILD)/pinna --seed $(SEED)
faults: setup-test build
	@$(FAULTS) Tests/Faults/test_faults.py --junit-xml out/faults.xml

# Jobs are killed at moments that the seed gives; strace records the order of writes, syncs and renames.
crash-consistency: setup-test build
	@.ci/setup traces
	@$(FAULTS) Tests/Faults/test_crashes.py --kills $(KILLS) --junit-xml out/crash-consistency.xml

# What CI runs of both: the points that once failed, a share of the others, some moments, and all recordings.
robust: setup-test build
	@.ci/setup traces
	@$(FAULTS) Tests/Faults/test_faults.py Tests/Faults/test_crashes.py --share 0.01 --kills 28 --junit-xml out/robust.xml

# What is promised of strangers' files, failures and crashes, with the figures of what ran here last.
trust:
	@.ci/trust

# Very much of something, and what it costs. The long programme needs 20 GB of disk.
ITEMS ?= 100000
HOURS ?= 12
scale: setup-test build
	@$(TEST_VENV)/bin/$(PYTEST) -s Tests/Scale --pinna $(BUILD)/pinna --items $(ITEMS) --hours $(HOURS) --junit-xml out/scale.xml

# Slurm's daemons run for the test only; they have to be root's.
cluster-test: setup-test build
	@.ci/setup cluster
	@$(call venv,$(CLUSTER_VENV))
	@$(CLUSTER_VENV)/bin/python -c 'import snakemake, kubernetes_validate, pytest' 2>/dev/null || \
	  $(CLUSTER_VENV)/bin/pip install -q snakemake kubernetes-validate $$(grep ^pytest .ci/lint_tools)
	@$(CLUSTER_VENV)/bin/$(PYTEST) Tests/Cluster --pinna $(BUILD)/pinna --junit-xml out/cluster-test.xml

# Sends a test signal through each LV2 effect of Debian's packages that the facts were measured with.
lv2-survey: setup-test build
	@.ci/setup lv2
	@mkdir -p out
	@$(TEST_VENV)/bin/$(PYTEST) Tests/Surveys --pinna $(BUILD)/pinna $(if $(ONLY),,--json out/lv2-survey.json) --junit-xml out/lv2-survey.xml

# In bare roots of other distributions, each with its own FFmpeg; SUITES names them.
SUITES ?= bookworm trixie
distro-test: swift
	@.ci/setup roots
	@.ci/distro_test $(SUITES)

# The tests of what owns libav's handles, of the kernels in C, and of the decoder that reads hostile bytes by pointers,
# under the address sanitizer; undefined behaviour in C ends them by a trap. Swift's own memory isn't searched for leaks.
sanitize: setup-test
	ASAN_OPTIONS=detect_leaks=0 swift test --sanitize=address --scratch-path .build-asan --disable-xctest $(CHECKED) \
	  -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined \
	  --filter 'LibAVTests|MediaInTests|JOCTests|SignalTests|SamplesTests|TaggingTests'

# Jobs with several threads, workers and pipes, by a program that the thread sanitizer watches.
races: setup-test
	swift build -c release --sanitize=thread --scratch-path .build-tsan --product pinna $(CHECKED)
	@$(TEST_VENV)/bin/$(PYTEST) -rfEs Tests/Faults/test_races.py --pinna .build-tsan/release/pinna --junit-xml out/races.xml

# Defects of one expression each at random places in a copy of what is committed, against the tests. Takes an hour or two.
COUNT ?= 200
# KEPT=1 puts in the defects of Tests/Mutants/Kept, and fails when one survives that was noticed once.
mutants: setup-test
	@python3 Tests/Mutants/survey.py --seed $(SEED) --count $(COUNT) $(if $(KEPT),--kept)

# What ziglang holds of other systems goes into a virtual environment.
PORTABILITY_VENV := .build/portability-venv
portability: setup
	@$(call venv,$(PORTABILITY_VENV))
	@$(PORTABILITY_VENV)/bin/python -c 'import ziglang' 2>/dev/null || $(PORTABILITY_VENV)/bin/pip install -q ziglang
	@.ci/portability $$($(PORTABILITY_VENV)/bin/python -c 'import os, ziglang; print(os.path.dirname(ziglang.__file__))')

# libFuzzer under the address sanitizer on the target TARGET, or on all, from the committed seeds, each for SECONDS; what it
# finds lands in out/fuzz. INPUT tries one file on TARGET. Tests/Fuzz/Seeds has a folder for each target.
SECONDS ?= 60
fuzz: setup
	@[ -n "$(TARGET)" ] || { echo "give TARGET=NAME, one of: $$(ls Tests/Fuzz/Seeds | xargs); or make fuzz-all" >&2; exit 1; }
	@.ci/fuzz $(SECONDS) $(TARGET)$(if $(INPUT),=$(INPUT))

fuzz-all: setup
	@.ci/fuzz $(SECONDS)

# Makes the seeds anew. Those of AC-4 are made by its tests.
fuzz-seeds: build
	@for script in Tests/Fuzz/make_*.py; do python3 "$$script" || exit 1; done

bench: bench-meter
	swift build $(BUILDFLAGS) --product SpatialBench
	swift build $(BUILDFLAGS) --product AC4Bench
	swift build $(BUILDFLAGS) --product TrueHDBench
	python3 Tests/Benchmarks/bench.py --pinna $(BUILD)/pinna --stage $(BUILD)/SpatialBench --verbose $(if $(CHECK),--check)
	python3 Tests/Benchmarks/batch.py --pinna $(BUILD)/pinna $(if $(CHECK),--check)

bench-meter: setup-test build
	swift build $(BUILDFLAGS) --product MeterBench
	$(BUILD)/MeterBench

# What is installed: the built program with Swift's libraries in it (Darwin has them in the system), its man page and
# completions.
LINKED := .build/linked
linked: build
	@mkdir -p $(LINKED)
	.ci/link pinna $(LINKED)/pinna
	[ -z "$(PINNA_LILV)" ] || .ci/link pinna-lv2 $(LINKED)/pinna-lv2
	@cd $(LINKED) && ./pinna manual > pinna.1 && for shell in bash zsh fish; do \
	  ./pinna --generate-completion-script $$shell > completion.$$shell || exit 1; done

# Root builds in its own folder only: the owner of another one couldn't change what root writes there, and has Swift on
# the PATH of a login shell.
OWNER := $(shell [ ! -e .build ] || stat -c %u .build 2>/dev/null || stat -f %u .build)
AS_OWNER := $(if $(filter 0,$(shell id -u)),$(if $(filter-out 0,$(OWNER)),sudo -u '\#$(OWNER)' -i))
install:
	@$(AS_OWNER) $(MAKE) --no-print-directory -C $(CURDIR) linked
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	set -e; P=$(DESTDIR)$(PREFIX); S=$$P/share; cd $(LINKED); \
	install -m 755 pinna $$P/bin/pinna; \
	[ ! -x pinna-lv2 ] || { install -d $$P/libexec/pinna; install -m 755 pinna-lv2 $$P/libexec/pinna/pinna-lv2; }; \
	install -m 644 pinna.1 $$S/man/man1/pinna.1; \
	install -m 644 completion.bash $$S/bash-completion/completions/pinna; \
	install -m 644 completion.zsh $$S/zsh/site-functions/_pinna; \
	install -m 644 completion.fish $$S/fish/vendor_completions.d/pinna.fish

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/pinna $(DESTDIR)$(PREFIX)/libexec/pinna/pinna-lv2 $(DESTDIR)$(PREFIX)/share/man/man1/pinna.1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions/pinna \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_pinna \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/pinna.fish

# What packages are made of, under a folder of its own.
PACKED := $(CURDIR)/.build/packed
packed:
	@rm -rf $(PACKED)
	@$(MAKE) --no-print-directory install PREFIX=/usr DESTDIR=$(PACKED)

deb: packed
	@.ci/setup deb
	@.ci/deb $(PACKED)

tarball: packed
	@.ci/setup tarball
	@.ci/tarball $(PACKED)

# All files of a release under out/release, each tried in bare roots. Builds once for each of Debian 12, 13 and Ubuntu 24.04.
release: export PINNA_WERROR = 1
release: tarball
	@.ci/setup roots
	@.ci/release

clean:
	rm -rf .build .build-* out
