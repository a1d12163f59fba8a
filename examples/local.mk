noinst_PROGRAMS += examples/calculator
examples_calculator_SOURCES = examples/calculator.c
examples_calculator_LDADD = $(CORE_LIBS)
