"""Walks the accessibility tree of one application with pyatspi, as a Python script would, and prints
how many accessibles it read: `walk.py NAME`. With a second argument it waits until the application
has at least that many, and then until their number no longer changes."""

import sys
import time

import pyatspi


def find(name):
    for application in pyatspi.Registry.getDesktop(0):
        if application and application.name.lower().startswith(name.lower()):
            return application
    return None


def read(accessible):
    """Reads what a snapshot reads of one accessible."""
    accessible.getRole()
    accessible.name
    accessible.description
    accessible.getState().getStates()
    offered = accessible.get_interfaces()
    if "Action" in offered:
        action = accessible.queryAction()
        for index in range(action.nActions):
            action.getName(index)
    if "Value" in offered:
        accessible.queryValue().currentValue
    if "EditableText" in offered:
        text = accessible.queryText()
        text.getText(0, text.characterCount)
    if "Component" in offered and accessible.getState().contains(pyatspi.STATE_FOCUSABLE):
        accessible.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)


def walk(accessible):
    count = 1
    read(accessible)
    for child in accessible:
        if child:
            count += walk(child)
    return count


def count(accessible):
    return 1 + sum(count(child) for child in accessible if child)


def wait(name, least):
    deadline = time.monotonic() + 60
    before = -1
    while time.monotonic() < deadline:
        application = find(name)
        now = count(application) if application else 0
        if now >= least and now == before:
            return now
        before = now
        time.sleep(0.5)
    sys.exit(f"{name} shows {before} accessibles after 60 seconds, expected at least {least}")


if len(sys.argv) > 2:
    print(wait(sys.argv[1], int(sys.argv[2])))
else:
    target = find(sys.argv[1])
    if target is None:
        sys.exit(f"{sys.argv[1]} is not on the accessibility bus")
    print(walk(target))
