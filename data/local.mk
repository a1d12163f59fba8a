EXTRA_DIST += data/errors.def data/quirks.def data/packages data/packages-elsewhere data/install-packages data/systemd/cua-driver.service.in

# Units of the user's own service manager, whoever that is.
systemduserunitdir = $(prefix)/lib/systemd/user
dist_systemduserunit_DATA = data/systemd/cua-driver.socket
nodist_systemduserunit_DATA = data/systemd/cua-driver.service
CLEANFILES += $(nodist_systemduserunit_DATA)

data/systemd/cua-driver.service: data/systemd/cua-driver.service.in Makefile
	$(AM_V_GEN)$(MKDIR_P) data/systemd && \
	$(SED) 's|@bindir[@]|$(bindir)|g' $(srcdir)/data/systemd/cua-driver.service.in > $@.tmp && mv $@.tmp $@

skilldir = $(pkgdatadir)/skills/cua-driver
dist_skill_DATA = data/skills/cua-driver/SKILL.md

# Made from the program's own tables.
if !CROSS_COMPILING
bashcompletiondir = $(datadir)/bash-completion/completions
nodist_bashcompletion_DATA = data/cua-driver
CLEANFILES += $(nodist_bashcompletion_DATA)

data/cua-driver: man/generate$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) data && $(builddir)/man/generate$(EXEEXT) completion > $@.tmp && mv $@.tmp $@
endif
