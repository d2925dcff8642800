# The two commands of the README, and their relatives. Each installs what it needs (Debian packages),
# configures, builds and runs.

BUILD := build/release
CMAKE_ARGS ?=
# Here everything is built, so several files at a time; and what other targets may have left in
# CMake's cache.
# Node.js may have come from elsewhere than Debian.
VIEWER := $(if $(shell command -v npm),,viewer)
PLAIN := -DVOIGT_BUILD_APPS=ON -DVOIGT_BATCHES=ON -DVOIGT_BUILD_BENCH=OFF -DVOIGT_WERROR=OFF

.PHONY: demo reproduce test test-long build-tests test-sanitizers fuzz bench bench-peers format check-format clean

demo:
	@scripts/install_packages.sh build $(VIEWER)
	@cmake --preset release -DVOIGT_BUILD_TESTS=OFF $(PLAIN) $(CMAKE_ARGS) --log-level=WARNING
	@cmake --build $(BUILD) --target voigt_program
	@mkdir -p out
	$(BUILD)/apps/voigt/voigt sim scenes/shaft_in_cradle.yaml --replay out/demo.html
	@echo "Open out/demo.html in a browser to see the run: $(CURDIR)/out/demo.html"

# Every table and figure of the papers: half an hour at most. REPRODUCE=--quick takes two minutes.
REPRODUCE ?=
reproduce:
	@scripts/install_packages.sh build $(VIEWER)
	@cmake --preset release -DVOIGT_BUILD_TESTS=OFF $(PLAIN) $(CMAKE_ARGS) --log-level=WARNING
	@cmake --build $(BUILD) --target voigt_program
	$(BUILD)/apps/voigt/voigt reproduce --out out $(REPRODUCE)
	@echo "Open out/reproduce.html in a browser: $(CURDIR)/out/reproduce.html"

build-tests:
	@scripts/install_packages.sh build test $(VIEWER)
	@cmake --preset release -DVOIGT_BUILD_TESTS=ON $(PLAIN) $(CMAKE_ARGS) --log-level=WARNING
	@cmake --build $(BUILD)

test: build-tests
	ctest --test-dir $(BUILD) --output-on-failure --parallel 2 --label-exclude long

test-long:
	@scripts/install_packages.sh long
	@$(MAKE) build-tests
	ctest --test-dir $(BUILD) --output-on-failure --parallel 2
	@$(MAKE) fuzz

# Every reader on files that libFuzzer makes up, two at a time. A file that one does not stand is kept
# as build/fuzz/READER-crash-...
FUZZ_SECONDS := 600
FUZZERS := mesh urdf mjcf scene recording
fuzz:
	@scripts/install_packages.sh build fuzz
	@cmake -S . -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DVOIGT_BUILD_FUZZERS=ON \
	  -DVOIGT_BUILD_TESTS=OFF -DVOIGT_BUILD_APPS=OFF -DVOIGT_BUILD_VIEWER=OFF --log-level=WARNING
	@cmake --build build/fuzz --target $(FUZZERS:%=fuzz_%)
	@mkdir -p $(FUZZERS:%=build/fuzz/%)
	printf '%s\n' $(FUZZERS) | xargs -P 2 -I{} env build/fuzz/tests/fuzz/fuzz_{} -verbosity=0 \
	  -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 -artifact_prefix=build/fuzz/{}- \
	  build/fuzz/{} tests/fuzz/{}_corpus

# FOLDERS: those of tests/ to run, separated by semicolons and with base; all if it is not given.
test-sanitizers:
	@scripts/install_packages.sh build test $(VIEWER)
	@cmake --preset asan $(PLAIN) -DVOIGT_TEST_FOLDERS="$(FOLDERS)" $(CMAKE_ARGS) --log-level=WARNING
	@cmake --build build/asan
	ctest --test-dir build/asan --output-on-failure --parallel 2 --label-exclude long

bench:
	@scripts/install_packages.sh build test peers long $(VIEWER)
	@bench/run.sh

# The same scenes in voigt and in other engines: tables, CSV and a page in build/bench-peers. Half an
# hour; PEERS=--quick takes a few minutes. Whole runs are kept in bench/results.
PEERS ?=
bench-peers:
	@scripts/install_packages.sh build test peers $(VIEWER)
	@cmake --preset release -DVOIGT_BUILD_TESTS=ON -DVOIGT_BATCHES=ON -DVOIGT_BUILD_BENCH=ON \
	  -DVOIGT_WERROR=OFF $(CMAKE_ARGS) --log-level=WARNING
	@cmake --build $(BUILD) --target bench_peers
	OPENBLAS_NUM_THREADS=1 $(BUILD)/bench/peers/bench_peers --out build/bench-peers $(PEERS)
	@if [ -z "$(PEERS)" ]; then cp build/bench-peers/peers.csv build/bench-peers/peers.txt bench/results; fi
	@echo "Open build/bench-peers/peers.html in a browser: $(CURDIR)/build/bench-peers/peers.html"

format:
	@scripts/install_packages.sh format
	scripts/check_format.sh --fix

check-format:
	@scripts/install_packages.sh format
	scripts/check_format.sh

clean:
	rm -rf build out
