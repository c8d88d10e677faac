# The whole build in one file. "make" on a fresh clone configures itself;
# "make run" and "make check" also install what is missing.
#
# TREE selects the object tree, so that no variant needs a new configure:
#   opt        build/            as configured, optimised: the program that is installed
#   san        build/san/        gcc with address, undefined and leak sanitizers and the fault points: the tests
#   san-clang  build/san-clang/  the same with clang, instrumented for libFuzzer
#   fault      build/fault/      as san, built by "make fault"
#   history    build/history/    optimised, with the fault points: "make history"
TREE ?= opt

NO_CONFIG = deps deb run quick check check-16 check-17 check-18 check-package check-patroni bench fuzz fault history soak soak-carddav lint format clean distclean
ifneq ($(filter-out $(NO_CONFIG),$(or $(MAKECMDGOALS),all)),)
include config.mk
endif

WARNINGS = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Wvla -Wformat=2 -Wno-missing-field-initializers
# -g1: reports need only the lines. For a debugger: make CFLAGS=-g.
SAN = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -O1 -g1
OPTIMISED = -O2 -fno-plt -fstack-protector-strong -D_FORTIFY_SOURCE=2
CLANG ?= clang
GCC ?= gcc

B_opt = build
FLAGS_opt = $(if $(filter yes,$(SANITIZE)),$(SAN),$(OPTIMISED))
B_san = build/san
FLAGS_san = $(SAN) -DKITH_FAULTS
CC_san = $(GCC)
B_san-clang = build/san-clang
FLAGS_san-clang = $(SAN) -DKITH_FAULTS -fsanitize=fuzzer-no-link
CC_san-clang = $(CLANG)
B_fault = build/fault
FLAGS_fault = $(SAN) -DKITH_FAULTS
B_history = build/history
FLAGS_history = $(OPTIMISED) -DKITH_FAULTS

B := $(or $(B_$(TREE)),$(error TREE=$(TREE) is none of opt, san, san-clang, fault, history))
COMPILER = $(or $(CC_$(TREE)),$(CC))
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -g $(FLAGS_$(TREE)) $(WARNINGS) $(if $(filter yes,$(WERROR)),-Werror) \
	$(if $(filter yes,$(FAULTS)),-DKITH_FAULTS) -DKITH_VERSION='"$(VERSION)"' $(if $(CONFIG_FILE),-DKITH_CONFIG_FILE='"$(CONFIG_FILE)"') -fPIE -I. $(PKG_CFLAGS) $(CPPFLAGS) $(CFLAGS)
# lld links the two hundred test programs in a quarter of the time. The installed program uses the system's linker.
LLD := $(if $(shell command -v ld.lld),-fuse-ld=lld)
ALL_LDFLAGS = $(if $(filter opt history,$(TREE)),,$(LLD)) -pie -Wl,-z,relro -Wl,-z,now -Wl,--as-needed $(LDFLAGS)
ALL_LIBS = $(PKG_LIBS) $(LIBS)

# One line tells each file that is built; V=1 shows the commands.
say = $(if $(V),,@printf '%-5s %s\n' $(1) $@;)

# --- sources and targets --------------------------------------------------------

SOURCES := $(filter-out $(addprefix server/command/,main.c describe.c manual.c field_table.c),$(wildcard server/*.c server/*/*.c $(addsuffix /*.c,store filter webhook transfer)))
MIGRATIONS := $(sort $(wildcard migrations/*.sql))
EMBED := $(wildcard store/embed_migrations.sh)
PAGES := $(sort $(wildcard pages/*.* pages/*/*.* pages/*/*/*.* docs/guides/*.md) transfer/headings.json)
EXAMPLES := server/openapi/examples.json
# Long SQL and JSON beside the sources that use it.
BUILT_IN := $(sort $(filter-out $(EXAMPLES),$(wildcard server/*/*.sql server/*/*.json transfer/*.json $(addsuffix /*.sql,store filter webhook transfer))))
OBJECTS := $(SOURCES:%.c=$(B)/%.o) $(if $(EMBED),$(B)/migrations.o) $(B)/built_in.o $(B)/pages.o $(B)/examples.o $(B)/description.o
LIB_SOURCES := $(wildcard test/lib/*.c test/lib/*/*.c)
UNIT := $(patsubst %.c,$(B)/%,$(wildcard test/unit/test_*.c))
FLOW := $(patsubst %.c,$(B)/%,$(wildcard test/flow/test_*.c))
FUZZ := $(patsubst %.c,$(B)/%,$(wildcard test/fuzz/fuzz_*.c))
BENCH := $(patsubst %.c,$(B)/%,$(wildcard test/bench/*.c))
FAULT := $(patsubst %.c,$(B)/%,$(wildcard test/fault/*.c))
API_SOURCES := $(wildcard test/api/*.c)
SOAK_SOURCES := $(wildcard test/soak/*.c)
KITH := $(patsubst server/command/main.c,$(B)/kith,$(wildcard server/command/main.c))
API := $(if $(API_SOURCES),$(B)/test/api/api)
SOAK := $(if $(SOAK_SOURCES),$(B)/test/soak/soak)

# What is built directly needs what "make deps" installs; the other targets install it themselves.
ifneq ($(filter unit flow tests short clang fuzzers benches faults soaks,$(MAKECMDGOALS)),)
ifneq ($(shell pkg-config --exists cmocka libcurl && echo yes),yes)
$(error cmocka or libcurl is missing; run: make deps)
endif
endif

.PHONY: all deb quick short check-all check-16 check-17 check-18 check-package check-patroni manual lib unit flow test tests clang fuzzers benches install uninstall clean distclean run check lint bench fuzz fault history soak soak-carddav deps format faults soaks examples force
.DELETE_ON_ERROR:
.SECONDARY:

all: $(B)/libkith.a $(KITH)
lib: $(B)/libkith.a
tests: all manual $(UNIT) $(FLOW) $(FAULT) $(API)
# The part of the clang build that "make check-all" runs.
clang: all $(UNIT) $(API) $(FUZZ)
fuzzers: $(FUZZ)
benches: all $(BENCH)
faults: all $(FAULT) $(FLOW)
soaks: all $(SOAK)

# What "make quick" runs.
short: all $(UNIT) $(API)

# Runs only the unit programs: the shortest round while working. All of them run, also after one has failed.
unit: $(UNIT)
	@failed=; for t in $(UNIT); do $$t || failed="$$failed $$t"; done; [ -z "$$failed" ] || { echo "FAILED:$$failed"; exit 1; }
flow: all $(FLOW)

# A stamp file rewritten only when its content changes: changed flags or a removed
# source rebuild what depends on them.
define stamp
@mkdir -p $(@D)
@printf '%s\n' '$(subst ','\'',$(1))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(1))' >$@
endef
$(B)/flags: force
	$(call stamp,$(COMPILER) $(ALL_CFLAGS))
$(B)/objects: force
	$(call stamp,$(OBJECTS) $(MIGRATIONS) $(BUILT_IN))
force:

$(B)/libkith.a: $(OBJECTS) $(B)/objects
	@rm -f $@
	$(call say,AR)$(AR) qcs $@ $(OBJECTS)

$(B)/libtest.a: $(LIB_SOURCES:%.c=$(B)/%.o)
	@rm -f $@
	$(call say,AR)$(AR) qcs $@ $^

$(B)/kith: $(B)/server/command/main.o $(B)/libkith.a
	$(call say,LD)$(COMPILER) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(COMPILER) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/migrations.c: $(EMBED) $(MIGRATIONS) $(B)/objects
	@mkdir -p $(@D)
	$(call say,SQL)sh $(EMBED) $(MIGRATIONS) >$@
$(B)/migrations.o: $(B)/migrations.c $(B)/flags
	$(call say,CC)$(COMPILER) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/built_in.c: server/base/embed_built_in.sh $(BUILT_IN) $(B)/objects
	@mkdir -p $(@D)
	$(call say,SQL)sh server/base/embed_built_in.sh $(BUILT_IN) >$@
$(B)/built_in.o: $(B)/built_in.c $(B)/flags
	$(call say,CC)$(COMPILER) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# The fields of records for the console, from the tables themselves. The pages are built again only if it changes.
FIELD_TABLES := server/command/field_table.c filter/tables.c $(wildcard store/*_fields.c server/base/*.c)
$(B)/field_table: $(FIELD_TABLES:%.c=$(B)/%.o) $(B)/built_in.o
	$(call say,LD)$(COMPILER) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)
$(B)/fields.made: $(B)/field_table
	@mkdir -p build/pages
	$(call say,MAKE)$(B)/field_table >$@
	@cmp -s $@ build/pages/fields.ts || cp $@ build/pages/fields.ts
build/pages/fields.ts: $(B)/fields.made ;

# Built once for all trees. The file "done" is missing when a tool was missing and the pages could not be built.
build/pages/inputs: force
	$(call stamp,$(VERSION) $(CONSOLE) $(PAGES))
build/pages/done: $(PAGES) build/pages/inputs build/pages/fields.ts
	@sh pages/build.sh build/pages $(VERSION) $(CONSOLE)
build/pages/assets.c: build/pages/done ;
$(B)/pages.o: build/pages/assets.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(COMPILER) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/examples.c: server/openapi/embed_examples.sh $(EXAMPLES)
	@mkdir -p $(@D)
	$(call say,MAKE)sh server/openapi/embed_examples.sh $(EXAMPLES) >$@
$(B)/examples.o: $(B)/examples.c $(B)/flags
	$(call say,CC)$(COMPILER) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# The API's description is made by a program of the same objects.
$(B)/describe: $(B)/server/command/describe.o $(filter-out $(B)/description.o,$(OBJECTS)) $(B)/objects
	$(call say,LD)$(COMPILER) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(ALL_LIBS)
$(B)/description.made: $(B)/describe
	$(call say,MAKE)$(B)/describe >$@
	@cmp -s $@ $(B)/description.c || cp $@ $(B)/description.c
$(B)/description.c: $(B)/description.made ;
$(B)/description.o: $(B)/description.c $(B)/flags
	$(call say,CC)$(COMPILER) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Another program makes the man pages, the completion and the file of settings.
MANUAL := $(addprefix $(B)/manual/,kith.1 kith.conf.5 kith.bash)
manual: $(MANUAL)
$(B)/make_manual: $(B)/server/command/manual.o $(B)/libkith.a
	$(call say,LD)$(COMPILER) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)
$(B)/manual/%: $(B)/make_manual
	@mkdir -p $(@D)
	$(call say,MAKE)$(B)/make_manual $(@F) >$@

$(UNIT) $(FLOW) $(BENCH) $(FAULT): %: %.o $(B)/libtest.a $(B)/libkith.a
	$(call say,LD)$(COMPILER) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS) -lcmocka -lcurl -lm

$(API): $(API_SOURCES:%.c=$(B)/%.o) $(B)/libtest.a $(B)/libkith.a
	$(call say,LD)$(COMPILER) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS) -lcurl -lm

$(SOAK): $(SOAK_SOURCES:%.c=$(B)/%.o) $(B)/libtest.a $(B)/libkith.a
	$(call say,LD)$(COMPILER) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS) -lcmocka -lcurl -lm

$(FUZZ): %: %.o $(B)/libtest.a $(B)/libkith.a
	$(call say,LD)$(COMPILER) $(ALL_CFLAGS) -fsanitize=fuzzer $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

-include $(patsubst %.c,$(B)/%.d,$(SOURCES) server/command/main.c migrations.c built_in.c pages.c examples.c description.c $(addprefix server/command/,describe.c manual.c field_table.c) $(LIB_SOURCES) $(API_SOURCES) $(SOAK_SOURCES) \
	$(wildcard test/unit/*.c test/flow/*.c test/fuzz/*.c test/bench/*.c test/fault/*.c))

# --- configuring ------------------------------------------------------------------

configure: configure.ac
	@command -v autoconf >/dev/null || { echo "autoconf is missing; install the Debian package autoconf, or run: make deps" >&2; exit 1; }
	autoconf
# After a change of configure.ac: reconfigures with the same options.
config.mk: config.mk.in configure
	@if test -f config.status; then sh ./config.status --recheck && sh ./config.status; else sh ./configure; fi

# --- commands ---------------------------------------------------------------------

# One job per core, unless make was called with -j.
JOBS = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))
SUB = @+$(MAKE) --no-print-directory $(JOBS)

deps:
	@deploy/deps.sh check

run:
	@deploy/deps.sh run
	$(SUB) TREE=opt all
	@build/kith demo && exec build/kith serve

# Lint, unit programs and the black-box suite, with one compiler.
quick:
	@deploy/deps.sh check
	$(SUB) TREE=san short
	@ONLY='test/lint/ test/unit/ test/api/' test/run build/san

# What takes long is left to "make check-all": most of it repeats in breadth what shorter tests check.
LONG = package/check postgres/check postgres/install $(addprefix test_,admission_exact alerts backup backup_forged calendar_clients \
	carddav_clients carddav_judges carddav_soak carddav_travel cells clients console_long console_operate docs embedded_servers \
	failover filter_oracle joint_crossings joint_records largest mcp_clients merge_races moved moved_back neighbours search_oracle \
	search_slow storm synchronous systemd webhooks_pauses workspace_forged)
check:
	@deploy/deps.sh check
	$(SUB) TREE=san tests
	@WITHOUT='$(LONG)' test/run build/san

# Everything in one run: also the long programs, and with clang the unit programs, the black-box suite under forced
# conflicts, and the corpora of the fuzz targets.
check-all:
	@deploy/deps.sh check
	$(SUB) TREE=san tests
	$(SUB) TREE=san-clang clang
	@AGGREGATE_QUERIES=10000 FAULT_ROUNDS=$${FAULT_ROUNDS:-40} TEST_TIMEOUT_S=$${TEST_TIMEOUT_S:-1800} test/run build/san build/san-clang

# The same programs on another major version of PostgreSQL.
check-16 check-17 check-18:
	@deploy/deps.sh check
	$(SUB) TREE=san tests
	@test/postgres/suite $(@:check-%=%) build/san

# Builds and runs the test programs whose path contains a word of ONLY; a whole name, test_etag, is only that one. CASE: only their cases whose name contains it.
PATHS = $(basename $(wildcard test/unit/test_*.c test/flow/test_*.c test/fault/test_*.c test/lint/*.sh)) test/api/api \
	$(addprefix test/,package/check web/install webhooks/install webhooks/check postgres/install postgres/check openapi/check)
WHOLE = $(filter %/$(filter test_%,$1),$(PATHS))
MATCHING = $(sort $(foreach w,$1,$(or $(call WHOLE,$w),$(foreach t,$(PATHS),$(if $(findstring $w,$t),$t)))))
CHOSEN = $(addprefix build/san/,$(filter test/unit/% test/flow/% test/fault/% test/api/%,$(call MATCHING,$(ONLY))))
test:
	@test -n '$(ONLY)' || { echo 'make test ONLY=word runs the programs whose path contains the word; everything: make check-all' >&2; exit 2; }
	@$(foreach w,$(ONLY),$(if $(call MATCHING,$w),,echo "make test: no test has '$w' in its path; the programs are in test/unit and test/flow" >&2; exit 2;)):
	@deploy/deps.sh check
	$(SUB) TREE=san all $(if $(filter test/package/check,$(call MATCHING,$(ONLY))),manual) $(CHOSEN)
	@ONLY='$(ONLY)' test/run build/san

# Records the examples of the API's description by executing them.
examples:
	@deploy/deps.sh check
	$(SUB) TREE=san all build/san/test/api/api
	@RECORD=yes FILES=test/api/examples.t ONLY=api/ test/run build/san

lint:
	@test/lint/run

format:
	@command -v clang-format >/dev/null || { echo "clang-format is missing; run: make deps" >&2; exit 1; }
	@git ls-files -z '*.c' '*.h' '*.inc' | xargs -0 clang-format -i

# Debian's package, from a copy of the tree: build/deb/kith_VERSION_ARCH.deb.
deb:
	@deploy/deps.sh deb
	$(SUB) build/pages/done
	@deploy/deb.sh build/deb

check-package: deb
	@deploy/deps.sh system
	@test/package/system build/deb/kith_*.deb

# Three PostgreSQL servers that Patroni manages: failovers and planned switchovers under load.
check-patroni:
	@deploy/deps.sh patroni
	$(SUB) TREE=opt all
	@test/patroni/run build

# Each of the longer tests has its own script, whose head describes its settings.
bench:
	@deploy/deps.sh check
	$(SUB) TREE=opt benches
	@test/bench/run build
FUZZ_SECONDS ?= 60
fuzz:
	@deploy/deps.sh check
	$(SUB) TREE=san-clang fuzzers
	@test/fuzz/run build/san-clang $(FUZZ_SECONDS)
fault:
	@deploy/deps.sh check
	$(SUB) TREE=fault faults
	@test/fault/run build/fault
# Rounds of concurrent clients under faults, with a checker of all answers.
HISTORY_ROUNDS ?= 20
HISTORY_SECONDS ?= 60
history:
	@deploy/deps.sh check
	$(SUB) TREE=history all build/history/test/flow/test_histories
	@HISTORY_ROUNDS=$(HISTORY_ROUNDS) HISTORY_SECONDS=$(HISTORY_SECONDS) TEST_TIMEOUT_S=$(or $(TEST_TIMEOUT_S),14400) \
		LANES=1 ONLY=flow/test_histories test/run build/history
soak:
	@deploy/deps.sh check
	$(SUB) TREE=opt soaks
	@test/soak/run build
# Address books: random edits by clients that others wrote, under kills, and fifty thousand people in one book.
SOAK_MINUTES ?= 2
soak-carddav:
	@deploy/deps.sh check
	$(SUB) TREE=opt all build/test/flow/test_carddav_soak
	@SOAK_MINUTES=$(SOAK_MINUTES) VOLUME_PEOPLE=$(or $(VOLUME_PEOPLE),50000) TEST_TIMEOUT_S=$(or $(TEST_TIMEOUT_S),7200) \
		LANES=1 ONLY=flow/test_carddav_soak test/run build

# The units name the program by the path of Debian's package. CONF: settings that are set, not only explained.
CONF = 'database_url=host=/var/run/postgresql user=kith dbname=kith' data_dir=/var/lib/kith admin_listen=127.0.0.1:9464
UNITS = $(prefix)/lib/systemd/system
PLACED = sed 's,/usr/bin/kith,$(bindir)/kith,g'
INSTANCE = sed 's,/kith/kith.conf,/kith/%i.conf,; s,^StateDirectory=kith,& kith/%i,; s/^Description=kith/& %i/'
install: all $(B)/make_manual $(MANUAL)
	install -D -m 755 $(B)/kith $(DESTDIR)$(bindir)/kith
	install -D -m 644 $(B)/manual/kith.1 $(DESTDIR)$(mandir)/man1/kith.1
	install -D -m 644 $(B)/manual/kith.conf.5 $(DESTDIR)$(mandir)/man5/kith.conf.5
	install -D -m 644 $(B)/manual/kith.bash $(DESTDIR)$(datadir)/bash-completion/completions/kith
	install -d $(DESTDIR)$(datadir)/kith
	install -m 644 deploy/nginx.conf deploy/nginx-cells.conf $(DESTDIR)$(datadir)/kith
	install -D -m 644 deploy/kith.sysusers $(DESTDIR)$(prefix)/lib/sysusers.d/kith.conf
	install -d $(DESTDIR)$(UNITS)
	$(B)/make_manual kith.conf $(CONF) >$(DESTDIR)$(datadir)/kith/kith.conf
	$(PLACED) deploy/kith.service >$(DESTDIR)$(UNITS)/kith.service
	$(PLACED) deploy/kith.service | $(INSTANCE) >$(DESTDIR)$(UNITS)/kith@.service
	cd $(DESTDIR) && chmod 644 .$(datadir)/kith/kith.conf .$(UNITS)/kith.service .$(UNITS)/kith@.service
uninstall:
	rm -rf $(addprefix $(DESTDIR),$(bindir)/kith $(mandir)/man1/kith.1 $(mandir)/man5/kith.conf.5 $(datadir)/kith \
		$(datadir)/bash-completion/completions/kith $(prefix)/lib/sysusers.d/kith.conf $(UNITS)/kith.service $(UNITS)/kith@.service)

clean:
	rm -rf build
distclean: clean
	rm -rf configure configure~ config.mk config.log config.status autom4te.cache
