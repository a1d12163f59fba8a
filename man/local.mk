dist_man_MANS = man/cua-driver.1

# Made from the tables in the program, by a program that links them.
noinst_PROGRAMS += man/generate
man_generate_SOURCES = man/generate.c
man_generate_LDADD = $(CUA_LIBS)

if !CROSS_COMPILING
nodist_man_MANS = man/cua-driver-tools.7 man/cua-driver-errors.7
CLEANFILES += $(nodist_man_MANS)

man/cua-driver-%.7: man/generate$(EXEEXT)
	$(AM_V_GEN)$(builddir)/man/generate$(EXEEXT) $* > $@.tmp && mv $@.tmp $@
endif
