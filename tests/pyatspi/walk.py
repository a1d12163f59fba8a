#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Prints what pyatspi finds in the application of a process, one JSON object a line: every element a
person could act on, with its role, name, value and, where it is showing, its place on the screen. Knows
nothing of the driver."""
import json
import sys

import pyatspi

# What people press, choose, drag or type into.
ROLES = {
    'check box', 'check menu item', 'combo box', 'entry', 'link', 'menu', 'menu item', 'page tab',
    'password text', 'push button', 'radio button', 'radio menu item', 'slider', 'spin button',
    'toggle button',
}
# What at-spi2-core calls otherwise from 2.53 on.
OLD_NAMES = {'button': 'push button'}
# Whose text is their value.
TEXTS = {'entry', 'text', 'spin button', 'combo box', 'terminal'}


def has(node, interface):
    return interface in pyatspi.listInterfaces(node)


def role_of(node):
    """Its role as at-spi2-core 2.46 calls it."""
    name = node.getRoleName()
    return OLD_NAMES.get(name, name)


def value_of(node, role):
    if role == 'password text':
        return None
    if has(node, 'Text') and (role in TEXTS or has(node, 'EditableText')):
        return node.queryText().getText(0, -1)
    if has(node, 'Value'):
        return '%.12g' % node.queryValue().currentValue
    return None


def texts_in(node):
    """What can be read in an element, from the first to the last; nothing if something in it can be pressed."""
    texts = []
    for child in (node.getChildAtIndex(i) for i in range(min(node.childCount, 100))):
        if child is not None:
            if role_of(child) in ROLES:
                raise ValueError
            if child.getRoleName() in ('label', 'static') and child.name.strip():
                texts.append(child.name)
            texts += texts_in(child)
    return texts


def label_of(node):
    """Its name. GTK4 tells the class of what has none; people then call a button by what is on it."""
    if node.name and not node.name.startswith(('Gtk', 'Adw')):
        return node.name
    try:
        return ' | '.join(texts_in(node))
    except ValueError:
        return ''


def walk(node, depth=0):
    try:
        role = role_of(node)
        states = node.getState()
        showing = states.contains(pyatspi.STATE_SHOWING)
        parent = node.parent
        # What a closed menu would show is not there yet.
        if not showing and parent is not None and parent.getRoleName() in ('menu', 'popup menu'):
            return
        # The list that a page's choice would drop down is a menu without a name: nobody presses that.
        if ((role in ROLES and (role != 'menu' or node.name)) or has(node, 'Value')
                or states.contains(pyatspi.STATE_SELECTABLE)
                # Some implement the interface and refuse every change.
                or (has(node, 'EditableText') and states.contains(pyatspi.STATE_EDITABLE))):
            frame = None
            if showing and has(node, 'Component'):
                box = node.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
                if box.width > 0 and box.height > 0:
                    frame = [box.x, box.y, box.width, box.height]
            print(json.dumps({'role': role, 'label': label_of(node), 'value': value_of(node, role),
                              'frame': frame}, sort_keys=True))
        children = [node.getChildAtIndex(i) for i in range(min(node.childCount, 1000))]
    except (LookupError, NotImplementedError, RuntimeError) as problem:
        # It went away while it was looked at: this walk is no picture of anything.
        sys.exit('%s' % problem)
    for child in children:
        if child is not None and depth < 200:
            walk(child, depth + 1)


def main():
    for application in pyatspi.Registry.getDesktop(0):
        if application is not None and application.get_process_id() == int(sys.argv[1]):
            for window in application:
                walk(window)


main()
