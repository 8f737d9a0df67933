# Sverdrup's commands: each sets the machine up, builds, and runs. Plain CMake works as well: see README.md.
#
## make demo       compute a small ocean on 8 ranks and leave examples/demo/ocean.nc, .png, summary.json, report.html
## make test       every test; MPI=mpich: on a second MPI, the MPICH of PyPI, in build-mpich/ (without Fortran)
## make check      the tests for every change: unit tests, one run of each MPI test, documents; under two minutes
## make bench      the benchmarks, against PnetCDF, netCDF-4 and gathering to one rank
## make race       every workload beside every other library, worst ratio first; SHORT=1: five minutes
## make evidence   write the pages of measurements from the results that are kept; measures nothing
## make campaign   long property and error campaigns; CAMPAIGN=name COUNT=n picks one and its length
## make cluster    hosts of their own on this machine (Linux, root; HOSTS=n): make cluster-test runs the MPI tests there,
##                 make cluster-down ends it; docs/cluster.md
## make site       the documents as a site, with references made from the sources: build/site/html/index.html
## make packages   Debian packages and a wheel, each tried in a new system or environment; left in build/packages
## make lint       includes, sizes, English, formatting, shell scripts (TIDY=1: clang-tidy too)
## make install    libraries, programs and the command sverdrup, into PREFIX (default /usr/local)
## make uninstall  remove what make install has put into PREFIX
## make clean      remove what was built
#
# Variables: JOBS (compilations and tests at a time), CMAKE_FLAGS (more flags for CMake).

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
preset = $(or $(MPI),release)
folder = build$(addprefix -,$(MPI))
configure = mkdir -p $(folder) && cmake --preset $(preset) $(CMAKE_FLAGS) $(1) >$(folder)/configure.log 2>&1 || \
  { cat $(folder)/configure.log; exit 1; }
build = cmake --build $(folder) -j $(JOBS)

.DEFAULT_GOAL := help
.PHONY: help demo programs test check bench race evidence campaign cluster cluster-test cluster-down site packages lint install uninstall clean

help:
	@sed -n 's/^## //p' Makefile

demo:
	@scripts/setup demo
	@$(call configure)
	@$(build) --target demo_programs
	@scripts/demo

# What is tested, and its tests.
programs:
	@scripts/setup test $(MPI)
	@$(call configure,-DSV_BUILD_TESTS=ON)
	@$(build)

test: programs
	@scripts/test $(folder) $(JOBS)

check: programs
	@scripts/test $(folder) $(JOBS) -L check

bench:
	@scripts/setup bench
	@$(call configure)
	@$(build) --target installed
	@studies/build $(folder)
	@studies/scripts/bench --build $(folder)/studies

race:
	@scripts/setup bench
	@$(call configure)
	@$(build) --target installed
	@studies/build $(folder)
	@$(or $(wildcard $(folder)/venv/bin/python),python3) studies/scripts/race $(if $(SHORT),--short)

evidence:
	@scripts/setup bench
	@scripts/evidence

campaign: programs
	@scripts/campaign "$(CAMPAIGN)" "$(COUNT)"

cluster:
	@scripts/cluster up $(HOSTS)

cluster-test: programs
	@scripts/cluster test

cluster-down:
	@scripts/cluster down

site:
	@scripts/setup site
	@$(call configure)
	@$(build) --target manual
	@build/venv/bin/python scripts/site

packages:
	@scripts/packages

lint:
	@scripts/setup lint
	@scripts/lint $(if $(TIDY),--tidy)

install:
	@scripts/setup install
	@$(call configure)
	@$(build) --target installed
	@cmake --install $(folder) --prefix $(PREFIX) >$(folder)/install.log
	@scripts/installed complete $(folder) $(PREFIX)

uninstall:
	@scripts/installed remove $(PREFIX)

clean:
	rm -rf build build-sanitize build-thread build-mpich python/*.egg-info examples/demo/ocean*.nc* examples/demo/*.json examples/demo/*.png examples/demo/*.html
