# CUA_FLAGS(VARIABLE, FLAGS): appends each flag that the compiler takes.
AC_DEFUN([CUA_FLAGS], [
	AC_SUBST([$1])
	for cua_flag in m4_normalize([$2]); do
		AS_VAR_PUSHDEF([cua_cache], [cua_cv_cflag_$cua_flag])
		AC_CACHE_CHECK([whether $CC takes $cua_flag], [cua_cache], [
			cua_saved="$CFLAGS"
			# Unknown warnings are only warned about, unless that is an error.
			CFLAGS="$CFLAGS -Werror $cua_flag"
			AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
				[AS_VAR_SET([cua_cache], [yes])], [AS_VAR_SET([cua_cache], [no])])
			CFLAGS="$cua_saved"
		])
		AS_VAR_IF([cua_cache], [yes], [$1="$$1 $cua_flag"])
		AS_VAR_POPDEF([cua_cache])
	done
])

# CUA_LINK_FLAGS(VARIABLE, FLAGS): appends each flag that the linker takes.
AC_DEFUN([CUA_LINK_FLAGS], [
	AC_SUBST([$1])
	for cua_flag in m4_normalize([$2]); do
		AS_VAR_PUSHDEF([cua_cache], [cua_cv_ldflag_$cua_flag])
		AC_CACHE_CHECK([whether the linker takes $cua_flag], [cua_cache], [
			cua_saved="$LDFLAGS"
			cua_saved_cflags="$CFLAGS"
			LDFLAGS="$LDFLAGS $cua_flag"
			CFLAGS="$CFLAGS -fPIE"
			AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
				[AS_VAR_SET([cua_cache], [yes])], [AS_VAR_SET([cua_cache], [no])])
			LDFLAGS="$cua_saved"
			CFLAGS="$cua_saved_cflags"
		])
		AS_VAR_IF([cua_cache], [yes], [$1="$$1 $cua_flag"])
		AS_VAR_POPDEF([cua_cache])
	done
])
