# Temporary skeleton: enough to compile what exists.
CC ?= gcc
B ?= build
PKGS = libevent libevent_openssl libpq yajl openssl libcurl libical
CFLAGS += -std=c11 -D_GNU_SOURCE -g -O2 -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Wvla -Wformat=2 -I. $(shell pkg-config --cflags $(PKGS))
LIBS = $(shell pkg-config --libs $(PKGS))
ifdef SAN
CFLAGS += -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
endif
SRC = $(filter-out server/main.c,$(wildcard server/base/*.c server/*.c store/*.c filter/*.c webhook/*.c))
OBJ = $(SRC:%.c=$(B)/%.o)
UNIT = $(patsubst test/unit/%.c,$(B)/test/unit/%,$(wildcard test/unit/*.c))
all: $(B)/libkith.a
unit: $(UNIT)
	@for t in $(UNIT); do $$t || exit 1; done
# The migrations as a C table.
$(B)/migrations.c: store/embed_migrations.sh $(wildcard migrations/*.sql)
	@mkdir -p $(@D)
	sh store/embed_migrations.sh $(sort $(wildcard migrations/*.sql)) > $@.new && mv $@.new $@
$(B)/migrations.o: $(B)/migrations.c
	$(CC) $(CFLAGS) -c -o $@ $<
OBJ += $(B)/migrations.o
$(B)/libkith.a: $(OBJ)
	rm -f $@; ar rcs $@ $^
$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<
$(B)/test/unit/%: test/unit/%.c $(B)/libkith.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -MF $@.d -o $@ $< $(B)/libkith.a $(LIBS) -lcmocka
FLOW = $(patsubst test/flow/%.c,$(B)/test/flow/%,$(wildcard test/flow/*.c))
flow: $(FLOW)
	@for t in $(FLOW); do $$t || exit 1; done
$(B)/test/flow/%: test/flow/%.c $(wildcard test/lib/*.c) $(B)/libkith.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -MF $@.d -o $@ $(filter %.c,$^) $(B)/libkith.a $(LIBS) -lcmocka
-include $(OBJ:.o=.d)
