EXTRA_DIST += data/errors.def data/packages data/install-packages
