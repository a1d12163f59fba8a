# SPDX-License-Identifier: MIT
# One process with two windows of Tk, each with a field; what they hold is in their titles, as in documents.c.
package require Tk
proc tell {name args} {
	wm title .$name "$name:[set ::$name]"
}
wm withdraw .
foreach name {left right} {
	toplevel .$name
	set $name ""
	entry .$name.field -textvariable $name -width 60
	pack .$name.field -ipady 40
	trace add variable $name write [list tell $name]
	tell $name
	tkwait visibility .$name.field
	focus -force .$name.field
	update
}
