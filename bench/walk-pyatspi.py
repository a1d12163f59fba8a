#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The walk that a script makes with pyatspi: for each pid on standard input the tree of the process's
first window, the same fields as the driver's. Answers with the number of nodes and the milliseconds."""
import sys
import time

import pyatspi


def interface(query):
    try:
        return query()
    except NotImplementedError:
        return None


def read(node):
    node.getRole(), node.name, node.description
    states = node.getState()
    if states.contains(pyatspi.STATE_SHOWING) or states.contains(pyatspi.STATE_VISIBLE):
        component = interface(node.queryComponent)
        if component:
            component.getExtents(pyatspi.WINDOW_COORDS)
    action = interface(node.queryAction)
    if action:
        [action.getName(i) for i in range(action.nActions)]
    value = interface(node.queryValue)
    if value:
        value.currentValue
    if interface(node.queryEditableText):
        node.queryText().getText(0, -1)


def walk(node, depth=0):
    read(node)
    nodes = 1
    for i in range(node.childCount if depth < 100 else 0):
        child = node.getChildAtIndex(i)
        if child:
            nodes += walk(child, depth + 1)
    return nodes


for line in sys.stdin:
    start = time.monotonic()
    nodes = 0
    for application in pyatspi.Registry.getDesktop(0):
        if application and application.get_process_id() == int(line):
            application.clearCache()
            nodes = walk(application.getChildAtIndex(0))
    print(nodes, "%.3f" % ((time.monotonic() - start) * 1000), flush=True)
